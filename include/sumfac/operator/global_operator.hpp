// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on global vectors: an element operator and the restriction that it is applied through, of a whole mesh or
// of one that is cut among processes.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/parts/mesh_part.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// What a global_operator has of a mesh in parts, and of a whole one: nothing.
template <class Scalar, class Backend, class Halo>
struct part_of_operator {
  part_of_operator(restriction<Scalar, Backend> const& r, Halo const& of_halo, distributed_options const& options,
                   element_flags const& waiting)
      : halo(&of_halo), part(r, of_halo, options, waiting)
  {
  }
  part_of_operator(part_of_operator const&) = delete;
  part_of_operator& operator=(part_of_operator const&) = delete;

  Halo const* halo;
  mesh_part<Scalar, Backend, Halo> part;
};
template <class Scalar, class Backend>
struct part_of_operator<Scalar, Backend, whole> {};

}  // namespace detail

// A matrix to solvers: apply(x, y), apply_transposed(x, y), diagonal(d), size(), and the restriction's backend().
// Refers to both, which must live as long, and owns neither: temporaries are refused by the compiler.
//
// With a halo it is that of a mesh in parts, with reduction(), by which solvers add up sums: each process applies its
// elements, while the halo exchanges shared nodes. All processes call the same members in the same order. Elements
// without ghosts, the interior, are applied upon x and y where they lie; only nodes of the other elements are copied.
// On the host elements that share a SIMD register count as one: number those at ghosts next to one another, as the last
// ones. Results have the same bits for the same number of processes, for any number of threads. Of constraints each
// process has the rows of all its nodes, whose terms are nodes of its own or ghosts, which may be of none of its
// elements.
// **Shapes** x, y, d: entries of the restriction; in parts (owned nodes C), in the interleaving of the restriction,
// whose numbers are those of owned nodes and then those of ghosts.
// **Work** that of the operator; in parts an exchange of shared nodes' entries to and fro, and tables beside the
// restriction's, of 8 to 12 bytes for each element's node. Nothing is allocated by apply().
// **Errors** argument_error for a restriction of other elements than the operator's; in parts, on all processes, where
// a restriction is not of the halo's nodes, or a node is constrained on one process and not on another, or otherwise.
template <class Operator, class Restriction, class Halo = whole>
class global_operator
    : detail::part_of_operator<typename Operator::scalar_type, typename Operator::backend_type, Halo> {
  static_assert(
      requires { Operator::nodes_1d; },
      "sumfac::global_operator: the element operator comes first, the "
      "restriction second: sumfac::global_operator{A, R}");
  static_assert(!detail::acts_between_elements<Operator>,
                "sumfac::global_operator: an interior_operator has no restriction, for its functions are E-vectors, "
                "discontinuous: sum{K, F} of it and an element_operator K on these is a matrix");
  static constexpr bool in_parts = !detail::is_whole<Halo>;
  using of_part = detail::part_of_operator<typename Operator::scalar_type, typename Operator::backend_type, Halo>;
  using const_view = view<typename Operator::scalar_type const, dextents<1>>;
  using vector_view = view<typename Operator::scalar_type, dextents<1>>;

public:
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using arithmetic_type = detail::operator_arithmetic<Operator>;  // what A x is rounded as
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<Operator>, symmetric = may_be_symmetric<Operator>;

  global_operator(Operator const& a, Restriction const& r)
    requires(!in_parts)
      : operator_(&a), restriction_(&r)
  {
    if constexpr (detail::is_restriction_for<Restriction, scalar_type, backend_type>)
      detail::check_restriction("global_operator", a, r);
  }
  global_operator(Operator const& a, Restriction const& r, Halo const& halo, distributed_options const& options = {})
    requires in_parts
      : global_operator(a, r, halo, options, {})
  {
  }
  // For levels: where elements wait that have no ghosts.
  global_operator(Operator const& a, Restriction const& r, Halo const& halo, distributed_options const& options,
                  detail::element_flags const& waiting)
    requires in_parts
      : of_part(agreed(a, r, halo), halo, options, waiting), operator_(&a), restriction_(&r)
  {
    check_marks(r);
  }
  template <class Applied, class Through>
    requires detail::any_temporary<Applied, Through>
  global_operator(Applied&&, Through&&)
  {
    refuse_temporary<Applied>();
  }
  template <class Applied, class Through, class Shared>
    requires detail::any_temporary<Applied, Through, Shared>
  global_operator(Applied&& a, Through&& r, Shared&& halo, distributed_options const& options = {})
      : global_operator(refuse_temporary<Applied>(a), r, halo, options, {})
  {
  }

  // y = A x, and y = A^T x.
  void apply(from_vector x, to_vector y) const
  {
    run(
        "global_operator::apply", x.entries, y.entries,
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply(r, u, v); },
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply_add(r, u, v); });
  }
  void apply_transposed(from_vector x, to_vector y) const
  {
    run(
        "global_operator::apply_transposed", x.entries, y.entries,
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply_transposed(r, u, v); },
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply_transposed_add(r, u, v); });
  }

  // d = the diagonal of what apply() multiplies by. In parts for set-up: it allocates.
  // **Errors** argument_error, on all processes, where an element has a node more than once.
  void diagonal(to_vector d) const
  {
    if constexpr (in_parts)
      add_up_diagonals("global_operator::diagonal", d.entries,
                       [&](vector_view const& local) { operator_->diagonal(*restriction_, local); });
    else
      operator_->diagonal(*restriction_, d);
  }

  // Of equations: x at their unknowns, as restriction::distribute(); and b = C^T b, 0 where an entry is constrained,
  // for loads. In parts with an exchange. For before and after a solve: both allocate.
  // **Shapes** those of apply().
  void distribute(to_vector x) const
  {
    constexpr auto here = "global_operator::distribute";
    detail::check_extent(here, "x", 0, "entries", size(), x.entries.extent(0));
    if constexpr (in_parts) {
      auto ghosts = detail::make_memory<scalar_type>(backend(), restriction_->size() - size());
      part().exchange().begin_update(x.entries.data(), ghosts.data());
      part().exchange().end_update(x.entries.data(), ghosts.data());
      auto local = detail::upload<scalar_type>(backend(), local_entries(x.entries.data(), ghosts.data()));
      restriction_->distribute(vector_view(local.data(), restriction_->size()));
      put_owned(detail::download<scalar_type>(backend(), local.data(), restriction_->size()), x.entries);
    } else {
      restriction_->distribute(x);
    }
  }
  void collect(to_vector b) const
  {
    constexpr auto here = "global_operator::collect";
    detail::check_extent(here, "b", 0, "entries", size(), b.entries.extent(0));
    Restriction const& r = *restriction_;
    auto ghosts = detail::upload<scalar_type>(
        backend(), detail::own_vector<scalar_type>(static_cast<std::size_t>(r.size() - size()), 0));
    auto local = local_entries(b.entries.data(), ghosts.data());
    r.collect(local.data(), owned_nodes());
    if constexpr (in_parts) {
      ghosts = detail::upload<scalar_type>(backend(), part().cut().ghosts_of(r, local, false));
      put_owned(local, b.entries);
      part().exchange().begin_add(ghosts.data(), b.entries.data());
      part().exchange().end_add(ghosts.data(), b.entries.data());
    } else {
      put_owned(local, b.entries);
    }
  }

  index_t size() const
  {
    if constexpr (in_parts)
      return part().size();
    else
      return restriction_->size();
  }
  backend_type const& backend() const { return restriction_->backend(); }
  Operator const& element_operator() const { return *operator_; }
  Restriction const& restriction() const { return *restriction_; }

  // In parts besides: by what sums are added up; elements that wait for ghosts, and all; and for transfers and
  // smoothers the part.
  Halo const& halo() const
    requires in_parts
  {
    return *of_part::halo;
  }
  sumfac::reduction reduction() const
    requires in_parts
  {
    return halo().reduction();
  }
  index_t boundary_elements() const
    requires in_parts
  {
    return part().cut().boundary_elements();
  }
  index_t elements() const { return operator_->elements(); }
  // Throws where the form is seen not to be linear.
  void check_linear() const
    requires requires(Operator const& a) { a.check_linear(); }
  {
    operator_->check_linear();
  }
  distributed_options const& options() const
    requires in_parts
  {
    return part().options();
  }
  auto const& part() const
    requires in_parts
  {
    return of_part::part;
  }

  // u = x with the ghosts' entries, those of their owners: what linearize(R, u) and field(R, u) read. For set-up: it
  // allocates.
  // **Shapes** x: entries of owned nodes; u: those of the restriction.
  void with_ghosts(from_vector x, to_vector u) const
    requires in_parts
  {
    constexpr auto here = "global_operator::with_ghosts";
    detail::check_vectors(here, "x", x.entries, size(), "u", u.entries, restriction_->size());
    auto ghosts = detail::make_memory<scalar_type>(backend(), restriction_->size() - size());
    part().exchange().begin_update(x.entries.data(), ghosts.data());
    part().exchange().end_update(x.entries.data(), ghosts.data());
    auto const local = detail::upload<scalar_type>(backend(), local_entries(x.entries.data(), ghosts.data()));
    detail::copy_entries(backend(), restriction_->size(), local.data(), u.entries.data());
  }

  // Of a diagonal that fill(local) has of this process' elements, for all nodes of the restriction.
  template <class Fill>
  void add_up_diagonals(char const* where, view<scalar_type, dextents<1>> const& d, Fill const& fill) const
    requires in_parts
  {
    Restriction const& r = *restriction_;
    detail::check_extent(where, "d", 0, "entries", size(), d.extent(0));
    auto local = detail::make_memory<scalar_type>(backend(), r.size());
    detail::agree_on_check(halo(), where, [&] { fill(vector_view(local.data(), r.size())); });
    auto const numbers = detail::download<scalar_type>(backend(), local.data(), r.size());
    auto const ghosts = detail::upload<scalar_type>(backend(), part().cut().ghosts_of(r, numbers, false));
    auto const own = detail::upload<scalar_type>(backend(), part().cut().owned_of(r, numbers));
    detail::copy_entries(backend(), size(), own.data(), d.data());
    part().exchange().begin_add(ghosts.data(), d.data());
    part().exchange().end_add(ghosts.data(), d.data());
  }

private:
  index_t owned_nodes() const { return size() / restriction_->components(); }
  // The restriction's vector, in the host's memory, of entries of owned nodes and of ghosts; and its owned entries
  // back.
  detail::own_vector<scalar_type> local_entries(scalar_type const* own, scalar_type const* ghosts) const
  {
    auto const entries = detail::download<scalar_type>(backend(), own, size());
    if constexpr (in_parts)
      return part().cut().joined(*restriction_, entries,
                                 detail::download<scalar_type>(backend(), ghosts, restriction_->size() - size()));
    else
      return entries;
  }
  void put_owned(detail::own_vector<scalar_type> const& local, vector_view const& to) const
  {
    auto const put = [&](detail::own_vector<scalar_type> const& own) {
      auto const entries = detail::upload<scalar_type>(backend(), own);
      detail::copy_entries(backend(), size(), entries.data(), to.data());
    };
    if constexpr (in_parts)
      put(part().cut().owned_of(*restriction_, local));
    else
      put(local);
  }

  template <class Applied, class... Named>
  static decltype(auto) refuse_temporary(Named const&... a)
  {
    static_assert(detail::never<Applied>,
                  "sumfac::global_operator: it refers to operator, restriction and halo, so none may be a temporary: "
                  "give them names, and keep them as long as it");
    return (a, ...);
  }

  // The restriction, where all processes have one of the halo's nodes and the operator's elements.
  static Restriction const& agreed(Operator const& a, Restriction const& r, Halo const& halo)
  {
    static_assert(std::is_same_v<Restriction, sumfac::restriction<scalar_type, backend_type>>,
                  "sumfac::global_operator: of a mesh in parts the restriction must be of the operator's scalar type "
                  "and backend: sumfac::restriction<scalar_type, backend_type>");
    static_assert(halo_for<Halo, scalar_type, backend_type>,
                  "sumfac::global_operator: behind operator and restriction comes a halo, as sumfac::mpi::halo");
    detail::first_problem text;
    auto const printed = [](index_t i) { return static_cast<long long>(i); };
    if (r.nodes() != halo.owned() + halo.ghosts())
      text.say("the restriction has not the nodes of the halo (%lld, %lld owned and %lld ghosts expected)",
               printed(r.nodes()), printed(halo.owned()), printed(halo.ghosts()));
    else if (r.elements() != a.elements())
      text.say("the restriction has not the operator's elements (%lld, %lld expected)", printed(r.elements()),
               printed(a.elements()));
    halo.agree("global_operator", text);
    return r;
  }

  // Whether owners of ghosts constrain the same components, by rows that are alike.
  void check_marks(Restriction const& r) const
  {
    compare_with_owners(r, "is constrained on one process and not on the other", "mark it on all that have it",
                        [&](index_t node, int c) { return r.table().constrained(node, c) ? 1.0 : 0.0; });
    double any = r.table().rows().empty() ? 0 : 1;
    if (auto const of_all = reduction(); of_all.add_up != nullptr) of_all.add_up(of_all.context, &any, 1);
    if (any == 0) return;
    auto const of_row = [&](auto const& measure) {
      return [&](index_t node, int c) {
        auto const* const row = r.table().rows().find(node * r.components() + c);
        return row == nullptr ? 0.0 : measure(*row);
      };
    };
    compare_with_owners(r, "has rows of other numbers of terms on two processes", one_row,
                        of_row([](auto const& row) { return static_cast<double>(row.terms.size()); }));
    compare_with_owners(r, "has rows of other weights or values on two processes", one_row, of_row([](auto const& row) {
                          double sum = row.b;
                          for (row_term const& t : row.terms) sum += t.weight;
                          return sum;
                        }));
  }
  static constexpr char const* one_row = "give all processes that have it the same equations, also of its terms";

  // Whether ghosts have what their owners have, measure(node, component), to rounding.
  template <class Measure>
  void compare_with_owners(Restriction const& r, char const* problem, char const* advice, Measure const& measure) const
  {
    using numbers = detail::own_vector<scalar_type>;
    numbers local(static_cast<std::size_t>(r.size()));
    for (index_t i = 0; i < r.size(); ++i)
      local[static_cast<std::size_t>(i)] = static_cast<scalar_type>(measure(r.node_of(i), r.component_of(i)));
    numbers const mine = part().cut().ghosts_of(r, local, true);
    auto const own = detail::upload<scalar_type>(backend(), part().cut().owned_of(r, local));
    auto theirs = detail::upload<scalar_type>(backend(), mine);
    part().exchange().begin_update(own.data(), theirs.data());
    part().exchange().end_update(own.data(), theirs.data());
    numbers const got = detail::download<scalar_type>(backend(), theirs.data(), static_cast<index_t>(mine.size()));
    detail::first_problem text;
    for (std::size_t i = 0; i < mine.size() && !text.found(); ++i)
      if (double const here = mine[i], there = got[i];
          !(__builtin_fabs(here - there) <= 1e-4 * (1 + __builtin_fabs(here))))
        text.say("component %lld of ghost %lld %s (%g here, %g where it is owned): %s",
                 static_cast<long long>(i) % r.components(), static_cast<long long>(i) / r.components(), problem, here,
                 there, advice);
    halo().agree("global_operator", text);
  }

  // On all elements at once, or in parts on some at a time: write(r, x, y) those of which y is the first result.
  template <class Write, class Add>
  void run(char const* where, const_view const& x, vector_view const& y, Write const& write, Add const& add) const
  {
    if constexpr (in_parts) {
      detail::check_vectors(where, "x", x, size(), "y", y, size());
      part().sweep(part(), x.data(), y.data(),
                   [&](auto const& r, auto const&, scalar_type const* u, scalar_type* v, auto mode) {
                     const_view const from(u, r.size());
                     vector_view const to(v, r.size());
                     if (mode == detail::sweep_mode::write)
                       write(r, from, to);
                     else
                       add(r, from, to);
                   });
    } else {
      write(*restriction_, x, y);
    }
  }

  Operator const* operator_ = nullptr;
  Restriction const* restriction_ = nullptr;
};

template <class Operator, class Restriction>
global_operator(Operator const&, Restriction const&) -> global_operator<Operator, Restriction>;
template <class Operator, class Restriction, class Halo>
global_operator(Operator const&, Restriction const&, Halo const&) -> global_operator<Operator, Restriction, Halo>;
template <class Operator, class Restriction, class Halo>
global_operator(Operator const&, Restriction const&, Halo const&, distributed_options const&)
    -> global_operator<Operator, Restriction, Halo>;

// Another name of a global_operator of a mesh in parts.
template <class Operator, class Restriction, class Halo>
class distributed : public global_operator<Operator, Restriction, Halo> {
public:
  using global_operator<Operator, Restriction, Halo>::global_operator;
};
template <class Operator, class Restriction, class Halo>
distributed(Operator const&, Restriction const&, Halo const&) -> distributed<Operator, Restriction, Halo>;
template <class Operator, class Restriction, class Halo>
distributed(Operator const&, Restriction const&, Halo const&, distributed_options const&)
    -> distributed<Operator, Restriction, Halo>;

namespace detail {

// Of a whole mesh, whose elements a solver sweeps over itself.
template <class Matrix>
inline constexpr bool is_global_operator = false;
template <class Operator, class Restriction>
inline constexpr bool is_global_operator<global_operator<Operator, Restriction>> = true;

template <class Operator, class Restriction>
  requires(is_element_operator<Operator> && !runs_on_host<typename Operator::backend_type>)
struct team_sweep<global_operator<Operator, Restriction>>
    : global_team_sweep<global_operator<Operator, Restriction>, application<Operator>> {
  using global_team_sweep<global_operator<Operator, Restriction>, application<Operator>>::global_team_sweep;
};

}  // namespace detail

}  // namespace sumfac
