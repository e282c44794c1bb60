// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What would help an application, each piece with what it is worth by the roofs.
#pragma once

#include <sumfac/tools/explain/explanation.hpp>
#include <sumfac/tools/explain/gathered.hpp>
#include <sumfac/tools/explain/geometries.hpp>
#include <sumfac/tools/explain/pages.hpp>
#include <sumfac/tools/explain/placement.hpp>
#include <sumfac/tools/explain/text.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The least seconds of so many bytes, of which some are written: as many are copied as those, the rest is read.
inline double seconds_in_memory(machine_roofs const& r, explanation::moved const& bytes)
{
  double const all = static_cast<double>(bytes.all());
  if (bytes.all() <= r.caches / 2 && r.cached > 0) return all / r.cached;
  double const copy = r.copy > 0 ? r.copy : r.read, read = r.read > 0 ? r.read : copy;
  if (!(copy > 0)) return 0;
  double const written = static_cast<double>(bytes.written) + static_cast<double>(bytes.again) / 2;
  double const copied = 2 * written < all ? 2 * written : all;
  return copied / copy + (all - copied) / read;
}

// Fills in what follows from bytes, flops and roofs.
inline void judge_by_roofs(explanation& e, bool in_float)
{
  double const peak = in_float ? e.roofs.f32 : e.roofs.f64;
  e.in_caches = e.bytes.all() <= e.roofs.caches / 2;
  e.memory_seconds = seconds_in_memory(e.roofs, e.bytes);
  e.arithmetic_seconds = peak > 0 ? static_cast<double>(e.multiply_adds) / peak : 0;
  bool const by_bytes = e.memory_seconds >= e.arithmetic_seconds;
  e.bound = e.least_seconds() <= 0 ? explanation::limit::unknown
            : !by_bytes            ? explanation::limit::arithmetic
            : e.in_caches          ? explanation::limit::caches
                                   : explanation::limit::memory;
}

class adviser {
public:
  adviser(explanation& e, double least_gain, bool in_float) : e_(e), least_gain_(least_gain), in_float_(in_float) {}

  // What the elements allow, by their classes or by their factors.
  template <class Operator>
  void on_geometry(Operator const& a, std::vector<geometry_class> const& classes, timed_gains const& timed)
  {
    using facts = operator_facts<Operator>;
    using now = typename facts::geometry;
    if (a.elements() == 0 || has_given_factors<typename Operator::form_type>) return;
    auto const elements = static_cast<double>(a.elements());
    bool const known = !classes.empty();
    geometry_classes const found = classes_found(a, classes);
    // Bytes of the geometry that are read now; kept inputs are read by all policies.
    index_t const inputs = e_.bytes.factors - operator_parts<Operator>::geometry_bytes(a);
    char const* best = nullptr;
    double most = 0;
    bool is_timed = false;
    std::string read;
    auto const consider = [&](char const* name, geometry_cost const& cost, double in_turns) {
      double const gain = gain_of(cost, inputs, in_turns);
      bool const is_better = (in_turns > 0) == is_timed ? gain > most
                             : is_timed                 ? most < least_gain_
                                                        : gain >= least_gain_;
      if (!is_better) return;
      most = gain, best = name, is_timed = in_turns > 0;
      read = formatted("%.0f bytes an element are read in place of %.0f", static_cast<double>(cost.bytes) / elements,
                       static_cast<double>(e_.bytes.factors - inputs) / elements);
    };
    if constexpr (!std::is_same_v<now, stored>)
      consider("stored", facts::template cost_of_policy<stored>(a.form(), a.elements()), timed.stored);
    if constexpr (!std::is_same_v<now, affine>)
      if (found.affine == a.elements())
        consider("affine", facts::template cost_of_policy<affine>(a.form(), a.elements()), timed.affine);
    if constexpr (!std::is_same_v<now, trilinear> && !std::is_same_v<now, affine>)
      if (found.general == 0 && found.affine < a.elements())
        consider("trilinear", facts::template cost_of_policy<trilinear>(a.form(), a.elements()), timed.trilinear);
    bool ordered = false;
    if constexpr (!std::is_same_v<now, affine>) {
      bool const are_mixed = found.affine > 0 ? found.affine < a.elements() : found.trilinear > 0 && found.general > 0;
      if (known && are_mixed) {
        auto const by_groups = count_classes(classes, facts::template storage_of<stored>::lanes);
        if constexpr (!std::is_same_v<now, split>) consider("split", cost_of_classes<facts>(a.form(), by_groups), 0);
        double const as_they_are = most;
        consider("split", cost_of_classes<facts>(a.form(), found), 0);
        ordered = most > 1.1 * as_they_are;
      }
    }
    on_form(a, found, timed);
    if (best == nullptr) return;
    std::string const of =
        known ? formatted("%.0f elements are affine, %.0f trilinear, %.0f neither", static_cast<double>(found.affine),
                          static_cast<double>(found.trilinear), static_cast<double>(found.general))
        : found.affine > 0 ? std::string("all elements are affine, by their factors")
                           : std::string("flops are dearer than bytes here");
    add_other(advice_on::geometry, most,
              of + ": with sumfac::" + best + " " + read +
                  (ordered ? ", where sumfac::element_order brings elements that are alike together" : ""),
              is_timed);
  }

  // What an apply_at would give to a form that has none, where geometry is made in the kernel.
  template <class Operator>
  void on_form(Operator const& a, geometry_classes const& found, timed_gains const& timed)
  {
    if constexpr (lacks_apply_at<Operator>) {
      using facts = operator_facts<Operator>;
      using bare = bare_form<typename Operator::form_type>;
      auto const with = [&]<class Policy>(Policy) {
        using other = operator_facts<typename facts::template operator_with<bare, Policy>>;
        auto const cost = other::template cost_of_policy<Policy>(bare{}, a.elements());
        add_other(
            advice_on::form, gain_of(cost, 0, timed.with_apply_at),
            formatted("the form has no apply_at, so that kernels that make the geometry run `setup` at each point: "
                      "this is the gain of one with apply_at, by sumfac::%s, of the same parts, no coefficients",
                      name_of_policy<Policy>()),
            timed.with_apply_at > 0);
      };
      using now = typename facts::geometry;
      if (std::is_same_v<now, affine> || found.affine == a.elements())
        with(affine{});
      else if (std::is_same_v<now, trilinear> || found.general == 0)
        with(trilinear{});
    }
  }

  // Factors of half the bytes, and all numbers.
  template <class Operator>
  void on_precision(Operator const&)
  {
    if constexpr (std::is_same_v<typename Operator::arithmetic_type, double>) {
      auto bytes = e_.bytes;
      if constexpr (std::is_same_v<typename Operator::factor_type, double>) {
        bytes.factors /= 2;
        add(advice_on::precision, gain_of(bytes, e_.multiply_adds),
            "factors in float, sumfac::precision<double, float, double>, as if the mesh were rounded to it (3e-8 of "
            "the operator): right as a preconditioner's, or where the mesh is no more exact");
      }
      if constexpr (std::is_same_v<typename Operator::scalar_type, double>) {
        bytes.read /= 2, bytes.written /= 2, bytes.again /= 2;
        add(advice_on::precision, gain_of(bytes, e_.multiply_adds, true),
            "everything in float: right as a preconditioner's operator");
      }
    }
  }

  // Other numbers of nodes, with which so many lines and bytes are moved.
  void on_numbering(line_count const& now, line_count const& ordered, explanation::moved const& bytes)
  {
    add(advice_on::numbering, gain_of(bytes, e_.multiply_adds),
        formatted("elements gather their nodes from %.2f times as many cache lines as would hold them; numbered by "
                  "sumfac::node_order from %.2f times as many (%sB in place of %sB an application)",
                  now.of_least(), ordered.of_least(), with_prefix(bytes.all()).c_str(),
                  with_prefix(e_.bytes.all()).c_str()));
  }

  void on_threads(placement const& p)
  {
    double const threads = p.threads, cores = p.cores;
    if (p.used_processors < p.threads) {
      add(advice_on::threads, threads / p.used_processors,
          formatted("%d threads run on %d processor%s: %s", p.threads, p.used_processors,
                    p.used_processors == 1 ? "" : "s",
                    p.processors > p.used_processors
                        ? formatted("give each one of its own (OMP_PLACES=cores OMP_PROC_BIND=spread), of %d that "
                                    "there are",
                                    p.processors)
                              .c_str()
                        : formatted("take %d (OMP_NUM_THREADS), or let the program have more", p.processors).c_str()));
    } else if (p.used_cores < p.threads && p.used_cores < p.cores) {
      double const could = threads < cores ? threads : cores;
      add(advice_on::threads, could / p.used_cores,
          formatted("%d threads run on %d core%s, two or more on one: give each one of its own (OMP_PLACES=cores "
                    "OMP_PROC_BIND=spread), of %d that there are",
                    p.threads, p.used_cores, p.used_cores == 1 ? "" : "s", p.cores));
    } else if (p.threads < p.cores) {
      add(advice_on::threads, cores / threads,
          formatted("%d of %d cores are used: take more threads (OMP_NUM_THREADS, sumfac::host{%d}); where memory is "
                    "the bound, they gain until it is full; where other processes have those cores, nothing",
                    p.threads, p.cores, p.cores));
    }
    if (p.granted > 0 && p.granted < 0.9 * threads)
      add(advice_on::threads, threads / p.granted,
          formatted("the control group grants the time of %.3g processors to %d threads, which are stopped when it is "
                    "used up: take %.0f, or ask for more",
                    p.granted, p.threads, p.granted < 1 ? 1.0 : p.granted));
  }

  void on_pages(page_kinds const& k)
  {
    constexpr index_t mib = index_t{1} << 20;
    if (e_.bytes.all() < 64 * mib) return;
    double const pages = static_cast<double>(e_.bytes.all()) / 4096;
    if (k.rule == huge_page_rule::never)
      return add_unrated(advice_on::huge_pages, formatted("the system gives none "
                                                          "(/sys/kernel/mm/transparent_hugepage/enabled says never): "
                                                          "%spages of 4 KiB are gone through; write madvise there",
                                                          with_prefix(pages).c_str()));
    if (!k.looked || 2 * k.huge_kib >= k.vectors_kib) return;
    double const bytes = static_cast<double>(e_.bytes.read + e_.bytes.written);
    std::string const text = formatted(
        "your vectors lie in pages of 4 KiB (%lld of %lld MiB in huge ones): take a "
        "sumfac::buffer, or madvise(..., MADV_HUGEPAGE)",
        static_cast<long long>(k.huge_kib / 1024), static_cast<long long>(k.vectors_kib / 1024));
    if (!(e_.roofs.small_pages > 0) || !(e_.roofs.copy > 0)) return add_unrated(advice_on::huge_pages, text);
    // The vectors' bytes at the rate of small pages, all else at that of huge ones.
    double const longer = bytes / e_.roofs.small_pages - bytes / e_.roofs.copy;
    double const now = greater(e_.memory_seconds + longer, e_.arithmetic_seconds);
    if (e_.least_seconds() > 0) add(advice_on::huge_pages, now / e_.least_seconds(), text);
  }

  void on_target(register_widths const& w)
  {
    if (!w.optimized) add_unrated(advice_on::target, "this was compiled without optimization: add -O3");
    if (w.here <= w.compiled || w.compiled == 0) return;
    double const wider = static_cast<double>(w.here) / w.compiled;
    double const least = greater(e_.memory_seconds, e_.arithmetic_seconds / wider);
    double const now = greater(e_.seconds, e_.least_seconds());
    double const gain = least > 0 ? lesser(now / least, wider) : wider;
    add(advice_on::target, gain,
        formatted("this was compiled for registers of %d bits, and the processor has %d: add -march=native",
                  8 * w.compiled, 8 * w.here));
  }

  // The greatest gains first.
  void sort()
  {
    auto& list = e_.what_helps;
    for (std::size_t i = 1; i < list.size(); ++i)
      for (std::size_t j = i; j > 0 && list[j].gain > list[j - 1].gain; --j) std::swap(list[j], list[j - 1]);
  }

private:
  void add(advice_on on, double gain, std::string text, bool timed = false)
  {
    if (gain >= least_gain_) e_.what_helps.push_back({on, gain, std::move(text), timed});
  }
  void add_unrated(advice_on on, std::string text) { e_.what_helps.push_back({on, 0, std::move(text)}); }

  // So many times as fast as now, by the roofs.
  double gain_of(explanation::moved const& bytes, index_t multiply_adds, bool in_float) const
  {
    explanation then;
    then.roofs = e_.roofs, then.bytes = bytes, then.multiply_adds = multiply_adds;
    judge_by_roofs(then, in_float);
    return then.least_seconds() > 0 ? e_.least_seconds() / then.least_seconds() : 0;
  }
  double gain_of(explanation::moved const& bytes, index_t multiply_adds) const
  {
    return gain_of(bytes, multiply_adds, in_float_);
  }

  // With the geometry of another policy, as it was timed or by the roofs.
  double gain_of(geometry_cost const& cost, index_t inputs, double timed) const
  {
    if (timed > 0) return timed;
    auto bytes = e_.bytes;
    bytes.factors = inputs + cost.bytes;
    return gain_of(bytes, e_.multiply_adds - e_.geometry_flops + cost.flops);
  }
  // What the roofs alone promise is said where nothing is timed; else without a number, as kernels may not reach it.
  void add_other(advice_on on, double gain, std::string const& text, bool timed)
  {
    if (timed)
      add(on, gain, text + "; timed in turns with it", true);
    else if (e_.seconds <= 0)
      add(on, gain, text + "; by the roofs, not timed");
    else if (gain >= least_gain_)
      add_unrated(on, text + "; whether that is faster was not timed");
  }

  explanation& e_;
  double least_gain_;
  bool in_float_;
};

}  // namespace sumfac::detail
