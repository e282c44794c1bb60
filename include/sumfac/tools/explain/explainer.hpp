// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How an explanation is made: what is counted, looked up and timed.
#pragma once

#include <sumfac/dofs/node_order.hpp>
#include <sumfac/tools/explain/adviser.hpp>
#include <sumfac/tools/explain/explanation.hpp>
#include <sumfac/tools/explain/gathered.hpp>
#include <sumfac/tools/explain/geometries.hpp>
#include <sumfac/tools/explain/measure.hpp>
#include <sumfac/tools/tune/candidates.hpp>
#include <sumfac/tools/tune/cost.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Of one element_operator.
template <class Operator>
class explainer {
  using backend_type = typename Operator::backend_type;
  using scalar = typename Operator::scalar_type;
  using facts = operator_facts<Operator>;
  using form = typename Operator::form_type;
  using problem = typename facts::problem;
  using trial = typename problem::trial_side;
  using test = typename problem::test_side;
  using restriction_type = restriction<scalar, backend_type>;
  static constexpr bool on_host = runs_on_host<backend_type>;
  static constexpr index_t scalar_bytes = sizeof(scalar);

public:
  explicit explainer(Operator const& a) : a_(a) {}

  explanation explain(explain_options const& options = {})
  {
    start(options);
    count_e_vectors();
    judge();
    if (times()) {
      auto u = make_memory<scalar>(a_.backend(), a_.elements() * counts().template entries<trial>());
      auto v = make_memory<scalar>(a_.backend(), a_.elements() * counts().template entries<test>());
      time([&, from = packed<trial>(u.data())](auto const& a) { a.apply(from, packed<test>(v.data())); });
    }
    return finish();
  }
  // On the caller's E-vectors.
  template <class From, class To>
    requires(is_view<From> && is_view<To>)
  explanation explain(From const& u, To const& v, explain_options const& options = {})
  {
    start(options);
    count_e_vectors();
    judge();
    if (times()) time([&](auto const& a) { a.apply(u, v); });
    look_at_pages(u.data(), v.data());
    return finish();
  }

  explanation explain(restriction_type const& r, explain_options const& options = {})
  {
    if constexpr (must_be_square<Operator>()) {
      start(options);
      count_global(r);
      judge();
      if (times()) {
        auto x = make_memory<scalar>(r.backend(), r.size()), y = make_memory<scalar>(r.backend(), r.size());
        time_global(r, view<scalar const, dextents<1>>(x.data(), r.size()),
                    view<scalar, dextents<1>>(y.data(), r.size()));
      }
      return finish(r);
    } else {
      return {};
    }
  }
  // On the caller's global vectors.
  template <class From, class To>
  explanation explain(restriction_type const& r, From const& x, To const& y, explain_options const& options = {})
  {
    if constexpr (must_be_square<Operator>()) {
      start(options);
      count_global(r);
      judge();
      if (times()) time_global(r, x, y);
      look_at_pages(x.data(), y.data());
      return finish(r);
    } else {
      return {};
    }
  }
  // Of anything else.
  template <class First, class... Rest>
    requires(!std::is_same_v<First, explain_options> && !is_restriction_for<First, scalar, backend_type>)
  explanation explain(First const&, Rest const&...)
  {
    static_assert(never<First>,
                  "sumfac::explain: behind the operator come nothing or u and v, or a restriction of the "
                  "operator's scalar type and backend, alone or with x and y; and then options");
    return {};
  }

private:
  void start(explain_options const& options)
  {
    options_ = options;
    auto const classes = static_cast<index_t>(options.classes.size());
    if (classes > 0) check_equal("explain", "number of classes", a_.elements(), classes);
    auto const w = a_.work();
    e_.elements = a_.elements();
    e_.flops = w.flops, e_.geometry_flops = w.geometry_flops;
    e_.bytes.read = e_.elements * scalar_bytes * counts().template entries<trial>();
    e_.bytes.written = e_.elements * scalar_bytes * counts().template entries<test>();
    e_.bytes.factors = w.bytes() - e_.bytes.read - e_.bytes.written;
    index_t const of_form =
        e_.elements * counts().points() * flops_per_point<problem::directions>(a_.form(), problem::collocated);
    e_.multiply_adds = (w.flops - of_form) / 2 + of_form + w.geometry_flops;
    e_.what = text_of_operator();
    if constexpr (on_host) place_ = read_placement(a_.backend());
    e_.machine = device_name(a_.backend());
    find_roofs();
  }

  void find_roofs()
  {
    auto const log = [this](std::string const& line) { e_.warnings.push_back(line); };
    if (!options_.roofs.empty()) {
      e_.roofs = options_.roofs, e_.roofs_from = "given";
    } else if constexpr (on_host) {
      auto found = roofs_of_key(options_.cache, key_of_roofs(a_.backend(), place_), log,
                                [this] { return measure_host(a_.backend()); });
      e_.roofs = found.roofs, e_.roofs_from = std::move(found.from);
    } else if constexpr (is_device<backend_type>) {
      auto found = roofs_of_key(options_.cache, key_of_device(a_.backend()), log,
                                [this] { return measured_roofs{measure_copies(a_.backend())}; });
      e_.roofs = found.roofs, e_.roofs_from = std::move(found.from) + "; of multiply-adds not: give options.roofs";
    } else {
      e_.roofs_from = "not given, and what runs on this backend is not timed";
    }
    if (e_.roofs.caches == 0) e_.roofs.caches = cache_bytes_of(a_.backend());
  }

  void count_e_vectors()
  {
    e_.unknowns = e_.elements * problem::components;
    constexpr auto shape = problem::trial_space.shape;
    if constexpr (shape == cell_shape::tables)
      e_.unknowns *= counts().functions();  // how many elements share one is not known
    else
      for (int d = 0; d < problem::directions; ++d) e_.unknowns *= Operator::order;
    // A square is two triangles, a cube two prisms or six tetrahedra.
    if constexpr (shape == cell_shape::simplex || shape == cell_shape::prism)
      e_.unknowns /= shape == cell_shape::simplex && problem::directions == 3 ? 6 : 2;
    e_.what += ", on E-vectors";
  }

  void count_global(restriction_type const& r)
  {
    check_restriction("explain", a_, r);
    e_.unknowns = r.size();
    e_.bytes.read = e_.bytes.written = r.size() * scalar_bytes;
    if constexpr (on_host) {
      lines_ = count_lines(r);
      e_.lines_of_least = lines_.of_least();
      e_.bytes.indices = table_bytes(r);
      e_.bytes.again = copy_bytes(r) + lines_.wasted_bytes();
    } else {
      // For each element's node where it is read and where it is added to; what is added up later is written and read.
      index_t const places = r.elements() * r.table().nodes_of_element();
      e_.bytes.indices = 2 * places * index_t{sizeof(node_table::number)};
      if (r.options().policy == scatter::deterministic)
        e_.bytes.again = 2 * scalar_bytes * r.components() * count_shared_places(r.table());
    }
    e_.what += ", on global vectors";
    if (r.table().has_rows()) e_.what += " with equations between unknowns, whose work is not counted";
  }

  void judge() { judge_by_roofs(e_, sizeof(typename Operator::arithmetic_type) == sizeof(float)); }

  bool times() const
  {
    return options_.reached <= 0 && options_.seconds > 0 && a_.elements() > 0 && !counts_work<backend_type>;
  }

  // The least time of some applications, of which the first is not counted.
  template <class Backend, class Run>
  double least_seconds(Backend const& backend, Run const& run) const
  {
    double once = seconds_of(backend, 1, run), spent = once;
    int count = 1;
    while (once * count < options_.seconds / 16 && count < (1 << 20)) {
      count *= 2;
      once = seconds_of(backend, count, run) / count, spent += once * count;
    }
    double least = count > 1 ? once : 0;
    for (int sample = 0; sample < 8 && (sample < 2 || spent < options_.seconds); ++sample) {
      once = seconds_of(backend, count, run) / count, spent += once * count;
      least = least > 0 && least < once ? least : once;
    }
    return least;
  }

  // run(a) applies the operator a.
  template <class Backend, class Run>
  void time_on(Backend const& backend, Run const& run)
  {
    try {
      e_.seconds = least_seconds(backend, [&] { run(a_); });
    } catch (argument_error const& error) {
      if constexpr (inputs_of<form>::count == 0) throw;
      e_.warnings.push_back(std::string("warning: nothing was timed: ") + error.what());
    }
    if constexpr (times_others) time_others(backend, run);
  }

  // Other policies for the geometry where the elements allow them: no roof says what an application by their kernels
  // costs. The time does not depend on the values of the geometry, so that a mesh of cubes will do; the operator's own
  // is not at hand.
  static constexpr bool times_others =
      on_host && problem::axes == 3 && problem::has_one_side && inputs_of<form>::count == 0 && !has_given_factors<form>;
  template <class Backend, class Run>
  void time_others(Backend const& backend, Run const& run)
  {
    using now = typename facts::geometry;
    auto const found = classes_found(a_, options_.classes);
    bool const all_affine = std::is_same_v<now, affine> || found.affine == a_.elements();
    bool const all_trilinear = std::is_same_v<now, trilinear> || found.general == 0;
    own_vector<double> corners(static_cast<std::size_t>(24 * a_.elements()));
    for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<double>(((i / 3) >> (i % 3)) & 1);
    view const cubes(static_cast<double const*>(corners.data()), a_.elements(), 2, 2, 2, 3);
    auto const gain_by = [&]<class Other>(Other const*, typename Other::form_type const& f) -> double {
      try {
        Other const other(a_.backend(), cubes, f);
        return gain_in_turns(
            backend, options_.seconds, [&] { run(a_); }, [&] { run(other); });
      } catch (std::exception const&) {  // coefficients may not be for cubes, factors be too many
        return 0;
      }
    };
    auto const by = [&]<class Policy>(Policy) {
      using other = typename facts::template operator_with<form, Policy>;
      return gain_by(static_cast<other const*>(nullptr), a_.form());
    };
    auto const by_parts = [&]<class Policy>(Policy) {
      using other = typename facts::template operator_with<bare_form<form>, Policy>;
      return gain_by(static_cast<other const*>(nullptr), bare_form<form>{});
    };
    if constexpr (std::is_same_v<now, stored>) {
      if (all_affine)
        timed_.affine = by(affine{});
      else if (all_trilinear)
        timed_.trilinear = by(trilinear{});
    } else {
      timed_.stored = by(stored{});
      if constexpr (!std::is_same_v<now, affine>)
        if (all_affine) timed_.affine = by(affine{});
    }
    if constexpr (lacks_apply_at<Operator>) {
      if (all_affine)
        timed_.with_apply_at = by_parts(affine{});
      else if (all_trilinear)
        timed_.with_apply_at = by_parts(trilinear{});
    }
  }
  template <class Run>
  void time(Run const& run)
  {
    time_on(a_.backend(), run);
  }
  template <class From, class To>
  void time_global(restriction_type const& r, From const& x, To const& y)
  {
    time_on(r.backend(), [&](auto const& a) { a.apply(r, x, y); });
  }

  void look_at_pages(void const* from, void const* to)
  {
    if constexpr (on_host) pages_ = read_pages(from, to);
  }

  // With the restriction, where there is one.
  template <class... Restriction>
  explanation finish(Restriction const&... r)
  {
    if (options_.reached > 0) e_.seconds = options_.reached, timed_ = {};
    adviser advise(e_, options_.least_gain, sizeof(typename Operator::arithmetic_type) == sizeof(float));
    if constexpr (has_policies<Operator>) advise.on_geometry(a_, options_.classes, timed_);
    advise.on_precision(a_);
    if constexpr (on_host) {
      (advise_on_numbers(advise, r), ...);
      advise.on_threads(place_);
      advise.on_pages(pages_);
      advise.on_target(widths_here());
    }
    advise.sort();
    return std::move(e_);
  }

  // Under the order of node_order: fewer lines, and rows whose nodes follow one another.
  template <class Restriction>
  void advise_on_numbers(adviser& advise, Restriction const& r)
  {
    if (e_.lines_of_least < 1.1) return;
    auto const order = order_nodes<native_width<scalar>>(r.backend(), r.table(), r.options());
    line_count const ordered =
        count_lines(r, [&](node_table::number node) { return order[static_cast<std::size_t>(node)]; });
    auto bytes = e_.bytes;
    bytes.again += ordered.wasted_bytes() - lines_.wasted_bytes();
    bytes.indices = lesser(bytes.indices, table_bytes_by_rows(r));
    advise.on_numbering(lines_, ordered, bytes);
  }

  template <class Side>
  auto packed(scalar* data) const
  {
    return e_vector_view<Side::components, Side::nodes_1d, problem::axes>(data, a_.elements(), counts().functions());
  }
  element_counts<problem> const& counts() const { return operator_parts<Operator>::counts(a_); }

  std::string text_of_operator() const
  {
    constexpr bool is_solid = problem::directions == 3;
    constexpr auto shape = problem::trial_space.shape;
    char const* const elements = shape == cell_shape::prism     ? "prisms"
                                 : shape == cell_shape::simplex ? (is_solid ? "tetrahedra" : "triangles")
                                 : is_solid                     ? "hexahedra"
                                 : problem::directions == 2     ? "quadrilaterals"
                                                                : "lines";
    std::string const functions = shape == cell_shape::tables
                                      ? formatted("elements of %d functions as tables", counts().functions())
                                      : formatted("%s of degree %d", elements, Operator::order);
    std::string way;
    if constexpr (!runs_on_host<typename Operator::backend_type>)
      way = std::string("; kernel: ") + name_of_way(Operator::tuned.way);
    return formatted("%s, %d %spoints%s, %d component%s; vectors in %s, factors in %s, arithmetic in %s; geometry %s%s",
                     functions.c_str(), counts().points_1d(), problem::collocated ? "collocated " : "",
                     problem::is_tensor ? " a direction" : "", problem::components, problem::components == 1 ? "" : "s",
                     name_of_number<scalar>(), name_of_number<typename Operator::factor_type>(),
                     name_of_number<typename Operator::arithmetic_type>(), name_of_policy<typename facts::geometry>(),
                     way.c_str());
  }

  Operator const& a_;
  explain_options options_;
  explanation e_;
  placement place_;
  line_count lines_;
  page_kinds pages_;
  timed_gains timed_;
};

}  // namespace sumfac::detail
