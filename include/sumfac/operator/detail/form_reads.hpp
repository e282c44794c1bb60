// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The coefficients that a form asks its points for: looked at before an operator is set up, and found by the host.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/form/detail/asked_members.hpp>
#include <sumfac/mesh/element_geometry.hpp>
#include <sumfac/mesh/policy.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Who reads coefficients: the host while an operator is set up, or kernels on a device. Of the latter's memory the host
// may have a look first.
struct coefficient_readers {
  bool host, device, looks = false;
};

// What a form's coefficients must be for an operator.
struct coefficient_demands {
  index_t elements;
  int points_1d;
  host threads;
};

// Extents of a coefficient that count points: one for each direction of the element, or none.
inline int point_extents(coefficient_view const& v) { return v.rank - 1 - (v.components > 0 ? 1 : 0); }

// As in "(E, g, g, g, K)".
inline char const* coefficient_shape(coefficient_view const& v)
{
  constexpr char const* shapes[2][4] = {{"(E)", "(E, g)", "(E, g, g)", "(E, g, g, g)"},
                                        {"(E, K)", "(E, g, K)", "(E, g, g, K)", "(E, g, g, g, K)"}};
  return shapes[v.components > 0 ? 1 : 0][point_extents(v)];
}

inline void check_coefficient_extents(coefficient_view const& v, coefficient_demands const& d)
{
  auto const check_one = [&](int r, char const* name, index_t expected) {
    if (v.extents[r] != expected)
      failf("element_operator",
            "extent %d (%s) of the form's coefficient of shape %s does not match (expected %lld, "
            "got %lld)",
            r, name, coefficient_shape(v), static_cast<long long>(expected), static_cast<long long>(v.extents[r]));
  };
  check_one(0, "elements", d.elements);
  for (int r = 1; r <= point_extents(v); ++r) check_one(r, "points per direction", d.points_1d);
  if (v.components > 0) check_one(v.rank - 1, "components", v.components);
  if (v.data == nullptr)
    failf("element_operator",
          "the form's coefficient of shape %s is null (pointer 0, %lld elements expected): set the "
          "view before the operator is made",
          coefficient_shape(v), static_cast<long long>(d.elements));
}

// Throws for the first element of which an entry is not a finite number; the host reads them from `data`.
inline void check_coefficient_numbers(coefficient_view const& v, coefficient_demands const& d, void const* data)
{
  first_of_all found(d.elements);
  d.threads.partition(d.elements, [&](index_t first, index_t last) {
    for (index_t e = first; e < last; ++e)
      if (!v.is_finite(v.view, e, data)) return found.keep(e);
  });
  if (found.index() < d.elements)
    failf("element_operator",
          "the form's coefficient of shape %s has an entry that is not a finite number (element "
          "%lld of %lld): set all its entries",
          coefficient_shape(v), static_cast<long long>(found.index()), static_cast<long long>(d.elements));
}

// The coefficients of a form: at first find() looks at each that is asked for, from then on it says where the host
// reads it. On backends without memory of their own that is where it is.
template <class Backend>
class form_reads : public coefficient_reads {
public:
  form_reads(Backend const&, coefficient_demands const& demands, coefficient_readers)
      : coefficient_reads([](coefficient_reads const& self, coefficient_view const& v) {
          return static_cast<form_reads const&>(self).look_at(v);
        }),
        demands_(demands)
  {
  }

  // Whom the host's mappings ask where coefficients are, if anyone.
  static coefficient_reads const* get() { return nullptr; }
  coefficient_reads const* looking() const { return this; }
  void end_of_look() {}
  static bool lets_host_apply(auto const&) { return true; }

private:
  void const* look_at(coefficient_view const& v) const
  {
    check_coefficient_extents(v, demands_);
    check_coefficient_numbers(v, demands_, v.data);
    return nullptr;
  }

  coefficient_demands demands_;
};

template <class Backend>
memory_side side_of([[maybe_unused]] Backend const& backend, [[maybe_unused]] void const* p)
{
  if constexpr (requires { backend.side_of(p); })
    return backend.side_of(p);
  else
    return memory_side::both;
}

// The same for a device, whose memory the host copies.
template <class Backend>
  requires is_device<Backend>
class form_reads<Backend> : public coefficient_reads {
public:
  form_reads(Backend const& backend, coefficient_demands const& demands, coefficient_readers readers)
      : coefficient_reads([](coefficient_reads const& self, coefficient_view const& v) {
          auto& reads = static_cast<form_reads const&>(self);
          return reads.looking_ ? const_cast<form_reads&>(reads).look_at(v) : reads.where(v);
        }),
        backend_(backend),
        demands_(demands),
        readers_(readers)
  {
  }

  coefficient_reads const* get() const { return this; }
  coefficient_reads const* looking() const { return this; }
  void end_of_look() { looking_ = false; }
  // Whether all of the device's memory that the form's members point to is of coefficients that have been asked for:
  // what apply reads by itself, as tables of a material, the host cannot read.
  template <class Form>
  bool lets_host_apply(Form const& form) const
  {
    for (std::size_t at = 0; at + sizeof(void*) <= sizeof form; at += sizeof(void*)) {
      void const* member = nullptr;
      std::memcpy(&member, reinterpret_cast<unsigned char const*>(&form) + at, sizeof member);
      bool known = member == nullptr || side_of(backend_, member) != memory_side::device;
      for (seen const& s : seen_) known = known || s.data == member;
      if (!known) return false;
    }
    return true;
  }

private:
  struct seen {
    void const* data;
    index_t last;                // as the view has it
    void const* on_host;         // null: not for the host
    buffer<unsigned char> copy;  // of what it cannot read
  };

  void const* look_at(coefficient_view const& v)
  {
    check_coefficient_extents(v, demands_);
    for (seen const& s : seen_)
      if (s.data == v.data && s.last == v.last) return nullptr;
    memory_side const side = side_of(backend_, v.data);
    if (readers_.device && side == memory_side::host)
      failf("element_operator",
            "the form's coefficient of shape %s is in the host's memory, which the device's "
            "kernels do not read (address %p, of %lld elements): copy it to a sumfac::buffer of the backend, or take "
            "sumfac::stored, whose factors the host makes",
            coefficient_shape(v), v.data, static_cast<long long>(demands_.elements));
    seen s{v.data, v.last, side == memory_side::device ? nullptr : v.data, {}};
    if (side == memory_side::device && (readers_.host || readers_.looks)) {
      index_t const bytes = (v.last - v.first) * v.entry_bytes;
      s.copy = buffer<unsigned char>(demands_.threads, bytes);
      backend_.copy(static_cast<unsigned char const*>(v.data) + v.first * v.entry_bytes, s.copy.data(), bytes);
      backend_.synchronize();
      s.on_host = s.copy.data() - v.first * v.entry_bytes;
    }
    if (s.on_host != nullptr) check_coefficient_numbers(v, demands_, s.on_host);
    if (!readers_.host && side == memory_side::device) s.on_host = nullptr, s.copy = {};
    seen_.push_back(std::move(s));
    return nullptr;
  }

  void const* where(coefficient_view const& v) const
  {
    for (seen const& s : seen_)
      if (s.data == v.data && s.last == v.last) return s.on_host;
    if (side_of(backend_, v.data) != memory_side::device) return v.data;
    if (!readers_.host) return nullptr;
    failf("element_operator",
          "setup asks for a coefficient of shape %s at a point, and not at the first of the mesh "
          "(address %p, of %lld elements): ask for all of them at each point",
          coefficient_shape(v), v.data, static_cast<long long>(demands_.elements));
  }

  Backend backend_;
  coefficient_demands demands_;
  coefficient_readers readers_;
  bool looking_ = true;
  own_vector<seen> seen_;
};

// Point (0, 0, 0) of a mesh's first element; of a mesh without elements one of no size.
template <class Geometry>
auto first_point(Geometry const& geometry)
{
  typename Geometry::template mapping_type<double> first({}, 0.0, {}, 1.0);
  auto take = [&](index_t, int z, int y, int x, auto const& at) {
    if (z == 0 && y == 0 && x == 0) first = first_lane(at);
  };
  if (geometry.elements() > 0) static_cast<void>(geometry.visit_seldom(0, 1, take));
  return first;
}

// Calls setup and apply, and apply_at where kernels do, at a point, with coefficients of 1, so that `reads` sees what
// the form asks for; throws where it reads or returns what it does not name.
template <class Policy, class Form, class Reads, class Mapping>
[[gnu::cold, gnu::noinline]] void look_at_form(Form const& form, Mapping const& point, Reads const& reads)
{
  auto const here = places::read_by(reads.looking(), point);
  auto const factors = form.setup(here);
  if (reads.lets_host_apply(form)) check_asked_members_of<Mapping::dimension>(form, factors);
  if constexpr (!std::is_same_v<Policy, stored>) check_asked_members_of<Mapping::dimension>(form, here);
}

// The coefficients that a form asks for at the first point of a mesh.
//
// **Errors** argument_error for extents, null, memory and numbers, and for members that the form does not name.
template <class Policy, class Form, class Backend, class Mapping>
form_reads<Backend> look_at_coefficients(Form const& form, Backend const& backend, coefficient_demands const& demands,
                                         Mapping const& first, coefficient_readers readers)
{
  form_reads<Backend> reads(backend, demands, readers);
  if (demands.elements > 0) look_at_form<Policy>(form, first, reads);
  reads.end_of_look();
  return reads;
}

}  // namespace sumfac::detail
