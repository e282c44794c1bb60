// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// explain(A): what an application of an operator moves and computes, what bounds it on a machine, what would help.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/element_sum.hpp>
#include <sumfac/tools/explain/adviser.hpp>
#include <sumfac/tools/explain/explainer.hpp>
#include <sumfac/tools/explain/explanation.hpp>
#include <sumfac/tools/explain/levels.hpp>
#include <sumfac/tools/explain/text.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <class Operator, class... Arguments>
explanation explained(Operator const& a, Arguments const&... arguments)
{
  constexpr bool explains = is_element_operator<Operator> && requires { typename Operator::geometry_type; };
  static_assert(explains, "sumfac::explain: the first argument must be an element_operator or a global_operator");
  if constexpr (explains)
    return explainer<Operator>(a).explain(arguments...);
  else
    return {};
}

// What `of_part` says of each part of a sum, as one. Parts behind the first read y, to which they add.
template <class... Parts, class OfPart>
explanation added_up(sum<Parts...> const& a, OfPart const& of_part)
{
  explanation total;
  int index = 0;
  a.for_each([&](auto const& p) {
    std::string const name = "part " + std::to_string(index++) + ": ";
    if constexpr (requires { typename std::remove_cvref_t<decltype(p)>::operator_type::geometry_type; }) {
      explanation const e = of_part(p);
      total.what += (total.what.empty() ? "a sum of " : " and ") + e.what;
      total.machine = e.machine, total.roofs_from = e.roofs_from, total.roofs = e.roofs;
      total.elements += e.elements, total.unknowns = e.unknowns;
      total.bytes.read += e.bytes.read + (index > 1 ? e.bytes.written : 0), total.bytes.written += e.bytes.written;
      total.bytes.factors += e.bytes.factors, total.bytes.indices += e.bytes.indices,
          total.bytes.again += e.bytes.again;
      total.flops += e.flops, total.geometry_flops += e.geometry_flops, total.multiply_adds += e.multiply_adds;
      total.seconds += e.seconds;
      total.lines_of_least = total.lines_of_least > e.lines_of_least ? total.lines_of_least : e.lines_of_least;
      for (advice one : e.what_helps) {
        one.text = name + one.text;
        total.what_helps.push_back(std::move(one));
      }
      for (std::string const& text : e.warnings) total.warnings.push_back(name + text);
    } else {
      total.warnings.push_back(name + "an operator on faces, which is not counted");
    }
  });
  judge_by_roofs(total, sizeof(typename sum<Parts...>::arithmetic_type) < sizeof(double));
  return total;
}

// Of K and F, `faces` as many, whose sum has such a model: bytes of both, and how many kernels they are.
template <class First>
explanation of_terms_and_sides(First const& k, sweep_model const& sweep, int kernels, int faces,
                               explain_options options)
{
  constexpr bool on_host = runs_on_host<typename First::backend_type>;
  options.seconds = 0;
  explanation e = explained(k, options);
  e.what += ", and faces between elements";
  e.unknowns = k.elements() * First::options::problem::entries_of_element;
  if (!on_host && sweep.possible) {
    auto const elements = static_cast<double>(k.elements());
    index_t const vector = e.bytes.written;
    double const both = kernels == 1 ? sweep.one : sweep.two;
    if (kernels == 2) e.bytes.read += 2 * vector, e.bytes.written += vector;
    e.bytes.factors = static_cast<index_t>(both * elements) - e.bytes.read - e.bytes.written;
  }
  judge_by_roofs(e, sizeof(typename First::arithmetic_type) < sizeof(double));
  auto const say = [&](std::string const& text) { e.warnings.push_back(text); };
  if (on_host)
    say("faces are not counted");
  else if (!sweep.possible)
    say("faces are not counted; they are a kernel of their own, as all are but those of hexahedra in "
        "variant::cubes, on one process");
  else
    say(formatted(
        "terms within elements and the first on faces are %s: by its model one is %.2f times as fast as two, %.2f or "
        "more is asked for (%.0f and %.0f bytes an element), and has %d threads on a multiprocessor, %d or more are; "
        "flops of faces are not counted",
        kernels == 1 ? "one kernel" : "two kernels", sweep.gain(), sweep_model::least_gain, sweep.one, sweep.two,
        sweep.teams * sweep.threads, sweep_model::least_threads));
  if (faces > 1) say("faces of the operators behind the second are not counted");
  return e;
}

}  // namespace detail

// What an application moves and computes, what bounds it on this machine and what would help: of A.apply(u, v), by
// explain(A), or explain(A, u, v), which times it on these vectors; of A.apply(R, x, y), by explain(A, R), or
// explain(A, R, x, y). v and y are overwritten. Options come last.
template <class Operator>
explanation explain(Operator const& a, explain_options const& options = {})
{
  return detail::explained(a, options);
}
template <class Operator, class Restriction>
explanation explain(Operator const& a, Restriction const& r, explain_options const& options = {})
{
  return detail::explained(a, r, options);
}
template <class Operator, class From, class To>
explanation explain(Operator const& a, From const& u, To const& v, explain_options const& options = {})
{
  return detail::explained(a, u, v, options);
}
template <class Operator, class Restriction, class From, class To>
explanation explain(Operator const& a, Restriction const& r, From const& x, To const& y,
                    explain_options const& options = {})
{
  return detail::explained(a, r, x, y, options);
}

// Of a sum's application, explain(L), or explain(L, x, y): bytes and flops of its parts added up, their advice each
// with the part's number. A face_operator is not counted, and named in a warning.
template <class... Parts>
explanation explain(sum<Parts...> const& a, explain_options const& options = {})
{
  return detail::added_up(a, [&](auto const& p) { return explain(p.element_operator(), p.restriction(), options); });
}
template <class... Parts, class From, class To>
explanation explain(sum<Parts...> const& a, From const& x, To const& y, explain_options const& options = {})
{
  return detail::added_up(a,
                          [&](auto const& p) { return explain(p.element_operator(), p.restriction(), x, y, options); });
}

// Of a sum on E-vectors, sum{K, F}: what K moves, and F on devices, and whether they are one kernel there, and why.
// Nothing is timed.
template <class First, class... Faces>
  requires detail::acts_on_elements<First>
explanation explain(sum<First, Faces...> const& a, explain_options const& options = {})
{
  return detail::of_terms_and_sides(a.first(), a.sweep, a.kernels, static_cast<int>(sizeof...(Faces)), options);
}

// The same of a global_operator's operator with its restriction: explain(L), or explain(L, x, y).
template <class Operator, class Restriction>
explanation explain(global_operator<Operator, Restriction> const& a, explain_options const& options = {})
{
  return explain(a.element_operator(), a.restriction(), options);
}
template <class Operator, class Restriction, class From, class To>
explanation explain(global_operator<Operator, Restriction> const& a, From const& x, To const& y,
                    explain_options const& options = {})
{
  return explain(a.element_operator(), a.restriction(), x, y, options);
}

}  // namespace sumfac
