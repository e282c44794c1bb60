// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The policy `stored`: a form's factors at every point, set up once, in the order in which kernels read them.
#pragma once

#include <sumfac/element/geometry/factor_readers.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Factors in groups of Reader::lanes elements, whose order is the reader's: number i of point `point` of the element in
// lane `lane` is at Reader::place(lane, point, i) of its group. Lanes behind the last element repeat it, so that they
// hold sane numbers.
template <class Problem, class Backend, class Reader>
class stored_factors {
  using form = typename Problem::form;
  using number = typename Problem::factor_number;

public:
  using reader = Reader;

  static constexpr int count = Problem::factors_of_point, lanes = Reader::lanes;

  // Of an element, where they are known at run time alone; before set_up().
  void set_sizes(typename Problem::sizes_type const& of_element) { sizes_ = of_element; }
  auto sizes() const { return sizes_; }

  void resize(host const& setup_threads, index_t elements)
  {
    numbers_.resize(setup_threads, groups(elements) * group_size());
  }

  index_t numbers(index_t elements) const { return elements * points() * count; }
  static index_t groups(index_t elements) { return (elements + lanes - 1) / lanes; }
  static index_t geometry_flops(form const&, index_t) { return 0; }

  // Takes the factors of all elements of a mesh; place_of(z, y, x) is that of a point among an element's factors.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const& place_of)
  {
    index_t const elements = mesh.elements();
    resize(mesh.threads, elements);
    visit_factors<Problem, stored>(mesh, f, [&](index_t e, int z, int y, int x, auto const& factors) {
      set<geometry_number>(e, elements, place_of(z, y, x), factors);
    });
  }

  // Takes the factors of elements e .. e + width_of<T> - 1 (those that exist) at one point.
  template <class T>
  void set(index_t e, index_t elements, int point, typename Problem::template factors_at_point<T> const& f)
  {
    if constexpr (lanes % width_of<T> == 0) {
      // All of one group; lanes of T behind the last element repeat it, too.
      number* const group = &numbers_[e / lanes * group_size()];
      int const first = static_cast<int>(e % lanes);
      bool const last = e + width_of<T> >= elements;
      for_each_number<T>(f, [&](int i, int lane, double x) {
        group[Reader::place(first + lane, point, i)] = static_cast<number>(x);
        if (last && lane + 1 == width_of<T>)
          for (int l = first + lane + 1; l < lanes; ++l) group[Reader::place(l, point, i)] = static_cast<number>(x);
      });
    } else {
      for_each_number<T>(f, [&](int i, int lane, double x) {
        index_t const end = e + lane + 1 < elements ? e + lane + 1 : groups(elements) * lanes;
        for (index_t l = e + lane; l < end; ++l) numbers_[place(l, point, i)] = static_cast<number>(x);
      });
    }
  }

  // Ends the setup: the factors go to where kernels of the backend read them.
  void commit(Backend const& backend) { numbers_.commit(backend); }

  // As if `element`, the first of a group, were element 0.
  number const* data_at(index_t element) const { return numbers_.data() + element / lanes * group_size(); }

  // read(backend)(e, point, i): factor i of element e at a point, from memory that the host can read.
  auto read(Backend const& backend) const
  {
    return [numbers = numbers_.read(backend), of_group = group_size()](index_t e, int point, int i) {
      return static_cast<double>(numbers[e / lanes * of_group + Reader::place(static_cast<int>(e % lanes), point, i)]);
    };
  }

private:
  int points() const { return known_or(Problem::points_of_element, sizes_.points); }
  int group_size() const { return lanes * points() * count; }
  index_t place(index_t e, int point, int i) const
  {
    return e / lanes * group_size() + Reader::place(static_cast<int>(e % lanes), point, i);
  }

  setup_numbers<number, Backend> numbers_;
  SUMFAC_NO_UNIQUE_ADDRESS typename Problem::sizes_type sizes_ = {};
};

}  // namespace sumfac::detail
