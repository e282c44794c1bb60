// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form's inputs read at the call: evaluated for each group of elements before the form is applied to it.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/exchange.hpp>
#include <sumfac/element/kernel/field_values.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// What Values has of a group's points: where packs do the work, point by point. Else by numbers and lines, which
// threads side by side read: rows of an odd number, so that banks have no conflicts.
template <class Team, class Values, int Elements>
struct array_of_points {
  using T = typename Team::scalar;
  static constexpr int g = Values::g, row = g + (g % 2 == 0 ? 1 : 0);
  using type =
      std::conditional_t<Values::on_host, typename Team::template shared<T, Elements, Values::points, Values::count>,
                         typename Team::template shared<T, Elements, Values::count, Values::points / g, row>>;
};
// Of the one element, or pack, of a team where there are as many points as is known at run time alone.
template <class T, int Numbers>
struct points_at {
  T* entries;
  SUMFAC_INLINE T& operator()(int, int point, int i) const { return entries[point * Numbers + i]; }
};
template <class Team, class Values, int Elements>
  requires(Values::points == dynamic)
struct array_of_points<Team, Values, Elements> {
  using type = points_at<typename Team::scalar, Values::count>;
};

// One of them: where the field is, and what is evaluated of it, whose first number is First of a point's.
//
// A source has fetch(team, scratch, group), whose result is called with (e, c, k, j, i), and the scratch<Team> that it
// needs; Values is the input's field_values.
template <class Source, class Values, int First>
struct field_reader {
  Source source;
  Values values = {};

  // **Shapes** points (Elements, G^3, numbers), or (Elements, numbers, G^2, G), in the order in which lines in
  // direction Direction read them: a, the slower other direction, b, and the line's own.
  template <class Team>
  struct scratch {
    SUMFAC_NO_UNIQUE_ADDRESS typename Source::template scratch<Team> nodal;
    SUMFAC_NO_UNIQUE_ADDRESS typename Values::template scratch<Team> values;
    typename array_of_points<Team, Values, Source::elements>::type points;
  };
  template <class Scratch, class Function>
  void each_array(Scratch& s, Function const& f) const
  {
    source.each_array(s.nodal, values.sizes, f);
    f(s.points, Source::elements * values.sizes.points * Values::count);
  }

  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare(Team const& team, Scratch& s, index_t group) const
  {
    using T = typename Team::scalar;
    constexpr int g = Values::g, gy = Values::gy;
    auto const put = [&](int e, int z, int y, int x, int i, T number) SUMFAC_LAMBDA {
      if constexpr (Direction == 0)
        entry(s, e, z * gy + y, x, i) = number;
      else if constexpr (Direction == 1)
        entry(s, e, z * g + x, y, i) = number;
      else
        entry(s, e, y * g + x, z, i) = number;
    };
    values.evaluate(team, s.values, source.fetch(team, s.nodal, group), put);
  }

  // What is at point q of a line.
  template <class T, class Scratch>
  SUMFAC_INLINE static void read(Scratch& s, int e, int line, int q, T* numbers)
  {
    SUMFAC_UNROLL
    for (int i = 0; i < Values::count; ++i) numbers[First + i] = entry(s, e, line, q, i);
  }

private:
  template <class Scratch>
  SUMFAC_INLINE static decltype(auto) entry(Scratch& s, int e, int line, int q, int i)
  {
    if constexpr (Values::on_host)
      return s.points(e, line * Values::g + q, i);
    else
      return s.points(e, i, line, q);
  }
};

template <class... Readers>
struct field_readers {
  template <class Team>
  struct scratch {};
  template <class Scratch, class Function>
  void each_array(Scratch&, Function const&) const
  {
  }
  template <int, class Team, class Scratch>
  SUMFAC_INLINE void prepare(Team const&, Scratch&, index_t) const
  {
  }
  template <class T, class Scratch>
  SUMFAC_INLINE static void read(Scratch&, int, int, int, T*)
  {
  }
};
template <class First, class... Rest>
struct field_readers<First, Rest...> {
  First first;
  field_readers<Rest...> rest;

  template <class Team>
  struct scratch {
    typename First::template scratch<Team> first;
    SUMFAC_NO_UNIQUE_ADDRESS typename field_readers<Rest...>::template scratch<Team> rest;
  };

  template <class Scratch, class Function>
  void each_array(Scratch& s, Function const& f) const
  {
    first.each_array(s.first, f);
    rest.each_array(s.rest, f);
  }

  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare(Team const& team, Scratch& s, index_t group) const
  {
    first.template prepare<Direction>(team, s.first, group);
    rest.template prepare<Direction>(team, s.rest, group);
  }
  template <class T, class Scratch>
  SUMFAC_INLINE static void read(Scratch& s, int e, int line, int q, T* numbers)
  {
    First::read(s.first, e, line, q, numbers);
    field_readers<Rest...>::read(s.rest, e, line, q, numbers);
  }
};

// A line of points, each with what the fields are there.
template <class Numbers, class Line, class Fields, class Scratch>
struct line_with_fields {
  Line line;
  Scratch& s;
  int e, number;  // of the line

  SUMFAC_INLINE auto operator()(int i) const
  {
    using at = std::remove_cvref_t<decltype(line(i))>;
    Numbers numbers;
    Fields::read(s, e, number, i, numbers.numbers);
    return point_with_inputs<at, Numbers>{line(i), numbers};
  }
};

// One type for the readers of all kinds of elements, whose kernels share it.
template <class OfFactors, class OfFields>
struct scratch_with_fields {
  SUMFAC_NO_UNIQUE_ADDRESS OfFactors of_factors;
  OfFields of_fields;
};

// Any reader of the geometry, and beside it those of the fields.
template <class Factors, class Problem, class Fields>
struct reader_with_fields : Factors {
  static constexpr int g = Problem::points_1d;
  static constexpr bool prepares = true;
  template <int>
  static constexpr bool makes_planes = false;

  Fields fields;

  template <class Team>
  using geometry_scratch =
      scratch_with_fields<typename geometry_scratch_of<Factors, Team>::type, typename Fields::template scratch<Team>>;

  template <class Scratch, class Function>
  void each_array(Scratch& s, Function const& f) const
  {
    fields.each_array(s.of_fields, f);
  }

  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare(Team const& team, Scratch& s, index_t group) const
  {
    if constexpr (Factors::prepares) Factors::template prepare<Direction>(team, s.of_factors, group);
    fields.template prepare<Direction>(team, s.of_fields, group);
  }

  template <class T, int Direction, class Scratch>
  SUMFAC_INLINE auto line(Scratch& s, index_t group, int e, int a, int b) const
  {
    auto const of_factors = [&]() SUMFAC_LAMBDA {
      if constexpr (Factors::prepares)
        return Factors::template line<T, Direction>(s.of_factors, group, e, a, b);
      else
        return Factors::template line<T, Direction>(group, e, a, b);
    };
    using point_numbers = input_numbers<T, inputs_of<typename Problem::form>, Problem::directions>;
    using of_fields = std::remove_reference_t<decltype(s.of_fields)>;
    return line_with_fields<point_numbers, decltype(of_factors()), Fields, of_fields>{of_factors(), s.of_fields, e,
                                                                                      a * g + b};
  }
};

// The readers of a split mesh with those of fields.
template <class Readers, class Problem, class Fields>
struct split_reader_with_fields {
  static constexpr bool is_split = true, reads_factors = false;

  reader_with_fields<decltype(Readers::affine), Problem, Fields> affine;
  reader_with_fields<decltype(Readers::trilinear), Problem, Fields> trilinear;
  reader_with_fields<decltype(Readers::general), Problem, Fields> general;
};

template <class Problem, class Reader, class Fields>
auto with_fields(Reader const& reader, Fields const& fields)
{
  if constexpr (Reader::is_split)
    return split_reader_with_fields<Reader, Problem, Fields>{
        {reader.affine, fields}, {reader.trilinear, fields}, {reader.general, fields}};
  else
    return reader_with_fields<Reader, Problem, Fields>{reader, fields};
}

}  // namespace sumfac::detail
