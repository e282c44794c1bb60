// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions that the forms of levels read, as a tangent its state and others, carried down from the finest level.
#pragma once

#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/level_rows.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/transfer.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// The space of a form's input on a level, as transfer takes it: the level's, but for a degree of its own.
template <class Level, input Input>
constexpr auto space_of_level_input()
{
  constexpr space of_level = space_of<Level::space>;
  if constexpr (Input.order == 0)
    return Level::space;
  else if constexpr (is_tensor(of_level) && of_level.directions == 3)
    return Input.order;
  else
    return space_of_input(of_level, Input.order);
}

// A form's input on one level: a vector, and the restriction that it is read through, one of its own or, where that is
// empty, the level's.
template <class Level, input Input>
class level_input {
  using scalar = typename Level::scalar_type;

public:
  using restriction_type = typename Level::restriction_type;
  static constexpr auto space = space_of_level_input<Level, Input>();
  static constexpr int order = degree_of<space>, nodes_1d = nodes_of_space<space>::size;

  level_input(Level const& level, own_pointer<restriction_type const> own)
      : own_(std::move(own)),
        restriction_(own_.empty() ? &level.restriction() : &*own_),
        values_(make_memory<scalar>(level.backend(), restriction_->size()))
  {
  }

  bool is_own() const { return !own_.empty(); }
  restriction_type const& restriction() const { return *restriction_; }
  auto vector() { return view<scalar, dextents<1>>(values_.data(), restriction_->size()); }
  auto values() const { return view<scalar const, dextents<1>>(values_.data(), restriction_->size()); }
  auto read() const { return field(restriction(), values()); }

private:
  own_pointer<restriction_type const> own_;
  restriction_type const* restriction_;
  memory_of<scalar, typename Level::backend_type> values_;
};

// The restriction of an input's nodes on a level, `coarse` of those of `fine`, with the mesh's equations where that has
// some.
template <class Level, input Input, class Mesh, class Restriction>
auto lower_restriction(Mesh const& mesh, Restriction const& fine, coarse_nodes coarse)
{
  using made = level_input<Level, Input>;
  auto const rows =
      fine.table().has_rows() ? rows_of_level<made::space>(mesh, coarse, fine.components()) : constraints{};
  return restriction_of<typename Level::scalar_type, Level::operator_type::axes>(
      fine, coarse.numbers.data(), made::nodes_1d, coarse.nodes, coarse.marks, rows);
}

// The same on the mesh that a level's was cut from, `parts` being its children().
template <class Level, input Input, class Mesh, class Restriction>
auto restriction_on_coarser(Mesh const& fine_mesh, Restriction const& parts)
{
  auto const& mesh = *fine_mesh.coarser();
  return lower_restriction<Level, Input>(mesh, parts,
                                         nodes_of_mesh(host_of(parts.backend()), fine_mesh, mesh, parts.table(),
                                                       whole{}, level_input<Level, Input>::nodes_1d));
}

// An input on level I and those below it, interpolated from one to the next. In parts that is done within each process:
// it knows the function at all nodes of its elements.
template <int Index, class Levels, input Input>
class input_from {
  using level_type = level_at<Levels, Index>;
  using next_type = level_at<Levels, Index + 1>;
  using here_type = level_input<level_type, Input>;
  using below_type = level_input<next_type, Input>;
  using restriction_type = typename level_type::restriction_type;
  static constexpr bool to_mesh = is_on_coarser_mesh<Levels, Index + 1>,
                        stays = !to_mesh && here_type::order == below_type::order;
  struct copied {};  // the same functions on both levels

  static auto make_transfer([[maybe_unused]] restriction_type const& from, [[maybe_unused]] below_type const& to)
  {
    using scalar = typename level_type::scalar_type;
    using backend = typename level_type::backend_type;
    if constexpr (stays)
      return copied{};
    else if constexpr (to_mesh)
      return sumfac::transfer<children(here_type::space), here_type::space, scalar, backend>(from, to.restriction());
    else
      return sumfac::transfer<here_type::space, below_type::space, scalar, backend>(from, to.restriction());
  }
  // What is interpolated from: on a coarser mesh's elements where the next level is there.
  restriction_type const& from(Levels const& levels) const
  {
    if constexpr (to_mesh)
      return parts_.empty() ? levels.template at<Index + 1>().children() : *parts_;
    else
      return here_.restriction();
  }
  template <class Mesh>
  static own_pointer<restriction_type const> own_parts([[maybe_unused]] Mesh const& mesh, here_type const& here)
  {
    if constexpr (to_mesh)
      if (here.is_own())
        return own_pointer<restriction_type const>(
            new restriction_type(children(here.restriction(), mesh.first_parts())));
    return {};
  }
  template <class Mesh>
  static Mesh const& mesh_below(Mesh const& mesh)
  {
    if constexpr (to_mesh)
      return *mesh.coarser();
    else
      return mesh;
  }

  // The same functions stay in their places, those of nodes of no element, too.
  template <class Mesh>
  static own_pointer<typename next_type::restriction_type const> own_below(
      Mesh const& mesh, here_type const& here, [[maybe_unused]] own_pointer<restriction_type const> const& parts)
  {
    if (!here.is_own()) return {};
    auto const& r = here.restriction();
    if constexpr (stays)
      return restriction_in<typename next_type::scalar_type>(r);
    else if constexpr (to_mesh)
      return restriction_on_coarser<next_type, Input>(mesh, *parts);
    else
      return lower_restriction<next_type, Input>(
          mesh, r, {host_of(r.backend()), r.table(), {space_of<here_type::space>, below_type::order}});
  }

public:
  template <class Mesh>
  input_from(Levels const& levels, Mesh const& mesh, own_pointer<restriction_type const> own)
      : here_(levels.template at<Index>(), std::move(own)),
        parts_(own_parts(mesh, here_)),
        below_(levels, mesh_below(mesh), own_below(mesh, here_, parts_)),
        down_(make_transfer(from(levels), below_.template at<Index + 1>()))
  {
  }

  template <int Which>
  auto& at()
  {
    if constexpr (Which == Index)
      return here_;
    else
      return below_.template at<Which>();
  }
  auto const& on_mesh(std::size_t i) const { return below_.on_mesh(i); }

  void carry(Levels const& levels)
  {
    auto const to = below_.template at<Index + 1>().vector();
    if constexpr (stays)
      copy_entries(levels.finest().backend(), to.extent(0), here_.values().data(), to.data());
    else
      down_.interpolate(here_.values(), to);
    below_.carry(levels);
  }

private:
  here_type here_;
  own_pointer<restriction_type const> parts_;
  input_from<Index + 1, Levels, Input> below_;
  decltype(make_transfer(std::declval<restriction_type const&>(), std::declval<below_type const&>())) down_;
};

template <int Index, class Levels, input Input>
  requires(Index + 1 == Levels::count)
class input_from<Index, Levels, Input> {
  using level_type = level_at<Levels, Index>;
  using here_type = level_input<level_type, Input>;
  using restriction_type = typename level_type::restriction_type;

public:
  template <class Mesh>
  input_from(Levels const& levels, [[maybe_unused]] Mesh const& mesh, own_pointer<restriction_type const> own)
      : here_(levels.template at<Index>(), std::move(own))
  {
    if constexpr (Levels::on_meshes) {
      auto const* finer = &here_.restriction();
      auto const* fine_mesh = &mesh;
      for (auto const& one : levels.meshes()) {
        meshes_.push_back(own_pointer<on_mesh_type>(new on_mesh_type(*finer, *fine_mesh, one, here_.is_own())));
        finer = &meshes_.back()->here.restriction(), fine_mesh = fine_mesh->coarser();
      }
    }
  }

  template <int>
  auto& at()
  {
    return here_;
  }
  auto const& on_mesh(std::size_t i) const { return meshes_[i]->here; }

  void carry(Levels const&)
  {
    if constexpr (Levels::on_meshes) {
      auto finer = here_.values();
      for (auto const& mesh : meshes_) {
        mesh->down.interpolate(finer, mesh->here.vector());
        finer = mesh->here.values();
      }
    }
  }

private:
  template <class Level>
  struct of_mesh {
    template <class Mesh>
    of_mesh(restriction_type const& finer, Mesh const& fine_mesh, level_of_mesh<Level> const& one, bool is_own)
        : parts(is_own ? new restriction_type(children(finer, fine_mesh.first_parts())) : nullptr),
          here(one, is_own ? restriction_on_coarser<Level, Input>(fine_mesh, *parts)
                           : own_pointer<restriction_type const>()),
          down(is_own ? *parts : one.children(), here.restriction())
    {
    }
    own_pointer<restriction_type const> parts;
    level_input<Level, Input> here;
    sumfac::transfer<children(here_type::space), here_type::space, typename Level::scalar_type,
                     typename Level::backend_type>
        down;
  };
  using on_mesh_type = std::conditional_t<Levels::on_meshes, of_mesh<level_type>, here_type>;

  here_type here_;
  std::vector<own_pointer<on_mesh_type>> meshes_;
};

// Levels whose forms read functions: linearized here, where they are not the user's operator, and again by
// linearize().
template <class Levels, input... Inputs>
class levels_with_state : public Levels {
  using finest_type = typename Levels::template level_type<0>;
  using scalar = typename finest_type::scalar_type;
  template <input Input>
  using chain = input_from<0, Levels, Input>;

public:
  // Fields through `r`, that of the finest matrix, are read through the levels' restrictions.
  template <class Mesh, class Restriction, class... Fields>
  levels_with_state(Levels&& of, Mesh const& mesh, Restriction const& r, Fields const&... fields)
      : Levels(std::move(of))
  {
    agree_on_check(halo_of(this->finest().matrix()), "p_levels",
                   [&] { chains_ = std::tuple(make_chain<Inputs>(mesh, r, fields)...); });
    linearize(fields...);
  }

  // Of functions on the finest level, each read through a restriction of the nodes and marks that it had at first.
  template <field_like... Fields>
    requires(sizeof...(Fields) == sizeof...(Inputs))
  void linearize(Fields const&... fields)
  {
    with_chains([&](auto&... chains) {
      agree_on_check(halo_of(this->finest().matrix()), "levels::linearize",
                     [&] { (take(chains->template at<0>(), fields), ...); });
      (chains->carry(*this), ...);
    });
    linearize_from<0>();
  }
  template <class Restriction, class Vector>
    requires(!is_field<Vector>)
  void linearize(Restriction const& r, Vector const& vector)
  {
    linearize(field(r, vector));
  }

private:
  template <class Function>
  void with_chains(Function const& f)
  {
    std::apply([&](auto&... chains) { f(chains...); }, chains_);
  }

  template <input Input, class Mesh, class Restriction, class Field>
  auto make_chain(Mesh const& mesh, Restriction const& r, Field const& one) const
  {
    using restriction_type = typename finest_type::restriction_type;
    using made = level_input<finest_type, Input>;
    constexpr auto here = "p_levels";
    check_equal(here, "number of elements of a field's restriction", r.elements(), one.restriction.elements());
    check_equal(here, "number of nodes per direction of a field's restriction", made::nodes_1d,
                one.restriction.nodes_1d());
    check_equal(here, "number of components of a field's restriction", Input.components, one.restriction.components());
    if (one.restriction.table().has_rows()) check_rows_of<made::space>(mesh, one.restriction);
    own_pointer<restriction_type const> own;
    if (static_cast<void const*>(&one.restriction) != static_cast<void const*>(&r))
      own = restriction_in<scalar>(one.restriction);
    return own_pointer<chain<Input>>(new chain<Input>(*this, mesh, std::move(own)));
  }

  // What the finest level reads: a field's entries.
  template <class Input, class Field>
  void take(Input& to, Field const& from)
  {
    constexpr auto here = "levels::linearize";
    auto const& r = from.restriction;
    check_equal(here, "number of components of the state's restriction", to.restriction().components(), r.components());
    check_equal(here, "number of entries of the state's restriction", to.restriction().size(), r.size());
    if (r.components() > 1)
      check_equal(here, "interleaving of the state's restriction",
                  static_cast<int>(to.restriction().options().components_lie),
                  static_cast<int>(r.options().components_lie));
    check_extent(here, "u", 0, "entries", r.size(), from.values.extent(0));
    auto const &table = to.restriction().table(), &other = r.table();
    for (index_t node = 0; node < table.nodes() && (table.has_marks() || other.has_marks()); ++node)
      for (int c = 0; c < table.components(); ++c) {
        if (bool const has = other.constrained(node, c); has != table.constrained(node, c))
          failf(here,
                "the state's restriction has %s mark or equation at component %d of node %lld, and that of the levels' "
                "first state has %s: pass one with the same marks and constraints",
                has ? "a" : "no", c, static_cast<long long>(node), has ? "none" : "one");
        if (table.has_rows() && !(other.row(node, c) == table.row(node, c)))
          failf(here,
                "the state's restriction has another equation at component %d of node %lld than that of the levels' "
                "first state: pass one with the same constraints",
                c, static_cast<long long>(node));
      }
    auto const& backend = this->finest().backend();
    auto const values = to.vector();
    if constexpr (is_device<typename finest_type::backend_type>) {
      own_vector<scalar> rounded;
      for (auto const number : download(backend, from.values.data(), from.values.extent(0)))
        rounded.push_back(static_cast<scalar>(number));
      backend.copy(rounded.data(), values.data(), values.extent(0));
      backend.synchronize();
    } else {
      for (index_t i = 0; i < values.extent(0); ++i) values(i) = static_cast<scalar>(from.values(i));
    }
  }

  template <int Index>
  void linearize_from()
  {
    with_chains([&](auto&... chains) { this->template at<Index>().linearize(chains->template at<Index>().read()...); });
    if constexpr (Index + 1 < Levels::count)
      linearize_from<Index + 1>();
    else if constexpr (Levels::on_meshes)
      for (std::size_t i = 0; i < this->meshes().size(); ++i)
        with_chains([&](auto&... chains) { this->meshes()[i].linearize(chains->on_mesh(i).read()...); });
  }

  std::tuple<own_pointer<chain<Inputs>>...> chains_;
};

// Whether the forms of levels, the last of them of some degree, may read so many functions.
template <class Inputs, int Fields, int LastOrder>
inline constexpr bool reads_on_levels = false;
template <input... Inputs, int Fields, int LastOrder>
inline constexpr bool reads_on_levels<reads<Inputs...>, Fields, LastOrder> = [] {
  constexpr bool is_all = sizeof...(Inputs) == Fields && Fields > 0, fits = ((Inputs.order <= LastOrder) && ...);
  static_assert(is_all,
                "sumfac::p_levels: behind the restriction stands a field for each function that the form reads, in the "
                "order of its `inputs`, as sumfac::tangent its state and then the form's own");
  static_assert(fits,
                "sumfac::p_levels: the form reads a function of a degree of its own above that of the last level, "
                "whose points are too few: give that input the operator's degree, order 0, or end at a higher degree");
  return is_all && fits;
}();

template <class Levels, input... Inputs, class... Arguments>
auto make_levels_that_read(reads<Inputs...>, Levels&& of, Arguments const&... arguments)
{
  return levels_with_state<Levels, Inputs...>(std::move(of), arguments...);
}

}  // namespace sumfac::detail
