// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What processes share of a mesh that is cut among them: a halo, and what stands for it where there is one process.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// What vector_ops and solvers call after each pass that makes sums: add_up(context, sums, count) replaces this process'
// sums, in the host's memory, by those of all, the same bits for each. Without a function nothing is called. On a
// device enqueue(context, sums, count, stream), where there is one, queues the same for sums in its memory, and nobody
// waits; without it they are copied to the host and back.
//
// A matrix on parts of a vector has a member reduction() that returns one; solvers ask it.
struct reduction {
  void (*add_up)(void const* context, double* sums, int count) = nullptr;
  void const* context = nullptr;
  void (*enqueue)(void const* context, double* sums, int count, void* stream) = nullptr;
};

// What knows which nodes a process shares with others: mpi::halo, petsc::halo, or one of a user's own.
//
// A process numbers the nodes that it owns first, then its ghosts: nodes of its elements that others own.
//   owned(), ghosts()     how many there are
//   reduction()           how sums are added up over all processes
//   agree(where, text)    called by all; where text is not empty on one of them, all throw argument_error with it
//   exchange<S, B>        made from (halo, backend, components, interleaving of owned vectors): one exchange of vectors
//                         of S in the memory of backend B, x (owned nodes, C) in that interleaving, ghosts (ghosts, C):
//     begin_update(x, ghosts), end_update(x, ghosts)    ghosts' entries become those of their owners
//     begin_add(ghosts, y), end_add(ghosts, y)          ghosts' entries are added to their owners'
//     progress()                                        lets messages go on
//   Between begin and end neither is written, and of y only what end_add adds to by others may be added to.
template <class Halo, class Scalar, class Backend>
concept halo_for =
    requires(Halo const& halo, typename Halo::template exchange<Scalar, Backend>& e, Scalar const* from, Scalar* to) {
      static_cast<index_t>(halo.owned());
      static_cast<index_t>(halo.ghosts());
      reduction(halo.reduction());
      halo.agree("", "");
      e.begin_update(from, to);
      e.end_update(from, to);
      e.begin_add(from, to);
      e.end_add(from, to);
      e.progress();
    };

namespace detail {

// A matrix that knows what its process shares with others, as a global_operator does; of any other the mesh is whole.
template <class Matrix>
concept has_halo = requires(Matrix const& a) { a.halo(); };

// A matrix of vectors of which other processes have parts.
template <class Matrix>
concept matrix_in_parts = requires(Matrix const& a) { reduction(a.reduction()); };

}  // namespace detail

// A halo of elements, whose ghosts are the elements of others behind sides of own ones: by number(e), the same wherever
// element e is, and subset(chosen, each), a halo of some of its nodes, or of what each node has so many of, in their
// order: chosen (nodes each) is not 0 where one is, on its owner, too. For faces between elements.
template <class Halo>
concept halo_of_elements = requires(Halo const& halo, index_t e, view<unsigned char const, dextents<1>> chosen) {
  static_cast<long long>(halo.number(e));
  { halo.subset(chosen, 2) } -> std::same_as<Halo>;
};

// Nodes, of each the process that owns it and its number in the whole mesh.
struct numbered_nodes {
  detail::own_vector<int> owner;
  detail::own_vector<std::int64_t> number;

  void add(int process, std::int64_t of_mesh) { owner.push_back(process), number.push_back(of_mesh); }
  index_t count() const { return static_cast<index_t>(owner.size()); }
  auto owners() const { return view(owner.data(), count()); }
  auto numbers() const { return view(number.data(), count()); }
};

// A halo that knows where its nodes are in the whole mesh, and so finds elements of others, for subdomains with
// overlap:
//   number(node)             of owned nodes and ghosts, the same wherever a node is
//   elements_behind(table)   the nodes, n^D each, of elements of others behind sides that elements of the table, a view
//                            (E, n, n, n), (E, n, n) or (E, n) of this process' nodes, have alone here
//   with_ghosts(nodes)       the halo of these nodes and, behind them, of more ghosts
// All processes call the last two at once.
template <class Halo>
concept halo_with_elements =
    requires(Halo const& halo, index_t node, view<index_t const, dextents<4>> table, numbered_nodes const& more) {
      static_cast<std::int64_t>(halo.number(node));
      { halo.elements_behind(table) } -> std::same_as<numbered_nodes>;
      { halo.with_ghosts(more) } -> std::same_as<Halo>;
    };

// The elements of a process that have no ghosts, and those that have.
enum class elements_at { interior, boundary };

// What an exchange may have besides, as for a log: begins(part) and ends(part), called around the work on these.
template <class Exchange>
concept watches_elements = requires(Exchange& e, elements_at part) {
  e.begins(part);
  e.ends(part);
};

// What elements are applied while messages are under way: none; those of the interior, while ghosts come; most of them
// then, and an eighth while the ghosts' sums go back.
enum class overlap { none, update, both };

struct distributed_options {
  sumfac::overlap overlap = sumfac::overlap::both;
};

// The halo of a mesh that one process has: nothing is shared.
struct whole {};

namespace detail {

template <class Halo>
inline constexpr bool is_whole = std::is_same_v<Halo, whole>;

inline constexpr whole of_one_process{};

// The halo of a matrix, or of functions, or that there is one process.
template <class Matrix>
auto const& halo_of([[maybe_unused]] Matrix const& a)
{
  if constexpr (has_halo<Matrix>)
    return a.halo();
  else
    return of_one_process;
}
template <class Matrix>
using halo_of_matrix = std::remove_cvref_t<decltype(halo_of(std::declval<Matrix const&>()))>;

// As halo.agree(), where all throw an Error.
template <class Error, class Halo>
void agree_as(Halo const& halo, char const* where, char const* text)
{
  try {
    halo.agree(where, text);
  } catch (argument_error const& e) {
    throw Error(e.what());
  }
}

// Calls look(); where it throws on a process, all throw: an argument_error or geometry_error as one, anything else as a
// backend_error.
template <class Halo, class Check>
bool agree_on_check([[maybe_unused]] Halo const& halo, [[maybe_unused]] char const* where, Check const& look)
{
  if constexpr (is_whole<Halo>) {
    look();
  } else {
    first_problem argument, geometry, other;
    try {
      look();
    } catch (argument_error const& e) {
      argument.say("%s", e.what());
    } catch (geometry_error const& e) {
      geometry.say("%s", e.what());
    } catch (std::exception const& e) {
      other.say("%s", e.what()[0] != 0 ? e.what() : "an exception without a text");
    }
    try {
      halo.agree(where, argument.found() ? argument : geometry.found() ? geometry : other);
    } catch (argument_error const&) {  // on all: as what, they ask
      halo.agree(where, argument);
      agree_as<geometry_error>(halo, where, geometry);
      agree_as<backend_error>(halo, where, other);
    }
  }
  return true;
}

// Throws a problem that one process has, on all; nothing where the text is empty.
template <class Halo>
void agree(Halo const& halo, char const* where, char const* problem)
{
  if constexpr (!is_whole<Halo>)
    halo.agree(where, problem);
  else if (problem[0] != 0)
    fail(where, problem);
}

// Of numbers (nodes, each), in the host's memory, those of owned nodes become the sums of all processes'; all of them
// then, where `everywhere`.
template <class Halo>
void add_up_at_nodes([[maybe_unused]] Halo const& halo, [[maybe_unused]] int each, [[maybe_unused]] double* numbers,
                     [[maybe_unused]] bool everywhere = false)
{
  if constexpr (!is_whole<Halo>) {
    typename Halo::template exchange<double, host> exchange(halo, host{1}, each, interleaving::fastest);
    double* const ghosts = numbers + halo.owned() * each;
    exchange.begin_add(ghosts, numbers);
    exchange.end_add(ghosts, numbers);
    if (!everywhere) return;
    exchange.begin_update(numbers, ghosts);
    exchange.end_update(numbers, ghosts);
  }
}

}  // namespace detail

}  // namespace sumfac
