// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form's inputs kept at the points, beside any storage of the geometry.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/detail/point_inputs.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/detail/concepts.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// What readers of stored factors take for a problem, where a point's numbers are those of the inputs.
template <class Problem>
struct problem_of_inputs : Problem {
  using inputs = inputs_of<typename Problem::form>;
  struct form {
    template <class T>
    using factors = input_numbers<T, inputs>;
  };
  static constexpr int factors_of_point = input_numbers<double, inputs>::count;
};

// A line of points, each with what is kept of the inputs there.
template <class Line, class Kept>
struct line_with_inputs {
  Line line;
  Kept kept;

  SUMFAC_INLINE auto operator()(int i) const
  {
    using at = std::remove_cvref_t<decltype(line(i))>;
    if constexpr (requires { kept.ask_ahead(i); }) kept.ask_ahead(i);
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

// A geometry's storage with the inputs' numbers at the points, in Kept's order of groups and points.
template <class Storage, class Problem, class Backend, class Kept>
class storage_with_inputs : public Storage {
  using number = typename Problem::factor_number;

public:
  using reader = typename with_inputs<typename Storage::reader, Kept>::type;
  using geometry = Storage;
  using numbers_at_point = input_numbers<double, inputs_of<typename Problem::form>>;
  using kept_reader = Kept;

  static constexpr int count_kept = numbers_at_point::count;
  static constexpr index_t group_size = index_t{Kept::lanes} * Problem::points_of_element * count_kept;

  using Storage::Storage;

  Storage const& of_geometry() const { return *this; }

  // Where linearize writes. Memory is there after the first call.
  number* keep(Backend const& backend, index_t elements)
  {
    index_t const size = Storage::groups(elements) * group_size;
    if (kept_.size() < size) kept_ = make_memory<number>(backend, size);
    keeps_ = true;
    return kept_.data();
  }
  // An E-vector of a field, on its way to the points.
  typename Problem::vector_number* gathered(Backend const& backend, index_t size)
  {
    if (gathered_.size() < size) gathered_ = make_memory<typename Problem::vector_number>(backend, size);
    return gathered_.data();
  }
  index_t numbers_kept(index_t elements) const { return elements * Problem::points_of_element * count_kept; }

  // As if `element`, the first of a group, were element 0.
  Kept kept_at(index_t element) const
  {
    demand_kept();
    return {kept_.data() + element / Kept::lanes * group_size};
  }

  // read_kept(backend)(e, point): the inputs at a point of element e, from memory that the host can read.
  auto read_kept(Backend const& backend) const
  {
    demand_kept();
    return [numbers = download<number>(backend, kept_.data(), kept_.size())](index_t e, int point) {
      numbers_at_point result;
      index_t const group = e / Kept::lanes * group_size;
      for (int i = 0; i < count_kept; ++i)
        result.numbers[i] = static_cast<double>(
            numbers[static_cast<std::size_t>(group + Kept::place(static_cast<int>(e % Kept::lanes), point, i))]);
      return result;
    };
  }

private:
  void demand_kept() const
  {
    constexpr int count = inputs_of<typename Problem::form>::count;
    if (!keeps_)
      failf("element_operator",
            "the form reads other functions at the points, and has not been given them (0 of %d): call "
            "linearize(field(R, x), ...) first",
            count);
  }

  memory_of<number, Backend> kept_;
  memory_of<typename Problem::vector_number, Backend> gathered_;
  bool keeps_ = false;
};

template <class Storage>
inline constexpr bool keeps_inputs = requires { typename Storage::kept_reader; };

// The storage of a problem: with inputs, where its form has any.
template <class Storage, class Problem, class Backend, class Kept>
struct storage_for {
  using type = Storage;
};
template <class Storage, class Problem, class Backend, class Kept>
  requires(inputs_of<typename Problem::form>::count > 0)
struct storage_for<Storage, Problem, Backend, Kept> {
  using type = storage_with_inputs<Storage, Problem, Backend, Kept>;
};

// Where a kernel on one input's space puts what the input is at the points: the reader of the operator's kernel reads
// it from there. Place::point(z, y, x) is that kernel's order of points.
template <class Place, class Kept, class Number, input Input, int First>
struct input_writer {
  static constexpr bool is_split = false, reads_factors = true, prepares = false;
  template <int>
  static constexpr bool makes_planes = false;
  static constexpr int lines_ahead = 0, lanes = Kept::lanes;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;
  SUMFAC_INLINE char const* ahead_of(index_t) const { return nullptr; }

  Number* kept;
  index_t group_size;

  // Of one point.
  struct slot {
    static constexpr bool keeps = true;

    Number* group;
    int lane, point;

    template <class T, int Components>
    SUMFAC_INLINE void keep(point_values<T, Components> u) const
    {
      for_each_kept<Input.evaluates>(u, [&](int i, T const& x) SUMFAC_LAMBDA {
        if constexpr (width_of<T> == 1) {
          group[Kept::place(lane, point, First + i)] = static_cast<Number>(x);
        } else {
          SUMFAC_UNROLL
          for (int l = 0; l < width_of<T>; ++l)
            group[Kept::place(l, point, First + i)] = static_cast<Number>(x[l]);
        }
      });
    }
  };

  template <int Direction>
  struct line_of_slots {
    Number* group;
    int lane, a, b;

    SUMFAC_INLINE slot operator()(int i) const
    {
      int const point = Direction == 0   ? Place::point(a, b, i)
                        : Direction == 1 ? Place::point(a, i, b)
                                         : Place::point(i, a, b);
      return {group, lane, point};
    }
  };

  template <class T, int Direction>
  SUMFAC_INLINE line_of_slots<Direction> line(index_t group, int e, int a, int b) const
  {
    return {kept + group * group_size, e, a, b};
  }

  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const&, index_t) const
  {
  }
};

// The form by which a kernel evaluates an input: of what it returns nothing is used.
template <input Input>
struct evaluation_form {
  static constexpr auto trial = Input.evaluates, test = value;
  static constexpr int components = Input.components;
  template <class T>
  struct factors {
    T none;
  };
  template <class T>
  factors<T> setup(mapping<T> const&) const
  {
    return {};
  }
  template <class T>
  SUMFAC_INLINE point_values<T, components> apply(factors<T> const&, point_values<T, components> const&) const
  {
    return {};
  }
};

// Vectors of which u alone is there.
template <class Vectors>
struct read_only : Vectors {
  struct nothing {
    template <class T>
    SUMFAC_INLINE void operator=(T const&) const
    {
    }
    template <class T>
    SUMFAC_INLINE void operator()(int, T const&) const
    {
    }
  };

  SUMFAC_INLINE nothing to_z(index_t, int, int, int, int) const { return {}; }
  SUMFAC_INLINE nothing to_y(index_t, int, int, int, int) const { return {}; }

  template <class Team, class Scratch>
  SUMFAC_INLINE auto result(Team const& team, Scratch& s, index_t group) const
  {
    if constexpr (line_vectors<Vectors>)
      return [](int, int, int, int) { return nothing{}; };
    else
      return Vectors::result(team, s, group);
  }
  template <class Team, class Scratch>
  SUMFAC_INLINE void finish_row(Team const&, Scratch&, index_t, int, int, int) const
  {
  }
  template <class Team, class Scratch>
  SUMFAC_INLINE void finish(Team const&, Scratch&, index_t) const
  {
  }
};

}  // namespace sumfac::detail
