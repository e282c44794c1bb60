// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA's compiler at run time, NVRTC, opened where it is: a source becomes code for one architecture. No GPU is
// needed, and nothing is linked.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>

#include <dlfcn.h>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// A library that is opened by the first of some names that is there, and its functions.
class opened_library {
public:
  explicit opened_library(words const& names)
  {
    for (auto const& name : names)
      if (object_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); object_ != nullptr) return;
  }

  bool is_there() const { return object_ != nullptr; }
  template <class Result, class... Arguments>
  Result call(char const* name, Arguments... arguments) const
  {
    auto* const function = reinterpret_cast<Result (*)(Arguments...)>(::dlsym(object_, name));
    if (function == nullptr) refuse(std::string("the function ") + name + " is not in the library that should have it");
    return function(arguments...);
  }

private:
  void* object_ = nullptr;
};

// The folder of the CUDA toolkit: the one given, else $CUDA_HOME, else the usual one.
inline std::string toolkit_of(std::string const& given)
{
  char const* const home = std::getenv("CUDA_HOME");
  return !given.empty() ? given : home != nullptr && home[0] != 0 ? home : "/usr/local/cuda";
}

class nvrtc {
public:
  explicit nvrtc(std::string const& toolkit)
      : toolkit_(toolkit),
        library_({"libnvrtc.so.13", "libnvrtc.so.12", toolkit + "/lib64/libnvrtc.so.13",
                  toolkit + "/lib64/libnvrtc.so.12", toolkit + "/lib64/libnvrtc.so", "libnvrtc.so"})
  {
  }

  bool is_there() const { return library_.is_there(); }
  std::string identity() const
  {
    demand_toolkit();
    int major = 0, minor = 0;
    call("nvrtcVersion", &major, &minor);
    return "nvrtc " + std::to_string(major) + "." + std::to_string(minor);
  }

  // The symbol that a kernel's name becomes, an end of line, and the code.
  std::string compile(std::string const& source, words const& given, char const* kernel) const
  {
    demand_toolkit();
    words options = given;
    for (char const* more : {"-std=c++20", "-default-device", "-DNDEBUG", "--diag-suppress=20208"})
      options.push_back(more);
    for (char const* folder : {"/include/cccl", "/include"}) options.push_back("-I" + toolkit_ + folder);
    std::vector<char const*> names, texts, of_options;
    words kept;
    for (auto const* name : standard_headers)
      kept.push_back(std::string("#pragma once\n#include <cuda/std/") + name +
                     ">\nnamespace std { using namespace cuda::std; }\n");
    for (auto const* name : standard_headers) names.push_back(name);
    for (auto const& text : kept) texts.push_back(text.c_str());
    for (auto const& option : options) of_options.push_back(option.c_str());

    program made(*this, source, texts, names);
    call("nvrtcAddNameExpression", made.handle, kernel);
    auto const result =
        library_.call<int>("nvrtcCompileProgram", made.handle, static_cast<int>(of_options.size()), of_options.data());
    if (result != 0)
      refuse("NVRTC refused the operator (" + joined(options) + ", result " + std::to_string(result) + "): it says" +
             words_of_compiler(made.text("ProgramLog")));
    char const* symbol = nullptr;
    call("nvrtcGetLoweredName", made.handle, kernel, &symbol);
    return std::string(symbol) + '\n' + made.text("CUBIN");
  }

private:
  // Those that the library's headers for devices include, of which the toolkit has its own.
  static constexpr char const* standard_headers[] = {"array",   "cmath",  "concepts",    "cstddef", "cstdint",
                                                     "cstring", "limits", "type_traits", "utility"};

  struct program {
    program(nvrtc const& of, std::string const& source, std::vector<char const*> const& texts,
            std::vector<char const*> const& names)
        : owner(of)
    {
      owner.call("nvrtcCreateProgram", &handle, source.c_str(), static_cast<char const*>("operator.cu"),
                 static_cast<int>(names.size()), texts.data(), names.data());
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;
    ~program() { static_cast<void>(owner.library_.call<int>("nvrtcDestroyProgram", &handle)); }

    std::string text(std::string const& what) const
    {
      std::size_t size = 0;
      owner.call(("nvrtcGet" + what + "Size").c_str(), handle, &size);
      std::string all(size, '\0');
      owner.call(("nvrtcGet" + what).c_str(), handle, all.data());
      return all;
    }

    nvrtc const& owner;
    void* handle = nullptr;
  };

  void demand_toolkit() const
  {
    if (!is_there())
      refuse(
          "there is no libnvrtc.so.13 or .12, by which operators for devices are compiled: say where CUDA's toolkit "
          "is (" +
          toolkit_ + " was looked into) in settings.toolkit or CUDA_HOME");
  }
  template <class... Arguments>
  void call(char const* name, Arguments... arguments) const
  {
    if (int const result = library_.call<int>(name, arguments...); result != 0)
      refuse(std::string(name) + " failed (result " + std::to_string(result) + ", 0 expected)");
  }

  std::string toolkit_;
  opened_library library_;
};

}  // namespace sumfac::jit::detail
