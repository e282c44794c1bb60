// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The interfaces inside an operator: what kernels ask of vectors and factors, and the operator of storage and kernels.
#pragma once

#include <sumfac/backend/concepts.hpp>
#include <sumfac/tensor/sweep.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>

namespace sumfac::SUMFAC_TARGET::detail {

// How a kernel that computes in T comes by the factors or the geometry of a group's points. Copied into the kernel.
//   is_split              whether it is three readers, for the kinds of a split mesh; what follows holds for each
//   reads_factors         whether its points are a form's factors, read from memory, or the geometry, made anew
//   prepares              whether it works in phases of its own first: then it has geometry_scratch<Team> and
//                         prepare<Direction>(team, scratch, group), and its line() takes that scratch before `group`
//   line<T, D>(group, e, a, b)   the line in direction D (0, 1, 2 for x, y, z) of points of element e of the group that
//                         meets point a of the slower and b of the faster other direction; called with i it is point i
//   makes_planes<D>       whether it has plane<T, D>(group, e, a), whose (b) is line(group, e, a, b), cheaper together
//   prefetch_lines        cache lines of it that a group reads in order, to be prefetched: 0 for none
//   prefetch_from(group)  where they begin, where prefetch_lines > 0
//   group_bytes           bytes of a group where there are so many that they are a stream of their own, else 0: then
//                         prefetch_from(group, distance) takes the distance, and pack_bytes is one number of all lanes
template <class Reader, class T>
concept factor_reader = std::copyable<Reader> && requires(Reader const& r, index_t group) {
  { Reader::is_split } -> std::convertible_to<bool>;
  { Reader::reads_factors } -> std::convertible_to<bool>;
  { Reader::prepares } -> std::convertible_to<bool>;
  { Reader::template makes_planes<0> } -> std::convertible_to<bool>;
  { Reader::prefetch_lines } -> std::convertible_to<int>;
  { Reader::group_bytes } -> std::convertible_to<index_t>;
  requires Reader::prepares || requires { r.template line<T, 0>(group, 0, 0, 0)(0); };
  requires Reader::prefetch_lines == 0 || Reader::group_bytes > 0 || requires { r.prefetch_from(group); };
  requires Reader::group_bytes == 0 || Reader::prefetch_lines == 0 || requires { r.prefetch_from(group, 0); };
};

// A factor_reader of a device whose teams prefetch the factors of whole groups.
//   distance                         a prefetch_distance: of which groups
//   factor_bytes                     of a group
//   prefetch_factors(team, group)    prefetches, when u has been read
template <class Reader>
concept has_prefetch_distance = requires(Reader& r) {
  { r.distance.groups_behind } -> std::same_as<index_t&>;
  { Reader::factor_bytes } -> std::convertible_to<int>;
};

// A kernel that prefetches factors at the distance that its own `exchange.distance` says.
template <class Kernel>
concept prefetches_factors = requires(Kernel& kernel) {
  requires Kernel::prefetches_factors;
  { kernel.exchange.distance.groups_behind } -> std::same_as<index_t&>;
};

// How a kernel plane by plane reads u and writes v of a group. Copied into the kernel.
//   scratch<Team>                 what it needs of the team's memory
//   fetch(team, scratch, group)   u of the group, called with (component, k, j, i)
//   result(team, scratch, group)  where v goes, likewise
//   finish_row(team, scratch, group, c, k, j), finish(team, scratch, group)   told what of v is complete
//   prefetch_lines, prefetch_from(group)  as a factor_reader's
//   gathers                       whether entries lie anywhere, as in global vectors: then its scratch has `prefetch`,
//                                 which prefetches them, and `size`, where they are
template <class Vectors, class Team>
concept group_vectors =
    requires(Vectors const& v, Team const& team, typename Vectors::template scratch<Team>& s, index_t group) {
      v.fetch(team, s, group);
      v.result(team, s, group);
      v.finish_row(team, s, group, 0, 0, 0);
      v.finish(team, s, group);
      { Vectors::prefetch_lines } -> std::convertible_to<int>;
      { Vectors::gathers } -> std::convertible_to<bool>;
    };

struct no_arrays {};

// How a kernel of a device's team does: in lines of nodes, of element e of a group.
//   memory(scratch, group)         u, as readable_lines of a sweep, and v, as writable_lines; vectors whose own scratch
//                                  is not empty take it from a kernel's scratch, where it is `exchanged`
template <class Vectors, class Scratch = no_arrays>
concept line_vectors = requires(Vectors const& v, Scratch& s, index_t group) {
  v.memory(s, group).template read<axis::z>(0, 0, 0, 0)[0];
  v.memory(s, group).template write<axis::z>(0, 0, 0, 0);
};

// What an operator keeps of a mesh: factors, or what they are made of.
//   reader, lanes                  how kernels read it, and the elements of a group
//   set_up(mesh_input, form, place(z, y, x))   fills it, in the host's memory
//   commit(backend)                brings it to where kernels read
//   read(backend)                  the same on the host, to look whether forms are linear and elements affine
//   groups(elements), numbers(elements), geometry_flops(form, elements)   what it takes
template <class Storage, class Problem, class Backend>
concept geometry_storage =
    std::default_initializable<Storage> &&
    requires(Storage& s, Storage const& c, Backend const& backend, typename Problem::form const& form) {
      typename Storage::reader;
      { Storage::lanes } -> std::convertible_to<int>;
      s.commit(backend);
      { Storage::groups(index_t{}) } -> std::same_as<index_t>;
      { c.numbers(index_t{}) } -> std::same_as<index_t>;
      { c.geometry_flops(form, index_t{}) } -> std::same_as<index_t>;
    };

// A fused kernel.
//   form_type, scalar              of the form and of what it computes in
//   collocated                     whether nodes are points
//   point(z, y, x)                 the place of a point among an element's factors: the order in which it reads them
//   scratch<Team>, operator()(team, scratch, group), threads, ...   as any kernel: kernel_for
template <class Kernel>
concept element_kernel_like = requires {
  typename Kernel::form_type;
  typename Kernel::scalar;
  { Kernel::collocated } -> std::convertible_to<bool>;
  { Kernel::point(0, 0, 0) } -> std::convertible_to<int>;
  { Kernel::threads } -> std::convertible_to<int>;
};

}  // namespace sumfac::detail
