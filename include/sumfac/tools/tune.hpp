// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time: of several operators that do the same, the one that is fastest on the device at hand.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/tools/tune/candidates.hpp>
#include <sumfac/tools/tune/trials.hpp>
#include <sumfac/tools/tune_options.hpp>

#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The same operator by another tuning.
template <class Operator, tuning Tuning>
using with_tuning = detail::with_options<Operator, tuned<Tuning>>;

// One of some operators, chosen when the program runs. It is applied as that one is.
template <class First, class... Rest>
class tuned_operator {
public:
  using form_type = typename First::form_type;
  using backend_type = typename First::backend_type;
  using scalar_type = typename First::scalar_type;
  static constexpr int order = First::order, nodes_1d = First::nodes_1d, components = First::components;
  static constexpr int directions = First::directions, coordinates = First::coordinates, axes = First::axes;
  static constexpr node_placement placement = First::placement;
  static constexpr bool linear = First::linear, has_one_space = First::has_one_space;

  template <class From, class To>
  void apply(From const& u, To const& v) const
  {
    visit([&](auto const& a) { a.apply(u, v); });
  }
  template <class Restriction, class From, class To>
  void apply(Restriction const& r, From const& x, To const& y) const
  {
    visit([&](auto const& a) { a.apply(r, x, y); });
  }
  template <class Restriction, class From, class To>
  void apply_add(Restriction const& r, From const& x, To const& y) const
  {
    visit([&](auto const& a) { a.apply_add(r, x, y); });
  }
  template <class Diagonal>
  void diagonal(Diagonal const& d) const
  {
    visit([&](auto const& a) { a.diagonal(d); });
  }
  template <class Restriction, class Diagonal>
  void diagonal(Restriction const& r, Diagonal const& d) const
  {
    visit([&](auto const& a) { a.diagonal(r, d); });
  }
  std::vector<scalar_type> element_matrix(index_t element) const
  {
    return visit([&](auto const& a) { return a.element_matrix(element); });
  }

  sumfac::work work() const
  {
    return visit([](auto const& a) { return a.work(); });
  }
  index_t elements() const
  {
    return visit([](auto const& a) { return a.elements(); });
  }
  form_type const& form() const
  {
    return visit([](auto const& a) -> form_type const& { return a.form(); });
  }
  backend_type const& backend() const
  {
    return visit([](auto const& a) -> backend_type const& { return a.backend(); });
  }

  // Calls f with the operator that was chosen and returns what it returns, of one type for all: what needs an
  // element_operator, as merged_cg does, has it there.
  template <class Function>
  decltype(auto) visit(Function const& f) const
  {
    return chosen_.visit(f);
  }

  // Which of the operators it is, from 0.
  int chosen() const { return number_; }
  // What was found of each; nothing where the choice was in the cache file.
  std::vector<tune_trial> const& trials() const { return trials_; }

private:
  template <class List, class Nodes, class NodeSet>
  friend class detail::tuner;

  tuned_operator() = default;

  detail::one_of<First, Rest...> chosen_;
  int number_ = -1;
  std::vector<tune_trial> trials_;
};

// The operator that applies fastest to E-vectors on this mesh: of those named, which must compute the same, or, where
// one is named, of it and others that do. On a device and on `checked` these have other tunings; on the host they come
// by the geometry otherwise, `trilinear`, `affine` or `stored`, as far as the mesh allows it.
//
//     auto const A = sumfac::tune<sumfac::bp3<7, sumfac::cuda>>(backend, nodes, {.lambda = 0.1}, {.cache = "file"});
//
// Each is made, compared with plain sums over the points of three elements, and timed; one that the mesh or the device
// refuses, or whose results are wrong, is left out. A later one must be 2 % faster. The choice is kept in a cache file
// by device, driver and operators, types and the library's target included; a file that cannot be read is a warning.
// **Work** making all of the operators, two at a time in memory; their applications for options.seconds each.
// **Errors** what the first operator throws, where none can be used.
template <class First, class... Rest, class Nodes, class NodeSet = unsaid_nodes>
auto tune(typename First::backend_type const& backend, Nodes const& nodes, typename First::form_type const& form = {},
          tune_options const& options = {}, NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  using list = typename detail::candidates_of<First, Rest...>::type;
  constexpr bool alike = ((std::is_same_v<typename First::form_type, typename Rest::form_type> &&
                           std::is_same_v<typename First::backend_type, typename Rest::backend_type> &&
                           std::is_same_v<typename First::scalar_type, typename Rest::scalar_type> &&
                           std::is_same_v<typename First::points_type, typename Rest::points_type> &&
                           std::is_same_v<typename First::nodes_type, typename Rest::nodes_type> &&
                           First::directions == Rest::directions && First::coordinates == Rest::coordinates) &&
                          ... && true);
  constexpr bool complete = inputs_of<typename First::form_type>::count == 0;
  static_assert(complete,
                "sumfac::tune: the form has inputs, which no candidate can be checked and timed without: "
                "name the tuning, as element_operator's option sumfac::tuned<...>");
  constexpr bool one_space = First::has_one_space;
  static_assert(one_space, "sumfac::tune: the operator is between two spaces, for which there is one way so far");
  constexpr bool has_ways = First::axes == First::directions;
  static_assert(has_ways,
                "sumfac::tune: on triangles, tetrahedra and prisms there is one way so far: take the operator");
  static_assert(alike,
                "sumfac::tune: the operators must have one form, space, rule, scalar type and backend: they "
                "are to differ in how they compute alone, by geometry or tuning");
  using taken = std::conditional_t<alike, list, detail::operator_list<First>>;
  if constexpr (complete && one_space && has_ways) {
    auto const plain = detail::plain_nodes(nodes);
    auto const set = detail::said_nodes("tune", nodes, node_set);
    return detail::tuner<taken, std::remove_cv_t<decltype(plain)>, std::remove_cv_t<decltype(set)>>{
        backend, plain, form, options, set, tolerance}
        .choose();
  } else
    return First(backend, nodes, form, node_set, tolerance);
}

}  // namespace sumfac
