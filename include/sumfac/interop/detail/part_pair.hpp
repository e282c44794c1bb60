// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The parts of a process on two degrees, cut alike: matrices' own where they are, else made.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/interop/distributed.hpp>
#include <sumfac/solver/reduction.hpp>

#include <cstddef>

namespace sumfac::inline SUMFAC_TARGET::detail {

// An element waits that has ghosts on either of both degrees, or waits in a matrix's part.
template <class Scalar, class Backend, class Halo>
class part_pair {
  using part_type = mesh_part<Scalar, Backend, Halo>;
  using restriction_type = restriction<Scalar, Backend>;

public:
  // The parts may be null.
  part_pair(restriction_type const& fine, Halo const& fine_halo, part_type const* fine_part,
            restriction_type const& coarse, Halo const& coarse_halo, part_type const* coarse_part,
            distributed_options const& options)
  {
    element_flags waiting = part_type::cut_type::waiting_of(fine, fine_halo.owned());
    add(part_type::cut_type::waiting_of(coarse, coarse_halo.owned()), waiting);
    if (fine_part != nullptr) add(fine_part->cut().waiting(), waiting);
    // All processes make a part, or none: its exchange is made by all.
    double others[2] = {differs(fine_part, options, waiting), differs(coarse_part, options, waiting)};
    reduction const of_all = fine_halo.reduction();
    if (of_all.add_up != nullptr) of_all.add_up(of_all.context, others, 2);
    if (others[0] > 0) own_fine_ = own_pointer<part_type const>(new part_type(fine, fine_halo, options, waiting));
    if (others[1] > 0)
      own_coarse_ = own_pointer<part_type const>(new part_type(coarse, coarse_halo, options, waiting));
    fine_ = others[0] > 0 ? &*own_fine_ : fine_part;
    coarse_ = others[1] > 0 ? &*own_coarse_ : coarse_part;
  }

  part_type const& fine() const { return *fine_; }
  part_type const& coarse() const { return *coarse_; }

private:
  static void add(element_flags const& more, element_flags& flags)
  {
    for (std::size_t e = 0; e < flags.size(); ++e) flags[e] = flags[e] || more[e];
  }
  static double differs(part_type const* given, distributed_options const& options, element_flags const& waiting)
  {
    if (given == nullptr || given->options().overlap != options.overlap) return 1;
    for (std::size_t e = 0; e < waiting.size(); ++e)
      if (given->cut().waiting()[e] != waiting[e]) return 1;
    return 0;
  }

  own_pointer<part_type const> own_fine_, own_coarse_;
  part_type const *fine_ = nullptr, *coarse_ = nullptr;
};

}  // namespace sumfac::detail
