// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Work that is queued once and launched as often as one likes: a graph of CUDA's or HIP's.
#pragma once

#include <sumfac/backend/detail/graphs.hpp>
#include <sumfac/backend/gpu/backend.hpp>
#include <sumfac/backend/gpu/runtime.hpp>

namespace sumfac::SUMFAC_TARGET {

// What queue() queues on the backend's stream, kept in place of being done; launch() queues it on the same stream, as
// one. The stream must not be the default one; queue() must not wait, and had better have run before.
//
// **Errors** backend_error with the call and the device's own text, or with what queue() threw.
template <class Runtime>
class gpu_graph {
public:
  template <class Queue>
  gpu_graph(gpu<Runtime> const& backend, Queue const& queue) : backend_(backend)
  {
    detail::device_guard<Runtime> const guard(backend.device());
    detail::check_call<Runtime>(Runtime::begin_capture(backend.stream()), "StreamBeginCapture");
    try {
      queue();
    } catch (...) {
      static_cast<void>(Runtime::end_capture(backend.stream(), nullptr));
      static_cast<void>(Runtime::last_error());
      throw;
    }
    detail::check_call<Runtime>(Runtime::end_capture(backend.stream(), &graph_), "GraphInstantiate");
  }
  gpu_graph(gpu_graph const&) = delete;
  gpu_graph& operator=(gpu_graph const&) = delete;
  ~gpu_graph() { static_cast<void>(Runtime::destroy_graph(graph_)); }

  void launch() const
  {
    detail::device_guard<Runtime> const guard(backend_.device());
    detail::check_call<Runtime>(Runtime::launch_graph(graph_, backend_.stream()), "GraphLaunch");
  }

private:
  gpu<Runtime> backend_;
  typename Runtime::graph graph_{};
};

template <class Runtime>
struct detail::graphs_of<gpu<Runtime>> {
  static constexpr bool exist = true;
  using type = gpu_graph<Runtime>;

  // Whether one can be made of the backend's stream: it is not the default one, and none is being made of it.
  static bool can_begin(gpu<Runtime> const& backend)
  {
    if (backend.stream() == typename Runtime::stream{}) return false;
    bool capturing = false;
    device_guard<Runtime> const guard(backend.device());
    check_call<Runtime>(Runtime::is_capturing(backend.stream(), &capturing), "StreamIsCapturing");
    return !capturing;
  }
};

}  // namespace sumfac
