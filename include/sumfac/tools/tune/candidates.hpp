// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators that do the same in other ways: what tune() chooses from, what it calls them, the one that it keeps,
// and plain sums that all are compared with.
#pragma once

#include <sumfac/operator/element_operator.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

template <class... Operators>
struct operator_list {};

// Some tunings, the first of which is an operator's own.
struct tuning_list {
  static constexpr int most = 8;
  tuning value[most];
  int count = 0;

  constexpr void add(tuning const& t)
  {
    for (int i = 0; i < count; ++i)
      if (value[i] == t) return;
    if (count < most) value[count++] = t;
  }
};

// On quadrilaterals and lines: more or fewer elements a team, with and without an entry behind each row.
template <class Operator>
constexpr tuning_list tunings_of_rows()
{
  constexpr tuning own = Operator::tuned;
  constexpr int rows = Operator::points_1d;
  tuning_list list;
  list.add(own);
  for (int const elements : {2 * own.elements, own.elements / 2, own.elements / 4}) {
    tuning t = own;
    t.elements = elements;
    if (elements >= 1 && elements * rows <= 1024) list.add(t);
  }
  tuning t = own;
  t.padding = own.padding == 0 ? 1 : 0;
  list.add(t);
  return list;
}

// Its own, and those that differ from it in one thing that may matter: the registers of a thread, the elements of a
// team, what is asked for early and when it is read, copies of tables, the way through an element.
template <class Operator>
constexpr tuning_list tunings_beside()
{
  constexpr tuning own = Operator::tuned;
  constexpr int lines = Operator::points_1d * Operator::points_1d, rows = Operator::points_1d;
  constexpr int bytes{sizeof(typename Operator::scalar_type)};
  tuning_list list;
  list.add(own);
  if (own.way == variant::warps)  // cubes
    list.add(tuning_of_lines<typename Operator::form_type, typename Operator::geometry_type>(
        architecture_of<typename Operator::backend_type>, Operator::nodes_1d, rows, bytes));
  if (own.way == variant::planes || own.way == variant::warps) return list;
  if (own.way == variant::rows) return tunings_of_rows<Operator>();
  auto const with = [&](auto const& change) {
    tuning t = own;
    change(t);
    if (t.resident_teams > 32) t.resident_teams = 32;
    bool const fits = team_bytes<typename Operator::form_type>(t, Operator::nodes_1d, rows, bytes, bytes) <=
                      limits_of(architecture_of<typename Operator::backend_type>).scratch_bytes;
    if (t.elements * lines <= 1024 && t.resident_teams >= 1 && fits) list.add(t);
  };
  with([](tuning& t) { --t.resident_teams; });
  with([](tuning& t) { t.elements *= 2, t.resident_teams = (t.resident_teams + 1) / 2; });
  with([](tuning& t) { t.resident_teams *= t.elements, t.elements = 1; });
  with([](tuning& t) { t.ahead = t.ahead == prefetch::none ? prefetch::cache : prefetch::none; });
  if (differentiates<typename Operator::form_type> && own.way == variant::cubes && rows >= 4)
    with([](tuning& t) { t.way = variant::slices, t.planes = (rows + 2) / 3, t.tables = 1, t.points_ahead = 0; });
  if (own.way == variant::cubes) with([](tuning& t) { t.tables = t.tables == 1 ? 3 : 1; });
  if (std::is_same_v<typename Operator::geometry_type, stored>)
    with([](tuning& t) { t.reads = t.reads == read_order::free ? read_order::kept : read_order::free; });
  return list;
}

template <class Operator>
struct tuned_in_all_ways {
  static constexpr tuning_list list = tunings_beside<Operator>();

  template <int... Numbers>
  static operator_list<with_options<Operator, tuned<list.value[Numbers]>>...> take(
      std::integer_sequence<int, Numbers...>);
  using type = decltype(take(std::make_integer_sequence<int, list.count>{}));
};

// Operators of a list, and behind them one by another policy, where that is not the first one's.
template <class List, class Geometry>
struct tried_beside;
template <class First, class... Rest, class Geometry>
struct tried_beside<operator_list<First, Rest...>, Geometry> {
  using type =
      std::conditional_t<std::is_same_v<typename First::geometry_type, Geometry>, operator_list<First, Rest...>,
                         operator_list<First, Rest..., with_options<First, Geometry>>>;
};

// What tune() chooses from where one operator is named: on the host the policies that explain() times beside it, of
// which a mesh refuses those that are not for it; elsewhere other tunings. (Quadrilaterals and lines are run alike by
// affine and trilinear.)
template <class Operator>
struct usual_candidates : tuned_in_all_ways<Operator> {};
template <class Operator>
  requires(runs_on_host<typename Operator::backend_type>)
struct usual_candidates<Operator> {
  using cheaper = typename tried_beside<operator_list<Operator>, trilinear>::type;
  using with_affine = typename tried_beside<cheaper, affine>::type;
  using any = std::conditional_t<Operator::directions == 3, with_affine, cheaper>;
  using type = typename tried_beside<any, stored>::type;
};

template <class... Operators>
struct candidates_of {
  using type = operator_list<Operators...>;
};
template <class Operator>
struct candidates_of<Operator> : usual_candidates<Operator> {};

constexpr char const* name_of_way(variant way)
{
  constexpr char const* names[] = {"planes", "cubes", "slices", "dense", "rows", "warps", "matrices"};
  return names[static_cast<int>(way)];
}

// "slices of 3 planes, 2 elements, padding 1, 4 resident, prefetch cache", with the geometry in front.
template <class Operator>
std::string text_of_candidate()
{
  std::string text = name_of_policy<typename Operator::geometry_type>();
  constexpr tuning t = Operator::tuned;
  text.append(", ").append(name_of_way(t.way));
  if (t.way == variant::planes) return text;
  constexpr char const* kinds[] = {"none", "cache", "registers", "scratch"};
  char const* const ahead = kinds[static_cast<int>(t.ahead)];
  if (t.way == variant::slices) text.append(" of ").append(std::to_string(t.planes)).append(" planes");
  return text += formatted(", elements %d, padding %d, resident %d, ahead %s, tables %d, points %d%s", t.elements,
                           t.padding, t.resident_teams, ahead, t.tables, t.points_ahead,
                           t.reads == read_order::kept ? ", reads kept" : "");
}

// The types as the compiler writes them, in 64 bits (FNV-1a): another list, another library or another target is
// another number.
template <class... Operators>
std::uint64_t number_of_types()
{
  std::string_view const text = __PRETTY_FUNCTION__;
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// One line that says which operators on how many elements.
template <class First, class... Rest>
std::string text_of_operators(index_t elements)
{
  int power = 0;
  while (power < 62 && (index_t{1} << (power + 1)) <= elements) ++power;
  return formatted("degree %d, %d points, %d components, %d bytes, 2^%d elements, %d of %016llx", First::order,
                   First::points_1d, First::components, int{sizeof(typename First::scalar_type)}, power,
                   int{1 + sizeof...(Rest)}, static_cast<unsigned long long>(number_of_types<First, Rest...>()));
}

template <class... Types>
class one_of;

// None of no types.
template <>
class one_of<> {};

// It has none at first; visit() then must not be called.
template <class First, class... Rest>
class one_of<First, Rest...> {
public:
  one_of() = default;
  one_of(one_of&& other) noexcept : object_(std::exchange(other.object_, nullptr)), rest_(std::move(other.rest_)) {}
  one_of& operator=(one_of&& other) noexcept
  {
    std::swap(object_, other.object_);
    rest_ = std::move(other.rest_);
    return *this;
  }
  ~one_of() { delete object_; }

  // Takes over an object of the type of that number.
  template <int Number, class Object>
  void take(Object* object)
  {
    if constexpr (Number == 0)
      object_ = object;
    else
      rest_.template take<Number - 1>(object);
  }

  template <class Function>
  decltype(auto) visit(Function const& f) const
  {
    if constexpr (sizeof...(Rest) > 0)
      if (object_ == nullptr) return rest_.visit(f);
    return f(static_cast<First const&>(*object_));
  }

private:
  First* object_ = nullptr;
  SUMFAC_NO_UNIQUE_ADDRESS one_of<Rest...> rest_;
};

// v = A u on one element, (C, n, n, n) each, or (C, n, n), (C, n), and for each entry of v the sum of the sizes of its
// terms.
template <class Operator>
class plain_element {
  using form_type = typename Operator::form_type;
  static constexpr int directions = Operator::directions, coordinates = Operator::coordinates;
  static constexpr node_box box{Operator::nodes_1d, directions};
  static constexpr int components = Operator::components, nodes = box.all(), size = components * nodes;
  static constexpr int kinds = 1 + directions;  // the value, and a derivative along each direction
  using values_at_point = point_values<double, components, directions>;

public:
  template <class Geometry>
  plain_element(form_type const& form, Geometry const& geometry, index_t element, std::vector<double> const& u)
      : v(size), terms(size)
  {
    static_cast<void>(geometry.template visit<double>(
        element, element + 1, [&](index_t, int z, int y, int x, mapping<double, directions, coordinates> const& here) {
          tabulate(z, y, x);
          auto const factors = form.setup(here);
          values_at_point at_point{};
          for (int c = 0; c < components; ++c)
            for (int a = 0; a < kinds; ++a) entry(at_point, c, a) = sum(u, c, a);
          auto tested = form.apply(factors, at_point);
          for (int c = 0; c < components; ++c)
            for (int a = 0; a < kinds; ++a)
              if (has(form_type::test, a == 0 ? value : gradient)) add(c, a, entry(tested, c, a));
        }));
  }

  // The largest difference of an entry, in units of the largest sum of terms.
  template <class T>
  double difference(T const* got) const
  {
    double most = 0, scale = 0;
    for (int i = 0; i < size; ++i) {
      double const off = __builtin_fabs(static_cast<double>(got[i]) - v[at(i)]);
      if (!(off <= most)) most = off == off ? off : HUGE_VAL;
      scale = terms[at(i)] > scale ? terms[at(i)] : scale;
    }
    return most == 0 ? 0 : most / scale;
  }

  std::vector<double> v, terms;

private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static double& entry(values_at_point& p, int c, int a) { return a == 0 ? value_of(p, c) : gradient_of(p, c, a - 1); }

  // All basis functions, and their derivatives along x, y and z, as far as there are these, at a point.
  void tabulate([[maybe_unused]] int z, [[maybe_unused]] int y, int x)
  {
    using nodes_type = typename Operator::nodes_type;
    using points_type = typename Operator::points_type;
    static constexpr auto values = interpolation<double, nodes_type, points_type>();
    static constexpr auto slopes = differentiation<double, nodes_type, points_type>();
    int const point[3] = {x, y, z};
    for (int node = 0; node < nodes; ++node) {
      int const place[3] = {node % box.x, node / box.x % box.y, node / box.x / box.y};
      for (int a = 0; a < kinds; ++a) {
        double product = 1;
        for (int d = 0; d < directions; ++d)
          product *= a == 1 + d ? slopes(point[d], place[d]) : values(point[d], place[d]);
        basis_[a][node] = product;
      }
    }
  }

  double sum(std::vector<double> const& u, int c, int a) const
  {
    double result = 0;
    for (int node = 0; node < nodes; ++node) result += basis_[a][node] * u[at(c * nodes + node)];
    return result;
  }

  void add(int c, int a, double f)
  {
    for (int node = 0; node < nodes; ++node) {
      v[at(c * nodes + node)] += basis_[a][node] * f;
      terms[at(c * nodes + node)] += __builtin_fabs(basis_[a][node] * f);
    }
  }

  double basis_[kinds][nodes];
};

}  // namespace sumfac::detail
