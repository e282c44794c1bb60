// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of multigrid: element operators of falling degree and on the meshes that a mesh was refined from, each with
// its restriction.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/field.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/transfer.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Whether a level's functions jump between elements; levels of a user's own need not say.
template <class Level>
constexpr bool has_jumps()
{
  if constexpr (requires { Level::discontinuous; })
    return Level::discontinuous;
  else
    return false;
}

// Elements of a level; those of a level whose functions jump have components for themselves in its restriction.
template <class Level>
index_t elements_of_level(Level const& level)
{
  if constexpr (has_jumps<Level>())
    return level.elements();
  else
    return level.restriction().elements();
}

// The space of an operator's functions, as transfer<Fine, Coarse> takes it: a number on hexahedra.
template <class Operator>
constexpr auto space_of_operator()
{
  constexpr space of = space_of<Operator::options::space>;
  constexpr bool by_number = Operator::directions == 3 && Operator::placement == node_placement::gauss_lobatto;
  if constexpr (!is_tensor(of))
    return of;
  else if constexpr (by_number)
    return Operator::order;
  else
    return space(Operator::order, Operator::directions, Operator::coordinates, Operator::placement);
}

// An operator, and the memory of its form's coefficients where that is not a user's.
template <class Operator>
struct own_operator {
  // Its weak form's parameters become those of the form that it was made of.
  void take_parameters() const
  {
    if constexpr (requires { at->form().take_parameters(*of); })
      if (of != nullptr) at->form().take_parameters(*of);
  }

  level_data<typename Operator::backend_type> data{};
  own_pointer<Operator> at{};
  typename Operator::form_type const* of = nullptr;  // where that lives as long
};

}  // namespace detail

// A matrix of multigrid: an element operator and its restriction, of a mesh in parts with a halo, as a global_operator
// has them. It refers to them, or owns them.
template <class Operator, class Halo = whole>
class level {
public:
  using operator_type = Operator;
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using restriction_type = sumfac::restriction<scalar_type, backend_type>;
  using matrix_type = global_operator<Operator, restriction_type, Halo>;
  static constexpr int order = Operator::order;
  static constexpr auto space = detail::space_of_operator<Operator>();  // as transfer takes it
  static constexpr bool discontinuous = false;                          // whether its functions are

  // Refers to both, which must live as long.
  level(Operator const& a, restriction_type const& r)
    requires detail::is_whole<Halo>
      : own_matrix_(new matrix_type(a, r)), matrix_(&*own_matrix_)
  {
  }
  // Refers to the matrix, which must live as long.
  explicit level(matrix_type const& a) : matrix_(&a) {}
  explicit level(matrix_type const&&) = delete;
  // Owns what is made by new; refers to the halo, where the pointer to an own one is empty. In parts a matrix is told
  // besides which elements wait for ghosts: as in the levels above, so that transfers have their parts of both.
  template <class... Parts>
  level(detail::own_operator<Operator> a, detail::own_pointer<restriction_type const> r,
        detail::own_pointer<Halo const> own_halo, Parts const&... halo_and_cut)
      : own_operator_(std::move(a)),
        own_restriction_(std::move(r)),
        own_halo_(std::move(own_halo)),
        own_matrix_(new matrix_type(*own_operator_.at, *own_restriction_, halo_and_cut...)),
        matrix_(&*own_matrix_)
  {
  }

  matrix_type const& matrix() const { return *matrix_; }
  Operator const& element_operator() const { return matrix_->element_operator(); }
  restriction_type const& restriction() const { return matrix_->restriction(); }
  decltype(auto) halo() const { return detail::halo_of(*matrix_); }
  auto const& part() const  // in parts, what transfers share with the matrix
    requires(!detail::is_whole<Halo>)
  {
    return matrix_->part();
  }
  backend_type const& backend() const { return matrix_->backend(); }
  index_t size() const { return matrix_->size(); }

  // Gives an operator of its own what its form reads; a user's has it by its own linearize().
  template <class... Fields>
  void linearize(Fields const&... fields) const
  {
    if (!own_operator_.at.empty()) own_operator_.at->linearize(fields...);
  }
  // Gives one of its own the parameters that the operator has which it was made of.
  void take_parameters() const { own_operator_.take_parameters(); }
  // Jacobi's preconditioner of its matrix.
  jacobi<scalar_type, backend_type> make_jacobi() const { return jacobi<scalar_type, backend_type>(*matrix_); }
  // From a coarser level to this one, where `coarse` is its restriction in this level's numbers. Where that is one of a
  // mesh that this level's was refined from, `fine` is children(restriction()).
  template <class Coarser>
  auto make_transfer(Coarser const& next, restriction_type const& coarse) const
  {
    return transfer_between<space>(restriction(), next, coarse);
  }
  template <class Coarser>
  auto make_transfer_of_children(restriction_type const& fine, Coarser const& next) const
  {
    return transfer_between<children(space)>(fine, next, next.restriction());
  }

private:
  template <auto Fine, class Coarser>
  auto transfer_between(restriction_type const& fine, [[maybe_unused]] Coarser const& next,
                        restriction_type const& coarse) const
  {
    using made = transfer<Fine, Coarser::space, scalar_type, backend_type, Halo>;
    if constexpr (detail::is_whole<Halo>) {
      return made(fine, coarse);
    } else {
      using part_type = detail::mesh_part<scalar_type, backend_type, Halo>;
      part_type const* const fine_part = &fine == &restriction() ? &part() : nullptr;
      part_type const* coarse_part = nullptr;
      if constexpr (std::is_same_v<typename Coarser::scalar_type, scalar_type>)
        if (&coarse == &next.restriction()) coarse_part = &next.part();
      return made(fine, halo(), fine_part, coarse, next.halo(), coarse_part, matrix().options());
    }
  }

  detail::own_operator<Operator> own_operator_;
  detail::own_pointer<restriction_type const> own_restriction_;
  detail::own_pointer<Halo const> own_halo_;
  detail::own_pointer<matrix_type const> own_matrix_;
  matrix_type const* matrix_;
};

template <class Operator, class Restriction>
level(Operator const&, Restriction const&) -> level<Operator>;
template <class Operator, class Restriction, class Halo>
level(global_operator<Operator, Restriction, Halo> const&) -> level<Operator, Halo>;

// A level of the same degree as the one before, on the mesh that the former's was refined from. children() is the
// former's restriction on this one's elements.
template <class Level>
class level_of_mesh : public Level {
public:
  using typename Level::restriction_type;

  level_of_mesh(detail::own_pointer<restriction_type const> of_finer, Level&& here)
      : Level(std::move(here)), children_(std::move(of_finer))
  {
  }

  restriction_type const& children() const { return *children_; }

private:
  detail::own_pointer<restriction_type const> children_;
};

namespace detail {

// What a level is on any mesh, and whether it says that its mesh is coarser than that of the one before.
template <class Level>
struct on_any_mesh {
  using type = Level;
  static constexpr bool is_coarser = false;
};
template <class Level>
struct on_any_mesh<level_of_mesh<Level>> {
  using type = Level;
  static constexpr bool is_coarser = true;
};
template <class Level>
auto const& plain_level(Level const& level)
{
  return static_cast<typename on_any_mesh<Level>::type const&>(level);
}
// Level Index of levels so.
template <class Levels, int Index>
using level_at = typename on_any_mesh<typename Levels::template level_type<Index>>::type;
template <class Levels, int Index>
inline constexpr bool is_on_coarser_mesh = on_any_mesh<typename Levels::template level_type<Index>>::is_coarser;

// The levels from one on, each in front of the coarser ones.
template <class... Levels>
struct level_chain {};
template <class First, class... Rest>
struct level_chain<First, Rest...> {
  First first;
  level_chain<Rest...> rest;

  explicit level_chain(First&& finer, Rest&&... coarser) : first(std::move(finer)), rest(std::move(coarser)...) {}

  template <int Index>
  auto const& at() const
  {
    if constexpr (Index == 0)
      return first;
    else
      return rest.template at<Index - 1>();
  }
};

}  // namespace detail

// Levels from the finest to the coarsest, as p_levels makes them or one by one: levels{level{A4, R4}, level{A2, R2}}.
//
// **Errors** argument_error for levels of different numbers of elements, but where the mesh is a coarser one; degrees
// that do not fall do not compile.
template <class... Levels>
class levels {
public:
  static constexpr int count = sizeof...(Levels);
  static constexpr bool on_meshes = false;  // whether more of them follow, as many as there are coarser meshes
  template <int Index>
  using level_type = std::remove_cvref_t<decltype(std::declval<detail::level_chain<Levels...>>().template at<Index>())>;
  static_assert(count >= 1, "sumfac::levels: there are none");

  explicit levels(Levels&&... in_order) : all_(std::move(in_order)...) { check_numbers<1>(); }

  template <int Index>
  level_type<Index> const& at() const
  {
    return all_.template at<Index>();
  }
  level_type<0> const& finest() const { return at<0>(); }
  level_type<count - 1> const& coarsest() const { return at<count - 1>(); }

  // Takes the numbers in front of the parts of a sum that p_levels was called with, and the parameters that the weak
  // forms of the operators have which levels were made of.
  void take_scales() const { take_scales_from<0>(); }

private:
  template <int Index>
  void take_scales_from() const
  {
    if constexpr (Index < count) {
      if constexpr (requires { at<Index>().take_scales(); }) at<Index>().take_scales();
      if constexpr (requires { at<Index>().take_parameters(); }) at<Index>().take_parameters();
      take_scales_from<Index + 1>();
    }
  }
  static constexpr bool fall()
  {
    int const orders[] = {Levels::order...}, jump[] = {detail::has_jumps<Levels>()...};
    bool const coarser[] = {detail::on_any_mesh<Levels>::is_coarser...};
    for (int i = 1; i < count; ++i)
      if (orders[i] >= orders[i - 1] + (coarser[i] || jump[i - 1] > jump[i])) return false;
    return true;
  }
  static_assert(fall(), "sumfac::levels: the degrees must fall, as in p_levels<7, 4, 2, 1>");

  template <int Index>
  void check_numbers() const
  {
    if constexpr (Index < count) {
      if constexpr (detail::on_any_mesh<level_type<Index>>::is_coarser)
        check_equal("levels", "number of elements of a coarser mesh", at<Index>().children().elements(),
                    at<Index>().element_operator().elements());
      else
        check_equal("levels", "number of elements of a coarser level", detail::elements_of_level(at<Index - 1>()),
                    detail::elements_of_level(at<Index>()));
      check_numbers<Index + 1>();
    }
  }

  detail::level_chain<Levels...> all_;
};

// Levels, and behind the last of them the same degree on coarser and coarser meshes, as p_levels makes them.
//
// **Errors** argument_error for a mesh whose elements are not those that the one before was cut from.
template <class... Levels>
class mesh_levels : public levels<Levels...> {
public:
  static constexpr bool on_meshes = true;
  using last_type = detail::level_at<levels<Levels...>, levels<Levels...>::count - 1>;

  mesh_levels(levels<Levels...>&& of_degrees, std::vector<level_of_mesh<last_type>>&& of_meshes)
      : levels<Levels...>(std::move(of_degrees)), meshes_(std::move(of_meshes))
  {
    for (auto const& one : meshes_)
      check_equal("levels", "number of elements of a coarser mesh", one.children().elements(),
                  one.element_operator().elements());
  }

  // The last one in front of those of coarser meshes, and these from the finest on.
  last_type const& last() const { return levels<Levels...>::coarsest(); }
  std::vector<level_of_mesh<last_type>> const& meshes() const { return meshes_; }
  last_type const& coarsest() const { return meshes_.empty() ? last() : meshes_.back(); }

  void take_scales() const
  {
    levels<Levels...>::take_scales();
    for (auto const& one : meshes_) one.take_parameters();  // each the one's before
  }

private:
  std::vector<level_of_mesh<last_type>> meshes_;
};

}  // namespace sumfac
