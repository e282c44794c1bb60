// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Units that are in the program: compiled, taken from the folder, or there already.
#pragma once

#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/detail/source.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/options.hpp>

#include <dlfcn.h>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

namespace sumfac::SUMFAC_TARGET::jit {

// Where the code of an operator came from, and what that took, in seconds: in all, and the compiler.
struct origin {
  enum class place { compiled, folder, program };
  place from = place::program;
  double seconds = 0, compiler_seconds = 0;
};

namespace detail {

// Throws what a unit's function caught.
inline void rethrow(outcome const& end)
{
  switch (end.kind) {
    case outcome::done: return;
    case outcome::argument: throw argument_error(end.text);
    case outcome::geometry: throw geometry_error(end.text);
    case outcome::memory: throw std::bad_alloc();
    default: throw backend_error(end.text);
  }
}
template <class Function>
void call(Function const& f)
{
  outcome end;
  f(&end);
  rethrow(end);
}

// An object that a unit has made, and unmakes.
class made_object {
public:
  made_object() = default;
  template <class Parts>
  made_object(void* (*make)(Parts const*, outcome*), void (*destroy)(void*), Parts const* from)
  {
    void* object = nullptr;
    call([&](outcome* end) { object = make(from, end); });
    object_ = {object, destroy};
  }

  void* get() const { return object_.get(); }

private:
  std::shared_ptr<void> object_;
};

// Functions of a unit, and where they came from.
template <class Functions>
struct loaded_unit {
  Functions const* functions = nullptr;
  origin from;
};

class stopwatch {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

template <class Functions>
Functions const* open_unit(std::string const& file)
{
  void* const object = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) refuse(std::string("a compiled operator cannot be loaded (") + ::dlerror() + ")");
  auto* const entry = reinterpret_cast<Functions const* (*)()>(::dlsym(object, entry_name));
  Functions const* const found = entry == nullptr ? nullptr : entry();
  if (found == nullptr || found->version != interface_version)
    refuse("a compiled operator is of another version of the library (" +
           std::to_string(found == nullptr ? -1 : found->version) + ", " + std::to_string(interface_version) +
           " expected): remove " + file);
  return found;
}

// What a compiler is, asked once.
inline std::string identity_of(compiler const& with, std::string const& name, std::string const& folder)
{
  static std::mutex one_at_a_time;
  static std::map<std::string, std::string> known;
  std::lock_guard const lock(one_at_a_time);
  std::string& identity = known[name];
  if (identity.empty()) identity = with.identity(passing_folder(folder).path());
  return identity;
}

// What a source is compiled by: the compiler, and the options that it is given.
struct compiled_by {
  std::string compiler;
  words options;
  std::string headers;

  explicit compiled_by(settings const& how)
      : compiler(how.compiler), options(how.flags), headers(how.headers.empty() ? own_headers() : how.headers)
  {
    char const* const cxx = std::getenv("CXX");
    if (compiler.empty() && cxx != nullptr) compiler = cxx;
    options.push_back("-I" + headers);
    for (auto const& folder : how.include) options.push_back("-I" + folder);
  }
};

// The unit of a source. It stays in the program until that ends.
template <class Functions>
loaded_unit<Functions> load(std::string const& source, form const& f, settings const& how)
{
  static std::mutex one_at_a_time;
  static std::map<std::string, Functions const*> known;
  stopwatch const all;
  compiled_by const by(how);
  std::string const wanted = hash().add(source).add(by.compiler).add(joined(by.options)).add(how.cache).digits();
  std::lock_guard const lock(one_at_a_time);
  Functions const*& there = known[wanted];
  if (there != nullptr) return {there, {origin::place::program, all.seconds(), 0}};

  cache const kept(how.cache);
  compiler const with(by.compiler);
  hash key;
  key.add(source).add(joined(by.options)).add(identity_of(with, by.compiler, kept.path())).add(processor());
  key.add(std::to_string(interface_version)).add(headers_digest(by.headers));
  add_header(key, f.header(), how.include);

  double seconds = 0;
  bool found = false;
  std::string const file = kept.entry(
      key.digits() + ".so",
      [&](std::string const& folder) {
        stopwatch const compiling;
        std::string const text = folder + "/operator.cpp", object = folder + "/operator.so";
        std::ofstream(text) << source;
        with.compile(text, object, by.options);
        seconds = compiling.seconds();
        return object;
      },
      found);
  there = open_unit<Functions>(file);
  return {there, {found ? origin::place::folder : origin::place::compiled, all.seconds(), seconds}};
}

}  // namespace detail

}  // namespace sumfac::jit
