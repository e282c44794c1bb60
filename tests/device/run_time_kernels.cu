// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels that nvcc and a compiler at run time, NVRTC, both compile: of BP3.0, and of an energy of a user's own, whose
// derivatives are taken by dual numbers, on trilinear elements. See tests/tools/check_nvrtc.
#include <sumfac/backend/gpu/cuda_device.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/element/kernel/device_kernels.hpp>
#include <sumfac/element/kernel/keep_kernel.hpp>
#include <sumfac/form/mass.hpp>
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

// The kernel of an operator on E-vectors that are packed.
template <class Form, int Order, class Points, class Geometry>
struct kernel_of {
  static constexpr sumfac::space space{Order};
  static constexpr sumfac::tuning tuned =
      sumfac::recommended_tuning<sumfac::detail::cuda_device, Form, space, Points, double, Geometry>;
  using problem = sumfac::detail::problem<Form, space, Points, double>;
  using choice = sumfac::detail::team_choice<problem, tuned>;
  using factors = std::conditional_t<std::is_same_v<Geometry, sumfac::stored>,
                                     sumfac::detail::team_factor_reader<problem, tuned.elements, tuned.reads>,
                                     sumfac::detail::map_reader<Geometry, problem, 1, tuned.elements>>;
  using type = typename choice::template kernel_of<typename choice::packed_vectors, factors>;
};

struct bp3 : kernel_of<sumfac::stiffness, 4, sumfac::gauss<6>, sumfac::stored> {};
struct film : kernel_of<sumfac::residual<soap_film>, 3, sumfac::gauss<5>, sumfac::trilinear> {};

template <class Kernel>
using entry = void(typename Kernel::type, sumfac::index_t, sumfac::index_t);

template <class Kernel>
entry<Kernel>* entry_of()
{
  return sumfac::detail::run_team<sumfac::detail::cuda_device, typename Kernel::type>;
}

#if SUMFAC_HAS_HOST
// Kernels are compiled where their addresses are taken.
bool are_there() { return entry_of<bp3>() != nullptr && entry_of<film>() != nullptr; }
#endif

}  // namespace run_time
