// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Who touched one scratch entry, and whether two threads met there between barriers.
#pragma once

#include <sumfac/config.hpp>

#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

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

}  // namespace sumfac::detail
