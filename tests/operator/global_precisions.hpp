// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of mixed precision on global vectors against the oracle: how far each entry may be off by the roundings of
// kernels and of sums, each in its own type, and marks that only these types leave.
#pragma once

#include "global_case.hpp"
#include "precisions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

namespace checks {

using element_list = std::vector<std::int64_t>;

// What some elements add to each entry of a global vector, in the oracle's order.
struct element_sums {
  explicit element_sums(std::size_t size) : value(size), moduli(size), kernels(size), doubles(size), terms(size) {}

  std::vector<real> value;               // sum of the elements' results
  std::vector<double> moduli;            // of their moduli
  std::vector<double> kernels, doubles;  // how far kernels may be off, together, and what of it is double's
  std::vector<int> terms;                // how many elements meet there
};

// A global_case whose restrictions and vectors are in the operator's vectors' type, worked in parts.
template <class Operator>
class mixed_case {
  using parameter = typename Operator::precision_type;
  using factors = sumfac::factor_scalar<parameter>;
  using arithmetic = typename Operator::arithmetic_type;

public:
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using vector = std::vector<scalar>;
  // The diagonal is made in the kernel's numbers; of it what is stored in single is looked for alone.
  static constexpr bool any_single_stored = std::is_same_v<scalar, float> || std::is_same_v<factors, float>;
  static constexpr bool any_single = any_single_stored || std::is_same_v<arithmetic, float>;
  static constexpr bool single_inside = std::is_same_v<scalar, double> && std::is_same_v<arithmetic, float>;
  static constexpr bool rounds_results = std::is_same_v<scalar, float> && std::is_same_v<arithmetic, double>;

  // Each factor is off by one rounding.
  static constexpr bool rounds_factors = std::is_same_v<factors, float> && std::is_same_v<arithmetic, double>;

  mixed_case(global_case<Operator> unmarked, std::vector<std::uint8_t> const& marks) : c(std::move(unmarked))
  {
    c.numbered.marks = marks;
    c.exact.constrain(c.numbered.constrained_entries(sumfac::interleaving::fastest),
                      reference::constrained_row::identity);
    c.x = random_vector<scalar>(c.x.size());
    before_.assign(c.x.rbegin(), c.x.rend());
    c.numbered.for_each_place(sumfac::interleaving::fastest, [this](std::size_t, std::size_t global, bool fixed) {
      places_.push_back({global, fixed});
    });
    std::vector<real> const x(c.x.begin(), c.x.end());
    for (int e = 0; e < c.numbered.numbers.elements; ++e) learn(e, x);
  }

  std::int64_t elements() const { return c.numbered.numbers.elements; }
  element_list all() const
  {
    element_list list(static_cast<std::size_t>(elements()));
    std::iota(list.begin(), list.end(), 0);
    return list;
  }

  // y = A x and y += A x by a restriction to these elements.
  template <class Restriction>
  void compare(Operator const& a, Restriction const& r, element_list const& list) const
  {
    auto const way = r.options().components_lie;
    auto const in = c.laid(c.x, way);
    auto const results = sums(results_, list);
    vector const zeros(c.x.size());
    compare(what::product, results, c.canonical(c.apply(a, r, in), way), zeros, scaled(fixed_by(r), c.x));

    auto sum = c.laid(before_, way);
    support::on_backend(a.backend(), in, sum,
                        [&](scalar const* from, scalar* to) { a.apply_add(r, entries_at(from), entries_at(to)); });
    compare(what::sum, results, c.canonical(sum, way), before_, before_);
    if constexpr (requires { a.backend().finding_count(); }) CHECK(a.backend().finding_count() == 0);
  }

  template <class Restriction>
  void compare_diagonal(Operator const& a, Restriction const& r, element_list const& list) const
  {
    auto d = nans<scalar>(c.x.size());
    support::on_backend(a.backend(), d, [&](scalar* to) { a.diagonal(r, entries_at(to)); });
    compare(what::diagonal, sums(diagonals_, list), c.canonical(d, r.options().components_lie), vector(d.size()),
            vector(d.size(), fixed_by(r)));
  }

  global_case<Operator> c;

private:
  // Of one element, place by place.
  struct part {
    std::vector<real> value;
    std::vector<double> kernel, doubles;
  };
  struct place {
    std::size_t global;
    bool fixed;
  };

  static part part_of(std::vector<real> value, std::vector<real> const& moduli, double arithmetics, double doubles)
  {
    part p{std::move(value), {}, std::vector<double>(moduli.size(), doubles)};
    for (real const m : moduli)
      p.kernel.push_back(arithmetics + (rounds_factors ? static_cast<double>(m) * unit<float> : 0));
    return p;
  }

  void learn(int e, std::vector<real> const& x)
  {
    auto const& element = c.exact.elements()[static_cast<std::size_t>(e)];
    auto const u = c.exact.gather(x, e);
    constexpr int order = Operator::order;
    results_.push_back(part_of(element.apply(u), element.magnitude(u, real(1e30)),
                               reference::allowed<arithmetic>(element, u, order),
                               reference::allowed<double>(element, u, order)));
    diagonals_.push_back(part_of(element.diagonal(), element.diagonal_magnitude(real(1e30)),
                                 reference::allowed_diagonal<arithmetic>(element, order),
                                 reference::allowed_diagonal<double>(element, order)));
  }

  element_sums sums(std::vector<part> const& parts, element_list const& list) const
  {
    element_sums s(c.x.size());
    for (auto const e : list) {
      part const& p = parts[static_cast<std::size_t>(e)];
      place const* at = places_.data() + static_cast<std::size_t>(e) * p.value.size();
      for (std::size_t i = 0; i < p.value.size(); ++i) {
        auto const [global, fixed] = at[i];
        if (fixed) continue;
        s.value[global] += p.value[i];
        s.moduli[global] += static_cast<double>(std::abs(p.value[i]));
        s.kernels[global] += p.kernel[i];
        s.doubles[global] += p.doubles[i];
        ++s.terms[global];
      }
    }
    return s;
  }

  enum class what { product, sum, diagonal };

  // Entries of no element are as they were, constrained ones `kept`, to the last bit; others are `start` and the sums.
  void compare(what of, element_sums const& s, vector const& got, vector const& start, vector const& kept) const
  {
    REQUIRE(got.size() == s.value.size());
    findings m;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (s.terms[i] == 0)
        m.entry(i, got[i] == (c.exact.constrained()[i] ? kept[i] : start[i]) ? 0 : 1e300);
      else
        look_at(of, s, i, got[i], start[i], m);
    INFO((of == what::product ? "A x" : of == what::sum ? "y + A x" : "diagonal") << ", degree " << Operator::order);
    real const wanted = c.exact.constrained()[m.at] ? real(kept[m.at]) : real(start[m.at]) + s.value[m.at];
    INFO("entry " << m.at << " of " << got.size() << ": got " << got[m.at] << ", expected "
                  << static_cast<double>(wanted) << ", of " << s.terms[m.at] << " elements, " << m.worst
                  << " of what is allowed");
    CHECK(m.worst <= 1);
    INFO("greatest error " << m.greatest << ", double's " << m.doubles);
    bool const single_results = of == what::diagonal ? any_single_stored : any_single;
    if (single_results && m.free > 5) CHECK(m.greatest > 1e3 * m.doubles);
    // Sums of results that were rounded before, in single; sums in double of what is single.
    constexpr bool single_sums = rounds_results && !rounds_factors;
    if (single_sums && of == what::product && m.shared > 50) CHECK(m.of_result > 1.001 * unit<float>);
    if (single_inside && of != what::diagonal && m.shared > 10) CHECK(m.wide > m.shared / 10);
  }

  // What the entries show.
  struct findings {
    double worst = 0, greatest = 0, doubles = 0, of_result = 0;
    std::size_t at = 0;                  // the worst entry
    int free = 0, shared = 0, wide = 0;  // entries that sums reach; of several elements; no floats among these

    void entry(std::size_t i, double part_of_allowed)
    {
      if (part_of_allowed > worst) worst = part_of_allowed, at = i;
    }
  };

  void look_at(what of, element_sums const& s, std::size_t i, scalar got, scalar start, findings& m) const
  {
    real const wanted = real(start) + s.value[i];
    double const off = std::abs(static_cast<double>(real(got) - wanted));
    double const error = off == off ? off : 1e300;
    bool const wrong_type = single_inside && of != what::diagonal && s.terms[i] == 1 && !is_one_single(got, start);
    m.entry(i, wrong_type ? 1e200 : error / allowed(s, i, static_cast<double>(start)));
    m.greatest = std::max(m.greatest, error);
    m.doubles = std::max(m.doubles, s.doubles[i]);
    m.of_result = std::max(m.of_result, (error - s.kernels[i]) / static_cast<double>(std::abs(wanted)));
    ++m.free;
    m.shared += s.terms[i] > 1 ? 1 : 0;
    m.wide += s.terms[i] > 1 && real(got) != real(static_cast<float>(got)) ? 1 : 0;
  }

  // One rounding of each element's result where the vectors are narrower than the kernel, and one of each sum that is
  // made of what was there and of them; the first term that is added to 0 rounds nothing.
  static double allowed(element_sums const& s, std::size_t i, double start)
  {
    double const u = unit<scalar>, moduli = s.moduli[i] + s.kernels[i];
    int const additions = start == 0 ? s.terms[i] - 1 : s.terms[i];
    double const converted = rounds_results ? u * moduli : 0;
    // Of sums that are themselves off.
    return s.kernels[i] + (converted + additions * u * (std::abs(start) + moduli)) * (1 + 10 * s.terms[i] * u);
  }

  // What was added to `start` is a float, as far as this one addition in double lets it be seen.
  static bool is_one_single(scalar got, scalar start)
  {
    real const added = real(got) - real(start);
    real const off = std::abs(added - real(static_cast<float>(added)));
    return off <= (start == 0 ? 0 : real(1.001 * unit<double>) * std::abs(real(got)));
  }

  template <class Restriction>
  static scalar fixed_by(Restriction const& r)
  {
    return static_cast<scalar>(r.options().rows.value);
  }

  static vector scaled(scalar factor, vector x)
  {
    for (auto& entry : x) entry = factor == 0 ? 0 : entry * factor;
    return x;
  }

  template <class T>
  auto entries_at(T* data) const
  {
    return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(c.x.size()));
  }

  vector before_;
  std::vector<place> places_;
  std::vector<part> results_, diagonals_;
};

// A restriction to the elements of a list of Index.
template <class Index, class Restriction>
Restriction subset_of(Restriction const& r, element_list const& elements)
{
  std::vector<Index> const list(elements.begin(), elements.end());
  return r.subset(sumfac::view<Index const, sumfac::dextents<1>>(list.data(), static_cast<index_t>(list.size())));
}

// From `first` up to `last`, every `step`-th.
inline element_list every(std::int64_t first, std::int64_t last, std::int64_t step)
{
  element_list list;
  for (auto e = first; e < last; e += step) list.push_back(e);
  return list;
}

// Cuts between and in the middle of what kernels and restrictions take at once.
template <class Operator, class Restriction>
void compare_ranges(mixed_case<Operator> const& m, Operator const& a, Restriction const& r)
{
  std::int64_t const e = m.elements();
  for (std::int64_t const first : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4}, e - 1})
    for (std::int64_t const last : {std::int64_t{1}, std::int64_t{4}, std::int64_t{5}, e - 1, e}) {
      if (first > last || last > e) continue;
      INFO("elements " << first << " to " << last);
      m.compare(a, r.subset(first, last), every(first, last, 1));
    }
}

// Gaps in the one or the other half of a group, single elements, and lists that are in no order.
template <class Operator, class Restriction>
void compare_lists(mixed_case<Operator> const& m, Operator const& a, Restriction const& r)
{
  std::int64_t const e = m.elements();
  auto shuffled = every(0, e, 3), backwards = m.all();
  std::reverse(backwards.begin(), backwards.end());
  for (auto const i : every(1, e, 3)) shuffled.insert(i % 2 == 0 ? shuffled.begin() : shuffled.end(), i);
  for (auto const& list : {shuffled, backwards}) {
    INFO(list.size() << " elements in no order");
    m.compare(a, subset_of<std::int32_t>(r, list), list);
    m.compare_diagonal(a, subset_of<std::int64_t>(r, list), list);
  }
  for (std::int64_t const step : {2, 5, 8, 100})
    for (std::int64_t first = 0; first < std::min(step, e); first += step < 8 ? 1 : 3) {
      auto const list = every(first, e, step);
      INFO("every element of " << step << " from " << first);
      m.compare(a, subset_of<std::int64_t>(r, list), list);
    }
}

// Both interleavings, both kinds of rows, both policies and some numbers of blocks; parts of as many of them as take
// different ways.
template <class Operator>
void every_mixed_restriction(mixed_case<Operator> const& m, typename Operator::backend_type const& backend = {})
{
  constexpr bool on_host = sumfac::runs_on_host<typename Operator::backend_type>;
  auto const a = m.c.make(backend);
  for (auto const way : {sumfac::interleaving::fastest, sumfac::interleaving::slowest})
    for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic})
      for (sumfac::constrained_rows const rows : {0.25, 0.0})
        for (index_t const blocks : on_host ? std::vector<index_t>{0, 1, 3, 64} : std::vector<index_t>{0}) {
          if (Operator::components == 1 && way == sumfac::interleaving::slowest) continue;
          INFO((way == sumfac::interleaving::fastest ? "fastest" : "slowest")
               << (policy == sumfac::scatter::atomic ? ", atomic, " : ", deterministic, ") << blocks << " blocks, "
               << "rows of " << rows.value << ", " << m.elements() << " elements");
          auto const r = m.c.template restriction<std::int32_t>(
              {.components_lie = way, .policy = policy, .rows = rows, .blocks = blocks}, backend);
          m.compare(a, r, m.all());
          m.compare_diagonal(a, r, m.all());
          if (blocks != (on_host ? 3 : 0)) continue;
          if (rows.value != 0) compare_lists(m, a, r);
          if ((policy == sumfac::scatter::atomic) == (rows.value != 0)) compare_ranges(m, a, r);
        }
}

// The boundary, or where nothing lies inside, some entries.
inline std::vector<std::uint8_t> some_marks(mesh::numbering const& numbers, int components)
{
  auto marks = boundary_marks(numbers, components);
  if (std::find(marks.begin(), marks.end(), 0) == marks.end()) marks = random_marks(numbers.nodes, components, 5, 3);
  return marks;
}

// One operator on several meshes, numbers and constraints.
template <class Operator>
void mixes_globally(std::vector<mesh::counts> const& boxes, reference::space const& space,
                    reference::integrand<> const& form, typename Operator::form_type const& own_form = {},
                    typename Operator::backend_type const& backend = {})
{
  int kind = 0;
  for (auto const box : boxes) {
    auto const numbers = kind == 0   ? mesh::numbered(box, Operator::order, 5)
                         : kind == 1 ? mesh::by_entities(box, Operator::order)
                                     : mesh::numbered(box, Operator::order, 0, {.x = true});
    INFO(box.elements() << " elements, numbers of kind " << kind);
    mixed_case<Operator> const m({box, numbers, space, form, own_form},
                                 kind == 0   ? std::vector<std::uint8_t>{}
                                 : kind == 1 ? random_marks(numbers.nodes, Operator::components, 5, 3)
                                             : some_marks(numbers, Operator::components));
    every_mixed_restriction(m, backend);
    kind = (kind + 1) % 3;
  }
}

// Bit for bit, of all elements and of a list of some.
template <class Operator>
void same_for_any_number_of_threads(mesh::counts counts)
{
  using scalar = typename Operator::scalar_type;
  auto const mesh = mesh::jittered(counts, 0.2);
  restricted_mesh numbered{mesh::numbered(counts, Operator::order, 3), Operator::components};
  numbered.marks = boundary_marks(numbered.numbers, Operator::components);
  auto const x = random_vector<scalar>(numbered.size());
  auto const applied = [&](int threads, index_t blocks) {
    sumfac::host const backend(threads);
    Operator const a(backend, nodes_view(mesh));
    auto const r = numbered.template restriction<scalar, sumfac::host>(backend, {.blocks = blocks});
    auto y = nans<scalar>(x.size());
    a.apply(r, global_view(x), global_view(y));
    auto result = y;
    a.apply_add(subset_of<std::int64_t>(r, every(1, a.elements(), 3)), global_view(x), global_view(y));
    result.insert(result.end(), y.begin(), y.end());
    a.diagonal(r, global_view(y));
    result.insert(result.end(), y.begin(), y.end());
    return result;
  };
  for (index_t const blocks : {0, 5, 64}) {
    auto const serial = applied(1, blocks);
    for (int const threads : {1, 2, 3, 5}) {
      INFO(threads << " threads, " << blocks << " blocks");
      CHECK(applied(threads, blocks) == serial);
    }
  }
}

}  // namespace checks
