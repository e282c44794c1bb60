// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form on another level: its coefficients averaged over what points and elements of that level stand for.
#pragma once

#include <sumfac/operator/detail/form_reads.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// An operator on faces that knows the elements behind them: its form has no coefficients that are views.
template <class Operator>
concept works_on_faces = requires(Operator const& a) { a.faces(); };

// The coefficients that a form asks for.
class asked_coefficients : public coefficient_reads {
public:
  struct coefficient {
    coefficient_view view;
    index_t extents[5];
  };

  template <class Operator>
  explicit asked_coefficients(Operator const& a)
      : coefficient_reads([](coefficient_reads const& self, coefficient_view const& v) {
          return static_cast<asked_coefficients const&>(self).look_at(v);
        })
  {
    // At a point of no mesh.
    matrix<double, Operator::coordinates, Operator::directions> jacobian{};
    for (int d = 0; d < Operator::directions; ++d) jacobian(d, d) = 1;
    mapping<double, Operator::directions, Operator::coordinates> const point(jacobian, 1.0, {}, 1.0, {.last = 0});
    static_cast<void>(a.form().setup(places::read_by(this, point)));
  }

  own_vector<coefficient> const& all() const { return all_; }

private:
  void const* look_at(coefficient_view const& v) const
  {
    for (coefficient const& known : all_)
      if (known.view.view == v.view) return nullptr;
    coefficient one{v, {}};
    for (int r = 0; r < v.rank; ++r) one.extents[r] = v.extents[r];
    all_.push_back(one);
    return nullptr;
  }

  mutable own_vector<coefficient> all_;
};

// Each point of a rule stands for a part of an element as wide as its weight, one beside the other. A table (to, from)
// of what parts of the points `from`, twice where these are those of two elements side by side, lie in each of `to`:
// averages by it are between the least and the greatest number, and keep integrals.
inline own_vector<double> averages(own_vector<double> const& from, own_vector<double> const& to, bool of_two)
{
  auto const ends = [](own_vector<double> const& widths, bool twice) {
    own_vector<double> end(1, 0.0);
    for (int times = 0; times < (twice ? 2 : 1); ++times)
      for (double const width : widths) end.push_back(end.back() + (twice ? width / 2 : width));
    return end;
  };
  own_vector<double> const fine = ends(from, of_two), coarse = ends(to, false);
  own_vector<double> table;
  for (std::size_t i = 0; i + 1 < coarse.size(); ++i)
    for (std::size_t j = 0; j + 1 < fine.size(); ++j) {
      double const first = greater(coarse[i], fine[j]), last = lesser(coarse[i + 1], fine[j + 1]);
      table.push_back(last > first ? (last - first) / (coarse[i + 1] - coarse[i]) : 0);
    }
  return table;
}

template <class Points>
own_vector<double> widths_of()
{
  own_vector<double> widths;
  for (long double const weight : Points::weights) widths.push_back(static_cast<double>(weight));
  return widths;
}

// A number of a coefficient's type.
inline double number_at(void const* data, index_t i, index_t bytes)
{
  if (bytes == sizeof(float)) return static_cast<double>(static_cast<float const*>(data)[i]);
  if (bytes == sizeof(double)) return static_cast<double const*>(data)[i];
  return static_cast<double>(static_cast<long double const*>(data)[i]);
}
inline void put_number(void* data, index_t i, index_t bytes, double number)
{
  if (bytes == sizeof(float))
    static_cast<float*>(data)[i] = static_cast<float>(number);
  else if (bytes == sizeof(double))
    static_cast<double*>(data)[i] = number;
  else
    static_cast<long double*>(data)[i] = static_cast<long double>(number);
}

// Memory of a level's own coefficients, in the host's memory or the device's, as those of the finest level.
template <class Backend>
class level_data {
public:
  level_data() = default;

  // The form of operator `from`, its coefficients as those of a Made: of its points, and where `first_parts` is no null
  // of the elements that `from`'s were refined from. `has_state`: what it reads besides is given to it later.
  //
  // **Errors** `text` says what cannot be carried over, or nothing.
  template <class Made, class Operator>
  typename Operator::form_type form(Operator const& from, std::vector<index_t> const* first_parts, bool has_state,
                                    first_problem& text)
  {
    using form_type = std::remove_const_t<typename Operator::form_type>;
    form_type form = from.form();
    if (inputs_of<form_type>::count > 0 && !has_state) {
      text.say(
          "the level of degree %d cannot be given the functions that the form reads, as a tangent its state (%d, 0 "
          "expected): pass them behind the restriction, p_levels<2, 1>(A, mesh, R, field(R, u)), or in parts behind "
          "the mesh, p_levels<2, 1>(L, mesh, field(R, u)); of E-vectors make the levels one by one, "
          "sumfac::levels{sumfac::level{A, R}, sumfac::level{B, S}}, where B.linearize is given what "
          "sumfac::transfer's interpolate makes of A's state",
          Made::order, static_cast<int>(inputs_of<form_type>::count));
    } else if constexpr (!works_on_faces<Operator> && !std::is_empty_v<form_type>) {
      if (from.elements() == 0) return form;
      constexpr bool same_points = std::is_same_v<typename Made::points_type, typename Operator::points_type>;
      auto const* const first = reinterpret_cast<unsigned char const*>(&from.form());
      asked_coefficients const asked(from);
      for (auto const& one : asked.all()) {
        bool const by_point = point_extents(one.view) > 0;
        if (first_parts == nullptr && (!by_point || same_points)) continue;
        // The view that lies where the original does, in the copy.
        auto const at = static_cast<unsigned char const*>(one.view.view) - first;
        void* const view = reinterpret_cast<unsigned char*>(&form) + at;
        bool const is_member = at >= 0 && at < static_cast<std::ptrdiff_t>(sizeof(form_type));
        if (!is_member || !carry<Made, Operator>(from, one, first_parts, view))
          text.say(
              "the form's coefficient of shape %s is no view among the form's members, of extents that are not "
              "constants, and cannot be averaged for the level of degree %d (%lld points per direction, %d expected): "
              "make it such a member, or make the levels one by one, sumfac::levels{sumfac::level{A, R}, "
              "sumfac::level{B, S}}, where B's form has a coefficient at its own points",
              coefficient_shape(one.view), Made::order, static_cast<long long>(by_point ? one.extents[1] : 1),
              by_point ? Made::points_1d : 1);
      }
    }
    return form;
  }

private:
  template <class Made, class Operator, class Coefficient>
  bool carry(Operator const& from, Coefficient const& one, std::vector<index_t> const* first_parts, void* view)
  {
    constexpr int directions = Operator::directions;
    bool const of_children = first_parts != nullptr;
    coefficient_view const& v = one.view;
    bool const by_point = point_extents(v) > 0;
    own_vector<double> const whole(1, 2.0);
    auto const table = averages(by_point ? widths_of<typename Operator::points_type>() : whole,
                                by_point ? widths_of<typename Made::points_type>() : whole, of_children);
    int const points = by_point ? Made::points_1d : 1, points_from = by_point ? Operator::points_1d : 1;
    if (by_point && one.extents[1] != points_from) return true;  // refused where the operator is made
    index_t extents[5], size = v.entry_bytes;
    for (int r = 0; r < v.rank; ++r) extents[r] = one.extents[r];
    extents[0] = of_children ? static_cast<index_t>(first_parts->size()) - 1 : one.extents[0];
    for (int r = 1; r <= point_extents(v); ++r) extents[r] = points;
    for (int r = 0; r < v.rank; ++r) size *= extents[r];
    host const threads = host_of(from.backend());
    buffer<unsigned char> numbers(threads, size);
    if (!v.put(view, numbers.data(), extents)) return false;
    buffer<unsigned char> copy;
    void const* const source = on_host(from.backend(), v, threads, copy);
    int const row = of_children ? 2 * points_from : points_from, components = v.components > 0 ? v.components : 1;
    node_box const to(points, directions), of_row(row, directions);
    threads.partition(extents[0], [&](index_t begin, index_t end) {
      for (index_t e = begin; e < end; ++e) {
        index_t const first_part = of_children ? (*first_parts)[static_cast<std::size_t>(e)] : e;
        bool const is_whole = of_children && (*first_parts)[static_cast<std::size_t>(e) + 1] == first_part + 1;
        for (int k = 0; k < to.z; ++k)
          for (int j = 0; j < to.y; ++j)
            for (int i = 0; i < to.x; ++i)
              for (int c = 0; c < components; ++c) {
                double sum = 0;
                if (is_whole) sum = number_at(source, v.offset(v.view, first_part, {k, j, i}, c), v.entry_bytes);
                for (int z = 0; z < (is_whole ? 0 : of_row.z); ++z)
                  for (int y = 0; y < of_row.y; ++y)
                    for (int x = 0; x < of_row.x; ++x) {
                      double share = table[static_cast<std::size_t>(i * row + x)];
                      if (directions > 1) share *= table[static_cast<std::size_t>(j * row + y)];
                      if (directions > 2) share *= table[static_cast<std::size_t>(k * row + z)];
                      if (share == 0) continue;
                      int const child = (z / points_from * 2 + y / points_from) * 2 + x / points_from;
                      index_t const element = of_children ? first_part + child : e;
                      point_index const at{z % points_from, y % points_from, x % points_from};
                      sum += share * number_at(source, v.offset(v.view, element, at, c), v.entry_bytes);
                    }
                put_number(numbers.data(), v.offset(view, e, {k, j, i}, c), v.entry_bytes, sum);
              }
      }
    });
    if constexpr (is_device<Backend>) {
      if (side_of(from.backend(), v.data) == memory_side::device) {
        on_device_.push_back(memory_of<unsigned char, Backend>(from.backend(), size));
        from.backend().copy(numbers.data(), on_device_.back().data(), size);
        from.backend().synchronize();
        v.put(view, on_device_.back().data(), extents);
        return true;
      }
    }
    on_host_.push_back(std::move(numbers));
    return true;
  }

  // Where the host reads a coefficient's entries, counted as its view has it.
  static void const* on_host([[maybe_unused]] Backend const& backend, coefficient_view const& v,
                             [[maybe_unused]] host const& threads, [[maybe_unused]] buffer<unsigned char>& copy)
  {
    if constexpr (is_device<Backend>) {
      if (side_of(backend, v.data) == memory_side::device) {
        index_t const bytes = (v.last - v.first) * v.entry_bytes;
        copy = buffer<unsigned char>(threads, bytes);
        backend.copy(static_cast<unsigned char const*>(v.data) + v.first * v.entry_bytes, copy.data(), bytes);
        backend.synchronize();
        return copy.data() - v.first * v.entry_bytes;
      }
    }
    return v.data;
  }

  std::vector<buffer<unsigned char>> on_host_;
  std::vector<memory_of<unsigned char, Backend>> on_device_;
};

}  // namespace sumfac::detail
