// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A GPU's compiler at run time, NVRTC or hipRTC, opened where it is: a source becomes code for one architecture. No GPU
// is needed, and nothing is linked.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>
#include <sumfac/jit/detail/platform.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// toolkit: a folder, or empty for the usual one.
class device_compiler {
public:
  explicit device_compiler(platform const& of, std::string const& toolkit = {})
      : of_(of), toolkit_(of.toolkit(toolkit)), library_(in_toolkit(of.compiler_files, toolkit_))
  {
  }

  bool is_there() const { return library_.is_there(); }
  // Its version, and its file, whose name may say more of that.
  std::string identity() const
  {
    demand();
    int major = 0, minor = 0;
    call("Version", &major, &minor);
    return std::string(of_.compiler) + " " + std::to_string(major) + "." + std::to_string(minor) + " " +
           library_.file_of((of_.prefix + std::string("Version")).c_str());
  }

  std::string compile(std::string const& source, words const& given) const
  {
    demand();
    words options = given, kept;
    options.insert(options.end(), of_.options.begin(), of_.options.end());
    for (auto const& folder : of_.include) options.push_back("-I" + toolkit_ + folder);
    std::vector<char const*> names, texts, of_options;
    for (auto const& name : of_.headers) kept.push_back(of_.before_header + name + of_.after_header);
    for (auto const& name : of_.headers) names.push_back(name.c_str());
    for (auto const& text : kept) texts.push_back(text.c_str());
    for (auto const& option : options) of_options.push_back(option.c_str());

    program made(*this, of_.first_lines + source, texts, names);
    auto const result =
        result_of("CompileProgram", made.handle, static_cast<int>(of_options.size()), of_options.data());
    if (result != 0)
      refuse(std::string(of_.compiler) + " refused the operator (" + joined(options) + ", result " +
             std::to_string(result) + "): it says" + words_of_compiler(made.text("ProgramLog")));
    return made.text(of_.code);
  }

private:
  struct program {
    program(device_compiler const& by, std::string const& source, std::vector<char const*> const& texts,
            std::vector<char const*> const& names)
        : owner(by)
    {
      owner.call("CreateProgram", &handle, source.c_str(), static_cast<char const*>("operator.cu"),
                 static_cast<int>(names.size()), texts.data(), names.data());
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;
    ~program() { static_cast<void>(owner.result_of("DestroyProgram", &handle)); }

    std::string text(std::string const& what) const
    {
      std::size_t size = 0;
      owner.call("Get" + what + "Size", handle, &size);
      std::string all(size, '\0');
      if (size > 0) owner.call("Get" + what, handle, all.data());
      return all;
    }

    device_compiler const& owner;
    void* handle = nullptr;
  };

  void demand() const
  {
    if (!is_there())
      refuse("there is no " + std::string(of_.compiler) + " (" + joined(in_toolkit(of_.compiler_files, toolkit_)) +
             " were looked for), by which operators for devices are compiled: say where the toolkit is in "
             "settings.toolkit or " +
             of_.home);
  }
  template <class... Arguments>
  int result_of(std::string const& name, Arguments... arguments) const
  {
    return library_.call<int>((of_.prefix + name).c_str(), arguments...);
  }
  template <class... Arguments>
  void call(std::string const& name, Arguments... arguments) const
  {
    if (int const result = result_of(name, arguments...); result != 0)
      refuse(of_.prefix + name + " failed (result " + std::to_string(result) + ", 0 expected)");
  }

  platform of_;
  std::string toolkit_;
  opened_library library_;
};

}  // namespace sumfac::jit::detail
