// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A GPU for operators that are compiled at run time, opened through its maker's driver.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/driver.hpp>
#include <sumfac/jit/detail/platform.hpp>

#include <memory>
#include <string>

namespace sumfac::SUMFAC_TARGET::jit {

// A GPU, by number, and a stream of it.
//
// **Errors** backend_error where its driver is not there, or fails.
class gpu {
public:
  gpu(detail::platform const& of, int device, void* stream)
      : driver_(std::make_shared<detail::driver const>(of, device)), stream_(stream)
  {
  }

  std::string architecture() const { return driver_->architecture(); }
  void* stream() const { return stream_; }
  void synchronize() const
  {
    driver_->use();
    driver_->synchronize(stream_);
  }
  std::shared_ptr<detail::driver const> const& driver() const { return driver_; }
  int device() const { return driver_->device(); }

private:
  std::shared_ptr<detail::driver const> driver_;
  void* stream_;
};

// One of NVIDIA's; the stream is a CUstream or cudaStream_t.
class nvidia : public gpu {
public:
  explicit nvidia(int device = 0, void* stream = nullptr) : gpu(detail::nvidia_platform(), device, stream) {}
};

// One of AMD's; the stream is a hipStream_t.
class amd : public gpu {
public:
  explicit amd(int device = 0, void* stream = nullptr) : gpu(detail::amd_platform(), device, stream) {}
};

}  // namespace sumfac::jit
