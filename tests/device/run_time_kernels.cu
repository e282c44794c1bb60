// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels that nvcc and a compiler at run time, NVRTC, both compile: of BP3.0, and of an energy of a user's own, whose
// derivatives are taken by dual numbers, on trilinear elements; of a weak form, on elements that are kept as their
// nodes; and of a mesh that is split by what its elements allow. See tests/tools/check_nvrtc.
#include <sumfac/backend/gpu/cuda_device.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/element/kernel/device_kernels.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak.hpp>

namespace run_time {

// exp(u^2 / 2) + sqrt(1 + |grad u|^2) in each point
struct soap_film {
  static constexpr auto trial = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric(), x.weight() * x.det()};
  }

  template <class T, class U>
  SUMFAC_FUNCTION U energy(factors<T> const& f, sumfac::point_values<U> const& u) const
  {
    auto const slope = f.metric * u.gradient;
    U square = U(f.measure);
    for (int a = 0; a < 3; ++a) square = square + slope[a] * u.gradient[a];
    return f.measure * exp(0.5 * u.value * u.value) + sqrt(f.measure * square);
  }
};

// Elasticity.
inline constexpr sumfac::weak::trial_function<3> u{};
inline constexpr sumfac::weak::test_function<3> v{};
inline constexpr auto elastic = [] {
  using namespace sumfac::weak;
  return integrate(inner(sym(grad(run_time::u)), sym(grad(run_time::v))) + 2 * div(run_time::u) * div(run_time::v));
}();

// What a kernel reads of the geometry, by policy.
template <class Problem, sumfac::tuning Tuning, class Geometry>
struct factors_of {
  using type = sumfac::detail::map_reader<Geometry, Problem, 1, Tuning.elements>;
};
template <class Problem, sumfac::tuning Tuning>
struct factors_of<Problem, Tuning, sumfac::stored> {
  using type = sumfac::detail::team_factor_reader<Problem, Tuning.elements, Tuning.reads>;
};
template <class Problem, sumfac::tuning Tuning, int NodesPerEdge>
struct factors_of<Problem, Tuning, sumfac::isoparametric<NodesPerEdge>> {
  using type = sumfac::detail::node_reader<NodesPerEdge, Problem, 1, Tuning.elements>;
};
template <class Problem, sumfac::tuning Tuning>
struct factors_of<Problem, Tuning, sumfac::split> {
  template <class Geometry>
  using of = typename factors_of<Problem, Tuning, Geometry>::type;
  using type = sumfac::detail::split_reader<of<sumfac::affine>, of<sumfac::trilinear>, of<sumfac::stored>>;
};

// The kernel of an operator on E-vectors that are packed.
template <class Form, int Order, class Points, class Geometry>
struct kernel_of {
  static constexpr sumfac::space space{Order};
  static constexpr sumfac::tuning tuned =
      sumfac::recommended_tuning<sumfac::detail::cuda_device, Form, space, Points, double, Geometry>;
  using problem = sumfac::detail::problem<Form, space, Points, double>;
  using choice = sumfac::detail::team_choice<problem, tuned>;
  using factors = typename factors_of<problem, tuned, Geometry>::type;
  template <class Vectors, class Factors>
  using upon = typename choice::template kernel_of<Vectors, Factors>;
  using type = typename sumfac::detail::kernel_upon<upon, typename choice::packed_vectors, factors>::type;
};

struct bp3 : kernel_of<sumfac::stiffness, 4, sumfac::gauss<6>, sumfac::stored> {};
struct film : kernel_of<sumfac::residual<soap_film>, 3, sumfac::gauss<5>, sumfac::trilinear> {};
struct curved : kernel_of<std::remove_const_t<decltype(elastic)>, 2, sumfac::gauss<3>, sumfac::isoparametric<3>> {};
struct mixed : kernel_of<sumfac::stiffness, 2, sumfac::gauss<3>, sumfac::split> {};

template <class Kernel>
using entry = void(typename Kernel::type, sumfac::index_t, sumfac::index_t);

template <class Kernel>
entry<Kernel>* entry_of()
{
  return sumfac::detail::run_team<sumfac::detail::cuda_device, typename Kernel::type>;
}

#if SUMFAC_HAS_HOST
// Kernels are compiled where their addresses are taken.
template <class... Kernels>
bool all_are_there()
{
  return ((entry_of<Kernels>() != nullptr) && ...);
}
bool are_there() { return all_are_there<bp3, film, curved, mixed>(); }
#endif

}  // namespace run_time
