// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Backends, memory, boxes and kernels.
#include "support/fits.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <string>

// A backend of a user's own that has a stream, and nothing that copies to its device.
// expect: sumfac::backend: with stream() it is a device's, and then needs device(), copy(from, to, size), synchronize()
namespace backend_of_own_device {
struct queue : sumfac::host {
#if !defined(SUMFAC_FITS)
  int stream() const { return 0; }
#endif
};

static_assert(sumfac::check_backend<queue>());
}  // namespace backend_of_own_device

// A box without a direction.
// expect: sumfac::box: no extent (at least one is needed) write box<1> for one item
namespace box_empty {
#if defined(SUMFAC_FITS)
sumfac::box<1> test;
#else
sumfac::box<> test;
#endif
}  // namespace box_empty

// A box without an item.
// expect: sumfac::box: an extent is not positive: give every direction an item or more
namespace box_zero {
#if defined(SUMFAC_FITS)
sumfac::box<3, 1> test;
#else
sumfac::box<3, 0> test;
#endif
}  // namespace box_zero

// Memory for objects that bytes cannot copy.
// expect: sumfac::buffer<T>: T must be trivially copyable
namespace buffer_of_objects {
using entry = fitting<char, std::string>;

void* data(sumfac::buffer<entry>& x) { return x.data(); }
}  // namespace buffer_of_objects

// A sweep whose results are written to packs that are gone.
// expect: sumfac::sweep: to(e, c, z, y, x) = number writes nothing, or cannot be said: `to` must return a reference
// errors: 1
namespace sweep_to_values {
struct entries {
  sumfac::pack<double, 2>& first;
  fitting<sumfac::pack<double, 2>&, sumfac::pack<double, 2>> operator()(int, int, int, int, int) const { return first; }
};
struct team {
  using scalar = sumfac::pack<double, 2>;
  template <class Box, class Function>
  void each(Box, Function const& f) const
  {
    f(0, 0, 0, 0);
  }
};

void sweep(sumfac::pack<double, 2>& x)
{
  using table = sumfac::interpolate<double, sumfac::gauss_lobatto<2>, sumfac::gauss<1>>;
  sumfac::sweep<sumfac::axis::x>(team{}, sumfac::box<1, 1, 1, 1>{}, table{}, entries{x}, entries{x});
}
}  // namespace sweep_to_values

// A kernel that takes no group.
// expect: sumfac::kernel: operator()(Team const&, scratch<Team>&, index_t) const cannot be called
namespace kernel_not_callable {
struct kernel {
  template <class Team>
  struct scratch {};

  template <class Team>
#if defined(SUMFAC_FITS)
  void operator()(Team const&, scratch<Team>&, sumfac::index_t) const
#else
  void operator()(Team const&, scratch<Team>&) const
#endif
  {
  }
};

void launch(sumfac::host const& backend) { backend.launch(kernel{}, 1); }
}  // namespace kernel_not_callable

// A team larger than a thread block can be.
// expect: sumfac::kernel: threads is not in 1..1024
namespace kernel_too_many_threads {
struct kernel {
#if defined(SUMFAC_FITS)
  static constexpr int threads = 1024;
#else
  static constexpr int threads = 2048;
#endif

  template <class Team>
  struct scratch {};

  template <class Team>
  void operator()(Team const&, scratch<Team>&, sumfac::index_t) const
  {
  }
};

void launch(sumfac::host const& backend) { backend.launch(kernel{}, 1); }
}  // namespace kernel_too_many_threads

// Scratch for objects, where a GPU has raw memory.
// expect: sumfac::shared: T is not trivially copyable: a GPU has raw memory
namespace shared_of_objects {
struct kernel {
  using entry = fitting<double, std::string>;

  template <class Team>
  struct scratch {
    typename Team::template shared<entry, 4> common;
  };

  template <class Team>
  void operator()(Team const&, scratch<Team>&, sumfac::index_t) const
  {
  }
};

void launch(sumfac::checked const& backend) { backend.launch(kernel{}, 1); }
}  // namespace shared_of_objects
