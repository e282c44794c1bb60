// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of elements at other nodes: of the same elements, or of the 2^D parts that they were cut into.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/element_functions.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>

#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// From the values at the nodes of one basis, (n^D, components), to those at the nodes of another one in each of 2^D
// parts.
template <int Directions>
class values_in_parts {
public:
  static constexpr int parts = 1 << Directions;

  values_in_parts(own_vector<long double> const& from, own_vector<long double> const& to, int components)
      : m_(static_cast<int>(to.size())),
        components_(components),
        table_(halves(to), from),
        field_(table_, Directions, components)
  {
  }

  // Calls f(part, place of the part, values), place by place, x fastest; that of the lower half along x first.
  template <class Function>
  void each(double const* values, Function const& f)
  {
    double const* const all = field_.at_points(values);
    node_box const box(m_, Directions), of_all(2 * m_, Directions);
    for (int part = 0; part < parts; ++part) {
      int const x = part & 1, y = part >> 1 & 1, z = part >> 2;
      index_t place = 0;
      for (int k = 0; k < box.z; ++k)
        for (int j = 0; j < box.y; ++j)
          for (int i = 0; i < box.x; ++i) {
            index_t const at = (index_t{z * m_ + k} * of_all.y + y * m_ + j) * of_all.x + x * m_ + i;
            f(part, place++, all + at * components_);
          }
    }
  }

private:
  // Places in an element, along each direction the nodes of one half and then those of the other.
  static own_vector<long double> halves(own_vector<long double> const& places)
  {
    own_vector<long double> all;
    for (int half = -1; half <= 1; half += 2)
      for (long double const place : places) all.push_back((place + half) / 2);
    return all;
  }

  int m_, components_;
  line_table table_;
  box_contraction field_;
};

// Values at the nodes of another basis, element by element: calls put(e, place, values) with what gather(e), values at
// the nodes (nodes, components), is there; where `first` is no null, in the elements first[e] to first[e + 1] - 1: the
// parts of e, or e itself.
template <int Directions, cell_shape Shape, class Basis, class Gather, class Put>
void values_elsewhere(Basis const& from, Basis const& to, int components, index_t elements,
                      std::vector<index_t> const* first, Gather const& gather, Put const& put)
{
  using functions = element_functions<Directions, Shape>;
  typename functions::table const table(functions::nodes_of(to), from);
  typename functions::contraction field(table, components);
  auto const along = static_cast<int>(table.points);
  index_t const count = Shape == cell_shape::lines ? node_box(along, Directions).all() : index_t{along};
  auto const whole = [&](index_t e, double const* values) {
    double const* const numbers = field.at_points(values);
    for (index_t p = 0; p < count; ++p) put(e, p, numbers + p * components);
  };
  if (first == nullptr)
    for (index_t e = 0; e < elements; ++e) whole(e, gather(e));
  if constexpr (Shape == cell_shape::lines)
    if (first != nullptr) {
      values_in_parts<Directions> in_parts(from, to, components);
      for (index_t e = 0; e < elements; ++e) {
        index_t const begin = (*first)[static_cast<std::size_t>(e)], end = (*first)[static_cast<std::size_t>(e) + 1];
        if (end == begin + 1)
          whole(begin, gather(e));
        else
          in_parts.each(gather(e), [&](int part, index_t p, double const* x) { put(begin + part, p, x); });
      }
    }
}

}  // namespace sumfac::SUMFAC_TARGET::detail
