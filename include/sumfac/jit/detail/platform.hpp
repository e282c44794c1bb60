// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a maker of GPUs calls the compiler at run time, the driver and their functions: the differences between CUDA and
// HIP, as data.
#pragma once

#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>

#include <dlfcn.h>
#include <limits.h>
#include <cstdlib>
#include <string>

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
  void* find(char const* name) const { return object_ == nullptr ? nullptr : ::dlsym(object_, name); }
  template <class Result, class... Arguments>
  Result call(char const* name, Arguments... arguments) const
  {
    auto* const function = reinterpret_cast<Result (*)(Arguments...)>(find(name));
    if (function == nullptr) refuse(std::string("the function ") + name + " is not in the library that should have it");
    return function(arguments...);
  }
  // The file that a function is from, whose name often ends with a version.
  std::string file_of(char const* name) const
  {
    ::Dl_info found{};
    char resolved[PATH_MAX];
    if (::dladdr(find(name), &found) == 0 || ::realpath(found.dli_fname, resolved) == nullptr) return "";
    return resolved;
  }

private:
  void* object_ = nullptr;
};

struct platform {
  // The compiler, and where it and the driver are looked for: libraries by their names, then in the toolkit's folder,
  // which a variable of the environment names.
  char const *compiler, *home, *usual_home;
  words compiler_files, driver_files;

  // prefix + "CreateProgram", ... + "Get" + code. The option in front of an architecture, the others, the folders of
  // the toolkit to include, and what headers of the standard consist of that the compiler must be given.
  char const *prefix, *code, *architecture;
  words options, include, headers;
  char const *before_header, *after_header;
  char const* first_lines;  // of a source
  char const* device;       // what kernels know of it, a type

  // Functions of the driver, null where there is no need for one.
  char const *init, *get, *retain, *release, *use, *allocate, *free, *to_device, *to_host, *copy, *synchronize, *load,
      *unload, *function, *scratch, *launch;
  std::string (*architecture_of)(opened_library const&, int device);  // empty where it cannot be said
  std::string (*text_of)(opened_library const&, int result);

  // The toolkit's folder: the one given, else that of the environment, else the usual one.
  std::string toolkit(std::string const& given) const
  {
    char const* const named = std::getenv(home);
    return !given.empty() ? given : named != nullptr && named[0] != 0 ? named : usual_home;
  }
};

// "sm_90", by attributes 75 and 76, the two numbers of the compute capability.
inline std::string architecture_of_nvidia(opened_library const& library, int device)
{
  int numbers[2] = {};
  for (int i = 0; i < 2; ++i)
    if (library.call<int>("cuDeviceGetAttribute", numbers + i, 75 + i, device) != 0) return "";
  return "sm_" + std::to_string(10 * numbers[0] + numbers[1]);
}
inline std::string text_of_nvidia(opened_library const& library, int result)
{
  char const* text = nullptr;
  static_cast<void>(library.call<int>("cuGetErrorString", result, &text));
  return text == nullptr ? "" : text;
}

// "gfx90a:sramecc+:xnack-", the last text in hipDeviceProp_t that begins so: versions of HIP have it at other places,
// and none has more than 2 KB.
inline std::string architecture_of_amd(opened_library const& library, int device)
{
  std::string properties(16384, '\0');
  if (library.call<int>("hipGetDeviceProperties", static_cast<void*>(properties.data()), device) != 0) return "";
  auto const at = properties.rfind("gfx");
  return at == std::string::npos ? "" : properties.c_str() + at;
}
inline std::string text_of_amd(opened_library const& library, int result)
{
  char const* const text = library.call<char const*>("hipGetErrorString", result);
  return text == nullptr ? "" : text;
}

// NVRTC and the driver, whose primary context is the one that CUDA's run-time system uses.
inline platform nvidia_platform()
{
  return {.compiler = "NVRTC",
          .home = "CUDA_HOME",
          .usual_home = "/usr/local/cuda",
          .compiler_files = {"libnvrtc.so.13", "libnvrtc.so.12", "/lib64/libnvrtc.so.13", "/lib64/libnvrtc.so.12",
                             "/lib64/libnvrtc.so", "libnvrtc.so"},
          .driver_files = {"libcuda.so.1", "libcuda.so"},
          .prefix = "nvrtc",
          .code = "CUBIN",
          .architecture = "-arch=",
          .options = {"-std=c++20", "-default-device", "-DNDEBUG", "--diag-suppress=20208"},
          .include = {"/include/cccl", "/include"},
          .headers = {"array", "cmath", "concepts", "cstddef", "cstdint", "cstring", "limits", "type_traits",
                      "utility"},  // those that the library's headers for devices include
          .before_header = "#pragma once\n#include <cuda/std/",
          .after_header = ">\nnamespace std { using namespace cuda::std; }\n",
          .first_lines = "",
          .device = "sumfac::detail::cuda_device",
          .init = "cuInit",
          .get = "cuDeviceGet",
          .retain = "cuDevicePrimaryCtxRetain",
          .release = "cuDevicePrimaryCtxRelease_v2",
          .use = "cuCtxSetCurrent",
          .allocate = "cuMemAlloc_v2",
          .free = "cuMemFree_v2",
          .to_device = "cuMemcpyHtoD_v2",
          .to_host = "cuMemcpyDtoH_v2",
          .copy = "cuMemcpyAsync",
          .synchronize = "cuStreamSynchronize",
          .load = "cuModuleLoadData",
          .unload = "cuModuleUnload",
          .function = "cuModuleGetFunction",
          .scratch = "cuFuncSetAttribute",
          .launch = "cuLaunchKernel",
          .architecture_of = architecture_of_nvidia,
          .text_of = text_of_nvidia};
}

// hipRTC, a library of its own or, up to ROCm 6, also part of HIP's, and HIP's.
//
// hipRTC has some of the standard's names built in, which the standard's headers declare anew: those are renamed while
// it reads them, and the headers found are the system's, as they are hipcc's.
inline platform amd_platform()
{
  return {.compiler = "hipRTC",
          .home = "ROCM_PATH",
          .usual_home = "/opt/rocm",
          .compiler_files = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libamdhip64.so.6",
                             "libamdhip64.so.5", "/lib/libhiprtc.so", "/lib/libamdhip64.so", "libhiprtc.so"},
          .driver_files = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "/lib/libamdhip64.so",
                           "libamdhip64.so"},
          .prefix = "hiprtc",
          .code = "Code",
          .architecture = "--offload-arch=",
          .options = {"-std=c++20", "-DNDEBUG", "-w", "-Dstd=hiprtc_std", "-Dint64_t=hiprtc_int64_t",
                      "-Duint64_t=hiprtc_uint64_t"},
          .include = {},
          .headers = {},
          .before_header = "",
          .after_header = "",
          .first_lines = "#undef std\n#undef int64_t\n#undef uint64_t\n",
          .device = "sumfac::detail::hip_device",
          .init = "hipInit",
          .get = "hipDeviceGet",
          .retain = nullptr,
          .release = nullptr,
          .use = "hipSetDevice",
          .allocate = "hipMalloc",
          .free = "hipFree",
          .to_device = "hipMemcpyHtoD",
          .to_host = "hipMemcpyDtoH",
          .copy = "hipMemcpyAsync",
          .synchronize = "hipStreamSynchronize",
          .load = "hipModuleLoadData",
          .unload = "hipModuleUnload",
          .function = "hipModuleGetFunction",
          .scratch = nullptr,
          .launch = "hipModuleLaunchKernel",
          .architecture_of = architecture_of_amd,
          .text_of = text_of_amd};
}

// Names of files as they are, and those that begin with / in the toolkit.
inline words in_toolkit(words files, std::string const& toolkit)
{
  for (auto& file : files)
    if (file.rfind('/', 0) == 0) file.insert(0, toolkit);
  return files;
}

}  // namespace sumfac::jit::detail
