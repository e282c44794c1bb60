// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Restrictions, and orders of elements.
#include "support/fits.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/element_order.hpp>

#include <vector>

// A mesh in an array, whose shape nobody knows.
// expect: sumfac::element_order::like_by_like: the mesh must be a sumfac::view of nodes, of shape (E, m, m, m, 3), (E
// errors: 1
namespace element_order_of_array {
sumfac::element_order sorted(std::vector<double> const& nodes)
{
#if defined(SUMFAC_FITS)
  return sumfac::element_order::like_by_like(sumfac::view(nodes.data(), 1, 2, 2, 2, 3));
#else
  return sumfac::element_order::like_by_like(nodes);
#endif
}
}  // namespace element_order_of_array

// Arrays of two types, of which one would have to be converted on its way into an order.
// expect: sumfac::element_order: in and out must be views of one rank, from 1 on, with entries of one type
namespace element_order_two_types {
using number = fitting<double, float>;

void apply(sumfac::element_order const& order, sumfac::view<double const, sumfac::dextents<2>> in,
           sumfac::view<number, sumfac::dextents<2>> out)
{
  order.apply(in, out);
}
}  // namespace element_order_two_types

// Arrays themselves in place of views, and marks that are no numbers of one bit.
// expect: sumfac::restriction: the table must be a sumfac::view of integers, of shape (E, n, n, n)
// expect: sumfac::restriction: marks must be a sumfac::view of bool or integers, of shape (nodes) or (nodes, C)
// errors: 2
namespace restriction_no_views {
using table = sumfac::view<int const, sumfac::dextents<4>>;
using marks = sumfac::view<bool const, sumfac::dextents<1>>;

using array = fitting<table, std::vector<int>>;
using bits = fitting<marks, std::vector<bool>>;

sumfac::index_t of_nodes(array const& t) { return sumfac::restriction(sumfac::host(), t, 8).size(); }
sumfac::index_t of_marked_nodes(table t, bits const& m) { return sumfac::restriction(sumfac::host(), t, 8, m).size(); }
}  // namespace restriction_no_views

// Options before the marks.
// expect: sumfac::restriction: marks come before options: restriction{backend, table, nodes, marks, options}
// errors: 1
namespace restriction_options_first {
using table = sumfac::view<int const, sumfac::dextents<4>>;
using marks = sumfac::view<bool const, sumfac::dextents<1>>;

sumfac::index_t size(table t, marks m, sumfac::restriction_options const& options)
{
#if defined(SUMFAC_FITS)
  return sumfac::restriction(sumfac::host(), t, 8, m, options).size();
#else
  return sumfac::restriction(sumfac::host(), t, 8, options, m).size();
#endif
}
}  // namespace restriction_options_first
