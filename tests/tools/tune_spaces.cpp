// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time on quadrilaterals, surfaces and lines: what is tried is right, and one of it is taken.
#include <sumfac/tools/tune.hpp>

#include <operator/spaces.hpp>

namespace {

using sumfac::line, sumfac::quadrilateral, sumfac::surface;

// The trials of tune() on a mesh: none refused, and the one that was taken applies as the operator itself does.
template <class Operator>
auto tuned(checks::flat_mesh const& mesh, typename Operator::form_type const& form = {})
{
  constexpr int directions = Operator::directions, n = Operator::nodes_1d, components = Operator::components;
  typename Operator::backend_type const backend;
  auto const nodes = checks::nodes_view<directions, Operator::coordinates>(mesh);
  auto const chosen = sumfac::tune<Operator>(backend, nodes, form, {.seconds = 1e-4, .log = nullptr});
  REQUIRE(chosen.trials().size() > 1);
  for (auto const& trial : chosen.trials()) {
    INFO(trial.what << ": " << trial.refused);
    CHECK(trial.refused.empty());
    CHECK(trial.error > 0);
  }
  Operator const own{backend, nodes, form};
  using scalar = typename Operator::scalar_type;
  auto const size = std::size_t(mesh.elements * components * sumfac::detail::node_box(n, directions).all());
  auto const u = support::random<scalar>(size, 4);
  std::vector<scalar> v(size), w(size);
  chosen.apply(checks::e_vector<directions, n, components>(u.data(), mesh.elements),
               checks::e_vector<directions, n, components>(v.data(), mesh.elements));
  own.apply(checks::e_vector<directions, n, components>(u.data(), mesh.elements),
            checks::e_vector<directions, n, components>(w.data(), mesh.elements));
  for (std::size_t i = 0; i < size; ++i) CHECK(std::abs(v[i] - w[i]) <= 400 * std::numeric_limits<scalar>::epsilon());
  return chosen.trials();
}

template <class Form, auto Space, class Points, class Backend = sumfac::host, class Scalar = double>
using on = sumfac::element_operator<Form, Space, Points, Backend, Scalar>;

// A form whose kernels are wrong: `setup` knows where it is called, in the kernel or before.
struct wrong_in_the_kernel : sumfac::laplace {
  template <class T, int Dim, int Coordinates>
  auto setup(sumfac::mapping<T, Dim, Coordinates> const& x) const
  {
    auto f = sumfac::laplace::setup(x);
    if constexpr (sumfac::width_of<T> > 1) f.metric = f.metric * T(1.001);
    return f;
  }
};

}  // namespace

TEST_CASE("tune on flat elements: stored or from vertices, on the host")
{
  auto const trials = tuned<on<sumfac::stiffness, quadrilateral(3), sumfac::gauss<5>>>(
      checks::flat_mesh(11, 2, 2, 2, 0.1), {.lambda = 0.3});
  CHECK(trials[0].what == "stored, planes");
  CHECK(trials[1].what == "trilinear, planes");
  tuned<on<sumfac::vector_mass<2>, surface(2), sumfac::gauss<4>, sumfac::host, float>>(
      checks::flat_mesh(9, 2, 3, 2, 0));
  tuned<on<sumfac::laplace, line(4), sumfac::gauss_lobatto<5>>>(checks::flat_mesh(20, 1, 1, 2, 0.1));
}

TEST_CASE("tune on flat elements: elements a team and padding, on checked")
{
  auto const trials = tuned<on<sumfac::stiffness, quadrilateral(3), sumfac::gauss<5>, sumfac::checked>>(
      checks::flat_mesh(40, 2, 2, 2, 0.1), {.lambda = 0.3});
  CHECK(trials.size() == 5);
  for (auto const& trial : trials) CHECK(trial.what.find("stored, rows, elements") == 0);
  tuned<on<sumfac::mass, line(2), sumfac::gauss<4>, sumfac::checked>>(checks::flat_mesh(20, 1, 1, 2, 0.1));
}

TEST_CASE("tune on flat elements: what is wrong is left out")
{
  checks::flat_mesh const mesh(9, 2, 2, 2, 0.1);
  using wrong = on<wrong_in_the_kernel, quadrilateral(2), sumfac::gauss<4>>;
  auto const nodes = checks::nodes_view<2, 2>(mesh);
  CHECK_THROWS_WITH((sumfac::tune<wrong, wrong>({}, nodes, {}, {.seconds = 1e-5, .log = nullptr})),
                    Catch::Contains("sumfac::tune: no candidate gives right results"));
}
