// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Curved elements whose mesh nodes the kernel reads: against the oracle, with as many nodes as allowed and with fewer.
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>

namespace {

using checks::agrees_with_oracle;
using sumfac::checked, sumfac::host, sumfac::isoparametric;

mesh::nodes curved(reference::rule const& where, int count)
{
  return mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), count);
}

// m nodes per edge, Gauss-Lobatto and equispaced.
template <class Operator>
void on_curved(std::initializer_list<int> ms, reference::space const& space, reference::integrand<> const& form,
               typename Operator::form_type const& own_form = {})
{
  constexpr int count = Operator::order > 7 ? 2 : checks::enough_elements<Operator>;
  for (int const m : ms) {
    auto const lobatto = reference::gauss_lobatto(m), equal = reference::equispaced(m);
    agrees_with_oracle<Operator>(curved(lobatto, count), lobatto, space, form, own_form);
    agrees_with_oracle<Operator>(curved(equal, 1), equal, space, form, own_form, sumfac::equispaced_nodes{});
  }
}

template <int N, int M, class Backend = host, class Scalar = double>
using bp1 = sumfac::bp1<N, Backend, Scalar, isoparametric<M>>;
template <int N, int M, class Backend = host, class Scalar = double>
using bp3 = sumfac::bp3<N, Backend, Scalar, isoparametric<M>>;
template <int N, int M, class Backend = host, class Scalar = double>
using bp35 = sumfac::bp35<N, Backend, Scalar, isoparametric<M>>;

}  // namespace

TEST_CASE("isoparametric: the bake-off on the host")
{
  on_curved<bp1<1, 2>>({2}, reference::on_gauss(1), reference::mass());
  on_curved<bp35<2, 3>>({2, 3}, reference::collocated(2), reference::stiffness(0.1));
  on_curved<bp3<3, 4>>({3, 4}, reference::on_gauss(3), reference::stiffness(0.1));
  on_curved<bp35<7, 3>>({3}, reference::collocated(7), reference::stiffness(0.1));
  on_curved<bp3<7, 0>>({8}, reference::on_gauss(7), reference::stiffness(0.1));
}

TEST_CASE("isoparametric: high degrees")
{
  on_curved<bp1<11, 3>>({3}, reference::on_gauss(11), reference::mass());
  on_curved<bp35<15, 4>>({4}, reference::collocated(15), reference::stiffness(0.1));
}

TEST_CASE("isoparametric: on checked and in single precision")
{
  on_curved<bp35<3, 3, checked>>({3}, reference::collocated(3), reference::stiffness(0.1));
  on_curved<bp1<2, 4, checked>>({2, 4}, reference::on_gauss(2), reference::mass());
  on_curved<bp3<2, 3, host, float>>({3}, reference::on_gauss(2), reference::stiffness(0.1));
}

TEST_CASE("isoparametric: more nodes per edge than told are refused")
{
  auto const mesh = curved(reference::gauss_lobatto(4), 2);
  try {
    bp1<2, 3>(host{}, checks::nodes_view(mesh));
    FAIL("no argument_error");
  } catch (sumfac::argument_error const& error) {
    std::string const message = error.what();
    INFO(message);
    CHECK(message.find("sumfac::") == 0);
    CHECK(message.find("4") != std::string::npos);
    CHECK(message.find("3") != std::string::npos);
  }
}

TEST_CASE("isoparametric: work counts three numbers a mesh node, and the size of the element where it is kept")
{
  auto const mesh = mesh::box({5, 1, 1}, reference::gauss_lobatto(3));
  auto const w = bp35<3, 3>(host{}, checks::nodes_view(mesh)).work();
  CHECK(w.bytes_read == 5 * 8 * (64 + 3 * 27));
  CHECK(w.bytes_written == 5 * 8 * 64);
  CHECK(w.geometry_flops > 0);
  using laplace = sumfac::bp5<3, host, double, sumfac::isoparametric<3>>;
  CHECK(laplace(host{}, checks::nodes_view(mesh)).work().bytes_read == 5 * 8 * (64 + 3 * 27 + 1));
}
