// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of units in a device's memory, launched on one pair of vectors after the other.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/driver.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/detail/loaded.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// A GPU and a stream of it.
struct queue {
  std::shared_ptr<detail::driver const> of;
  void* stream = nullptr;

  // Of a module, by name, and waits for it.
  void run(void* module, char const* name, device_parts parts, unsigned blocks, unsigned threads) const
  {
    void* parameters[] = {&parts};
    of->launch(of->function(module, name), blocks, threads, 0, stream, parameters);
    of->synchronize(stream);
  }
};

// The kernel of a unit. Its parameter is made by the device, and a launch puts into it what is new.
class device_kernel {
public:
  device_kernel() = default;
  device_kernel(queue const& on, loaded_code const& code) : on_(on), from_(code.from)
  {
    on_.of->use();
    module_ = {on_.of->load(code.binary.data()), [of = on_.of](void* loaded) { of->unload(loaded); }};
    facts_memory_ = {on_.of, sizeof facts_};
  }

  origin const& from() const { return from_; }
  device_facts const& facts() const { return facts_; }
  std::shared_ptr<void> const& module() const { return module_; }

  // First how large it is, then it, of parts whose memory is there by then.
  void ask(device_parts parts)
  {
    parts.kernel = nullptr;
    make(parts);
  }
  void make_parameter(device_parts parts)
  {
    parameter_.resize(static_cast<std::size_t>(facts_.kernel_bytes));
    device_memory const kernel(on_.of, parameter_.size());
    parts.kernel = kernel.as<void>();
    make(parts);
    on_.of->to_host(parameter_.data(), kernel.address(), parameter_.size());
    function_ = on_.of->function(module_.get(), "sumfac_jit_apply");
    if (facts_.scratch_bytes > 0) on_.of->allow_scratch(function_, static_cast<int>(facts_.scratch_bytes));
  }

  // Puts something to a place of the parameter.
  template <class T>
  void put(std::int64_t place, T const& what)
  {
    std::memcpy(parameter_.data() + place, &what, sizeof what);
  }
  void launch(void const* u, void* v, index_t groups)
  {
    if (groups == 0) return;
    put(facts_.place_of_u, u);
    put(facts_.place_of_v, v);
    index_t first = 0;
    auto const blocks = static_cast<unsigned>((groups + facts_.teams - 1) / facts_.teams);
    void* parameters[] = {parameter_.data(), &first, &groups};
    on_.of->use();
    on_.of->launch(function_, blocks, static_cast<unsigned>(facts_.threads),
                   static_cast<unsigned>(facts_.scratch_bytes), on_.stream, parameters);
  }

private:
  void make(device_parts parts)
  {
    parts.facts = facts_memory_.as<device_facts>();
    on_.run(module_.get(), "sumfac_jit_make", parts, 1, 1);
    on_.of->to_host(&facts_, facts_memory_.address(), sizeof facts_);
  }

  queue on_;
  origin from_;
  std::shared_ptr<void> module_;
  device_memory facts_memory_;
  device_facts facts_;
  void* function_ = nullptr;
  std::vector<char> parameter_;
};

}  // namespace sumfac::jit::detail
