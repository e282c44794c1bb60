// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix of few unknowns in rows on some of the processes that have its elements, and what takes vectors there.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/sparsity.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/view/view.hpp>

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Neighbouring ranks in groups, as many as leave each with `least` entries at least, or one where there are fewer in
// all; they begin at ranks that may begin one, or at the first. The first rank of a group, its head, works for it.
//
// **Errors** argument_error, on all processes, for more entries of a group than an int counts.
class process_groups {
public:
  process_groups(MPI_Comm comm, index_t own, index_t least, std::vector<bool> const& begins) : all_(comm)
  {
    int const rank = rank_in(comm), count = processes_in(comm);
    std::int64_t const mine = own;
    std::vector<std::int64_t> entries(static_cast<std::size_t>(count));
    MPI_Allgather(&mine, 1, MPI_INT64_T, entries.data(), 1, MPI_INT64_T, comm);
    std::int64_t in_group = 0, rest = 0;
    for (std::int64_t const one : entries) rest += one;
    for (int k = 0; k < count; ++k) {
      bool const is_due = begins[static_cast<std::size_t>(k)] && in_group >= least && rest >= least;
      if (k == 0 || is_due) head_.push_back(k), in_group = 0;
      place_.push_back(static_cast<int>(head_.size()) - 1);
      in_group += entries[static_cast<std::size_t>(k)], rest -= entries[static_cast<std::size_t>(k)];
      std::int64_t const most = std::numeric_limits<int>::max SUMFAC_NO_MACRO() - reports * (k - head_.back() + 1);
      if (in_group > most)
        failf("mpi::gathered", "too many unknowns would be gathered on process %d (got %lld, at most %lld expected)",
              head_.back(), static_cast<long long>(in_group), static_cast<long long>(most));
    }
    is_head_ = head_of(rank) == rank;
    own_ = static_cast<int>(own);
    MPI_Comm_split(comm, place(rank), rank, &group_);
    MPI_Comm_split(comm, is_head_ ? 0 : MPI_UNDEFINED, rank, &heads_);
    for (int k = rank; is_head_ && k < count && place(k) == place(rank); ++k) {
      int const member = static_cast<int>(entries[static_cast<std::size_t>(k)]);
      begin_.push_back(total_), begin_with_report_.push_back(total_ + reports * (k - rank));
      entries_.push_back(member), entries_with_report_.push_back(member + reports);
      total_ += member;
    }
  }
  process_groups(process_groups const&) = delete;
  process_groups& operator=(process_groups const&) = delete;
  ~process_groups()
  {
    if (is_mpi_ended()) return;
    MPI_Comm_free(&group_);
    if (is_head_) MPI_Comm_free(&heads_);
  }

  // Behind a vector's entries each member is told so many numbers.
  static constexpr int reports = 4;

  bool is_head() const { return is_head_; }
  MPI_Comm heads() const { return heads_; }
  MPI_Comm all() const { return all_; }
  int count() const { return static_cast<int>(head_.size()); }                  // of groups
  int place(int rank) const { return place_[static_cast<std::size_t>(rank)]; }  // of a rank's head among heads
  int head_of(int rank) const { return head_[static_cast<std::size_t>(place(rank))]; }
  int total() const { return total_; }  // entries of a head's group
  int members() const { return static_cast<int>(entries_.size()); }

  // work() on a head; what it throws becomes the problem, so that messages to members go on. Several heads throw
  // together what they have agreed on and, where they make their solvers, any argument_error: that is found by sums of
  // all. Anything else, as where memory runs out, comes on one of them while the others wait for its messages, and ends
  // all processes with its text.
  enum class heads_are { making, solving };
  template <class Work>
  first_problem on_head(heads_are at, Work const& work) const
  {
    first_problem problem;
    bool alone = false;
    try {
      if (is_head_) work();
    } catch (agreed_error const& e) {
      problem.say("the solver threw: %s", e.what());
    } catch (argument_error const& e) {
      problem.say("the solver threw: %s", e.what());
      alone = at == heads_are::solving && count() > 1;
    } catch (std::exception const& e) {
      problem.say("the solver threw: %s", e.what());
      alone = head_.size() > 1;
    } catch (...) {
      problem.say("the solver threw what is no std::exception");
      alone = head_.size() > 1;
    }
    if (alone) end_all(problem);
    return problem;
  }

  // A head gets the entries of its group's members, one behind the other.
  template <class T>
  void gather(T const* own, T* all) const
  {
    MPI_Gatherv(own, own_, mpi_type<T>(), all, entries_.data(), begin_.data(), mpi_type<T>(), 0, group_);
  }
  // Members get theirs, and the head's reports behind them. sent: (total() + reports members()) numbers of memory.
  template <class T>
  void scatter(T const* all, T const (&report)[reports], T* sent, T* own) const
  {
    for (std::size_t m = 0; m < entries_.size(); ++m) {
      T* const to = sent + begin_with_report_[m];
      std::copy(all + begin_[m], all + begin_[m] + entries_[m], to);
      std::copy(report, report + reports, to + entries_[m]);
    }
    MPI_Scatterv(sent, entries_with_report_.data(), begin_with_report_.data(), mpi_type<T>(), own, own_ + reports,
                 mpi_type<T>(), 0, group_);
  }

  // Members get what their head says.
  formatted text_of_head(formatted said) const
  {
    MPI_Bcast(&said, sizeof said, MPI_BYTE, 0, group_);
    return said;
  }

private:
  MPI_Comm all_, group_ = MPI_COMM_NULL, heads_ = MPI_COMM_NULL;
  bool is_head_ = false;
  int own_ = 0, total_ = 0;
  std::vector<int> head_;             // ranks
  std::vector<int> place_;            // of each rank
  std::vector<int> entries_, begin_;  // of members, on a head
  std::vector<int> entries_with_report_, begin_with_report_;
};

// A number in the whole matrix, and where it is here.
using numbered_row = std::pair<std::int64_t, index_t>;

inline index_t place_of(std::vector<numbered_row> const& sorted, std::int64_t number)
{
  auto const found = std::lower_bound(sorted.begin(), sorted.end(), numbered_row{number, 0});
  return found != sorted.end() && found->first == number ? found->second : -1;
}

// The rows that a head has: those of its group's owned entries in their order, with the columns of other heads behind.
template <class Scalar>
class gathered_rows {
public:
  using scalar_type = Scalar;
  using arithmetic_type = Scalar;
  using backend_type = host;

  // `number` are those of the group's entries; elements add to rows what `told` says: row, column, the head of the
  // column, the entry.
  gathered_rows(MPI_Comm heads, host const& threads, std::vector<std::int64_t> const& number,
                std::vector<std::vector<std::int64_t>> const& told)
      : owned_(static_cast<index_t>(number.size())),
        nodes_(made(heads, number, told)),
        entries_(made_entries(heads, threads, told)),
        exchange_(*nodes_, threads, 1, interleaving::fastest),
        x_(static_cast<std::size_t>(entries_.size())),
        y_(x_.size()),
        heads_(processes_in(heads))
  {
  }
  gathered_rows(gathered_rows const&) = delete;
  gathered_rows& operator=(gathered_rows const&) = delete;

  index_t size() const { return owned_; }
  host const& backend() const { return entries_.backend(); }
  sumfac::reduction reduction() const { return heads_ > 1 ? nodes_->reduction() : sumfac::reduction{}; }
  csr_matrix<Scalar> const& entries() const { return entries_; }
  mpi::halo const& halo() const { return *nodes_; }

  void apply(view<Scalar const, dextents<1>> x, view<Scalar, dextents<1>> y) const
  {
    if (heads_ == 1) return entries_.apply(x, y);
    std::copy(x.data(), x.data() + owned_, x_.begin());
    exchange_.begin_update(x_.data(), x_.data() + owned_);
    exchange_.end_update(x_.data(), x_.data() + owned_);
    entries_.apply(x_, y_);
    std::copy(y_.begin(), y_.begin() + owned_, y.data());
  }
  void diagonal(view<Scalar, dextents<1>> d) const
  {
    entries_.diagonal(y_);
    std::copy(y_.begin(), y_.begin() + owned_, d.data());
  }

private:
  static constexpr std::size_t record = 4;

  own_pointer<mpi::halo const> made(MPI_Comm heads, std::vector<std::int64_t> const& number,
                                    std::vector<std::vector<std::int64_t>> const& told)
  {
    int const rank = rank_in(heads);
    for (std::int64_t const row : number) rows_.emplace_back(row, static_cast<index_t>(rows_.size()));
    std::sort(rows_.begin(), rows_.end());
    std::vector<std::pair<std::int64_t, int>> behind;
    for (auto const& list : told)
      for (std::size_t i = 0; i < list.size(); i += record)
        if (auto const head = static_cast<int>(list[i + 2]); head != rank) behind.emplace_back(list[i + 1], head);
    std::sort(behind.begin(), behind.end());
    behind.erase(std::unique(behind.begin(), behind.end()), behind.end());
    numbered_nodes all;
    for (std::int64_t const row : number) all.add(rank, row);
    for (auto const& [column, head] : behind) {
      behind_.emplace_back(column, all.count());
      all.add(head, column);
    }
    return own_pointer<mpi::halo const>(new mpi::halo(heads, all));
  }

  // Rows behind the owned ones are empty. What one head throws, as where they do not fit its memory, all throw.
  csr_matrix<Scalar> made_entries(MPI_Comm heads, host const& threads,
                                  std::vector<std::vector<std::int64_t>> const& told) const
  {
    csr_matrix<Scalar> made({0}, {}, {}, threads);
    first_problem problem;
    try {
      std::vector<matrix_entry<Scalar>> list;
      for (auto const& from : told)
        for (std::size_t i = 0; i < from.size(); i += record) {
          index_t const own = place_of(rows_, from[i + 1]);
          list.push_back({place_of(rows_, from[i]), own >= 0 ? own : place_of(behind_, from[i + 1]),
                          static_cast<Scalar>(std::bit_cast<double>(from[i + 3]))});
        }
      made = csr_of_entries<csr_matrix<Scalar>>(static_cast<index_t>(rows_.size() + behind_.size()), list, threads);
    } catch (std::exception const& e) {
      problem.say("%s", e.what());
    }
    agree_on(heads, "mpi::gathered", problem);
    return made;
  }

  index_t owned_;
  std::vector<numbered_row> rows_, behind_;  // sorted by number
  own_pointer<mpi::halo const> nodes_;
  csr_matrix<Scalar> entries_;
  mutable mpi::halo::exchange<Scalar, host> exchange_;
  mutable std::vector<Scalar> x_, y_;
  int heads_;
};

// Calls f(operator, restriction, scale) for the operator of a matrix, or for each of a sum's.
template <class Matrix, class Function>
void for_each_operator(Matrix const& a, Function const& f)
{
  if constexpr (is_sum_matrix<Matrix>)
    a.for_each([&](auto const& p) { f(p.element_operator(), p.restriction(), static_cast<double>(p.scale())); });
  else
    f(a.element_operator(), a.restriction(), 1.0);
}

// Numbers for heads from their groups' processes, in lists by rank.
inline std::vector<std::vector<std::int64_t>> told_to_heads(MPI_Comm comm,
                                                            std::vector<std::vector<std::int64_t>> const& to)
{
  std::int64_t most = 0, got = 0;
  std::vector<std::int64_t> counts;
  for (auto const& list : to) counts.push_back(static_cast<std::int64_t>(list.size())), most += counts.back();
  MPI_Reduce_scatter_block(counts.data(), &got, 1, MPI_INT64_T, MPI_SUM, comm);
  agree_on_counts(comm, "mpi::gathered", static_cast<index_t>(most), static_cast<index_t>(got));
  return exchange_lists(comm, to);
}

// The number in the whole matrix of each entry of a process' vectors.
template <class Matrix>
std::vector<std::int64_t> numbers_of_entries(Matrix const& a)
{
  entry_order const order = entries_of_matrix(a);
  std::vector<std::int64_t> number;
  for (index_t i = 0; i < a.size(); ++i)
    number.push_back(a.halo().number(order.node(i)) * order.components + order.component(i));
  return number;
}

// Tells heads what this process' elements add to their rows, as gathered_rows reads it. Returns what this process is
// told, by rank.
template <class Matrix>
std::vector<std::vector<std::int64_t>> told_rows(process_groups const& groups, Matrix const& a)
{
  auto const& halo = a.halo();
  auto const& r = a.restriction();
  int const components = r.components();
  MPI_Comm const comm = halo.communicator();
  int const rank = rank_in(comm);
  auto rows = lists_for_all(comm);
  auto const owner = [&](index_t i) { return halo.nodes().owner(r.node_of(i)); };
  auto const number = [&](index_t i) { return halo.number(r.node_of(i)) * components + r.component_of(i); };
  auto const is_constrained = [&](index_t i) { return r.table().constrained(r.node_of(i), r.component_of(i)); };
  auto const add = [&](index_t i, index_t column, double value) {
    auto& to = rows[static_cast<std::size_t>(groups.head_of(owner(i)))];
    to.push_back(number(i)), to.push_back(number(column));
    to.push_back(groups.place(owner(column))), to.push_back(std::bit_cast<std::int64_t>(value));
  };
  for (index_t i = 0; i < r.size(); ++i)
    if (is_constrained(i) && owner(i) == rank) add(i, i, static_cast<double>(r.options().rows.value));
  for_each_operator(a, [&](auto const& part, auto const& of, double scale) {
    auto const matrix = assemble(part, of);
    for (index_t i = 0; i < matrix.size(); ++i)
      if (!is_constrained(i))
        matrix.for_each_of(i, [&](index_t column, auto value) { add(i, column, scale * static_cast<double>(value)); });
  });
  return told_to_heads(comm, rows);
}

}  // namespace sumfac::detail
