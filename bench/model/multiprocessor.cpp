// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A model of one multiprocessor: reads kernels as lists of instructions, prints the cycles that blocks of each take.
//
// Four schedulers issue an instruction a cycle each, of warps whose stall counts and scoreboards allow it; doubles,
// integers and the pipe to memory have rates of their own; the card's memory is one queue of a constant rate, behind a
// latency that varies. A read or copy takes lines of the first-level cache until it has arrived, and the pipe to memory
// waits where there are none left. What is not modelled: hits in caches, misses of instructions, addresses.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum class kind {
  other,
  fp64,
  matrix,
  fp32,
  integer,
  read,
  write,
  copy,
  commit,
  await,
  take,
  put,
  local,
  barrier,
  prefetch,
  atomic,
  shuffle
};

kind kind_of(std::string const& name)
{
  static std::map<std::string, kind> const names{
      {"other", kind::other},     {"fp64", kind::fp64},         {"fp32", kind::fp32},     {"integer", kind::integer},
      {"read", kind::read},       {"write", kind::write},       {"copy", kind::copy},     {"commit", kind::commit},
      {"await", kind::await},     {"take", kind::take},         {"put", kind::put},       {"local", kind::local},
      {"barrier", kind::barrier}, {"prefetch", kind::prefetch}, {"atomic", kind::atomic}, {"shuffle", kind::shuffle},
      {"matrix", kind::matrix}};
  auto const found = names.find(name);
  if (found == names.end()) throw std::runtime_error("multiprocessor: no kind of instruction is called " + name);
  return found->second;
}

struct instruction {
  kind what;
  int stall, writes, reads, waits, width;
};

// A kernel, and the share of a card that a multiprocessor has of it.
struct program {
  std::string name;
  int threads, resident, blocks;  // in a block; at once; in all
  double bytes;                   // that a block must move
  double conflicts;               // transactions of an access to shared memory over those without conflicts
  int lines;                      // of 128 bytes that the first-level cache has: reads under way take some each
  std::vector<instruction> code;
};

struct card {
  double bytes_a_cycle = 11.7, latency = 600, spread = 150;  // of a multiprocessor, cycles
  double fp64_cycles = 2;                                    // between a scheduler's instructions in doubles
};

constexpr double never = std::numeric_limits<double>::infinity();

struct result {
  double cycles;      // of all blocks, from the first's begin to the last's end
  double of_a_block;  // where many are under way
};

class multiprocessor {
  struct warp {
    int at = 0, block = 0, lanes = 32;
    double ready = 0;
    std::array<double, 6> boards{};
    double copied = 0;  // when the copies of the group under way have arrived
    std::deque<double> groups;
  };
  struct block {
    int waiting = 0, left = 0;
    std::vector<int> warps;
  };

public:
  multiprocessor(program const& p, card const& c) : p_(p), c_(c)
  {
    warps_of_block_ = (p.threads + 31) / 32;
    double counted = 0;
    for (auto const& i : p.code)
      if (moves(i.what)) counted += double(i.width) * p.threads;
    scale_ = p.bytes > 0 && counted > 0 ? p.bytes / counted : 1;
  }

  result run()
  {
    blocks_.resize(static_cast<std::size_t>(p_.resident));
    for (int b = 0; b < p_.resident; ++b) start(b, 60.0 * b);
    double now = 0;
    while (ended_.size() < static_cast<std::size_t>(p_.blocks)) now = std::max(now + 1, step(now));
    return {ended_.back(), slope()};
  }

private:
  // Cycles from one block's end to the next one's: the line through the ends but for the first and the last blocks.
  double slope() const
  {
    auto const from = ended_.size() / 4, to = ended_.size() - ended_.size() / 8;
    double const count = double(to - from);
    double x = 0, y = 0, xx = 0, xy = 0;
    for (auto k = from; k < to; ++k) x += double(k), y += ended_[k];
    x /= count, y /= count;
    for (auto k = from; k < to; ++k) xx += (double(k) - x) * (double(k) - x), xy += (double(k) - x) * (ended_[k] - y);
    return xx > 0 ? xy / xx : 0;
  }

  static bool moves(kind k) { return k == kind::read || k == kind::write || k == kind::copy; }

  void start(int b, double when)
  {
    if (started_ == p_.blocks) return;
    ++started_;
    auto& own = blocks_[static_cast<std::size_t>(b)];
    bool const first = own.warps.empty();
    own.waiting = 0, own.left = warps_of_block_;
    for (int w = 0; w < warps_of_block_; ++w) {
      int const number = first ? static_cast<int>(warps_.size()) : own.warps[static_cast<std::size_t>(w)];
      if (first) {
        warps_.push_back({});
        own.warps.push_back(number);
        schedulers_[static_cast<std::size_t>(number % 4)].warps.push_back(number);
      }
      warp fresh;
      fresh.block = b, fresh.lanes = std::min(32, p_.threads - 32 * w), fresh.ready = when;
      warps_[static_cast<std::size_t>(number)] = fresh;
    }
  }

  // Issues what can be at this cycle; when the next can be.
  double step(double now)
  {
    double next = never;
    for (auto& s : schedulers_) {
      // The warp of the last turn first, then the others in their order.
      int chosen = -1;
      double soonest = never;
      for (std::size_t k = 0; k < s.warps.size(); ++k) {
        std::size_t const turn = (s.last + k) % s.warps.size();
        warp& w = warps_[static_cast<std::size_t>(s.warps[turn])];
        if (w.ready == never) continue;
        double const when = issues(w, s);
        if (when <= now) {
          chosen = static_cast<int>(turn);
          break;
        }
        soonest = std::min(soonest, when);
      }
      if (chosen >= 0) {
        s.last = static_cast<std::size_t>(chosen);
        issue(warps_[static_cast<std::size_t>(s.warps[s.last])], s, now);
        soonest = now + 1;
      }
      next = std::min(next, soonest);
    }
    return next;
  }

  struct scheduler {
    std::vector<int> warps;
    std::size_t last = 0;
    double fp64 = 0, integer = 0;
  };

  double issues(warp& w, scheduler const& s) const
  {
    auto const& i = p_.code[static_cast<std::size_t>(w.at)];
    double when = w.ready;
    for (std::size_t b = 0; b < 6; ++b)
      if (i.waits >> b & 1) when = std::max(when, w.boards[b]);
    if (i.what == kind::await && w.groups.size() > static_cast<std::size_t>(i.width))
      when = std::max(when, w.groups[w.groups.size() - 1 - static_cast<std::size_t>(i.width)]);
    if (i.what == kind::fp64 || i.what == kind::matrix) when = std::max(when, s.fp64);
    if (i.what == kind::integer) when = std::max(when, s.integer);
    if (uses_memory_pipe(i.what)) when = std::max(when, pipe_ - 24);  // its queue
    return when;
  }

  static bool uses_memory_pipe(kind k)
  {
    return moves(k) || k == kind::take || k == kind::put || k == kind::local || k == kind::prefetch ||
           k == kind::atomic || k == kind::shuffle;
  }

  void issue(warp& w, scheduler& s, double now)
  {
    auto const& i = p_.code[static_cast<std::size_t>(w.at)];
    double written = now + 22, read = now + 12;
    double const words = std::max(1.0, i.width / 4.0);  // cycles of 128 bytes
    switch (i.what) {
      case kind::fp64: s.fp64 = now + c_.fp64_cycles; break;
      case kind::matrix:  // 16 x 8 by 8 x 8 doubles, at 2.17 times the rate of single multiply-adds
        s.fp64 = now + 32 * c_.fp64_cycles / 2.17;
        written = s.fp64 + 10, read = now + 16;
        break;
      case kind::integer: s.integer = now + 2; break;
      case kind::take:
      case kind::put:
        pipe_ = std::max(pipe_, now) + words * p_.conflicts;
        written = pipe_ + 26, read = pipe_ + 10;
        break;
      case kind::shuffle:
      case kind::local:
        pipe_ = std::max(pipe_, now) + words;
        written = pipe_ + 32, read = pipe_ + 12;
        break;
      case kind::prefetch:
        pipe_ = std::max(pipe_, now) + 32;  // lines of a thread each
        break;
      case kind::read:
      case kind::write:
      case kind::copy:
      case kind::atomic: {
        pipe_ = std::max(pipe_, now) + words;
        std::size_t const taken = i.what == kind::write ? 0 : static_cast<std::size_t>(w.lanes * i.width / 128 + 1);
        while (!arrivals_.empty() && (arrivals_.front() <= pipe_ || arrivals_.size() + taken > lines())) {
          pipe_ = std::max(pipe_, arrivals_.front());
          arrivals_.pop_front();
        }
        memory_ = std::max(memory_, pipe_) + w.lanes * i.width * scale_ / c_.bytes_a_cycle;
        double const arrived = memory_ + latency();
        arrivals_.insert(arrivals_.end(), taken, std::max(arrived, arrivals_.empty() ? 0 : arrivals_.back()));
        read = pipe_ + 12;
        written = i.what == kind::read || i.what == kind::atomic ? arrived : pipe_ + 12;
        if (i.what == kind::copy) w.copied = std::max(w.copied, arrived + 20);
        break;
      }
      case kind::commit:
        w.groups.push_back(w.copied);
        w.copied = 0;
        break;
      case kind::await:
        while (w.groups.size() > static_cast<std::size_t>(i.width)) w.groups.pop_front();
        break;
      default: break;
    }
    if (i.writes < 6) set(w.boards[static_cast<std::size_t>(i.writes)], written);
    if (i.reads < 6) set(w.boards[static_cast<std::size_t>(i.reads)], read);
    w.ready = now + i.stall;
    ++w.at;
    auto& own = blocks_[static_cast<std::size_t>(w.block)];
    if (i.what == kind::barrier) {
      w.ready = never;
      if (++own.waiting == own.left) {
        own.waiting = 0;
        for (int const number : own.warps)
          if (warp& other = warps_[static_cast<std::size_t>(number)]; other.at < length()) other.ready = now + 20;
      }
    }
    if (w.at == length()) {
      w.ready = never;
      if (--own.left == 0) {
        ended_.push_back(now);
        start(w.block, now + 250);
      }
    }
  }

  static void set(double& board, double when) { board = std::max(board, when); }
  std::size_t lines() const { return static_cast<std::size_t>(p_.lines); }
  int length() const { return static_cast<int>(p_.code.size()); }

  // At least a part of it always, the rest as it comes.
  double latency()
  {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    double const uniform = (double(random_ >> 11) + 0.5) / 9007199254740992.0;
    return c_.latency - c_.spread * std::log(uniform);
  }

  program const& p_;
  card const& c_;
  int warps_of_block_ = 0, started_ = 0;
  double scale_ = 1, pipe_ = 0, memory_ = 0;
  std::uint64_t random_ = 1;
  std::vector<warp> warps_;
  std::vector<block> blocks_;
  std::array<scheduler, 4> schedulers_;
  std::vector<double> ended_;
  std::deque<double> arrivals_;  // a line each, in their order
};

// kernel NAME THREADS RESIDENT BLOCKS BYTES CONFLICTS LINES, a line for each instruction, end
bool read(std::istream& in, program& p)
{
  std::string word;
  if (!(in >> word)) return false;
  p.code.clear();
  if (word != "kernel" || !(in >> p.name >> p.threads >> p.resident >> p.blocks >> p.bytes >> p.conflicts >> p.lines))
    throw std::runtime_error(
        "multiprocessor: a kernel begins with `kernel NAME THREADS RESIDENT BLOCKS BYTES CONFLICTS LINES` "
        "(got " +
        word + ")");
  while (in >> word && word != "end") {
    instruction i{};
    i.what = kind_of(word);
    if (!(in >> i.stall >> i.writes >> i.reads >> i.waits >> i.width))
      throw std::runtime_error("multiprocessor: an instruction of " + p.name + " has fewer than 5 numbers");
    p.code.push_back(i);
  }
  if (word != "end" || p.code.empty())
    throw std::runtime_error("multiprocessor: the list of " + p.name + " has no end");
  if (p.threads < 1 || p.resident < 1 || p.blocks < p.resident || p.lines < 1)
    throw std::runtime_error("multiprocessor: " + p.name + " has no block to run");
  return true;
}

}  // namespace

int main(int argc, char** argv)
try {
  card c;
  if (argc > 1) c.bytes_a_cycle = std::atof(argv[1]);
  if (argc > 2) c.latency = std::atof(argv[2]);
  if (argc > 3) c.spread = std::atof(argv[3]);
  if (argc > 4) c.fp64_cycles = std::atof(argv[4]);
  for (program p; read(std::cin, p);) {
    result const r = multiprocessor(p, c).run();
    std::printf("%s %.1f %.1f\n", p.name.c_str(), r.cycles, r.of_a_block);
    std::fflush(stdout);
  }
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
