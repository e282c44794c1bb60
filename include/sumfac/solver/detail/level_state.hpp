// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The function that the forms of levels read, as a tangent its state, carried down from the finest level.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/operator/field.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/transfer.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// On one level: a vector, and the restriction that it is read through, the level's own or that without its marks.
template <class Level>
class level_state {
  using scalar = typename Level::scalar_type;
  using restriction_type = typename Level::restriction_type;

public:
  level_state(Level const& level, bool is_free)
      : own_(is_free ? new restriction_type(level.restriction().unconstrained()) : nullptr),
        restriction_(is_free ? &*own_ : &level.restriction()),
        u_(make_memory<scalar>(level.backend(), level.size()))
  {
  }

  restriction_type const& restriction() const { return *restriction_; }
  auto vector() { return view<scalar, dextents<1>>(u_.data(), restriction_->size()); }
  auto values() const { return view<scalar const, dextents<1>>(u_.data(), restriction_->size()); }

private:
  own_pointer<restriction_type const> own_;
  restriction_type const* restriction_;
  memory_of<scalar, typename Level::backend_type> u_;
};

// On level I and those below it: interpolated from one to the next, each of which is then linearized.
template <int Index, class Levels>
class state_from {
  using level_type = typename Levels::template level_type<Index>;
  using next_type = typename Levels::template level_type<Index + 1>;
  using transfer_type = sumfac::transfer<level_type::space, next_type::space, typename level_type::scalar_type,
                                         typename level_type::backend_type>;

public:
  state_from(Levels const& levels, bool is_free)
      : here_(levels.template at<Index>(), is_free),
        below_(levels, is_free),
        down_(here_.restriction(), below_.here().restriction())
  {
  }
  level_state<level_type>& here() { return here_; }

  void carry(Levels const& levels)
  {
    levels.template at<Index>().linearize(here_.restriction(), here_.values());
    down_.interpolate(here_.values(), below_.here().vector());
    below_.carry(levels);
  }

private:
  level_state<level_type> here_;
  state_from<Index + 1, Levels> below_;
  transfer_type down_;
};

template <int Index, class Levels>
  requires(Index + 1 == Levels::count)
class state_from<Index, Levels> {
  using level_type = typename Levels::template level_type<Index>;
  using restriction_type = typename level_type::restriction_type;
  static constexpr auto space = level_type::space;

public:
  state_from(Levels const& levels, bool is_free) : here_(levels.template at<Index>(), is_free)
  {
    if constexpr (Levels::on_meshes) {
      auto const* finer = &here_.restriction();
      for (auto const& one : levels.meshes()) {
        meshes_.push_back(own_pointer<on_mesh>(new on_mesh(*finer, one.level, is_free)));
        finer = &meshes_.back()->here.restriction();
      }
    }
  }
  level_state<level_type>& here() { return here_; }

  void carry(Levels const& levels)
  {
    levels.template at<Index>().linearize(here_.restriction(), here_.values());
    if constexpr (Levels::on_meshes) {
      auto finer = here_.values();
      auto level = levels.meshes().begin();
      for (auto const& mesh : meshes_) {
        mesh->down.interpolate(finer, mesh->here.vector());
        finer = mesh->here.values();
        (level++)->level.linearize(mesh->here.restriction(), finer);
      }
    }
  }

private:
  template <class Level>
  struct state_of_mesh {
    state_of_mesh(restriction_type const& finer, Level const& level, bool is_free)
        : parts(children(finer)), here(level, is_free), down(parts, here.restriction())
    {
    }
    restriction_type parts;
    level_state<Level> here;
    sumfac::transfer<children(space), space, typename Level::scalar_type, typename Level::backend_type> down;
  };
  using on_mesh = std::conditional_t<Levels::on_meshes, state_of_mesh<level_type>, char>;

  level_state<level_type> here_;
  std::vector<own_pointer<on_mesh>> meshes_;
};

// Levels whose forms read a function: linearized here, where they are not the user's operator, and again by
// linearize().
template <class Levels>
class levels_with_state : public Levels {
  using scalar = typename Levels::template level_type<0>::scalar_type;

public:
  template <class Field>
  levels_with_state(Levels&& of, Field const& state)
      : Levels(std::move(of)), is_free_(!state.restriction.table().has_marks()), state_(new chain(*this, is_free_))
  {
    linearize(state.restriction, state.values);
  }

  // Of a function on the finest level, read through a restriction with marks as that of the levels, or without.
  template <class Restriction, class Vector>
  void linearize(Restriction const& r, Vector const& vector)
  {
    constexpr auto here = "levels::linearize";
    auto const u = field(r, vector).values;
    auto const& finest = this->finest();
    check_equal(here, "number of entries of the state's restriction", finest.size(), r.size());
    check_extent(here, "u", 0, "entries", finest.size(), u.extent(0));
    if (is_free_ == r.table().has_marks())
      failf(here, "the state's restriction %s marks (that of the levels' first state %s): pass one of that kind",
            is_free_ ? "has" : "has no", is_free_ ? "has none" : "has some");
    own_vector<scalar> values;
    for (auto const number : download(finest.backend(), u.data(), u.extent(0)))
      values.push_back(static_cast<scalar>(number));
    auto const to = state_->here().vector();
    if constexpr (is_device<typename Levels::template level_type<0>::backend_type>) {
      finest.backend().copy(values.data(), to.data(), to.extent(0));
      finest.backend().synchronize();
    } else {
      for (index_t i = 0; i < to.extent(0); ++i) to(i) = values[static_cast<std::size_t>(i)];
    }
    state_->carry(*this);
  }

private:
  using chain = state_from<0, Levels>;

  bool is_free_;
  own_pointer<chain> state_;
};

// A form that reads one function of its own degree and components, as a tangent does.
template <class Operator>
constexpr bool reads_a_state()
{
  constexpr bool reads_one = []<input... Inputs>(reads<Inputs...>) {
    return sizeof...(Inputs) == 1 &&
           ((Inputs.components == Operator::components && (Inputs.order == 0 || Inputs.order == Operator::order)) &&
            ...);
  }(inputs_of<typename Operator::form_type>{});
  static_assert(reads_one,
                "sumfac::p_levels: behind the restriction stands the state of a form that reads one function of its "
                "own degree and components, as sumfac::tangent does; of others make the levels one by one");
  return reads_one;
}

}  // namespace sumfac::detail
