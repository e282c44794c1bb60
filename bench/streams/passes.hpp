// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The passes over memory that solvers on a mesh are made of, on any backend, and the bytes that each moves.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sumfac::bench {

inline std::vector<std::string> const& vector_passes()
{
  static std::vector<std::string> const names{"copy", "axpy", "norm", "dot", "cg_update", "cg_turn"};
  return names;
}
inline std::vector<std::string> const& mesh_passes()
{
  static std::vector<std::string> const names{"gather", "scatter"};
  return names;
}
inline std::vector<std::string> pass_names()
{
  auto all = vector_passes();
  all.insert(all.end(), mesh_passes().begin(), mesh_passes().end());
  return all;
}

// Entry i of vector k: from -1 to 1, looks random.
inline double stream_number(index_t i, int k) { return sumfac::detail::noise<double>(i, k); }

// Vectors of up to a size in a backend's memory, and what solvers do with them.
template <class Backend>
class vector_streams {
public:
  vector_streams(Backend const& backend, index_t largest)
      : backend_(backend),
        ops_(backend, largest),
        passes_(backend, largest),
        state_(sumfac::detail::upload(backend, one_step())),
        sums_(sumfac::detail::make_memory<double>(backend, sumfac::detail::most_sums))
  {
    for (int k = 0; k < 4; ++k) {
      sumfac::detail::own_vector<double> numbers(static_cast<std::size_t>(largest));
      for (index_t i = 0; i < largest; ++i) numbers[static_cast<std::size_t>(i)] = stream_number(i, k);
      vectors_[static_cast<std::size_t>(k)] = sumfac::detail::upload(backend, numbers);
    }
  }

  static constexpr double step = 1e-9;  // of axpy and the updates: repeated often, numbers stay of their size

  static index_t bytes(std::string const& pass, index_t size)
  {
    index_t const vectors = pass == "norm" ? 1 : pass == "copy" || pass == "dot" ? 2 : pass == "cg_update" ? 6 : 3;
    return vectors * size * index_t{sizeof(double)};
  }

  // Runs or queues the pass on the first `size` entries; what norm and dot return, which wait for it, is 0 of others.
  double run(std::string const& pass, index_t size)
  {
    auto const x = view(data(0), size), y = view(data(1), size);
    if (pass == "copy") return ops_.copy(x, y), 0;
    if (pass == "axpy") return ops_.axpy(step, x, y), 0;
    if (pass == "norm") return ops_.norm(x);
    if (pass == "dot") return ops_.dot(x, y);
    // Of conjugate gradients: x and r a step along p and q, with r.r and r.z; p turned into r + beta p.
    if (pass == "cg_update")
      passes_.run(size, sumfac::detail::cg_advance<double>{state_.data(), data(0), data(1), nullptr, data(2), data(3)},
                  sums_.data());
    else
      passes_.run(size, sumfac::detail::cg_next_direction<double>{state_.data(), data(3), nullptr, data(0)});
    return 0;
  }

  // The first `size` entries of vector k, after all that was queued.
  std::vector<double> numbers(int k, index_t size)
  {
    auto const copied = sumfac::detail::download(backend_, data(k), size);
    return {copied.begin(), copied.end()};
  }

  Backend const& backend() const { return backend_; }

private:
  // What CG knows in the middle of a solve.
  static sumfac::detail::own_vector<sumfac::detail::cg_state> one_step()
  {
    sumfac::detail::own_vector<sumfac::detail::cg_state> state(1);
    state[0] = sumfac::detail::cg_state{};
    state[0].alpha = step, state[0].beta = step;
    return state;
  }

  double* data(int k) { return vectors_[static_cast<std::size_t>(k)].data(); }

  Backend backend_;
  vector_ops<double, Backend> ops_;
  sumfac::detail::pass_runner<Backend> passes_;
  sumfac::detail::memory_of<sumfac::detail::cg_state, Backend> state_;
  sumfac::detail::memory_of<double, Backend> sums_;
  std::array<sumfac::detail::memory_of<double, Backend>, 4> vectors_;
};

// The table of a box of 2^s hexahedra of a degree, plane by plane, as near a cube as powers of two allow.
struct box_of_elements {
  int nodes_1d;
  index_t elements, nodes;
  std::vector<std::int32_t> numbers;

  box_of_elements(int log_elements, int order) : nodes_1d(order + 1), elements(index_t{1} << log_elements)
  {
    index_t side[3] = {1, 1, 1}, points[3];
    for (int s = 0; s < log_elements; ++s) side[s % 3] *= 2;
    for (int d = 0; d < 3; ++d) points[d] = order * side[d] + 1;
    nodes = points[0] * points[1] * points[2];
    for (index_t e = 0; e < elements; ++e) {
      index_t const x = e % side[0] * order, y = e / side[0] % side[1] * order, z = e / (side[0] * side[1]) * order;
      for (index_t k = 0; k <= order; ++k)
        for (index_t j = 0; j <= order; ++j)
          for (index_t i = 0; i <= order; ++i)
            numbers.push_back(static_cast<std::int32_t>(((z + k) * points[1] + y + j) * points[0] + x + i));
    }
  }

  index_t entries() const { return static_cast<index_t>(numbers.size()); }
  auto table() const
  {
    return view<std::int32_t const, dextents<4>>(numbers.data(), elements, nodes_1d, nodes_1d, nodes_1d);
  }
};

// The corners of a box's elements, (E, 2, 2, 2, 3), in the unit cube, bent a little.
inline std::vector<double> corners_of(int log_elements)
{
  index_t side[3] = {1, 1, 1};
  for (int s = 0; s < log_elements; ++s) side[s % 3] *= 2;
  std::vector<double> corners;
  for (index_t e = 0; e < index_t{1} << log_elements; ++e) {
    index_t const at[3] = {e % side[0], e / side[0] % side[1], e / (side[0] * side[1])};
    for (int corner = 0; corner < 8; ++corner) {
      double x[3];
      for (int d = 0; d < 3; ++d) x[d] = double(at[d] + (corner >> d & 1)) / double(side[d]);
      corners.insert(corners.end(), {x[0] + 0.1 * x[1] * x[2], x[1] - 0.1 * x[0] * x[2], x[2] + 0.05 * x[0]});
    }
  }
  return corners;
}

// A global vector and an E-vector on a box, and the ways between them.
template <class Backend>
class mesh_streams {
public:
  mesh_streams(Backend const& backend, box_of_elements const& box)
      : backend_(backend),
        nodes_1d_(box.nodes_1d),
        restriction_(backend, box.table(), box.nodes),
        x_(sumfac::detail::upload(backend, some(box.nodes, 0))),
        u_(sumfac::detail::upload(backend, some(box.entries(), 1)))
  {
  }

  // Of the global vector, the E-vector and a table of 4 bytes an entry, each once.
  index_t bytes() const { return 8 * restriction_.size() + 12 * u_.size(); }
  index_t entries() const { return u_.size(); }

  void run(std::string const& pass)
  {
    auto const x = view(x_.data(), restriction_.size());
    auto const u = view(u_.data(), restriction_.elements(), nodes_1d_, nodes_1d_, nodes_1d_);
    if (pass == "gather")
      restriction_.gather(x, u);
    else
      restriction_.scatter(u, x);
  }

  std::vector<double> global()
  {
    auto const copied = sumfac::detail::download(backend_, x_.data(), x_.size());
    return {copied.begin(), copied.end()};
  }
  std::vector<double> by_element()
  {
    auto const copied = sumfac::detail::download(backend_, u_.data(), u_.size());
    return {copied.begin(), copied.end()};
  }

  Backend const& backend() const { return backend_; }

private:
  static sumfac::detail::own_vector<double> some(index_t size, int k)
  {
    sumfac::detail::own_vector<double> numbers(static_cast<std::size_t>(size));
    for (index_t i = 0; i < size; ++i) numbers[static_cast<std::size_t>(i)] = stream_number(i, k);
    return numbers;
  }

  Backend backend_;
  int nodes_1d_;
  restriction<double, Backend> restriction_;
  sumfac::detail::memory_of<double, Backend> x_, u_;
};

}  // namespace sumfac::bench
