// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A halo of a user's own, around another: what was called when, and what had been written of a vector by then.
#pragma once

#include <sumfac/dofs/halo.hpp>
#include <sumfac/interop/mpi.hpp>

#include <string>
#include <vector>

// The calls of exchanges, a letter each: u and U begin and end an update, a and A an addition, i and b are the work on
// the interior and on the boundary. Of a vector y, whether its first entry had been written at U and a, and whether
// work between a and A has changed its sum.
struct watch {
  static constexpr double untouched = 12345;

  void look_at(std::vector<double> const& of)
  {
    *this = {};
    y = &of;
  }
  bool written() const { return y != nullptr && !y->empty() && y->front() != untouched; }
  double sum() const
  {
    double s = 0;
    if (y != nullptr)
      for (double const x : *y) s += x;
    return s;
  }
  // Whether y was worked on while ghosts came, as it is asked for. A process without entries has no work.
  bool is_beside(sumfac::overlap overlap) const
  {
    return y->empty() || (at_update == (overlap != sumfac::overlap::none) && at_add);
  }

  std::vector<double> const* y = nullptr;
  std::string calls;
  bool at_update = false, at_add = false, changed_behind = false;
  double sum_before = 0;
};

inline std::string calls_of(sumfac::overlap overlap)
{
  return overlap == sumfac::overlap::none ? "uUibaA" : overlap == sumfac::overlap::update ? "uiUbaA" : "uiUbaiA";
}

template <class Scalar, class Backend>
struct watched_exchange;

struct watched_halo {
  template <class Scalar, class Backend>
  using exchange = watched_exchange<Scalar, Backend>;

  sumfac::index_t owned() const { return of.owned(); }
  sumfac::index_t ghosts() const { return of.ghosts(); }
  sumfac::reduction reduction() const { return of.reduction(); }
  void agree(char const* where, char const* problem) const { of.agree(where, problem); }

  sumfac::mpi::halo const& of;
  watch& seen;
};

template <class Scalar, class Backend>
struct watched_exchange {
  watched_exchange(watched_halo const& halo, Backend const& backend, int components, sumfac::interleaving lie)
      : of(halo.of, backend, components, lie), seen(halo.seen)
  {
  }
  void begin_update(Scalar const* x, Scalar* ghosts) { seen.calls += 'u', of.begin_update(x, ghosts); }
  void end_update(Scalar const* x, Scalar* ghosts)
  {
    seen.calls += 'U', seen.at_update = seen.written();
    of.end_update(x, ghosts);
  }
  void begin_add(Scalar const* ghosts, Scalar* y)
  {
    seen.calls += 'a', seen.at_add = seen.written();
    of.begin_add(ghosts, y);
  }
  void end_add(Scalar const* ghosts, Scalar* y) { seen.calls += 'A', of.end_add(ghosts, y); }
  void progress() { of.progress(); }
  void begins(sumfac::elements_at part)
  {
    seen.calls += part == sumfac::elements_at::interior ? 'i' : 'b';
    seen.sum_before = seen.sum();
  }
  void ends(sumfac::elements_at)
  {
    bool const behind = seen.calls.find('a') != std::string::npos;
    seen.changed_behind = seen.changed_behind || (behind && seen.sum() != seen.sum_before);
  }

  sumfac::mpi::node_exchange<Scalar, Backend> of;
  watch& seen;
};
