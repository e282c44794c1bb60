// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What makes the transfer between a level and the next coarser one.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// To a level of another degree, in whose numbers this one may not be.
template <class Level, class Next>
class degree_transfer {
  using scalar = typename Level::scalar_type;
  using restriction_type = typename Level::restriction_type;

public:
  degree_transfer(Level const& level, Next const& next) : level_(level), next_(next)
  {
    if constexpr (rounds) rounded_ = restriction_in<scalar>(next.restriction());
  }
  auto make() const
  {
    if constexpr (rounds)
      return level_.make_transfer(next_, *rounded_);
    else
      return level_.make_transfer(next_, next_.restriction());
  }

private:
  // Whether the next level is in other numbers; it then has a restriction in these, and vectors are rounded.
  static constexpr bool rounds = !std::is_same_v<scalar, typename Next::scalar_type>;

  Level const& level_;
  Next const& next_;
  own_pointer<restriction_type const> rounded_;
};

// To the same degree on the mesh that this one's was cut from.
template <class Level>
class mesh_transfer {
public:
  mesh_transfer(Level const& level, level_of_mesh<Level> const& next) : level_(level), next_(next) {}
  auto make() const { return level_.make_transfer_of_children(next_.children(), next_); }

private:
  Level const& level_;
  level_of_mesh<Level> const& next_;
};

// From level Index of levels to the next one.
template <class Levels, int Index>
using next_transfer = std::conditional_t<is_on_coarser_mesh<Levels, Index + 1>, mesh_transfer<level_at<Levels, Index>>,
                                         degree_transfer<level_at<Levels, Index>, level_at<Levels, Index + 1>>>;

}  // namespace sumfac::detail
