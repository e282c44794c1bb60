// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The machine behind an explanation: roofs kept in a file, threads and their cores, pages, on planted files and places.
#include <sumfac/tools/explain/measure.hpp>
#include <sumfac/tools/explain/pages.hpp>
#include <sumfac/tools/explain/placement.hpp>
#include <sumfac/tools/roofs.hpp>

#include <support/own_file.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <stdlib.h>

namespace {

namespace detail = sumfac::detail;
using checks::has_line, checks::own_file, checks::take_log;
using sumfac::machine_roofs;

machine_roofs const some{
    .read = 3e10, .copy = 2e10, .small_pages = 1e10, .cached = 1e11, .f64 = 5e10, .f32 = 1e11, .caches = 1 << 20};

// What is found of a key, and how often it is measured; the memory of this thread is emptied before.
struct look {
  detail::found_roofs found;
  int measured = 0;
};
look look_up(std::string const& path, std::string const& key, bool forget = true, double share = 1)
{
  look l;
  if (forget) detail::known_roofs().clear();
  l.found = detail::roofs_of_key(
      path, key, [](std::string const& line) { checks::keep_line(line.c_str()); },
      [&] {
        ++l.measured;
        return detail::measured_roofs{some, share};
      });
  return l;
}

// What a thread may run on, and cores of two processors each: 0 and 1, 2 and 3, ...
detail::placement placed(std::vector<std::vector<int>> const& allowed, int processors)
{
  detail::thread_places p{allowed, {}};
  for (int i = 0; i < 8; ++i) p.core_of.push_back(i / 2 * 2);
  return detail::placement_of(p, processors);
}

}  // namespace

TEST_CASE("roofs: measured once, then read from the file")
{
  own_file const file;
  take_log();
  auto const first = look_up(file.path, "a machine\t2 threads\t");
  CHECK(first.measured == 1);
  CHECK(first.found.roofs == some);
  CHECK(first.found.from == "measured now");
  CHECK(file.text() == "sumfac roofs 1\na machine\t2 threads\t3e+10\t2e+10\t1e+10\t1e+11\t5e+10\t1e+11\t1048576\n");

  auto const second = look_up(file.path, "a machine\t2 threads\t");
  CHECK(second.measured == 0);
  CHECK(second.found.roofs == some);
  CHECK(second.found.from == "kept in " + file.path);
  std::remove(file.path.c_str());
  CHECK(look_up(file.path, "a machine\t2 threads\t", false).measured == 0);  // this thread remembers

  // Another key is another line.
  look_up(file.path, "a machine\t2 threads\t");
  CHECK(look_up(file.path, "a machine\t3 threads\t").measured == 1);
  CHECK(look_up(file.path, "a machine\t2 threads\t").measured == 0);
  CHECK(take_log().empty());
}

TEST_CASE("roofs: a file that is broken is a warning and a new measurement")
{
  own_file const file;
  std::string const head = "sumfac roofs 1\n", key = "a\tb\t";
  auto const measures_anew = [&](std::string const& line, std::string const& warning) {
    file.write(head + line + "\n");
    take_log();
    auto const l = look_up(file.path, key);
    INFO("line: " << line);
    CHECK(l.measured == 1);
    CHECK(l.found.roofs == some);
    CHECK(has_line(take_log(), "warning: " + file.path + warning));
    CHECK(look_up(file.path, key).measured == 0);
  };
  measures_anew("a\tb\t1\t2", ", line 2, is no line of roofs (4 fields, 9 expected): it is dropped");
  measures_anew("a\tb\tx\t1\t1\t1\t1\t1\t1", ", line 2, has no roofs: they are measured");
  measures_anew("a\tb\t1\t1\t1\t1\t1\t1\t1 and more", ", line 2, has no roofs");
  measures_anew("a\tb\t1\t-1\t1\t1\t1\t1\t1", ", line 2, has no roofs");
  measures_anew("a\tb\tnan\t1\t1\t1\t1\t1\t1", ", line 2, has no roofs");
  measures_anew("a\tb\t0\t0\t0\t0\t0\t0\t0", ", line 2, has no roofs");

  std::string const letter = "Dear reader,\n";
  file.write(letter);
  CHECK(look_up(file.path, key).measured == 1);
  CHECK(has_line(take_log(), " is no file of roofs (it begins with \"Dear reader,\""));
  CHECK(file.text() == letter);
}

TEST_CASE("roofs: where no file can be, they are measured all the same")
{
  take_log();
  auto const l = look_up("/dev/null/sumfac/roofs", "a\tb\t");  // below a file, which not even root may
  CHECK(l.measured == 1);
  CHECK(l.found.roofs == some);
  CHECK(has_line(take_log(), "warning: /dev/null/sumfac/roofs cannot be written: the roofs are not kept"));
  CHECK(look_up("/dev/null/sumfac/roofs", "a\tb\t", false).measured == 0);
  CHECK(look_up("", "a\tb\t").measured == 1);
  CHECK(take_log().empty());
}

TEST_CASE("roofs: what was measured on a busy machine is not kept")
{
  own_file const file;
  take_log();
  auto const l = look_up(file.path, "a\tb\t", true, 0.5);
  CHECK((l.measured == 1 && l.found.roofs == some));
  CHECK(has_line(take_log(), "threads had processors for 0.50 of the time, 0.75 expected"));
  CHECK(file.text().empty());
  CHECK(look_up(file.path, "a\tb\t").measured == 1);
  CHECK(look_up(file.path, "a\tb\t").measured == 0);
}

TEST_CASE("roofs: the file is in the user's cache, whose folders are made")
{
  own_file const place;
  std::string const folder = place.path + ".d";
  setenv("XDG_CACHE_HOME", (folder + "/cache").c_str(), 1);
  CHECK(sumfac::roofs_file() == folder + "/cache/sumfac/roofs");
  CHECK(look_up(sumfac::roofs_file(), "a\tb\t").measured == 1);
  CHECK(look_up(sumfac::roofs_file(), "a\tb\t").measured == 0);
  std::filesystem::remove_all(folder);
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/somebody", 1);
  CHECK(sumfac::roofs_file() == "/home/somebody/.cache/sumfac/roofs");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  CHECK(sumfac::roofs_file().empty());
}

TEST_CASE("roofs: measured, each is a rate")
{
  auto const r = sumfac::measure_roofs(sumfac::host{2});
  for (double const rate : {r.read, r.copy, r.small_pages, r.cached, r.f64, r.f32}) CHECK(rate > 1e6);
  CHECK(r.cached >= r.copy);
  CHECK(r.caches > 0);
  CHECK(detail::roofs_of_text(detail::text_of_roofs(r)).caches == r.caches);
}

TEST_CASE("places: threads that share a processor, or a core")
{
  auto const same = placed({{0}, {0}}, 4);
  CHECK((same.threads == 2 && same.used_processors == 1 && same.used_cores == 1));
  CHECK((same.processors == 4 && same.cores == 2));
  auto const siblings = placed({{2}, {3}}, 8);
  CHECK((siblings.used_processors == 2 && siblings.used_cores == 1 && siblings.cores == 4));
  auto const apart = placed({{0}, {2}}, 8);
  CHECK((apart.used_processors == 2 && apart.used_cores == 2));
  auto const free = placed({{0, 1, 2, 3}, {0, 1, 2, 3}}, 4);
  CHECK((free.used_processors == 2 && free.used_cores == 2 && free.cores == 2));
  auto const many = placed({{0, 1}, {0, 1}, {0, 1}}, 2);
  CHECK((many.used_processors == 2 && many.used_cores == 1 && many.processors == 2 && many.cores == 1));
  // The second must give way twice before the last has a place.
  auto const chain = placed({{0, 2}, {0, 4}, {0}}, 8);
  CHECK((chain.used_processors == 3 && chain.used_cores == 3));
}

TEST_CASE("places: what a control group grants")
{
  own_file const file;
  auto const granted = [&](std::string const& text) {
    file.write(text);
    return detail::granted_by(file.path.c_str());
  };
  CHECK(granted("150000 100000\n") == 1.5);
  CHECK(granted("max 100000\n") == 0);
  CHECK(granted("") == 0);
  CHECK(detail::granted_by("/nowhere/at/all") == 0);
}

TEST_CASE("pages: what the system gives, and what vectors lie in")
{
  own_file const file;
  auto const rule = [&](std::string const& text) {
    file.write(text);
    return detail::read_huge_page_rule(file.path.c_str());
  };
  CHECK(rule("always madvise [never]\n") == detail::huge_page_rule::never);
  CHECK(rule("always [madvise] never\n") == detail::huge_page_rule::madvise);
  CHECK(rule("[always] madvise never\n") == detail::huge_page_rule::always);
  CHECK(rule("") == detail::huge_page_rule::unknown);
  CHECK(detail::read_huge_page_rule("/nowhere/at/all") == detail::huge_page_rule::unknown);

  file.write(
      "10000-20000 rw-p 00000000 00:00 0\nSize: 64 kB\nRss: 60 kB\nAnonHugePages: 32 kB\n"
      "30000-40000 rw-p 00000000 00:00 0\nSize: 64 kB\nRss: 50 kB\nAnonHugePages: 7 kB\n"
      "50000-60000 rw-p 00000000 00:00 0\nSize: 64 kB\nRss: 5 kB\nAnonHugePages: 3 kB\n");
  detail::page_kinds kinds;
  auto const at = [](std::uintptr_t address) { return reinterpret_cast<void const*>(address); };
  detail::read_mappings(kinds, at(0x10000), at(0x5ffff), file.path.c_str());
  CHECK((kinds.looked && kinds.vectors_kib == 65 && kinds.huge_kib == 35));
  detail::page_kinds none;
  detail::read_mappings(none, at(0x20000), at(0x60000), file.path.c_str());
  CHECK((!none.looked && none.vectors_kib == 0));
}
