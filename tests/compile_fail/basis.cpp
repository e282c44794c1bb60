// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Rules, node sets and spaces.
#include "support/fits.hpp"

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>

// A node set of the user's, by twice its nodes.
template <int... Doubled>
struct nodes_at {
  static constexpr int size = sizeof...(Doubled);
  static constexpr std::array<long double, size> nodes = {(Doubled / 2.0L)...};
};

// A Gauss-Lobatto rule with one point.
// expect: sumfac::gauss_lobatto: both ends are points, so a rule has at least two
namespace gauss_lobatto_one_point {
#if defined(SUMFAC_FITS)
sumfac::gauss_lobatto<2> rule;
#else
sumfac::gauss_lobatto<1> rule;
#endif
}  // namespace gauss_lobatto_one_point

// A built-in rule beyond the largest.
// expect: sumfac::gauss: rules are built in to 32 points: write a larger one as your own type
namespace gauss_too_large {
#if defined(SUMFAC_FITS)
sumfac::gauss<32> rule;
#else
sumfac::gauss<33> rule;
#endif
}  // namespace gauss_too_large

// The even-odd halves of a table that has no such symmetry.
// expect: even_odd_needs_a_table_with_this_symmetry
namespace even_odd_without_symmetry {
using namespace sumfac::detail;

#if defined(SUMFAC_FITS)
constexpr auto halves = make_even_odd<-1>(collocated_derivative<double, sumfac::gauss<3>>());
#else
constexpr auto halves = make_even_odd<+1>(collocated_derivative<double, sumfac::gauss<3>>());
#endif
}  // namespace even_odd_without_symmetry

// A node set of the user's which does not say how many nodes it has.
// expect: sumfac::basis: this is no node set
namespace node_set_without_size {
struct nodes_of_mine {
#if defined(SUMFAC_FITS)
  static constexpr int size = 3;
#endif
  static constexpr std::array<long double, 3> nodes = {-1, 0, 1};
};

constexpr auto table = sumfac::detail::interpolation<double, nodes_of_mine, sumfac::gauss<3>>();
}  // namespace node_set_without_size

// A node set of the user's whose nodes do not ascend.
// expect: sumfac::basis: the nodes of a set must ascend
namespace nodes_out_of_order {
using nodes_of_mine = fitting<nodes_at<-2, 0, 2>, nodes_at<-2, 2, 0>>;

constexpr auto table = sumfac::detail::interpolation<double, nodes_of_mine, sumfac::gauss<3>>();
}  // namespace nodes_out_of_order

// A node set of the user's on another interval.
// expect: sumfac::basis: the nodes of a set must ascend, within -1 and 1
namespace nodes_outside {
using nodes_of_mine = fitting<nodes_at<-2, 0, 2>, nodes_at<0, 2, 4>>;

constexpr auto table = sumfac::detail::collocated_derivative<double, nodes_of_mine>();
}  // namespace nodes_outside

// The weights of a node set, which has none.
// expect: sumfac::basis: this is no quadrature rule
namespace weights_of_a_node_set {
using points = fitting<sumfac::gauss_lobatto<4>, sumfac::equispaced<4>>;

constexpr auto weights = sumfac::detail::quadrature_weights<double, points>();
}  // namespace weights_of_a_node_set

// A rule of the user's whose weights are those of an interval of length 1.
// expect: sumfac::basis: the weights of a rule must sum to 2, the length of [-1, 1]
namespace weights_of_other_interval {
struct rule_of_mine {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, 0, 1};
#if defined(SUMFAC_FITS)
  static constexpr std::array<long double, size> weights = {1 / 3.0L, 4 / 3.0L, 1 / 3.0L};
#else
  static constexpr std::array<long double, size> weights = {1 / 6.0L, 4 / 6.0L, 1 / 6.0L};
#endif
};

constexpr auto weights = sumfac::detail::quadrature_weights<double, rule_of_mine>();
}  // namespace weights_of_other_interval

// A space on what is no node set.
// expect: sumfac::space: this is no node set: it needs `static constexpr int size`
// errors: 1
namespace space_no_nodes {
#if defined(SUMFAC_FITS)
using nodes_of_mine = sumfac::gauss<3>;
#else
struct nodes_of_mine {
  static constexpr int size = 3;
};
#endif

constexpr auto space = sumfac::line<nodes_of_mine>();
}  // namespace space_no_nodes

// A space on a node set of the user's that does not ascend.
// expect: sumfac::space: the nodes of a set must ascend
// errors: 1
namespace space_nodes_descending {
using nodes_of_mine = fitting<nodes_at<-2, 0, 2>, nodes_at<0, -2, 2>>;

constexpr auto space = sumfac::quadrilateral<nodes_of_mine>();
}  // namespace space_nodes_descending

// A space on a node set of the user's that has a node outside of the reference element.
// expect: sumfac::space: a node of the set is not in [-1, 1]
// errors: 1
namespace space_nodes_outside {
using nodes_of_mine = fitting<nodes_at<-2, 0, 2>, nodes_at<-2, 0, 3>>;

constexpr auto space = sumfac::quadrilateral<nodes_of_mine>();
}  // namespace space_nodes_outside

// A space on a node set of the user's that has a node twice.
// expect: sumfac::space: a node of the set is there twice
// errors: 1
namespace space_nodes_repeated {
using nodes_of_mine = fitting<nodes_at<-2, 0, 2>, nodes_at<-2, 2, 2>>;

constexpr auto space = sumfac::quadrilateral<nodes_of_mine>();
}  // namespace space_nodes_repeated
