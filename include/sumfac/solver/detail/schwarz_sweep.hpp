// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The sweep of additive Schwarz: modes of all subdomains, and what their inverses make of a vector.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/schwarz_kernel.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Modes in the backend's memory, in numbers of Scalar; Nodes1d are those of a subdomain.
template <class Scalar, class Backend, int Nodes1d, int Overlap, int Directions, int Components>
class schwarz_sweep {
public:
  static constexpr int width = runs_on_host<Backend> ? native_width<Scalar> : 1;

  // `tracked` components have modes of their own: one, or all.
  template <class Modes>
  void set(Backend const& backend, index_t elements, Modes const& modes, int tracked)
  {
    tracked_ = tracked;
    index_t const groups = (elements + width - 1) / width;
    index_t const numbers = groups * width * tracked * mode_places<Nodes1d, Directions>::size;
    if constexpr (is_device<Backend>) {
      own_vector<Scalar> made(static_cast<std::size_t>(numbers));
      modes.template write<Scalar, width>(host_of(backend), tracked, made.data());
      modes_ = upload<Scalar>(backend, made);
    } else {
      modes_ = make_memory<Scalar>(backend, numbers);
      modes.template write<Scalar, width>(host_of(backend), tracked, modes_.data());
    }
  }

  // y = the sums over subdomains, then the body; or, by sweep_mode::add and without a body, y + these sums. The
  // restriction is to the subdomains' nodes, of some of the elements.
  template <class... Body>
  void run(restriction<Scalar, Backend> const& r, Scalar const* x, Scalar* y, sweep_mode mode,
           pass_runner<Backend> const& passes, Body const&... body) const
  {
    auto const& storage = r.storage();
    auto const rows = mode == sweep_mode::write ? row_action::zero : row_action::none;
    if constexpr (runs_on_host<Backend>) {
      auto const lanes = storage.lanes(x, y);
      storage.sweep(
          x, y, mode, rows, [&](index_t const* group, index_t const* last, auto const&) { solve(lanes, group, last); },
          hooked_pass<Body>{body, x, y}...);
    } else {
      using kernel = schwarz_kernel<Scalar, Nodes1d, Overlap, Directions>;
      kernel const k{storage.table(mode), modes_.data(), x, y, Components, tracked_};
      storage.sweep(kernel::elements, nullptr, y, mode, rows, kernel_launcher(r.backend(), k));
      (passes.run(r.size(), body), ...);
    }
  }

private:
  template <class Lanes>
  void solve(Lanes const& lanes, index_t const* group, index_t const* last) const
  {
    using subdomain = subdomain_places<Nodes1d, Overlap, Directions>;
    using team = host::team<schwarz_kernel<Scalar, Nodes1d, Overlap, Directions>>;
    using packed = typename team::scalar;
    constexpr index_t nodes = subdomain::box.all(), numbers = mode_places<Nodes1d, Directions>::size;
    auto* const u = static_cast<packed*>(thread_scratch(static_cast<std::size_t>(Components * nodes) * sizeof(packed)));
    for (; group != last; ++group) {
      lanes.template gather<Nodes1d, Components, Directions>(*group, u);
      for (int c = 0; c < Components; ++c) {
        index_t const at = *group * tracked_ + (tracked_ > 1 ? c : 0);
        using modes_type = modes_in_memory<packed, Nodes1d, Directions>;
        modes_type const modes{modes_.data() + at * numbers * packed::width};
        numbers_in_cube<Nodes1d, packed> const own{u + c * nodes};
        subdomain::clear(own.first);
        solve_subdomains<Nodes1d, Directions>(team{}, same_modes<modes_type>{modes}, own, own, own);
        subdomain::clear(own.first);
      }
      lanes.template add<Nodes1d, Components, Directions>(*group, u);
    }
  }

  int tracked_ = 1;
  memory_of<Scalar, Backend> modes_;
};

// z = weights * z, and r where there is no subdomain.
template <class Number>
struct schwarz_end {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const* weights;  // null where they are 1
  Number const* alone;    // null where it is 0
  Number const* r;
  Number* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T x = times(weights, i, load<T>(z + i));
    if (alone != nullptr) x = fma(load<T>(alone + i), load<T>(r + i), x);
    store(x, z + i);
  }
};

// What entries of r and z are multiplied by, and where z is r over the rows' number.
template <class Scalar, class Backend>
struct schwarz_factors {
  memory_of<Scalar, Backend> before, after;  // weights, empty where they are 1
  memory_of<Scalar, Backend> alone;          // not 0 at entries of no subdomain, empty where there are none
  memory_of<Scalar, Backend> work;           // room for r times weights

  // count(entry) is how many subdomains have one. `weights` is that of sumfac::schwarz_weights, `rows` what the matrix
  // has at entries of none.
  template <class Weights, class Count>
  void set(Backend const& backend, index_t size, Weights weights, constrained_rows const& rows, Count const& count)
  {
    Scalar const alone_there = rows == constrained_rows::zero ? Scalar(1) : static_cast<Scalar>(1 / rows.value);
    own_vector<Scalar> share(static_cast<std::size_t>(size), Scalar(1)), lone = share;
    bool any = false;
    for (index_t i = 0; i < size; ++i) {
      double const met = count(i), part = met > 1 ? 1 / met : 1;
      lone[static_cast<std::size_t>(i)] = met > 0 ? Scalar(0) : alone_there;
      any = any || !(met > 0);
      share[static_cast<std::size_t>(i)] =
          static_cast<Scalar>(weights == Weights::symmetric ? __builtin_sqrt(part) : part);
    }
    if (any) alone = upload<Scalar>(backend, lone);
    if (weights == Weights::before || weights == Weights::symmetric) {
      before = upload<Scalar>(backend, share);
      work = make_memory<Scalar>(backend, size);
    }
    if (weights == Weights::after || weights == Weights::symmetric) after = upload<Scalar>(backend, share);
  }

  // r times the weights, where it has some.
  Scalar const* weighted(pass_runner<Backend> const& passes, index_t size, Scalar const* r)
  {
    if (before.size() == 0) return r;
    passes.run(size, multiply_body<Scalar>{before.data(), r, work.data()});
    return work.data();
  }
  schwarz_end<Scalar> end(Scalar const* r, Scalar* z) const { return {after.data(), alone.data(), r, z}; }
};

}  // namespace sumfac::detail
