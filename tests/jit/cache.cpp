// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The folder of compiled code: who may write there, processes at once, files that were cut off, headers that changed.
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>
#include <sumfac/jit/detail/source.hpp>

#include <catch2/catch.hpp>
#include <support/own_folder.hpp>

#include <sys/stat.h>
#include <sys/wait.h>

#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace detail = sumfac::jit::detail;
namespace fs = std::filesystem;
using checks::own_folder;

// Makes an entry of a text, and counts how often.
struct maker {
  std::string text;
  int made = 0;

  std::string operator()(std::string const& folder)
  {
    ++made;
    std::ofstream(folder + "/new", std::ios::binary) << text;
    return folder + "/new";
  }
};
std::string entry(detail::cache const& from, std::string const& key, maker& make)
{
  bool found = false;
  return from.entry(
      key, [&](std::string const& folder) { return make(folder); }, found);
}

int files_in(std::string const& folder)
{
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// What so many processes at once end with, added; each is `run`, and 100 and more is a failure.
template <class Run>
int sum_of_processes(int processes, Run const& run)
{
  std::vector<::pid_t> children;
  for (int p = 0; p < processes; ++p) {
    ::pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      int end = 100;
      try {
        end = run();
      } catch (...) {
      }
      ::_exit(end);
    }
    children.push_back(child);
  }
  int sum = 0;
  for (::pid_t const child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) < 100);
    sum += WEXITSTATUS(status);
  }
  return sum;
}

std::string refusal(std::string const& folder)
{
  try {
    detail::cache const made(folder);
  } catch (sumfac::backend_error const& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("jit: an entry is made once, and anew where it was cut off or changed")
{
  own_folder const folder;
  detail::cache const kept(folder.path + "/a/b");
  struct stat of {};
  REQUIRE(::stat(kept.path().c_str(), &of) == 0);
  CHECK((of.st_mode & 07777) == 0700);
  maker make{std::string("code\0of\n a kind", 15)};
  std::string const file = entry(kept, "key", make);
  CHECK(detail::cache::content(file) == make.text);
  CHECK(entry(kept, "key", make) == file);
  CHECK(make.made == 1);
  REQUIRE(::stat(file.c_str(), &of) == 0);
  CHECK((of.st_mode & 077) == 0);

  auto const whole = fs::file_size(file);
  for (auto const size : {whole - 1, whole / 2, std::uintmax_t{3}, std::uintmax_t{0}}) {
    fs::resize_file(file, size);
    int const before = make.made;
    CHECK(detail::cache::content(entry(kept, "key", make)) == make.text);
    CHECK(make.made == before + 1);
  }
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).write("K", 1);
  int const before = make.made;
  entry(kept, "key", make);
  CHECK(make.made == before + 1);
  // One that others could have written is not taken.
  ::chmod(file.c_str(), 0722);
  entry(kept, "key", make);
  CHECK(make.made == before + 2);
  // Nothing is left of what was made on the way.
  CHECK(files_in(kept.path()) == 1);
}

TEST_CASE("jit: what fails leaves no entry")
{
  own_folder const folder;
  detail::cache const kept(folder.path);
  bool found = false;
  CHECK_THROWS_AS(kept.entry(
                      "key", [](std::string const&) -> std::string { detail::refuse("no"); }, found),
                  sumfac::backend_error);
  maker make{"text"};
  entry(kept, "key", make);
  CHECK(make.made == 1);
}

TEST_CASE("jit: what a killed process left a day ago goes when an entry is made, and nothing else")
{
  own_folder const folder;
  using hours = std::chrono::hours;
  std::string const old = folder.path + "/making-of_old", young = folder.path + "/making-of_now";
  std::string const other = folder.path + "/other";
  for (std::string const& made : {old, young, other}) {
    fs::create_directory(made);
    std::ofstream(made + "/part.o") << "half of it";
  }
  auto const now = fs::file_time_type::clock::now();
  fs::last_write_time(old, now - hours(25));
  fs::last_write_time(young, now - hours(23));
  fs::last_write_time(other, now - hours(100));
  fs::create_directory_symlink(other, folder.path + "/making-linked");
  std::ofstream(folder.path + "/making-a-file") << "text";
  fs::last_write_time(folder.path + "/making-a-file", now - hours(100));
  maker make{"text"};
  entry(detail::cache(folder.path), "key", make);
  CHECK(make.made == 1);
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(young + "/part.o"));
  CHECK(fs::exists(other + "/part.o"));
  CHECK(fs::exists(folder.path + "/making-linked/part.o"));
  CHECK(fs::exists(folder.path + "/making-a-file"));
}

TEST_CASE("jit: of processes at once one makes an entry, and all have it whole")
{
  own_folder const folder;
  constexpr int keys = 8;
  int const made = sum_of_processes(4, [&] {
    int of_these = 0;
    detail::cache const kept(folder.path);
    for (int key = 0; key < keys; ++key) {
      maker make{std::string(100000, static_cast<char>('a' + key))};
      if (detail::cache::content(entry(kept, std::to_string(key), make)) != make.text) return 100;
      of_these += make.made;
    }
    return of_these;
  });
  CHECK(made == keys);
  CHECK(files_in(folder.path) == keys);
}

// Those who waited for a file that is gone when they have its lock must not go on beside the next one's holder.
TEST_CASE("jit: never two processes make an entry at once, where the first of them fail")
{
  own_folder const folder, other;
  std::string const busy = other.path + "/busy", tries = other.path + "/tries";
  int const overlaps = sum_of_processes(5, [&] {
    int found_busy = 0;
    detail::cache const kept(folder.path);
    for (bool done = false; !done;) {
      bool found = false;
      try {
        kept.entry(
            "key",
            [&](std::string const& at) {
              if (!fs::create_directory(busy)) ++found_busy;
              ::usleep(10000);
              fs::remove(busy);
              std::ofstream(tries, std::ios::app) << '.';
              if (fs::file_size(tries) < 6) detail::refuse("no");
              std::ofstream(at + "/new") << "text";
              return at + "/new";
            },
            found);
        done = true;
      } catch (sumfac::backend_error const&) {
      }
    }
    return found_busy;
  });
  CHECK(overlaps == 0);
  CHECK(fs::file_size(tries) == 6);
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("jit: a folder that others may write into is refused, with its mode")
{
  own_folder const folder;
  std::string const path = fs::canonical(folder.path).string();
  CHECK(refusal(path) == "none");
  for (auto const& [mode, digits] : {std::pair{0777, "0777"}, std::pair{0770, "0770"}, std::pair{01777, "1777"}}) {
    ::chmod(path.c_str(), static_cast<mode_t>(mode));
    CHECK_THAT(refusal(path), Catch::StartsWith("sumfac::jit: others may write into the folder for compiled code: " +
                                                path + " (mode " + digits + ", 0700 expected)"));
  }
  // One within such a folder could be put in another's place, but for the sticky bit, as of /tmp.
  fs::create_directory(path + "/own");
  ::chmod((path + "/own").c_str(), 0755);
  ::chmod(path.c_str(), 0777);
  CHECK_THAT(refusal(path + "/own"), Catch::Contains("all may rename what lies in " + path + " (mode 0777"));
  ::chmod(path.c_str(), 01777);
  CHECK(refusal(path + "/own") == "none");
  ::chmod(path.c_str(), 0700);

  std::ofstream(path + "/file") << "text";
  CHECK_THAT(refusal(path + "/file"), Catch::StartsWith("sumfac::jit: "));
  if (::geteuid() == 0) {
    REQUIRE(::chown((path + "/own").c_str(), 12345, 0) == 0);
    CHECK_THAT(refusal(path + "/own"), Catch::Contains("is another user's: " + path + "/own (owner 12345"));
  }
}

TEST_CASE("jit: the usual folder is the user's")
{
  own_folder const folder;
  std::string const path = fs::canonical(folder.path).string();
  ::setenv("XDG_CACHE_HOME", path.c_str(), 1);
  CHECK(detail::cache("").path() == path + "/sumfac");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", path.c_str(), 1);
  CHECK(detail::cache("").path() == path + "/.cache/sumfac");
  ::unsetenv("HOME");
  CHECK_THAT(refusal(""), Catch::Contains("neither XDG_CACHE_HOME nor HOME is set"));
}

TEST_CASE("jit: a key knows a form's header, and what that includes")
{
  own_folder const folder;
  auto const write = [&](char const* name, std::string const& text) {
    std::ofstream(folder.path + "/" + name) << text;
  };
  auto const key = [&] {
    detail::hash all;
    detail::add_header(all, "form.hpp", {folder.path});
    return all.digits();
  };
  std::string const none = key();
  write("form.hpp", "  #  include \"part.hpp\"\n#include <vector>\n");
  std::string const one = key();
  write("part.hpp", "#include \"form.hpp\"\nint a;\n");
  std::string const two = key();
  write("part.hpp", "#include \"form.hpp\"\nint b;\n");
  std::string const three = key();
  CHECK(none != one);
  CHECK(one != two);
  CHECK(two != three);
  CHECK_THROWS_WITH(detail::headers_digest(folder.path),
                    Catch::Contains("the library's headers are not there: " + folder.path));
}

TEST_CASE("jit: a program is run without a shell")
{
  own_folder const folder;
  std::string const log = folder.path + "/log";
  CHECK(detail::run({"echo", "$HOME; a  b", "`c`"}, log) == 0);
  CHECK(detail::content_of(log) == "$HOME; a  b `c`\n");
  CHECK(detail::run({"false"}, log) == 1);
  CHECK(detail::run({"/no/such/program"}, log) == -1);
  CHECK(detail::split(" ccache  g++ ") == detail::words{"ccache", "g++"});
}
