// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Names of a mesh's sides and elements.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/small.hpp>
#include <sumfac/mesh/boundary_faces.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Sides, or elements, that have a name, a number, or both, as the physical groups of a mesh file.
template <class Member>
struct named_members {
  std::string name;
  int tag = 0;
  std::vector<Member> members{};
};
using named_sides = named_members<element_side>;
using named_elements = named_members<index_t>;

namespace detail {

template <class Predicate, int Coordinates>
concept predicate_of_position = std::is_invocable_r_v<bool, Predicate const&, vector<double, Coordinates> const&>;

// What a mesh of any shape has of names. It has boundary(), elements() and sides_of_element, and for this
// for_each_mesh_node(side, f), which calls f(x) with the coordinates of each mesh node of a side.
template <class Mesh, int Coordinates>
class named_parts {
public:
  using position = vector<double, Coordinates>;

  // Of the sides that one element alone has those of a name or a tag, or those all of whose mesh nodes are where a
  // predicate of the position says.
  //
  // **Errors** argument_error: a name or tag that no sides have; a predicate that finds none.
  std::vector<element_side> const& boundary(std::string const& name) const
  {
    return members("boundary", "sides", sides_, name);
  }
  std::vector<element_side> const& boundary(int tag) const { return members("boundary", "sides", sides_, tag); }
  template <predicate_of_position<Coordinates> Predicate>
  std::vector<element_side> boundary(Predicate const& where) const
  {
    std::vector<element_side> found;
    auto const& all = self().boundary();
    for (element_side const& at : all) {
      bool everywhere = true;
      self().for_each_mesh_node(at, [&](double const* node) {
        position x{};
        for (int c = 0; c < Coordinates; ++c) x[c] = node[c];
        everywhere = everywhere && where(x);
      });
      if (everywhere) found.push_back(at);
    }
    if (found.empty() && !all.empty())
      failf("mesh::boundary",
            "no side is where the predicate says (0 of %lld, 1 or more expected): all mesh nodes of a side "
            "must be there, to within rounding",
            static_cast<long long>(all.size()));
    return found;
  }
  // The elements of a name or a tag.
  std::vector<index_t> const& elements(std::string const& name) const
  {
    return members("elements", "elements", elements_, name);
  }
  std::vector<index_t> const& elements(int tag) const { return members("elements", "elements", elements_, tag); }

  // The same mesh with sides, or elements, that have a name besides; where the name is known, they are added to it.
  Mesh named(named_sides const& sides) const { return with(&named_parts::sides_, sides); }
  Mesh named(named_elements const& elements) const { return with(&named_parts::elements_, elements); }
  template <class Where>
  Mesh named(std::string const& name, Where const& where) const
  {
    if constexpr (predicate_of_position<Where, Coordinates>)
      return named(named_sides{name, 0, boundary(where)});
    else
      return named(named_sides{name, 0, where});
  }
  std::vector<named_sides> const& names_of_sides() const { return sides_; }
  std::vector<named_elements> const& names_of_elements() const { return elements_; }

protected:
  std::vector<named_sides> sides_{};
  std::vector<named_elements> elements_{};

private:
  Mesh const& self() const { return static_cast<Mesh const&>(*this); }

  template <class Named, class Key>
  static auto const& members(char const* where, char const* what, std::vector<Named> const& known, Key const& key)
  {
    std::string list, wanted;
    for (auto const& group : known) {
      if constexpr (std::is_same_v<Key, int>) {
        if (group.tag == key && key != 0) return group.members;  // 0 is none
      } else if (group.name == key) {
        return group.members;
      }
      list += (list.empty() ? "" : ", ") + ("'" + group.name + "' (" + std::to_string(group.tag) + ")");
    }
    if constexpr (std::is_same_v<Key, int>)
      wanted = std::to_string(key);
    else
      wanted = "'" + key + "'";
    fail(std::string("mesh::") + where, std::string("no ") + what + " have the name or tag " + wanted + " (" +
                                            (list.empty() ? "none have one" : list + " expected") +
                                            "): name them by mesh.named(name, where)");
  }
  template <class Named>
  Mesh with(std::vector<Named> named_parts::*list, Named const& more) const
  {
    for (auto const& member : more.members) {
      if constexpr (std::is_same_v<Named, named_sides>)
        check_side("mesh::named", member, self().elements(), Mesh::sides_of_element);
      else if (member < 0 || member >= self().elements())
        failf("mesh::named", "an element does not exist (got %lld, 0 to %lld expected)", static_cast<long long>(member),
              static_cast<long long>(self().elements() - 1));
    }
    Mesh result(self());
    for (Named& known : result.*list)
      if (known.name == more.name && (more.tag == 0 || known.tag == more.tag)) {
        known.members.insert(known.members.end(), more.members.begin(), more.members.end());
        return result;
      }
    (result.*list).push_back(more);
    return result;
  }
};

}  // namespace detail

}  // namespace sumfac
