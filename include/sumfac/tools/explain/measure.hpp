// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How roofs are measured, and kept in a file from run to run.
#pragma once

#include <sumfac/backend/detail/machine.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/tools/explain/passes.hpp>
#include <sumfac/tools/explain/placement.hpp>
#include <sumfac/tools/roofs.hpp>
#include <sumfac/tools/tune/cost.hpp>
#include <sumfac/tools/tune/kept_lines.hpp>

#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <new>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__unix__)
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Memory of one kind of pages, a share of it for each thread, which has written it.
class page_set {
public:
  page_set(host const& backend, placement const& place, index_t bytes, bool huge)
      : backend_(backend),
        doubles_(bytes / 8 / 512 * 512),
        part_(static_cast<double>(lesser(place.used_processors, place.threads)) / place.threads)
  {
    constexpr std::size_t alignment = std::size_t{2} << 20;
    auto const all = (static_cast<std::size_t>(doubles_) * sizeof(double) + alignment - 1) / alignment * alignment;
    data_ = static_cast<double*>(std::aligned_alloc(alignment, all));
    if (data_ == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    static_cast<void>(madvise(data_, all, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
#endif
    static_cast<void>(huge);
    backend.partition(doubles_, [this](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) data_[i] = 1 + 1e-9 * static_cast<double>(i % 4096);
    });
  }
  page_set(page_set const&) = delete;
  ~page_set() { std::free(data_); }

  // Bytes a second of a pass over the first `doubles` entries, each thread over its share, again and again for so many
  // seconds; `reads` of the lines are read, the rest are written. Of pieces of up to 4 MiB each thread takes the upper
  // quartile of its rates: where other programs run, too, most pieces are left alone.
  template <class Pass>
  double rate(Pass const& pass, index_t doubles, double reads, double seconds) const
  {
    constexpr index_t spare = 64, most = 65536;  // lines: between streams, of a piece
    shared_count all;                            // in kB/s
    backend_.partition(doubles, [&](index_t first, index_t last) {
      index_t const lines = (last - first) / doubles_of_line - spare, piece = lesser(lines, most);
      if (piece <= 0) return;
      auto const read = static_cast<index_t>(static_cast<double>(piece) * reads);
      double* const share = data_ + (first + doubles_of_line - 1) / doubles_of_line * doubles_of_line;
      std::vector<double> rates;
      double now = seconds_now();
      double const end = now + seconds;
      for (index_t at = 0; rates.size() < 16 || now < end; at = at + 2 * piece <= lines ? at + piece : 0) {
        double const begin = seconds_now();
        index_t const moved = pass(share + at * doubles_of_line, read, reads < 1 ? piece - read : 0);
        now = seconds_now();
        if (now > begin) rates.push_back(64e-3 * static_cast<double>(moved) / (now - begin));
      }
      all.add_relaxed(static_cast<index_t>(upper_quartile(rates)));
    });
    return 1e3 * static_cast<double>(all.load_relaxed()) * part_;
  }

  // The best of copies, written in several ways.
  double copy_rate(index_t doubles, double seconds) const
  {
    double const third = seconds / 3;
    double const plain = rate(copy_lines<0, store_kind::plain>, doubles, 0.5, third);
    double const streaming = rate(copy_lines<0, store_kind::streaming>, doubles, 0.5, third);
    double const ahead = rate(copy_lines<16, store_kind::streaming>, doubles, 0.5, third);
    return greater(plain, greater(streaming, ahead));
  }
  double read_rate(index_t doubles, double seconds) const
  {
    double const third = seconds / 3;
    double const one = rate(sum_lines<1, 16, store_kind::plain>, doubles, 1, third);
    double const four = rate(sum_lines<4, 0, store_kind::plain>, doubles, 1, third);
    double const eight = rate(sum_lines<8, 8, store_kind::plain>, doubles, 1, third);
    return greater(one, greater(four, eight));
  }
  index_t doubles() const { return doubles_; }

private:
  static double upper_quartile(std::vector<double>& rates)
  {
    for (std::size_t i = 1; i < rates.size(); ++i)
      for (std::size_t j = i; j > 0 && rates[j] > rates[j - 1]; --j) std::swap(rates[j], rates[j - 1]);
    return rates[rates.size() / 4];
  }

  host backend_;
  index_t doubles_;
  double part_;  // threads that run at once, of all
  double* data_ = nullptr;
};

// Flops a second of multiply-adds of T: of each thread the best of samples of some 0.05 milliseconds, which are mostly
// left alone where other programs run, too; of all threads together, as far as they have cores of their own.
template <class T>
double multiply_add_rate(host const& backend, placement const& place, double seconds)
{
  constexpr index_t steps = 10'000;
  shared_count all;  // in kflop/s
  backend.partition(backend.threads(), [&](index_t first, index_t last) {
    double best = 0, now = seconds_now();
    double const end = now + seconds;
    auto const sample = [&](auto const& chains) {
      double const begin = seconds_now(), flops = chains(steps);
      now = seconds_now();
      best = now > begin && flops / (now - begin) > best ? flops / (now - begin) : best;
    };
    for (int i = 0; i < 20 || now < end; ++i) {
      sample(multiply_add<T, 8>);
      sample(multiply_add<T, 12>);
      if (native_width<double> != 4) sample(multiply_add<T, 20>);
    }
    all.add_relaxed(static_cast<index_t>(best * 1e-3) * (last - first));
  });
  double const cores = lesser(place.used_cores, place.threads);
  return 1e3 * static_cast<double>(all.load_relaxed()) * cores / place.threads;
}

// Bytes of memory that are free.
inline index_t free_memory()
{
#if defined(_SC_AVPHYS_PAGES)
  index_t const pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return pages * size;
#endif
  return index_t{1} << 30;
}

// Makes the folders of a file, as far as it may.
inline void make_folders([[maybe_unused]] std::string const& file)
{
#if defined(__unix__)
  for (std::size_t i = 1; i < file.size(); ++i)
    if (file[i] == '/') static_cast<void>(mkdir(file.substr(0, i).c_str(), 0777));
#endif
}

// Roofs as a line's fields: those of the struct, one after the other.
inline std::string text_of_roofs(machine_roofs const& r)
{
  return formatted("%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%lld", r.read, r.copy, r.small_pages, r.cached, r.f64, r.f32,
                   static_cast<long long>(r.caches));
}
// None of which is negative or more than a machine has; empty() otherwise.
inline machine_roofs roofs_of_text(std::string const& text)
{
  machine_roofs r;
  char const* at = text.c_str();
  auto const next = [&at](double& x) {
    char* end = nullptr;
    x = std::strtod(at, &end);
    bool const good = end != at && x >= 0 && x < 1e18 && (*end == '\t' || *end == 0);
    at = *end == '\t' ? end + 1 : end;
    return good;
  };
  double caches = 0;
  bool const good = next(r.read) && next(r.copy) && next(r.small_pages) && next(r.cached) && next(r.f64) &&
                    next(r.f32) && next(caches) && *at == 0;
  r.caches = static_cast<index_t>(caches);
  return good ? r : machine_roofs{};
}

// What makes roofs others: the device, its threads and where they run, the width of registers.
inline std::string key_of_roofs(host const& backend, placement const& p)
{
  return kept_lines::plain(device_name(backend)) + '\t' + std::to_string(p.used_processors) + " processors, " +
         std::to_string(p.used_cores) + " cores, " + std::to_string(8 * sizeof(double) * native_width<double>) +
         " bits\t";
}

template <class Backend>
std::string key_of_device(Backend const& backend)
{
  return kept_lines::plain(device_name(backend)) + '\t' + kept_lines::plain(driver_name(backend)) + '\t';
}

// Bytes of the caches that an application's data may stay in.
template <class Backend>
index_t cache_bytes_of([[maybe_unused]] Backend const& backend)
{
  if constexpr (requires { backend.cache_bytes(); })
    return backend.cache_bytes();
  else
    return cache_bytes();
}

// Of a device: its own copies from one part of its memory to another.
template <class Backend>
machine_roofs measure_copies(Backend const& backend)
{
  machine_roofs r;
  r.caches = cache_bytes_of(backend);
  index_t const size = lesser(greater(8 * r.caches, index_t{64} << 20), index_t{1} << 30) / 16;
  auto from = make_memory<double>(backend, size), to = make_memory<double>(backend, size);
  auto const copy = [&] { backend.copy(static_cast<double const*>(from.data()), to.data(), size); };
  static_cast<void>(seconds_of(backend, 1, copy));
  for (int sample = 0; sample < 5; ++sample) {
    double const seconds = seconds_of(backend, 4, copy) / 4, rate = 16.0 * static_cast<double>(size) / seconds;
    r.copy = rate > r.copy ? rate : r.copy;
  }
  r.read = r.copy;
  return r;
}

// Roofs, and which part of the time the threads were at work while they were measured.
struct measured_roofs {
  machine_roofs roofs;
  double share = 1;
};

// Roofs, and where they are from.
struct found_roofs {
  machine_roofs roofs;
  std::string from;
};

// Those that this thread has looked up.
inline std::vector<std::pair<std::string, machine_roofs>>& known_roofs()
{
  thread_local std::vector<std::pair<std::string, machine_roofs>> known;
  return known;
}

// From this thread's last look, or the file, or measured, and then kept. `log` hears warnings.
template <class Log>
found_roofs roofs_of_key(std::string const& path, std::string const& key, Log const& log, auto const& measure)
{
  static constexpr kept_kind kind{"sumfac roofs 1", "line of roofs", "roofs", "the roofs are not kept", 9};
  std::string const here = path + '\t' + key;
  for (auto const& [name, roofs] : known_roofs())
    if (name == here) return {roofs, "looked up before"};
  found_roofs found;
  kept_lines file(path, kind, key, log);
  if (file.line_number() > 0) {
    found = {roofs_of_text(file.value()), "kept in " + path};
    if (found.roofs.empty())
      log("warning: " + path + ", line " + std::to_string(file.line_number()) + ", has no roofs: they are measured");
  }
  if (found.roofs.empty()) {
    constexpr double least_share = 0.75;
    measured_roofs const measured = measure();
    found = {measured.roofs, "measured now"};
    if (measured.share < least_share) {
      log(
          std::string(formatted("warning: the roofs were measured while threads had processors for %.2f of the time, "
                                "%.2f expected: "
                                "other programs run, and the roofs, which may be off by what these do, are not kept",
                                measured.share, least_share)));
    } else {
      if (!path.empty()) make_folders(path);
      file.keep(text_of_roofs(found.roofs), log);
    }
  }
  known_roofs().emplace_back(here, found.roofs);
  return found;
}

inline measured_roofs measure_host(host const& backend)
{
  constexpr index_t mib = index_t{1} << 20;
  placement const place = read_placement(backend);
  machine_roofs r;
  r.caches = cache_bytes();
  index_t const most = greater(lesser((256 + 64 * index_t{backend.threads()}) * mib, free_memory() / 2), 32 * mib);
  index_t const bytes = lesser(greater(4 * r.caches, 64 * mib), most);
  double wall = -seconds_now();
  auto processor = -std::clock();
  r.f64 = multiply_add_rate<double>(backend, place, 0.03);
  r.f32 = multiply_add_rate<float>(backend, place, 0.03);
  {
    page_set const huge(backend, place, bytes, true);
    r.copy = huge.copy_rate(huge.doubles(), 0.12);
    r.read = huge.read_rate(huge.doubles(), 0.12);
    index_t const in_caches = lesser(r.caches / 4, huge.doubles() * 8) / 8;
    r.cached = greater(huge.copy_rate(in_caches, 0.06), r.copy);
  }
  page_set const of_small_pages(backend, place, bytes / 2, false);
  r.small_pages = of_small_pages.copy_rate(of_small_pages.doubles(), 0.06);
  wall += seconds_now(), processor += std::clock();
  double const had = static_cast<double>(processor) / CLOCKS_PER_SEC;
  return {r, had / (wall * lesser(place.used_processors, place.threads))};
}

}  // namespace detail

inline machine_roofs measure_roofs(host const& backend) { return detail::measure_host(backend).roofs; }

inline std::string roofs_file()
{
  for (auto const& [variable, folder] : {std::pair{"XDG_CACHE_HOME", ""}, std::pair{"HOME", "/.cache"}})
    if (char const* const set = std::getenv(variable); set != nullptr && *set == '/')
      return std::string(set) + folder + "/sumfac/roofs";
  return {};
}

}  // namespace sumfac
