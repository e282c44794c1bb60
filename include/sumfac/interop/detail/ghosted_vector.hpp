// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors of owned entries with room for ghosts behind, as a restriction of a part reads and writes them.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/interop/detail/part_cut.hpp>

#include <cstddef>

namespace sumfac::inline SUMFAC_TARGET::detail {

// The entries of owned nodes as solvers have them, then ghosts (ghosts, C). Where components lie side by side, or there
// is one, that is what the restriction takes; else entries are copied to and from a vector of its own.
template <class Scalar, class Backend, class Halo>
class ghosted_vector {
public:
  using restriction_type = restriction<Scalar, Backend>;

  ghosted_vector(restriction_type const& r, Halo const& halo)
      : backend_(r.backend()),
        owned_(halo.owned() * r.components()),
        room_(r.size()),
        exchange_(halo, r.backend(), r.components(), r.options().components_lie)
  {
    if (r.components() == 1 || r.options().components_lie == interleaving::fastest) return;
    own_vector<index_t> from;
    for (index_t i = 0; i < r.size(); ++i) {
      index_t const node = r.node_of(i), c = r.component_of(i), ghost = node - halo.owned();
      from.push_back(ghost < 0 ? c * halo.owned() + node : owned_ + ghost * r.components() + c);
    }
    from_ = upload<index_t>(backend_, from);
    apart_ = make_memory<Scalar>(backend_, room_);
  }

  index_t owned() const { return owned_; }
  index_t room() const { return room_; }

  // What the restriction reads of x, whose ghosts become those of their owners.
  Scalar const* to_read(Scalar* x) const
  {
    exchange_.begin_update(x, x + owned_);
    exchange_.end_update(x, x + owned_);
    if (!is_apart()) return x;
    each_entry(backend_, room_, take_body<Scalar>{x, from_.data(), apart_.data()});
    return apart_.data();
  }
  // Where the restriction writes y, of which gather() then makes the sums of all processes.
  Scalar* to_write(Scalar* y) const { return is_apart() ? apart_.data() : y; }
  void gather(Scalar* y) const
  {
    if (is_apart()) each_entry(backend_, room_, put_body<Scalar>{apart_.data(), from_.data(), y});
    exchange_.begin_add(y + owned_, y);
    exchange_.end_add(y + owned_, y);
  }

private:
  bool is_apart() const { return from_.size() > 0; }

  Backend backend_;
  index_t owned_, room_;
  memory_of<index_t, Backend> from_;
  mutable memory_of<Scalar, Backend> apart_;
  mutable typename Halo::template exchange<Scalar, Backend> exchange_;
};

}  // namespace sumfac::detail
