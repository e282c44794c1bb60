// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A folder of compiled code that processes share: of the user's own, since what lies there is run.
#pragma once

#include <sumfac/error.hpp>

#include <sys/file.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// FNV-1a, twice from different beginnings: names of what has the same text, not a seal against those who may write.
class hash {
public:
  hash& add(std::string const& text)
  {
    for (char const c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0x1f);  // between texts
    return *this;
  }
  // 32 digits.
  std::string digits() const
  {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first_),
                  static_cast<unsigned long long>(second_));
    return text;
  }

private:
  void add_byte(unsigned char byte)
  {
    constexpr std::uint64_t prime = 0x100000001b3;
    first_ = (first_ ^ byte) * prime;
    second_ = (second_ + byte + 1) * prime;
    second_ ^= second_ >> 29;
  }

  std::uint64_t first_ = 0xcbf29ce484222325, second_ = 0x84222325cbf29ce4;
};

[[noreturn]] inline void refuse(std::string const& text) { throw backend_error("sumfac::jit: " + text); }

inline std::string content_of(std::string const& path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string with_reason(std::string const& text) { return text + " (" + std::strerror(errno) + ")"; }

// One process at a time, by a file that is locked. Who holds it removes it at the end; those who waited for that file
// then take the next one of its name. Where the file system has no locks, all go on at once.
class file_lock {
public:
  explicit file_lock(std::string const& path) : path_(path)
  {
    do {
      if (number_ >= 0) ::close(number_);
      number_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    } while (number_ >= 0 && locks() && !is_still_there());
  }
  file_lock(file_lock const&) = delete;
  file_lock& operator=(file_lock const&) = delete;
  ~file_lock()
  {
    if (number_ < 0) return;
    ::unlink(path_.c_str());
    ::close(number_);
  }

private:
  bool locks() const
  {
    int end = 0;
    do end = ::flock(number_, LOCK_EX);
    while (end != 0 && errno == EINTR);
    return end == 0;
  }
  bool is_still_there() const
  {
    struct stat opened {
    }, found{};
    return ::fstat(number_, &opened) == 0 && ::stat(path_.c_str(), &found) == 0 && opened.st_ino == found.st_ino &&
           opened.st_dev == found.st_dev;
  }

  std::string path_;
  int number_ = -1;
};

// A folder of its own for the time of a compilation, which goes with all that is in it. A process that is killed leaves
// it: one of a day ago goes when the next is made, since no compilation takes as long.
class passing_folder {
public:
  explicit passing_folder(std::string const& parent) : path_(parent + "/making-XXXXXX")
  {
    remove_left(parent);
    if (::mkdtemp(path_.data()) == nullptr) refuse(with_reason("no folder can be made in " + parent));
  }
  passing_folder(passing_folder const&) = delete;
  passing_folder& operator=(passing_folder const&) = delete;
  ~passing_folder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string const& path() const { return path_; }

private:
  static void remove_left(std::string const& parent)
  {
    std::error_code error, ignored;
    std::filesystem::directory_iterator const end;
    for (std::filesystem::directory_iterator at(parent, error); !error && at != end; at.increment(error)) {
      struct stat of {};
      bool const is_passing = at->path().filename().string().rfind("making-", 0) == 0;
      if (is_passing && ::lstat(at->path().c_str(), &of) == 0 && S_ISDIR(of.st_mode) &&
          ::time(nullptr) - of.st_mtime > 24 * 60 * 60)
        std::filesystem::remove_all(at->path(), ignored);
    }
  }

  std::string path_;
};

// Entries are files named by a key, each with a last line of its size and what it hashes to: one that was cut off is
// made anew. They are written under another name and renamed, so that none is seen half written; of several processes
// that want one at once, one makes it and the others wait (where the file system has no locks, the last one wins).
//
// **Errors** backend_error for a folder that another user owns, or that others may write into.
class cache {
public:
  explicit cache(std::string const& path) : path_(path.empty() ? usual() : path)
  {
    std::error_code error;
    bool const made = std::filesystem::create_directories(path_, error);
    if (error) refuse("the folder for compiled code cannot be made: " + path_ + " (" + error.message() + ")");
    if (made) ::chmod(path_.c_str(), S_IRWXU);
    if (char resolved[PATH_MAX]; ::realpath(path_.c_str(), resolved) != nullptr) path_ = resolved;
    check_own();
    check_above();
  }

  std::string const& path() const { return path_; }

  // The file of a key; make(folder) returns the path of a new one within a folder where there is none.
  template <class Make>
  std::string entry(std::string const& key, Make const& make, bool& found) const
  {
    std::string const file = path_ + "/" + key;
    found = is_whole(file);
    if (found) return file;
    file_lock const alone(file + ".lock");
    found = is_whole(file);
    if (found) return file;
    passing_folder const folder(path_);
    std::string const fresh = make(folder.path());
    seal(fresh);
    if (::rename(fresh.c_str(), file.c_str()) != 0) refuse(with_reason("a file cannot be renamed to " + file));
    return file;
  }

  // What was put into an entry, without the last line.
  static std::string content(std::string const& file)
  {
    std::string all = content_of(file);
    all.resize(all.size() < seal_size ? 0 : all.size() - seal_size);
    return all;
  }

private:
  // $XDG_CACHE_HOME/sumfac, else $HOME/.cache/sumfac.
  static std::string usual()
  {
    char const *const home = std::getenv("HOME"), *const caches = std::getenv("XDG_CACHE_HOME");
    if (caches != nullptr && caches[0] == '/') return std::string(caches) + "/sumfac";
    if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/sumfac";
    refuse("there is no folder for compiled code (neither XDG_CACHE_HOME nor HOME is set): name one in settings.cache");
  }

  static std::string octal(mode_t mode)
  {
    char text[16];
    std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
    return text;
  }

  void check_own() const
  {
    struct stat of {};
    if (::stat(path_.c_str(), &of) != 0) refuse(with_reason("the folder for compiled code cannot be read: " + path_));
    if (!S_ISDIR(of.st_mode)) refuse("what is to be the folder for compiled code is none: " + path_);
    if (of.st_uid != ::geteuid())
      refuse("the folder for compiled code is another user's: " + path_ + " (owner " + std::to_string(of.st_uid) +
             ", this process is user " + std::to_string(::geteuid()) + "): name one of your own in settings.cache");
    if ((of.st_mode & (S_IWGRP | S_IWOTH)) != 0)
      refuse("others may write into the folder for compiled code: " + path_ + " (mode " + octal(of.st_mode) +
             ", 0700 expected): what lies there is run; chmod 700 it, or name another one in settings.cache");
  }
  // Whoever may rename a folder above can put another one in this one's place.
  void check_above() const
  {
    for (auto above = std::filesystem::path(path_).parent_path(); !above.empty(); above = above.parent_path()) {
      struct stat of {};
      if (::stat(above.c_str(), &of) == 0 && (of.st_mode & S_IWOTH) != 0 && (of.st_mode & S_ISVTX) == 0)
        refuse("all may rename what lies in " + above.string() + " (mode " + octal(of.st_mode) +
               ", without the sticky bit), and with it the folder for compiled code, " + path_ +
               ": name another one in settings.cache");
      if (above == above.root_path()) break;
    }
  }

  // "\nsumfac jit 00000000000000000000 <32 digits>\n"
  static constexpr std::size_t seal_size = 1 + 11 + 20 + 1 + 32 + 1;
  static std::string seal_of(std::string const& content)
  {
    char text[seal_size + 1];
    std::snprintf(text, sizeof text, "\nsumfac jit %020llu %s\n", static_cast<unsigned long long>(content.size()),
                  hash().add(content).digits().c_str());
    return text;
  }
  static void seal(std::string const& file)
  {
    std::string const last = seal_of(content_of(file));
    std::ofstream out(file, std::ios::binary | std::ios::app);
    out << last;
    out.close();
    if (!out || ::chmod(file.c_str(), S_IRWXU) != 0) refuse(with_reason("compiled code cannot be written: " + file));
  }
  static bool is_whole(std::string const& file)
  {
    struct stat of {};
    if (::stat(file.c_str(), &of) != 0 || of.st_uid != ::geteuid() || (of.st_mode & (S_IWGRP | S_IWOTH)) != 0)
      return false;
    std::string const all = content_of(file);
    if (all.size() < seal_size) return false;
    return all.substr(all.size() - seal_size) == seal_of(all.substr(0, all.size() - seal_size));
  }

  std::string path_;
};

}  // namespace sumfac::jit::detail
