// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The usual levels: the same form on the same mesh at lower degrees, with restrictions that follow the finest one's.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/mesh_nodes.hpp>
#include <sumfac/geometry/policy.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>

#include <concepts>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

namespace detail {

// A rule for a lower degree where Points is one for degree Fine: of Gauss' the fewest points that degree takes, which
// are exact on boxes, so that the level costs as little as it can; of Gauss and Lobatto's as many fewer; else the same.
template <class Points, int Fine, int Coarse>
struct level_rule {
  using type = Points;
};
template <int Size, int Fine, int Coarse>
struct level_rule<gauss<Size>, Fine, Coarse> {
  using type = gauss<Coarse == Fine ? Size : Coarse + 1>;
};
template <int Size, int Fine, int Coarse>
struct level_rule<gauss_lobatto<Size>, Fine, Coarse> {
  using type = gauss_lobatto<Size - (Fine - Coarse)>;
};

// Functions of another degree on the elements of a space, their nodes placed alike.
template <auto Space, int Degree>
constexpr auto at_degree()
{
  if constexpr (std::integral<decltype(Space)>)
    return Degree;
  else
    return space(Degree, directions_of<Space>, coordinates_of<Space>, space_of<Space>.nodes);
}

// Operators of the form at other degrees and in other numbers.
template <class Operator>
struct operator_family;
template <class Form, auto Space, class Points, class Backend, class Scalar, class Geometry, tuning Tuning>
struct operator_family<element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>> {
  static constexpr int order = degree_of<Space>;
  using numbers = Scalar;

  template <int Order, class Numbers>
  using at = element_operator<Form, at_degree<Space, Order>(), typename level_rule<Points, order, Order>::type,
                              Backend, Numbers, Geometry>;
};

// What makes levels of one operator, restriction and mesh.
template <class Numbers, class Operator, class Nodes, class NodeSet>
class level_maker {
  using family = operator_family<Operator>;
  using backend_type = typename Operator::backend_type;

public:
  using restriction_type = restriction<typename Operator::scalar_type, backend_type>;

  level_maker(Operator const& a, Nodes const& nodes, restriction_type const& r, NodeSet const& set, double tolerance)
      : operator_(a), nodes_(nodes), restriction_(r), set_(set), tolerance_(tolerance)
  {
    constexpr auto here = "p_levels";
    check_equal(here, "number of directions of the restriction's elements", Operator::directions, r.directions());
    check_equal(here, "number of nodes per direction of the restriction", Operator::nodes_1d, r.nodes_1d());
    check_equal(here, "number of elements of the restriction", a.elements(), r.elements());
  }

  template <int Order>
  auto make() const
  {
    using made = typename family::template at<Order, Numbers>;
    if constexpr (Order == family::order && std::is_same_v<Numbers, typename family::numbers>)
      return level<Operator>(operator_, restriction_);
    else
      return level<made>(make_operator<made>(), make_restriction<Order, typename made::scalar_type>());
  }

private:
  template <class Made>
  own_pointer<Made const> make_operator() const
  {
    char obstacle[obstacle_length];
    say_obstacle<Made>(operator_, obstacle);
    if (obstacle[0] != 0) fail("p_levels", obstacle);
    return own_pointer<Made const>(new Made(operator_.backend(), nodes_, operator_.form(), set_, tolerance_));
  }

  template <int Order, class Scalar>
  auto make_restriction() const
  {
    if constexpr (Order == family::order) {
      return restriction_in<Scalar>(restriction_);
    } else {
      coarse_nodes const coarse(host_of(restriction_.backend()), restriction_.table(), Order + 1);
      return restriction_of<Scalar, Operator::directions>(restriction_, coarse.numbers.data(), Order + 1, coarse.nodes,
                                                          coarse.marks);
    }
  }

  Operator const& operator_;
  Nodes const& nodes_;
  restriction_type const& restriction_;
  NodeSet const& set_;
  double tolerance_;
};

template <int First, int...>
inline constexpr int first_of = First;

template <int... Orders>
constexpr bool degrees_fall()
{
  int const orders[] = {Orders...};
  for (int i = 1; i < static_cast<int>(sizeof...(Orders)); ++i)
    if (orders[i] >= orders[i - 1]) return false;
  return orders[sizeof...(Orders) - 1] >= 1;
}

template <class Operator, int... Orders>
constexpr bool levels_fit()
{
  constexpr bool begins = Operator::order == first_of<Orders...>, falls = degrees_fall<Orders...>();
  static_assert(Operator::has_one_space,
                "sumfac::p_levels: the operator is between two spaces: take one whose trial and test functions are the "
                "same");
  static_assert(begins, "sumfac::p_levels: the first degree must be that of the operator");
  static_assert(falls, "sumfac::p_levels: the degrees must fall, as in p_levels<7, 4, 2, 1>, to 1 at the least");
  constexpr bool is_own = is_own_node_set<typename Operator::nodes_type>;
  constexpr bool placed = !is_own && Operator::placement != node_placement::gauss;
  static_assert(placed,
                "sumfac::p_levels: the operator's functions are on nodes of your own or at Gauss points, which have "
                "none of lower degrees: take gauss_lobatto or equispaced");
  return begins && falls && placed && Operator::has_one_space;
}

template <class Numbers, int... Orders, class Operator, class Nodes, class Restriction, class NodeSet>
auto make_levels(Operator const& a, Nodes const& nodes, Restriction const& r, NodeSet const& set, double tolerance)
{
  if constexpr (levels_fit<Operator, Orders...>()) {
    level_maker<Numbers, Operator, Nodes, NodeSet> const maker(a, nodes, r, set, tolerance);
    return levels(maker.template make<Orders>()...);
  }
}

}  // namespace detail

// Levels of degrees Orders, of which the first is A's: A and R themselves, and of lower degrees operators of the same
// form, policy and precision on the same elements and mesh nodes, by fewer points, with restrictions whose node numbers
// and constrained entries follow R's. Refers to A and R, which must live as long.
//
// Arguments are those that A and R were made of: node_set and tolerance are those of A's constructor.
// Reads the coefficients by element of A's form again, also with geometry `stored`: their views must still be there.
// **Errors** (compile time) degrees that do not fall, a first degree that is not A's; (run time) those of operators; a
// form with coefficients by point, or that reads other functions, as a tangent does, where operators are made of it.
template <int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  using numbers = typename detail::operator_family<Operator>::numbers;
  return detail::make_levels<numbers, Orders...>(a, nodes, r, node_set, tolerance);
}

// The same in numbers of their own, as in p_levels<float, 7, 4, 2, 1>(A, nodes, R): the finest level is another
// operator then, and refers to A and R no longer than this call.
template <class Numbers, int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  return detail::make_levels<Numbers, Orders...>(a, nodes, r, node_set, tolerance);
}

// Spaces in place of degrees are refused with a sentence.
template <auto... Spaces, class Operator, class Nodes, class Restriction>
  requires(sizeof...(Spaces) > 0 && (std::same_as<std::remove_cv_t<decltype(Spaces)>, space> && ...))
void p_levels(Operator const&, Nodes const&, Restriction const&)
{
  static_assert(sizeof...(Spaces) == 0,
                "sumfac::p_levels: degrees are enough, as in p_levels<4, 2, 1>(A, nodes, R): the elements are the "
                "operator's");
}

}  // namespace sumfac
