// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A crew of fibers: the threads of a team, each with a stack of its own, taking turns on one host thread.
#pragma once

#include <sumfac/backend/checked/sanitizers.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/error.hpp>

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Fibers run in order of rank, each to its next wait() or its end; take_turns() lets each run once. What a fiber throws
// leaves through take_turns(), after the other fibers are unwound. Stacks are kept from one start() to the next.
class fiber_crew {
public:
  static constexpr std::size_t default_stack_bytes = watched_stack::growth * (std::size_t{1} << 16);

  // The crew of the calling host thread.
  static fiber_crew& local()
  {
    thread_local fiber_crew crew;
    return crew;
  }

  fiber_crew() = default;
  fiber_crew(fiber_crew const&) = delete;
  fiber_crew& operator=(fiber_crew const&) = delete;
  ~fiber_crew() { abandon(); }

  // Gets `size` fibers ready to call body(rank); nothing runs yet. `body` must outlive the last round.
  template <class Body>
  void start(int size, std::size_t stack_bytes, Body const& body)
  {
    reserve(size, stack_bytes);
    size_ = size;
    unwinding_ = false;
    body_ = &body;
    call_ = [](void const* data, int rank) { (*static_cast<Body const*>(data))(rank); };
    for (int rank = 0; rank < size; ++rank) at(rank).now = stage::ready;
    scheduler_.watched.adopt_current();
  }

  // Lets every fiber that has not ended run once.
  void take_turns()
  {
    running_ = -1;
    switch_to_next(false);
    check_stacks();
    if (failure_) {
      unwind();
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
  }

  // Called by a fiber: lets the others run; returns in the next round.
  void wait()
  {
    fiber& self = at(running_);
    self.now = stage::waiting;
    switch_to_next(false);
    if (unwinding_) throw unwound{};
  }

  // Unwinds all fibers that wait and forgets those that never ran.
  void unwind()
  {
    unwinding_ = true;
    for (int rank = 0; rank < size_; ++rank)
      if (at(rank).now == stage::ready) at(rank).now = stage::ended;
    running_ = -1;
    while (next() < size_) {
      switch_to_next(false);
      running_ = -1;
    }
    check_stacks();
  }

  bool ended(int rank) const { return at(rank).now == stage::ended; }

private:
  // Thrown by wait() to end a fiber whose team has failed; only enter() catches it.
  struct unwound {};

  enum class stage { ready, waiting, ended };

  struct fiber {
    ucontext_t context;
    watched_stack watched;
    stage now = stage::ended;
  };

  // Written at the low end of every stack; a fiber that has changed it has needed more than its stack.
  static constexpr std::uint64_t mark = 0x5afe57ac5afe57ac;
  static constexpr std::size_t marks = 32;

  fiber& at(int rank) { return fibers_[static_cast<std::size_t>(rank)]; }
  fiber const& at(int rank) const { return fibers_[static_cast<std::size_t>(rank)]; }
  std::byte* stack(int rank) const { return stacks_ + static_cast<std::size_t>(rank + 1) * stack_bytes_; }

  // One stack more than fibers: the one below rank 0 takes its overflow.
  void reserve(int size, std::size_t stack_bytes)
  {
    if (static_cast<std::size_t>(size) <= fibers_.size() && stack_bytes == stack_bytes_) return;
    abandon();
    fibers_ = own_vector<fiber>(static_cast<std::size_t>(size));
    stacks_ = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(size + 1) * stack_bytes));
    stack_bytes_ = stack_bytes;
    for (int rank = 0; rank < size; ++rank)
      for (std::size_t i = 0; i < marks; ++i) ::new (stack(rank) + i * sizeof(mark)) std::uint64_t(mark);
  }

  void abandon()
  {
    fibers_.clear();
    ::operator delete(stacks_);
    stacks_ = nullptr;
    size_ = 0;
  }

  // After an overflow no fiber can be trusted, nor unwound: all are dropped with what they hold.
  void check_stacks()
  {
    for (int rank = 0; rank < size_; ++rank) {
      auto const* words = reinterpret_cast<std::uint64_t const*>(stack(rank));
      for (std::size_t i = 0; i < marks; ++i)
        if (words[i] != mark) {
          abandon();
          failure_ = nullptr;
          throw_text<backend_error>(
              "sumfac::checked: stack overflow (thread %d needs more than %zu bytes) pass a larger "
              "stack_bytes to checked",
              rank, stack_bytes_);
        }
    }
  }

  // The first fiber behind the running one which has not ended, or size_.
  int next() const
  {
    int rank = running_ + 1;
    while (rank < size_ && ended(rank)) ++rank;
    return rank;
  }

  // Switches from the fiber (or scheduler) that runs to the next fiber, or to the scheduler behind the last.
  void switch_to_next(bool last)
  {
    fiber& from = running_ < 0 ? scheduler_ : at(running_);
    int const rank = failure_ && !unwinding_ ? size_ : next();
    previous_ = &from;
    running_ = rank < size_ ? rank : -1;
    fiber& to = running_ < 0 ? scheduler_ : at(running_);
    if (&to == &from) return;
    if (to.now == stage::ready && running_ >= 0) prepare(to, stack(rank));
    from.watched.leave_for(to.watched, last);
    swapcontext(&from.context, &to.context);
    from.watched.arrive_from(previous_->watched, false);
  }

  void prepare(fiber& f, std::byte* stack)
  {
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = stack;
    f.context.uc_stack.ss_size = stack_bytes_;
    f.context.uc_link = nullptr;
    f.watched.renew(stack, stack_bytes_);
    makecontext(&f.context, &fiber_crew::enter, 0);
  }

  // The first frame of every fiber.
  static void enter()
  {
    fiber_crew& crew = local();
    crew.at(crew.running_).watched.arrive_from(crew.previous_->watched, true);
    crew.run();
    crew.switch_to_next(true);
  }

  // Ends before the last switch, so that nothing in flight is left behind on a stack that never returns.
  void run()
  {
    int const rank = running_;
    try {
      call_(body_, rank);
    } catch (unwound const&) {
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    at(rank).now = stage::ended;
  }

  own_vector<fiber> fibers_;
  std::byte* stacks_ = nullptr;
  std::size_t stack_bytes_ = 0;
  int size_ = 0;
  int running_ = -1;
  bool unwinding_ = false;
  fiber scheduler_;
  fiber* previous_ = nullptr;
  void const* body_ = nullptr;
  void (*call_)(void const*, int) = nullptr;
  std::exception_ptr failure_;
};

}  // namespace sumfac::detail
