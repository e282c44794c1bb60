// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Work on a device that comes again: iterations between two looks, launched one by one or as a graph; a
// preconditioner, which becomes a graph by itself.
#pragma once

#include <sumfac/backend/detail/graphs.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The first iterations are launched as they are, so that all kernels are loaded and lists made before a capture.
template <class Backend>
class batches {
public:
  batches(char const* solver, Backend const& backend, cg_options const& options)
      : solver_(solver), backend_(backend), options_(options)
  {
  }

  // Iterations until the next look.
  index_t size() const { return iterations_of_look<Backend>(options_.check_every); }

  // Queues `count` iterations.
  template <class Iterate>
  void run(index_t count, Iterate const& iterate)
  {
    auto const queue = [&] {
      for (index_t i = 0; i < count; ++i) iterate();
    };
    if constexpr (graphs_of<Backend>::exist) {
      if (options_.graph && ready_ && count == size()) {
        if (!has_graph_) capture(queue);
        return graph_->launch();
      }
      ready_ = true;
    }
    queue();
  }

private:
  using graph = typename graphs_of<Backend>::type;

  template <class Queue>
  void capture(Queue const& queue)
  {
    try {
      graph_ = own_pointer<graph>(new graph(backend_, queue));
      has_graph_ = true;
    } catch (backend_error const& e) {
      throw_text<backend_error>(
          "sumfac::%s: the iterations cannot become a graph (options.graph is set; %s): the matrix and "
          "the preconditioner must neither wait nor allocate; solve without options.graph",
          solver_, e.what());
    }
  }

  char const* solver_;
  Backend const& backend_;
  cg_options const& options_;
  bool ready_ = false;
  bool has_graph_ = false;
  own_pointer<graph> graph_;
};

// Whether what is called T, a smoother say, neither waits for a device nor allocates but when it is called first: its
// `only_queues` says so.
template <class T>
inline constexpr bool only_queues = false;
template <class T>
  requires requires { T::only_queues; }
inline constexpr bool only_queues<T> = T::only_queues;

// What is queued for two vectors, the same every time: as a graph from the third time on that these are the same,
// unless a graph is being made of what is around it; one by one where there are no graphs, or the stream does not allow
// any.
template <class Backend>
class repeated_work {
public:
  repeated_work(Backend const& backend, bool as_graph) : backend_(backend), as_graph_(as_graph) {}

  template <class Queue>
  void run(void const* from, void const* to, Queue const& queue) const
  {
    if constexpr (graphs_of<Backend>::exist) {
      if (as_graph_ && graphs_of<Backend>::can_begin(backend_)) {
        bool const again = from == from_ && to == to_;
        if (!again) graph_ = {};
        from_ = from, to_ = to;
        if (again && graph_.empty() && !capture(queue)) return queue();
        if (again) return graph_->launch();
      }
    }
    queue();
  }
  // What is queued has changed.
  void forget() const
  {
    graph_ = {};
    from_ = to_ = nullptr;
  }

private:
  using graph = typename graphs_of<Backend>::type;

  template <class Queue>
  bool capture(Queue const& queue) const
  {
    try {
      graph_ = own_pointer<graph>(new graph(backend_, queue));
    } catch (backend_error const&) {
      as_graph_ = false;
    }
    return as_graph_;
  }

  Backend backend_;
  mutable bool as_graph_;
  mutable own_pointer<graph> graph_;
  mutable void const *from_ = nullptr, *to_ = nullptr;
};

// Refuses a graph of a stream that cannot be captured, or that the matrix does not work on, and of several processes.
template <class Backend, class Matrix>
void check_graph(char const* solver, pass_runner<Backend> const& passes, Matrix const& a)
{
  if (is_device<Backend> && passes.host_waits())
    failf(solver,
          "options.graph is set and sums are those of several processes, for which the host waits in each "
          "iteration: solve without it, or with a halo whose sums and entries stay on devices, sumfac::nccl::halo");
  [[maybe_unused]] Backend const& backend = passes.backend();
  if constexpr (!graphs_of<Backend>::exist) {
    if constexpr (is_device<Backend>)
      failf(solver, "options.graph is set and the backend has no graphs (cuda and hip have): solve without it");
  } else {
    if (backend.stream() == typename Backend::stream_type{})
      failf(solver,
            "options.graph is set and the stream is the default one, which cannot be captured (stream 0, one "
            "of your own expected): make the backend of a stream, sumfac::%s(stream)",
            Backend::runtime::name);
    if constexpr (requires { a.backend().stream() == backend.stream(); })
      if (!(a.backend().stream() == backend.stream()))
        failf(solver,
              "options.graph is set and the matrix works on another stream than the workspace (%p, %p): make "
              "both of one backend",
              static_cast<void const*>(a.backend().stream()), static_cast<void const*>(backend.stream()));
  }
}

}  // namespace sumfac::detail
