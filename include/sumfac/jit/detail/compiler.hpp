// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The system's compiler, started without a shell: what it is, and what it says.
#pragma once

#include <sumfac/jit/detail/cache.hpp>

#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

using words = std::vector<std::string>;

// Words between spaces, as in CXX="ccache g++".
inline words split(std::string const& text)
{
  std::istringstream in(text);
  words all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

inline std::string joined(words const& all)
{
  std::string text;
  for (auto const& word : all) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Runs a program with arguments, all it says going to a file; what it ended with, or -1 where there is none.
inline int run(words const& arguments, std::string const& log)
{
  std::vector<char*> pointers;
  for (auto const& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_CREAT | O_WRONLY | O_TRUNC, S_IRUSR | S_IWUSR);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  ::pid_t child = 0;
  int const error = ::posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Of what a compiler says the lines with errors, and the first where there are none.
inline std::string words_of_compiler(std::string const& log)
{
  constexpr int most_lines = 8;
  std::string errors, all;
  int found = 0, lines = 0;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) {
    if (lines++ < most_lines) all += "\n  " + line;
    if (line.find("error") != std::string::npos && found++ < most_lines) errors += "\n  " + line;
  }
  return errors.empty() ? all : errors;
}

// The file that a program's name stands for, as PATH has it.
inline std::string found_on_path(std::string const& program)
{
  if (program.find('/') != std::string::npos) return program;
  char const* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string const file = folder + "/" + program; ::access(file.c_str(), X_OK) == 0) return file;
  return program;
}

class compiler {
public:
  // `name` may have arguments; where it is empty, $CXX, else c++.
  explicit compiler(std::string const& name)
  {
    char const* const from_environment = std::getenv("CXX");
    command_ = split(!name.empty() ? name : from_environment == nullptr ? "c++" : from_environment);
    if (command_.empty()) command_ = {"c++"};
  }

  // What it is: its file, when that was made, and what it says of its version.
  std::string identity(std::string const& folder) const
  {
    std::string const log = folder + "/version";
    words asked = command_;
    asked.push_back("--version");
    int const end = run(asked, log);
    if (end != 0) refuse_missing(end);
    std::string const file = found_on_path(command_[0]);
    struct stat of {};
    std::string text = joined(command_) + '\n' + content_of(log);
    if (::stat(file.c_str(), &of) == 0)
      text += std::to_string(of.st_size) + ' ' + std::to_string(static_cast<long long>(of.st_mtime));
    return text;
  }

  // Makes a shared object of a source, or throws with the compiler's words.
  void compile(std::string const& source, std::string const& object, words const& options) const
  {
    words asked = command_;
    asked.insert(asked.end(), options.begin(), options.end());
    for (char const* more : {"-std=c++20", "-shared", "-fPIC", "-fvisibility=hidden"}) asked.push_back(more);
    asked.insert(asked.end(), {source, "-o", object});
    std::string const log = object + ".log";
    int const end = run(asked, log);
    if (end == -1) refuse_missing(end);
    if (end != 0)
      refuse("the compiler refused the operator (" + joined(asked) + ", which ended with " + std::to_string(end) +
             "): it says" + words_of_compiler(content_of(log)));
  }

private:
  [[noreturn]] void refuse_missing(int end) const
  {
    refuse("the compiler cannot be run: " + joined(command_) + (end < 0 ? "" : " --version ended with ") +
           (end < 0 ? "" : std::to_string(end)) + ": set CXX, or settings.compiler, to a C++20 compiler");
  }

  words command_;
};

}  // namespace sumfac::jit::detail
