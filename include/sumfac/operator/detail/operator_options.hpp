// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The options of an operator's template: told apart by their kind, by name from then on, and what each must be.
#pragma once

#include <sumfac/basis/cells.hpp>
#include <sumfac/basis/tabulated.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

enum class option_kind { none, points, backend, numbers, geometry, tuning, halo };

// What an option is meant for: by a part of what that needs, so that what is missing is said by operator_promises.
template <class Option>
inline constexpr option_kind kind_of_option = [] {
  if constexpr (std::is_arithmetic_v<Option> || is_precision<Option>)
    return option_kind::numbers;
  else if constexpr (geometry_policy<Option>)
    return option_kind::geometry;
  else if constexpr (requires { typename Option::template exchange<double, host>; })
    return option_kind::halo;
  else if constexpr (
      requires { Option::nodes; } || requires { Option::weights; } || requires { Option::points; })
    return option_kind::points;
  else if constexpr (requires { typename Option::template team<idle_kernel>; } || backend<Option>)
    return option_kind::backend;
  else
    return option_kind::none;
}();
template <int Size>
inline constexpr option_kind kind_of_option<gauss<Size>> = option_kind::points;
template <int Size>
inline constexpr option_kind kind_of_option<gauss_lobatto<Size>> = option_kind::points;
template <int NodesPerEdge>
inline constexpr option_kind kind_of_option<isoparametric<NodesPerEdge>> = option_kind::geometry;
template <tuning Value>
inline constexpr option_kind kind_of_option<tuned<Value>> = option_kind::tuning;

// The first option of a kind, else what stands for it where none is.
template <class Type>
struct said {
  using type = Type;
};
template <option_kind Kind, class Usual, class... Options>
struct first_of_kind : said<Usual> {};
template <option_kind Kind, class Usual, class First, class... Rest>
struct first_of_kind<Kind, Usual, First, Rest...>
    : std::conditional_t<kind_of_option<First> == Kind, said<First>, first_of_kind<Kind, Usual, Rest...>> {};

template <space Space>
  requires(Space.shape == cell_shape::tables)
struct usual_rule_of<Space> {
  using type = given_points<Space.points>;
};

// Whether a rule is one of a space's elements.
template <class Points, space Space>
inline constexpr bool is_rule_on = [] {
  if constexpr (is_tensor(Space))
    return quadrature_rule<Points>;
  else if constexpr (Space.shape == cell_shape::tables)
    return std::is_same_v<Points, given_points<Space.points>>;
  else
    return cell_rule<Points, Space.directions>;
}();

// What an operator is made of, by name.
template <class Form, auto Space, class... Options>
struct operator_options {
  using form = Form;
  static constexpr auto space = Space;
  using usual_points = usual_rule<space_of<Space>>;
  using points = typename first_of_kind<option_kind::points, usual_points, Options...>::type;
  using backend = typename first_of_kind<option_kind::backend, host, Options...>::type;
  using numbers = typename first_of_kind<option_kind::numbers, double, Options...>::type;
  using geometry = typename first_of_kind<option_kind::geometry, stored, Options...>::type;
  using halo = typename first_of_kind<option_kind::halo, whole, Options...>::type;
  using problem = detail::problem<Form, space_of<Space>, points, numbers, test_space_of<Space>>;
  static constexpr sumfac::tuning recommended =
      recommended_tuning<backend, Form, Space, points, kernel_arithmetic<numbers>, geometry>;
  using named_tuning = typename first_of_kind<option_kind::tuning, void, Options...>::type;  // void where there is none
  static constexpr sumfac::tuning tuning =
      std::conditional_t<std::is_void_v<named_tuning>, said<tuned<recommended>>, said<named_tuning>>::type::value;
};

// Whether a tuning is named that is another than the recommended one, which is not looked for otherwise.
template <class Options, class Named = typename Options::named_tuning>
inline constexpr bool is_tuned = Named::value != Options::recommended;
template <class Options>
inline constexpr bool is_tuned<Options, void> = false;

// The operator of some options: those that are usual left out, and the rest in one order, so that it is one type
// however they were said, with a short name.
template <class... Types>
struct type_list {};
template <bool Listed, class Type>
using listed = std::conditional_t<Listed, type_list<Type>, type_list<>>;
template <template <class, auto, class...> class Operator, class Form, auto Space, class... Lists>
struct operator_with;
template <template <class, auto, class...> class Operator, class Form, auto Space, class... FirstType, class... Second,
          class... Third, class... Fourth, class... Fifth, class... Sixth>
struct operator_with<Operator, Form, Space, type_list<FirstType...>, type_list<Second...>, type_list<Third...>,
                     type_list<Fourth...>, type_list<Fifth...>, type_list<Sixth...>> {
  using type = Operator<Form, Space, FirstType..., Second..., Third..., Fourth..., Fifth..., Sixth...>;
};
template <template <class, auto, class...> class Operator, class Form, auto Space, class... Options>
struct operator_type {
  using said = operator_options<Form, Space, Options...>;
  using type = typename operator_with<
      Operator, Form, Space,
      listed<!std::is_same_v<typename said::points, typename said::usual_points>, typename said::points>,
      listed<!std::is_same_v<typename said::backend, host>, typename said::backend>,
      listed<!std::is_same_v<typename said::numbers, double>, typename said::numbers>,
      listed<!std::is_same_v<typename said::geometry, stored>, typename said::geometry>,
      listed<is_tuned<said>, typename said::named_tuning>,
      listed<!is_whole<typename said::halo>, typename said::halo>>::type;
};

// Arguments that are no options, and kinds that are said twice, each named by the type that the compiler shows.
template <class Option, class... Later>
struct option_promises {
  static_assert(kind_of_option<Option> != option_kind::none,
                "sumfac::element_operator: this option is of no known kind: behind form and space come, in any order, "
                "a rule as sumfac::gauss<4>, or one of yours with size, nodes and weights; a backend: sumfac::host, "
                "checked, cuda or hip; double, float or a sumfac::precision; a geometry policy: sumfac::stored, "
                "affine, trilinear, isoparametric<M> or split; sumfac::tuned<...>");
  static_assert(((kind_of_option<Option> == option_kind::none || kind_of_option<Option> != kind_of_option<Later>)&&...),
                "sumfac::element_operator: another option of this one's kind follows it: say at most one rule, one "
                "backend, one number type, one geometry policy and one sumfac::tuned");
};
template <class... Options>
struct options_promises {};
template <class First, class... Rest>
struct options_promises<First, Rest...> : option_promises<First, Rest...>, options_promises<Rest...> {};

template <template <class, auto, class...> class Operator, class Form, auto Space, class... Options>
struct checked_operator : options_promises<Options...>,
                          operator_type<Operator, std::remove_cvref_t<Form>, Space, Options...> {};

// Whether Form's type has a lambda's in it, as the compiler writes it, where kernels cannot have such.
template <class Form>
constexpr bool refuses_lambda()
{
#if SUMFAC_REFUSES_LAMBDAS
  constexpr auto& text = __PRETTY_FUNCTION__;
  constexpr char wanted[] = "lambda [";
  for (int at = 0, of = 0; at < int{sizeof text}; ++at) {
    of = text[at] == wanted[of] ? of + 1 : text[at] == wanted[0] ? 1 : 0;
    if (of == int{sizeof wanted} - 1) return true;
  }
#endif
  return false;
}

// What is known of the types of an operator's options. A base of the operator: to clang++ a class whose base breaks a
// promise has no members, so that nothing else is said.
template <class Options>
struct operator_promises {
  static constexpr auto space = Options::space;
  using backend = typename Options::backend;
  static_assert(space_like<decltype(space)>,
                "sumfac::element_operator: Space is no space: write a degree, as 3, or a sumfac::space");
  static_assert(directions_of<space> >= 1 && directions_of<space> <= 3 &&
                    coordinates_of<space> >= directions_of<space> && coordinates_of<space> <= 3,
                "sumfac::element_operator: Space has no element of lines, quadrilaterals or hexahedra in at most 3 "
                "coordinates: write a degree, or sumfac::quadrilateral, line, surface or curve");
  static_assert(check_form<typename Options::form, form_number<backend, typename Options::numbers>,
                           directions_of<space>, coordinates_of<space>>(),
                "sumfac::element_operator: Form is no form, for the reasons that are given as sumfac::form");
  static_assert(!device_backend<backend> || !refuses_lambda<typename Options::form>(),
                "sumfac::element_operator: the form has a lambda, as a coefficient, which nvcc cannot pass to a "
                "device: "
                "write a struct whose operator() has SUMFAC_FUNCTION before it, or compile with --extended-lambda");
  static_assert(space_of<space>.family == function_family::nodal &&
                    test_space_of<space>.family == function_family::nodal,
                "sumfac::element_operator: there are no kernels for edge elements yet: sweep over their blocks in a "
                "kernel of your own, as docs/spaces.md says");
  static_assert(degree_of<space> >= 1, "sumfac::element_operator: the degree is less than 1");
  static_assert(degree_of<space> <= 31,
                "sumfac::element_operator: the degree is greater than 31, the most with a rule of 32 nodes");
  static_assert(is_rule_on<typename Options::points, space_of<space>>,
                "sumfac::element_operator: Points is no quadrature rule of the space's elements: it needs size, nodes "
                "and weights, as sumfac::gauss<degree + 2> has; of triangles, tetrahedra and prisms size, points and "
                "weights, as sumfac::tetrahedron_gauss<degree + 1>");
  static_assert(is_tensor(space_of<space>) || std::is_same_v<typename Options::geometry, stored> ||
                    (std::is_same_v<typename Options::geometry, affine> && directions_of<space> == 3 &&
                     space_of<space>.shape != cell_shape::tables),
                "sumfac::element_operator: of triangles and tables factors are stored, of tetrahedra and prisms they "
                "are, or geometry is affine: name no geometry policy, sumfac::stored, or there sumfac::affine");
  static_assert(space_of<space>.shape != cell_shape::tables ||
                    (space_of<space> == test_space_of<space> && space_of<space>.functions >= 0 &&
                     space_of<space>.points >= 0 &&
                     (space_of<space>.functions == dynamic) == (space_of<space>.points == dynamic)),
                "sumfac::element_operator: a tabulated space has functions and points, or both are dynamic, and is "
                "that of trial and test functions: tabulated(functions, points, directions)");
  static_assert(is_precision<typename Options::numbers>,
                "sumfac::element_operator: the numbers must be double or float, or a sumfac::precision of them");
  static_assert(geometry_policy<typename Options::geometry>,
                "sumfac::element_operator: the geometry policy must be sumfac::stored, affine, trilinear, "
                "isoparametric<M> with M = 0 or from 2 to 16, or split");
  static_assert(is_whole<typename Options::halo>,
                "sumfac::element_operator: it is of a process' own elements, and has no halo: name it behind operator "
                "and restriction, sumfac::global_operator{A, R, halo}");
  static_assert(check_backend<backend>(),
                "sumfac::element_operator: Backend is no backend, for the reasons that are given as sumfac::backend");

  static_assert(on_same_elements(space_of<space>, test_space_of<space>),
                "sumfac::element_operator: the spaces of trial and test functions are of different elements: give both "
                "the same directions and coordinates");
  static_assert(test_space_of<space>.degree == degree_of<space> ||
                    (test_space_of<space>.degree >= 1 && test_space_of<space>.degree <= 31),
                "sumfac::element_operator: the degree of the test functions is not from 1 to 31");
  static_assert(Options::points::size > test_space_of<space>.degree || Options::points::size <= degree_of<space> ||
                    !is_tensor(space_of<space>),
                "sumfac::element_operator: too few points per direction for the degree of the test functions (points "
                ">= degree + 1): name a rule, as sumfac::gauss<degree + 2>");
};

}  // namespace sumfac::SUMFAC_TARGET::detail
