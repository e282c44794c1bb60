// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Watches one team: what its threads do to scratch between barriers, whether all reach them, and what is said of it.
#pragma once

#include <sumfac/backend/checked/finding.hpp>
#include <sumfac/backend/checked/traffic.hpp>
#include <sumfac/backend/detail/own_string.hpp>
#include <sumfac/backend/detail/own_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// "[3, 4]"
inline own_string in_brackets(own_vector<index_t> const& numbers)
{
  own_string text = "[";
  for (index_t const number : numbers) text += (text.size() > 1 ? ", " : "") + in_digits(number);
  return text + "]";
}

// "thread 3" or "threads 0-2, 7"; ascending ranks.
inline own_string thread_list(own_vector<int> const& ranks)
{
  own_string text;
  for (std::size_t first = 0, last; first < ranks.size(); first = last + 1) {
    for (last = first; last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1;) ++last;
    text += (text.empty() ? "" : ", ") + in_digits(ranks[first]);
    if (last > first) text.append("-").append(in_digits(ranks[last]));
  }
  return (ranks.size() == 1 ? "thread " : "threads ") + text;
}

// "in phase 'x'"
inline own_string in_phase(std::string_view phase)
{
  return phase.empty() ? "before the first phase" : "in phase '" + own_string(phase) + "'";
}

// The file's name without its folders, and the line.
inline own_string call_site(std::string_view file, int line)
{
  return own_string(file.substr(file.find_last_of('/') + 1)) + ":" + in_digits(line);
}

// `sumfac::checked: problem where (details) advice`
inline own_string finding_message(std::string_view problem, std::string_view phase, index_t group,
                                  std::string_view details, std::string_view advice)
{
  own_string text = "sumfac::checked: ";
  text.append(problem).append(" ").append(in_phase(phase)).append(" of group ").append(in_digits(group));
  return text.append(" (").append(details).append(") ").append(advice);
}

enum class touch : std::int8_t { read, write };

// A thread's access to an entry, as far as a message needs it.
struct toucher {
  std::int32_t thread = -1;
  std::int32_t phase = 0;
  std::int32_t step = 0;  // of the thread's program; larger is later there
  touch how = touch::read;
};

// The last write and the first read of an entry since the last barrier; `interval` numbers the barriers. Threads run
// one after another between barriers, in order of rank, so the first reader is another than the writer if any is.
class entry_history {
public:
  bool written() const { return write_interval_ >= 0; }

  // Whether what the entry holds was written by another thread than `thread`.
  bool written_by_other(int thread) const { return written() && writer_.thread != thread; }

  // A copy to the entry begins: what was there is no longer. Returns whether it came by a copy, too, and nobody read
  // it.
  bool start_copy()
  {
    write_interval_ = -1;
    return std::exchange(unread_, true);
  }
  bool unread() const { return unread_; }

  // Notes an access and returns the one it races with, or a toucher of thread -1. One race per entry and interval.
  toucher note(toucher const& now, std::int32_t interval)
  {
    toucher const earlier = race_interval_ == interval ? toucher{} : rival(now, interval);
    if (now.how == touch::read) unread_ = false;
    if (earlier.thread >= 0) race_interval_ = interval;
    if (now.how == touch::write) {
      writer_ = now;
      write_interval_ = interval;
    } else if (read_interval_ != interval) {
      reader_ = now;
      read_interval_ = interval;
    }
    return earlier;
  }

private:
  toucher rival(toucher const& now, std::int32_t interval) const
  {
    if (write_interval_ == interval && writer_.thread != now.thread) return writer_;
    bool const after_read = now.how == touch::write && read_interval_ == interval && reader_.thread != now.thread;
    return after_read ? reader_ : toucher{};
  }

  toucher writer_;
  toucher reader_;
  std::int32_t write_interval_ = -1;
  std::int32_t read_interval_ = -1;
  std::int32_t race_interval_ = -1;
  bool unread_ = false;  // of a copy that began
};

// One shared array of a team: its bytes, and the history of each entry.
struct watched_array {
  own_string label;
  own_vector<index_t> extents;
  std::size_t entry_bytes;
  std::uint32_t offset;  // in bytes from the start of scratch
  transfer how;
  bool has_copies = false;
  own_vector<std::byte> data;
  own_vector<entry_history> entries;

  std::byte* at(index_t position) { return data.data() + static_cast<std::size_t>(position) * entry_bytes; }
};

// A template, as its logs are, so that a program compiles it only where it runs kernels on `checked`.
template <class Index>
class team_monitor {
public:
  team_monitor(int threads, on_finding policy)
      : policy_(policy), threads_(static_cast<std::size_t>(threads)), reads_(threads), writes_(threads)
  {
    record_.phase_number("");
  }

  // The monitor of the team that runs on this host thread, or null.
  static team_monitor*& current()
  {
    thread_local team_monitor* running = nullptr;
    return running;
  }

  // --- for launch ---------------------------------------------------------------------------------------------------

  void begin_group(index_t group, int elements)
  {
    ++record_.counts.groups;
    record_.counts.elements += elements;
    group_ = group;
    interval_ = 0;
    declared_ = 0;
    scratch_bytes_ = 0;
    unwritten_.clear();
    reads_.clear();
    writes_.clear();
    for (thread_state& t : threads_) t = {};
  }

  void name_array(std::size_t array, std::string_view name)
  {
    arrays_[array].label = "scratch '" + own_string(name) + "'";
  }

  // A scratch struct holds shared arrays and nothing else but empty members, or something in it goes unwatched.
  void expect_only_arrays(std::size_t bytes, std::size_t array_bytes) const
  {
    if (bytes >= (declared_ + 1) * array_bytes)
      throw_text<backend_error>(
          "sumfac::checked: scratch has a member that is not shared<...> (%zu bytes, %zu arrays of "
          "%zu) keep in scratch only what the team shares",
          bytes, declared_, array_bytes);
  }

  // After every round of the crew. True if all threads wait at one barrier, which now lets them through.
  template <class Ended>
  bool pass_barrier(Ended&& ended)
  {
    own_vector<own_vector<int>> waiting;  // the threads at each barrier
    own_vector<int> gone;
    for (int t = 0; t < static_cast<int>(threads_.size()); ++t) {
      std::size_t barrier = 0;
      while (barrier < waiting.size() && !same_barrier(waiting[barrier][0], t)) ++barrier;
      if (ended(t))
        gone.push_back(t);
      else if (barrier == waiting.size())
        waiting.push_back({t});
      else
        waiting[barrier].push_back(t);
    }
    if (waiting.size() > 1 || (waiting.size() == 1 && !gone.empty())) {
      report_divergence(waiting, gone);
      return false;
    }
    if (!waiting.empty()) ++counts_of(state(waiting[0][0]).phase).barriers;
    settle();
    if (waiting.empty()) look_for_unread();
    return !waiting.empty();
  }

  checked_record const& record() const { return record_; }

  // --- for the team -------------------------------------------------------------------------------------------------

  // Thread `rank` is the one that runs from here on.
  void run_as(int rank) { rank_ = rank; }

  void enter_phase(std::string_view name) { self().phase = static_cast<std::int32_t>(record_.phase_number(name)); }

  // Accesses of different threads are simultaneous only within one step.
  void next_step() { ++self().step; }

  void arrive(char const* file, int line)
  {
    self().file = file;
    self().line = line;
  }

  // --- for the arrays -----------------------------------------------------------------------------------------------

  // Takes up the next array of scratch and returns its number.
  std::size_t declare(own_vector<index_t> extents, std::size_t entry_bytes, std::size_t alignment)
  {
    if (declared_ == arrays_.size()) arrays_.push_back({});
    watched_array& a = arrays_[declared_];
    std::size_t entries = 1;
    for (index_t const extent : extents) entries *= static_cast<std::size_t>(extent);
    scratch_bytes_ = (scratch_bytes_ + alignment - 1) / alignment * alignment;
    a.label = "scratch #" + in_digits(declared_) + " of " + in_brackets(extents) + " at ";
    a.extents = std::move(extents);
    a.entry_bytes = entry_bytes;
    a.offset = static_cast<std::uint32_t>(scratch_bytes_);
    a.how = transfer_of(entry_bytes, alignment);
    a.has_copies = false;
    a.data.assign(entries * entry_bytes, std::byte{0xff});  // NaN in every floating-point format
    a.entries.assign(entries, entry_history{});
    scratch_bytes_ += a.data.size();
    if (auto const bytes = static_cast<index_t>(scratch_bytes_); bytes > record_.counts.scratch_bytes)
      record_.counts.scratch_bytes = bytes;
    return declared_++;
  }

  // Notes the access and returns where the entry lies. It may throw.
  std::byte* access_entry(std::size_t array, index_t position, touch how)
  {
    watched_array& a = arrays_[array];
    entry_history& entry = a.entries[static_cast<std::size_t>(position)];
    toucher const now{rank_, self().phase, self().step, how};
    auto const offset = a.offset + static_cast<std::uint32_t>(position) * static_cast<std::uint32_t>(a.entry_bytes);
    (how == touch::read ? reads_ : writes_)
        .add(rank_, {self().step, now.phase, offset, static_cast<std::uint32_t>(a.entry_bytes), a.how});
    if (how == touch::read && !entry.written()) unwritten_.push_back({array, position, now});
    toucher const earlier = entry.note(now, interval_);
    if (earlier.thread >= 0) report_race(a, array, position, earlier, now);
    return a.at(position);
  }

  // A copy to an entry, which holds NaN until the copy is waited for.
  void start_copy(std::size_t array, index_t position, void const* from)
  {
    watched_array& a = arrays_[array];
    if (a.entries[static_cast<std::size_t>(position)].start_copy()) report_unread(array, position);
    for (std::size_t byte = 0; byte < a.entry_bytes; ++byte) a.at(position)[byte] = std::byte{0xff};
    a.has_copies = true;
    self().copies.push_back({array, position, static_cast<std::byte const*>(from), self().copy_group});
  }
  void end_copies() { ++self().copy_group; }

  // The copies come of all but the last `most` groups of the thread.
  void await_copies(int most)
  {
    own_vector<copy_under_way> const all = std::exchange(self().copies, {});
    for (copy_under_way const& c : all)
      if (c.group + most >= self().copy_group) {
        self().copies.push_back(c);
      } else {
        std::byte* const entry = access_entry(c.array, c.position, touch::write);
        for (std::size_t byte = 0; byte < arrays_[c.array].entry_bytes; ++byte) entry[byte] = c.from[byte];
      }
  }

  void report_out_of_range(std::size_t array, own_vector<index_t> index, int dimension, index_t extent)
  {
    report_index(arrays_[array].label, static_cast<int>(array), std::move(index), dimension, extent);
  }

  // The same for an entry of a per_thread.
  void report_out_of_range(own_vector<index_t> index, int dimension, index_t extent)
  {
    report_index("per_thread", -1, std::move(index), dimension, extent);
  }

  void report_foreign(own_vector<index_t> index, int owner)
  {
    report(checked_finding::kind::foreign, "foreign access to per_thread", phase_of(rank_), {rank_},
           "thread " + in_digits(rank_) + " touched it, thread " + in_digits(owner) + " owns it",
           "touch only the items that each() hands you", -1, std::move(index));
  }

  int rank() const { return rank_; }

private:
  struct copy_under_way {
    std::size_t array;
    index_t position;
    std::byte const* from;
    int group;  // of the thread's copies
  };

  struct thread_state {
    std::int32_t phase = 0;
    std::int32_t step = 0;
    char const* file = "";
    int line = 0;
    int copy_group = 0;
    own_vector<copy_under_way> copies;
  };

  struct unwritten_read {
    std::size_t array;
    index_t position;
    toucher reader;
  };

  thread_state& self() { return threads_[static_cast<std::size_t>(rank_)]; }
  thread_state const& state(int rank) const { return threads_[static_cast<std::size_t>(rank)]; }
  std::int32_t phase_of(int rank) const { return state(rank).phase; }
  checked_counts& counts_of(std::int32_t phase) { return record_.phases[static_cast<std::size_t>(phase)].counts; }
  std::string const& phase_name(std::int32_t phase) const
  {
    return record_.phases[static_cast<std::size_t>(phase)].name;
  }

  bool same_barrier(int a, int b) const
  {
    thread_state const &x = state(a), &y = state(b);
    return x.phase == y.phase && x.line == y.line && std::string_view(x.file) == y.file;
  }

  // Closes the interval between two barriers. A read of an entry that nobody had written is judged only now: where
  // another thread wrote it later in the same interval, it was a race and is reported as one.
  void settle()
  {
    reads_.settle([this](std::int32_t phase) -> checked_traffic& { return counts_of(phase).reads; });
    writes_.settle([this](std::int32_t phase) -> checked_traffic& { return counts_of(phase).writes; });
    for (unwritten_read const& r : std::exchange(unwritten_, {}))
      if (!arrays_[r.array].entries[static_cast<std::size_t>(r.position)].written_by_other(r.reader.thread))
        report_uninitialized(r);
    ++interval_;
  }

  own_vector<index_t> index_of(watched_array const& a, index_t position) const
  {
    own_vector<index_t> index(a.extents.size());
    for (std::size_t r = index.size(); r-- > 0; position /= a.extents[r]) index[r] = position % a.extents[r];
    return index;
  }

  static own_string thread_did(toucher const& t)
  {
    return "thread " + in_digits(t.thread) + (t.how == touch::write ? " wrote" : " read");
  }

  // Told in the order of the program, whichever thread ran first here.
  void report_race(watched_array const& a, std::size_t array, index_t position, toucher first, toucher second)
  {
    if (first.step > second.step) std::swap(first, second);
    own_string const where = first.phase == second.phase ? "" : " " + in_phase(phase_name(first.phase));
    report(checked_finding::kind::race, "race on " + a.label, second.phase, {first.thread, second.thread},
           thread_did(first) + where + ", " + thread_did(second) + ", no barrier between", "add team.sync()",
           static_cast<int>(array), index_of(a, position));
  }

  void report_uninitialized(unwritten_read const& r)
  {
    watched_array const& a = arrays_[r.array];
    report(checked_finding::kind::uninitialized, "uninitialized read of " + a.label, r.reader.phase, {r.reader.thread},
           thread_did(r.reader) + ", nobody had written", "write the entry before reading it",
           static_cast<int>(r.array), index_of(a, r.position));
  }

  void report_unread(std::size_t array, index_t position)
  {
    watched_array const& a = arrays_[array];
    report(checked_finding::kind::unread, "copy that nobody reads to " + a.label, phase_of(rank_), {rank_},
           "thread " + in_digits(rank_) + " copied again or ended, nobody had read", "copy what is read, once",
           static_cast<int>(array), index_of(a, position));
  }

  // When all threads have ended.
  void look_for_unread()
  {
    for (std::size_t array = 0; array < declared_; ++array)
      if (watched_array const& a = arrays_[array]; a.has_copies)
        for (std::size_t i = 0; i < a.entries.size(); ++i)
          if (a.entries[i].unread()) report_unread(array, static_cast<index_t>(i));
  }

  void report_index(own_string const& label, int array, own_vector<index_t> index, int dimension, index_t extent)
  {
    own_string const number = in_digits(index[static_cast<std::size_t>(dimension)]);
    report(checked_finding::kind::out_of_range, "index out of range in " + label, phase_of(rank_), {rank_},
           "thread " + in_digits(rank_) + ", dimension " + in_digits(dimension) + ": index " + number + ", extent " +
               in_digits(extent),
           "keep every index in 0.." + in_digits(extent - 1), array, std::move(index));
  }

  void report_divergence(own_vector<own_vector<int>> const& waiting, own_vector<int> const& gone)
  {
    own_string who;
    for (own_vector<int> const& threads : waiting) {
      thread_state const& at = state(threads[0]);
      bool const first = who.empty();
      who += (first ? "" : ", ") + thread_list(threads) + (threads.size() == 1 ? " waits at " : " wait at ") +
             call_site(at.file, at.line);
      if (!first) who.append(" ").append(in_phase(phase_name(at.phase)));
    }
    if (!gone.empty()) who += ", " + thread_list(gone) + (gone.size() == 1 ? " has ended" : " have ended");
    report(checked_finding::kind::divergence, "barrier not reached by all threads", phase_of(waiting[0][0]), waiting[0],
           who, "let every thread of the team call the same team.sync()", -1, {});
  }

  void report(checked_finding::kind what, std::string_view problem, std::int32_t phase, own_vector<int> const& who,
              std::string_view details, std::string_view advice, int array, own_vector<index_t> const& index)
  {
    std::string const& name = phase_name(phase);
    own_string const entry = index.empty() ? "" : in_brackets(index);
    own_string message = finding_message(own_string(problem) + entry, name, group_, details, advice);
    checked_finding finding{what,  {message.data(), message.size()}, name, group_, {who.begin(), who.end()},
                            array, {index.begin(), index.end()}};
    ++record_.finding_count;
    record_.keep(finding);
    if (policy_ == on_finding::raise) throw checked_error(std::move(finding));
  }

  on_finding policy_;
  own_vector<thread_state> threads_;
  access_log<Index> reads_;
  access_log<Index> writes_;
  own_vector<watched_array> arrays_;
  own_vector<unwritten_read> unwritten_;
  checked_record record_;
  index_t group_ = 0;
  std::size_t scratch_bytes_ = 0;
  std::size_t declared_ = 0;
  std::int32_t interval_ = 0;
  int rank_ = 0;
};

using kernel_monitor = team_monitor<index_t>;

}  // namespace sumfac::detail
