// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on the same E-vectors, added up to one: discontinuous Galerkin's terms within and between elements.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/operator/sum.hpp>

#include <tuple>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <class T>
concept acts_on_elements = !is_part<T> && requires(T const& a) {
  T::nodes_1d;
  T::components;
  a.elements();
};
// Whether an operator adds to E-vectors, and its diagonal to that of others.
template <class T>
using e_vector_like = view<typename T::scalar_type, dextents<int{T::directions} + 1 + (T::components > 1)>>;
template <class T>
concept adds_to_elements =
    acts_on_elements<T> && requires(T const& a, e_vector_like<T> const& v) { a.diagonal_add(v); };

// Whether an element_operator's kernel takes with it what one of another kind adds: on the host, where both compute in
// the vectors' numbers.
template <class Operator>
concept sweeps_with_others = runs_on_host<typename Operator::backend_type> && is_element_operator<Operator> &&
                             requires { typename Operator::geometry_type; } && Operator::has_one_space &&
                             std::is_same_v<typename Operator::arithmetic_type, typename Operator::scalar_type>;

// The model of the first one's terms and those of the next in one kernel of a device.
template <class First, class... Faces>
inline constexpr sweep_model sweep_on_device{};
template <class First, class Next, class... More>
  requires(!runs_on_host<typename First::backend_type> && is_element_operator<First> &&
           requires { typename First::geometry_type; } && !is_isoparametric<typename First::geometry_type> &&
           First::has_one_space && !Next::in_parts)
inline constexpr sweep_model sweep_on_device<First, Next, More...> =
    model_of_sweep<typename First::options::problem, typename Next::options::problem,
                   architecture_of<typename First::backend_type>, First::tuned,
                   std::is_same_v<typename First::geometry_type, stored>>();

// Of the first one, and of none.
template <class...>
struct halo_of_faces {
  using type = whole;
};
template <class First, class... Rest>
  requires requires { typename First::halo_type; }
struct halo_of_faces<First, Rest...> {
  using type = typename First::halo_type;
};

// A vector without a shape as an E-vector of an operator.
template <class Operator, class T>
auto e_vector_of(T* entries, index_t elements)
{
  constexpr index_t n = Operator::nodes_1d, c = Operator::components;
  if constexpr (c == 1)
    return element_view<Operator::directions>(entries, elements, n);
  else if constexpr (Operator::directions == 3)
    return view(entries, elements, c, n, n, n);
  else if constexpr (Operator::directions == 2)
    return view(entries, elements, c, n, n);
  else
    return view(entries, elements, c, n);
}

}  // namespace detail

// A matrix to solvers on E-vectors, y = K x + F x + ...: an element_operator and one or more interior_operators of the
// same mesh, sum{K, F}. Refers to them, which must live as long.
//
// **Shapes** x, y, d: all entries of an E-vector of layout_right, element by element.
// **Work** that of the operators. On the host the first two, K and F, are one sweep that reads x of an element once for
// both and writes y once, unless K computes in other numbers than its vectors'; each other one reads y and adds to it.
// So it is on devices, in one kernel, where `kernels` is 1.
// **Errors** argument_error for operators of other elements and vectors that do not fit.
template <class First, class... Faces>
  requires(detail::acts_on_elements<First> && (detail::acts_on_elements<Faces> && ...))
class sum<First, Faces...> {
  static_assert((detail::adds_to_elements<Faces> && ...),
                "sumfac::sum: of operators themselves it is on E-vectors, sum{K, F}: an element_operator, then "
                "interior_operators. Operators on global vectors are its parts: sum{part{A, R}, part{B, R}}");
  static_assert(
      ((std::is_same_v<typename First::scalar_type, typename Faces::scalar_type> &&
        std::is_same_v<typename First::backend_type, typename Faces::backend_type> &&
        First::nodes_1d == Faces::nodes_1d && First::components == Faces::components &&
        First::directions == Faces::directions &&
        std::is_same_v<detail::nodes_of_space<First::options::space>,
                       detail::nodes_of_space<Faces::options::space>>)&&...),
      "sumfac::sum: the operators must be of one space, with the same nodes, as many components, one scalar type "
      "and one backend");

public:
  using scalar_type = typename First::scalar_type;
  using backend_type = typename First::backend_type;
  using arithmetic_type = detail::narrowest<detail::operator_arithmetic<First>, scalar_type>;
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<First> && (is_linear<Faces> && ...);
  static constexpr bool symmetric = may_be_symmetric<First> && (may_be_symmetric<Faces> && ...);
  using halo_type = typename detail::halo_of_faces<Faces...>::type;
  static constexpr bool in_parts = !detail::is_whole<halo_type>;
  static_assert((std::is_same_v<typename detail::halo_of_faces<Faces>::type, halo_type> && ...),
                "sumfac::sum: all interior_operators must have a halo of one type, or none");

  explicit sum(First const& first, Faces const&... faces) : first_(&first), faces_(&faces...)
  {
    (check_equal("sum", "number of elements of the interior_operator", first.elements(), faces.elements()), ...);
  }
  template <class... Operators>
    requires detail::any_temporary<Operators...>
  explicit sum(Operators&&...)
  {
    static_assert(detail::never<Operators...>,
                  "sumfac::sum: it refers to its operators, so none may be a temporary: give them names, and keep them "
                  "as long as the sum");
  }

  // How many kernels K and the first F are on a device: one, where by a model, `sweep`, it is at least 1.2 times as
  // fast since less is read and written; explain() tells of it.
  static constexpr detail::sweep_model sweep = detail::sweep_on_device<First, Faces...>;
  static constexpr int kernels = sweep.pays() ? 1 : 2;

  // y = A x; on devices in as many kernels as Kernels says, but in two on a mesh that hangs.
  template <int Kernels = kernels>
  void apply(from_vector x, to_vector y) const
  {
    static_assert(Kernels == 2 || (Kernels == 1 && sweep.possible),
                  "sumfac::sum: one kernel is for devices, and for hexahedra in variant::cubes whose sides are of one "
                  "process and fit a block's scratch beside them: take 2");
    constexpr auto here = "sum::apply";
    auto const u = shaped(here, "x", x.entries);
    auto const v = shaped(here, "y", y.entries);
    if constexpr (detail::sweeps_with_others<First> && sizeof...(Faces) > 0) {
      auto const& next = *std::get<0>(faces_);
      detail::application<First>(*first_, here)
          .on_elements_and(next.part_, next.kernel_of(here, true, v, u), next.factors_.bytes(), u, v);
    } else if constexpr (Kernels == 1) {
      auto const& next = *std::get<0>(faces_);
      if (next.part_.has_parts())
        first_->apply(u, v), next.apply_add(u, v);
      else
        detail::application<First>(*first_, here)
            .template on_teams_and<sweep.teams>(
                next.template kernel_of<detail::no_ghosts, false, sweep.side_bytes>(here, true, v, u), u, v);
    } else {
      first_->apply(u, v);
    }
    int index = detail::sweeps_with_others<First> || Kernels == 1 ? 0 : 1;
    std::apply([&](auto const*... faces) { ((index++ > 0 ? faces->apply_add(u, v) : void()), ...); }, faces_);
  }
  // d = the diagonal of A.
  void diagonal(to_vector d) const
  {
    auto const entries = shaped("sum::diagonal", "d", d.entries);
    first_->diagonal(entries);
    std::apply([&](auto const*... faces) { (faces->diagonal_add(entries), ...); }, faces_);
  }

  index_t size() const
  {
    index_t size = first_->elements() * First::components;
    for (int d = 0; d < First::directions; ++d) size *= First::nodes_1d;
    return size;
  }
  backend_type const& backend() const { return first_->backend(); }
  First const& first() const { return *first_; }
  // Of a mesh in parts besides: by what sums are added up, and the halo of elements.
  sumfac::reduction reduction() const
    requires in_parts
  {
    return halo_of_elements().reduction();
  }
  halo_type const& halo_of_elements() const
    requires in_parts
  {
    return std::get<0>(faces_)->halo();
  }
  // Throws where a form is seen not to be linear.
  void check_linear() const
    requires requires(First const& a) { a.check_linear(); }
  {
    first_->check_linear();
  }

private:
  template <class T>
  auto shaped(char const* where, char const* what, view<T, dextents<1>> const& x) const
  {
    detail::check_extent(where, what, 0, "entries", size(), x.extent(0));
    return detail::e_vector_of<First>(x.data(), first_->elements());
  }

  First const* first_;
  std::tuple<Faces const*...> faces_;
};

}  // namespace sumfac
