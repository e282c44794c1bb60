// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that keeps a form's input at the points, and how kernels read what is kept beside their geometry.
// Compilers of device code alone, as NVRTC, read it.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/field_values.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// What readers of stored factors take for a problem, where a point's numbers are those of the inputs.
template <class Problem>
struct problem_of_inputs : Problem {
  using inputs = inputs_of<typename Problem::form>;
  struct form {
    template <class T>
    using factors = input_numbers<T, inputs, Problem::directions>;
  };
  template <class T>
  using factors_at_point = input_numbers<T, inputs, Problem::directions>;
  static constexpr int factors_of_point = factors_at_point<double>::count;
};

// A line of points, each with what is kept of the inputs there.
template <class Line, class Kept>
struct line_with_inputs {
  Line line;
  Kept kept;

  SUMFAC_INLINE auto operator()(int i) const
  {
    using at = std::remove_cvref_t<decltype(line(i))>;
    if constexpr (requires { kept.prefetch(i); }) kept.prefetch(i);
    using numbers = std::remove_cvref_t<decltype(kept(i))>;
    return point_with_inputs<at, numbers>{line(i), kept(i)};
  }
};

// Any reader of the geometry, and beside it the reader of the inputs.
template <class Factors, class Kept>
struct reader_with_inputs : Factors {
  Kept kept;

  template <int>
  static constexpr bool makes_planes = false;

  template <class T, int Direction>
    requires(!Factors::prepares)
  SUMFAC_INLINE auto line(index_t group, int e, int a, int b) const
  {
    return join(Factors::template line<T, Direction>(group, e, a, b), kept.template line<T, Direction>(group, e, a, b));
  }
  template <class T, int Direction, class Scratch>
    requires(Factors::prepares)
  SUMFAC_INLINE auto line(Scratch& s, index_t group, int e, int a, int b) const
  {
    return join(Factors::template line<T, Direction>(s, group, e, a, b),
                kept.template line<T, Direction>(group, e, a, b));
  }

private:
  template <class Line, class KeptLine>
  SUMFAC_INLINE static line_with_inputs<Line, KeptLine> join(Line const& line, KeptLine const& kept_line)
  {
    return {line, kept_line};
  }
};

// The readers of a split mesh with those of the inputs, which are by groups of all kinds.
template <class Readers, class Kept>
struct split_reader_with_inputs {
  static constexpr bool is_split = true, reads_factors = false;

  reader_with_inputs<decltype(Readers::affine), Kept> affine;
  reader_with_inputs<decltype(Readers::trilinear), Kept> trilinear;
  reader_with_inputs<decltype(Readers::general), Kept> general;
};

template <class Reader, class Kept>
struct with_inputs {
  using type = reader_with_inputs<Reader, Kept>;
};
template <class Reader, class Kept>
  requires(Reader::is_split)
struct with_inputs<Reader, Kept> {
  using type = split_reader_with_inputs<Reader, Kept>;
};

// The form of a problem that is an input's function at the points.
template <input Input>
struct evaluation_form {
  static constexpr auto trial = Input.evaluates, test = value;
  static constexpr int components = Input.components;
  template <class T>
  struct factors {
    T none;
  };
};

// Of one element a team, or of a pack of them on the host. Kept says where the numbers of a group lie, and Kernel,
// which reads them, the order of an element's points; the input's first number is First of a point's.
template <class Problem, input Input, int First, class Kernel, class Kept, class Source, bool OnHost>
struct keep_kernel {
  using scalar = typename Problem::number;
  using values = field_values<Problem, Input, 1, OnHost>;
  static constexpr int threads = Problem::is_tensor     ? Problem::points_1d * Problem::points_1d
                                 : Problem::at_run_time ? points_of_team
                                                        : lesser(512, (Problem::points_1d + 31) / 32 * 32);
  static constexpr int teams_of_group = OnHost ? 1 : Kept::lanes;

  Source source;
  typename Problem::factor_number* kept;
  values evaluation;

  template <class Team>
  struct scratch {
    SUMFAC_NO_UNIQUE_ADDRESS typename Source::template scratch<Team> nodal;
    SUMFAC_NO_UNIQUE_ADDRESS typename values::template scratch<Team> of_values;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t index) const
  {
    using T = typename Team::scalar;
    auto* const group = kept + index / teams_of_group * group_size();
    int const lane = static_cast<int>(index % teams_of_group);
    auto const put = [&](int, int z, int y, int x, int i, T number) SUMFAC_LAMBDA {
      int const point = Kernel::point(z, y, x);
      SUMFAC_UNROLL
      for (int l = 0; l < width_of<T>; ++l) set(group[Kept::place(lane + l, point, First + i)], number, l);
    };
    evaluation.evaluate(team, s.of_values, source.fetch(team, s.nodal, index), put);
  }

  // Arrays of the scratch whose sizes are known at run time alone.
  template <class Scratch, class Function>
  void each_array(Scratch& s, Function const& f) const
    requires(Problem::at_run_time)
  {
    source.each_array(s.nodal, evaluation.sizes, f);
  }

private:
  SUMFAC_INLINE index_t group_size() const
  {
    if constexpr (Problem::at_run_time)
      return index_t{Kept::lanes} * evaluation.sizes.points * Kept::count;
    else
      return index_t{Kept::lanes} * Problem::points_of_element * Kept::count;
  }

  template <class Number, class T>
  SUMFAC_INLINE static void set(Number& entry, T const& x, [[maybe_unused]] int l)
  {
    if constexpr (width_of<T> == 1)
      entry = static_cast<Number>(x);
    else
      entry = static_cast<Number>(x[l]);
  }
};

}  // namespace sumfac::detail
