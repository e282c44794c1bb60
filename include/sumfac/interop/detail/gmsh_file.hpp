// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What Gmsh's files say: shapes and orders of nodes, sections, and what is wrong with them.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/mesh_file.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/mesh/boundary_faces.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// An element's shape by Gmsh's number: lines, quadrilaterals, hexahedra, complete ones of any order; points of order 0.
// Of meshes of simplices lines, triangles and tetrahedra of order 1 and 2.
struct gmsh_shape {
  int directions = -1, order = 0;
  cell_shape shape = cell_shape::lines;
  int nodes() const
  {
    if (directions == 0) return 1;
    if (shape == cell_shape::simplex && directions > 1)
      return directions == 3 ? (order == 1 ? 4 : 10) : (order == 1 ? 3 : 6);
    return node_box(order + 1, directions).all();
  }
};
constexpr gmsh_shape gmsh_shape_of(std::int64_t type, cell_shape among = cell_shape::lines)
{
  if (among == cell_shape::simplex) {
    constexpr int simplices[4][2] = {{15, 0}, {1, 8}, {2, 9}, {4, 11}};
    for (int d = 0; d < 4; ++d)
      for (int i = 0; i < 2; ++i)
        if (simplices[d][i] == type && type > 0) return {d, d == 0 ? 0 : i + 1, among};
    return {};
  }
  constexpr int types[4][10] = {{15},
                                {1, 8, 26, 27, 28, 62, 63, 64, 65, 66},
                                {3, 10, 36, 37, 38, 47, 48, 49, 50, 51},
                                {5, 12, 92, 93, 94, 95, 96, 97, 98}};
  for (int d = 0; d < 4; ++d)
    for (int i = 0; i < 10; ++i)
      if (types[d][i] == type && type > 0) return {d, d == 0 ? 0 : i + 1};
  return {};
}
template <class T>
constexpr T without_sign(T n)
{
  return n < 0 ? -n : n;
}

constexpr char const* gmsh_name_of(std::int64_t type)
{
  if (type == 2 || type == 9 || (type >= 20 && type <= 25)) return "Triangle";
  if (type == 4 || type == 11 || (type >= 29 && type <= 33)) return "Tetrahedron";
  if (type == 6 || type == 13 || type == 18) return "Prism";
  if (type == 7 || type == 14 || type == 19) return "Pyramid";
  if (type == 16 || type == 17) return "an incomplete Quadrangle or Hexahedron";
  return "a type that is unknown";
}

// Places (x, y, z) in an element of the nodes in Gmsh's order: vertices, edges, faces, and what is within, which is an
// element in the same order.
class gmsh_order {
public:
  struct place {
    int at[3];
  };

  gmsh_order(int directions, int order)
  {
    if (directions == 1) {
      add({{0}}), add({{order}});
      for (int i = 1; i < order; ++i) add({{i}});
    } else if (directions == 2) {
      square({{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, order);
    } else {
      cube(order, 0);
    }
  }
  std::size_t size() const { return places_.size(); }
  place const& operator[](std::size_t i) const { return places_[i]; }

private:
  void add(place const& p) { places_.push_back(p); }
  static place moved(place p, place const& along, int steps)
  {
    for (int d = 0; d < 3; ++d) p.at[d] += steps * along.at[d];
    return p;
  }
  // The nodes between two places, `order` steps apart.
  void edge(place const& from, place const& to, int order)
  {
    place step{};
    for (int d = 0; d < 3; ++d) step.at[d] = (to.at[d] - from.at[d]) / order;
    for (int i = 1; i < order; ++i) add(moved(from, step, i));
  }
  void square(place const& first, place const& x, place const& y, int order)
  {
    if (order < 0) return;
    if (order == 0) return add(first);
    place const corner[] = {first, moved(first, x, order), moved(moved(first, x, order), y, order),
                            moved(first, y, order)};
    for (place const& p : corner) add(p);
    for (int i = 0; i < 4; ++i) edge(corner[i], corner[(i + 1) % 4], order);
    square(moved(moved(first, x, 1), y, 1), x, y, order - 2);
  }
  void cube(int order, int layer)
  {
    constexpr int edges[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                  {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
    constexpr int faces[6][4] = {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}};
    if (order < 0) return;
    int const low = layer, high = layer + order;
    if (order == 0) return add({{low, low, low}});
    place corner[8];
    for (int v = 0; v < 8; ++v)
      corner[v] = {{(v + 1) % 4 < 2 ? low : high, v % 4 < 2 ? low : high, v < 4 ? low : high}};
    for (place const& p : corner) add(p);
    for (auto const& [from, to] : edges) edge(corner[from], corner[to], order);
    for (auto const& f : faces) {
      place x{}, y{};
      for (int d = 0; d < 3; ++d) {
        x.at[d] = (corner[f[1]].at[d] - corner[f[0]].at[d]) / order;
        y.at[d] = (corner[f[3]].at[d] - corner[f[0]].at[d]) / order;
      }
      square(moved(moved(corner[f[0]], x, 1), y, 1), x, y, order - 2);
    }
    cube(order - 2, layer + 1);
  }

  own_vector<place> places_;
};

// Reads a file's sections and says what is wrong with them.
class gmsh_reader {
public:
  // Elements in the file's order: the nodes of one after the other, by their places in the file, and physical groups.
  struct element_list {
    int order = 0;
    own_vector<std::uint32_t> nodes{};
    own_vector<std::uint32_t> groups{};  // number of a list in group_lists
    index_t count() const { return static_cast<index_t>(groups.size()); }
  };
  struct group {
    int dimension, tag;
    std::string name;
  };

  gmsh_reader(std::string const& file, int directions, cell_shape shape = cell_shape::lines)
      : in_(file), directions_(directions), shape_(shape)
  {
    run();
  }

  mesh_file const& file() const { return in_; }
  own_vector<double> coordinates{};  // (nodes, 3)
  element_list elements{}, sides{};  // of the mesh's directions, and of one less
  std::vector<std::vector<int>> group_lists{1};

  std::string name_of(int dimension, int tag) const
  {
    for (group const& g : names_)
      if (g.dimension == dimension && g.tag == tag) return g.name;
    return std::to_string(tag);
  }

private:
  struct entity {
    std::int64_t tag;
    std::uint32_t groups;
  };

  void run()
  {
    char const* const order[] = {"MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements"};
    constexpr void (gmsh_reader::*readers[])() = {&gmsh_reader::read_format, &gmsh_reader::read_names,
                                                  &gmsh_reader::read_entities, &gmsh_reader::read_nodes,
                                                  &gmsh_reader::read_elements};
    if (in_.at_end()) in_.refuse("it is empty");
    int next = 0;
    while (!in_.at_end()) {
      std::string const head = in_.line();
      if (head.empty() && next > 0) continue;
      if (next == 0 && head != "$MeshFormat") in_.refuse("it is no mesh of Gmsh's (no $MeshFormat at its start)");
      int place = next;
      while (place < 5 && head != std::string("$") + order[place]) ++place;
      if (place == 5) refuse_section(head);
      if (!in_.is_whole()) in_.refuse("it is cut off (no $End of a section at its end)");
      in_.section = order[place];
      next = place + 1;
      (this->*readers[place])();
      if (in_.at_end() || in_.line() != "$End" + in_.section)
        in_.refuse("it is cut off, or longer than it says (no $End" + in_.section + " at its end)");
    }
    join_copies();
    if (elements.count() == 0 && shape_ == cell_shape::simplex)
      in_.refuse(directions_ == 3 ? "it has no tetrahedra" : "it has no triangles");
    if (elements.count() == 0)
      in_.refuse(directions_ == 3   ? "it has no hexahedra"
                 : directions_ == 2 ? "it has no quadrilaterals"
                                    : "it has no lines");
  }

  // What a section that is not read would change, and what to do.
  [[noreturn]] void refuse_section(std::string const& head) const
  {
    constexpr char const* sections[][2] = {
        {"$Periodic",
         "nodes that are one around a period are not joined: mesh it without Periodic Surface and Periodic "
         "Curve, for sides of their own, or pass a mesh a table that joins them"},
        {"$PartitionedEntities", "it is cut into parts: save it without -part"},
        {"$GhostElements", "it is cut into parts: save it without -part"},
        {"$ParametricNodes", "nodes have parameters: save it without them (-setnumber Mesh.SaveParametric 0)"},
        {"$Parametrizations", "surfaces are meshes of their own: save the mesh alone"},
        {"$NodeData", "it has results: save the mesh alone"},
        {"$ElementData", "it has results: save the mesh alone"},
        {"$ElementNodeData", "it has results: save the mesh alone"},
        {"$InterpolationScheme", "it has results: save the mesh alone"}};
    for (auto const& [section, sentence] : sections)
      if (head == section) in_.refuse("it has a section " + head + ", which is not read: " + sentence);
    in_.refuse(mesh_file::quoted(head) +
               " is no section that belongs there: only $MeshFormat, $PhysicalNames, "
               "$Entities, $Nodes and $Elements, in this order, are read");
  }

  void read_format()
  {
    std::string const line = in_.line();
    if (line != "2.2 0 8" && line != "4.1 0 8" && line != "4.1 1 8")
      in_.refuse("its format is " + mesh_file::quoted(line) +
                 ": only 4.1, and 2.2 as text, are read (gmsh -format "
                 "msh41)");
    old_ = line[0] == '2';
    if (line != "4.1 1 8") return;
    in_.binary = true;
    if (in_.integer() != 1) in_.fail("the bytes are in another order than this machine's");
    in_.end_of_bytes();
  }

  // Text always: DIMENSION NUMBER "NAME".
  void read_names()
  {
    bool const binary = std::exchange(in_.binary, false);
    std::size_t const names = in_.count();
    in_.end_of_line();
    for (std::size_t i = 0; i < names; ++i) {
      std::string const line = in_.line();
      std::size_t const quote = line.find('"');
      bool const good = quote != std::string::npos && line.back() == '"' && line.size() > quote + 1 &&
                        line.size() < quote + 120 && line.find('"', quote + 1) == line.size() - 1 &&
                        line.find_first_not_of("0123456789- ") == quote && quote >= 4 && line[0] <= '3';
      if (!good) in_.fail("a line is not DIMENSION NUMBER \"NAME\"");
      names_.push_back(
          {line[0] - '0', without_sign(std::atoi(line.c_str() + 1)), line.substr(quote + 1, line.size() - quote - 2)});
    }
    in_.binary = binary;
  }

  void read_entities()
  {
    std::size_t counts[4];
    for (auto& n : counts) n = in_.count();
    in_.end_of_line();
    for (int dim = 0; dim < 4; ++dim)
      for (std::size_t i = 0; i < counts[dim]; ++i) {
        entity here{in_.integer(), 0};
        if (find(dim, here.tag) != nullptr) in_.fail("two of one dimension have the same number");
        for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) in_.real();
        std::vector<int> physical_groups;
        for (std::size_t physical = in_.count(); physical > 0; --physical)
          physical_groups.push_back(without_sign(static_cast<int>(in_.integer())));
        for (std::size_t bounds = dim == 0 ? 0 : in_.count(); bounds > 0; --bounds)
          if (find(dim - 1, without_sign(in_.integer())) == nullptr) in_.fail("what bounds an entity does not exist");
        here.groups = list_of(physical_groups);
        entities_[dim].push_back(here);
        in_.end_of_line();
      }
    in_.end_of_bytes();
  }

  void read_nodes()
  {
    std::size_t const blocks = old_ ? 1 : in_.count(), all = in_.count();
    if (!old_) in_.count(), in_.count();  // the least and the largest number
    in_.end_of_line();
    own_vector<std::size_t> numbers;
    for (std::size_t b = 0; b < blocks; ++b) {
      std::size_t const here = old_ ? all : block(all - numbers.size());
      if (!old_)
        for (std::size_t i = 0; i < here; ++i) numbers.push_back(number(all)), in_.end_of_line();
      for (std::size_t i = 0; i < here; ++i) {
        if (old_) numbers.push_back(number(all));
        for (int c = 0; c < 3; ++c) coordinates.push_back(in_.real());
        in_.end_of_line();
      }
    }
    if (numbers.size() != all) in_.fail("there are fewer nodes than it says");
    in_.end_of_bytes();
    std::size_t largest = 0;
    for (std::size_t const n : numbers) largest = greater(largest, n);
    known_ = own_vector<std::uint32_t>(largest + 1, none);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      auto& known = known_[numbers[i]];
      if (known != none) in_.fail("the number " + std::to_string(numbers[i]) + " is there twice");
      known = static_cast<std::uint32_t>(i);
    }
  }

  void read_elements()
  {
    std::size_t const blocks = old_ ? 1 : in_.count(), all = in_.count();
    if (!old_) in_.count(), in_.count();
    in_.end_of_line();
    std::size_t read = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      std::size_t const here = old_ ? all : block(all - read);
      for (std::size_t i = 0; i < here; ++i, ++read) {
        number(all);
        if (old_) read_head();
        gmsh_shape const shape = shape_of_block();
        element_list* const list = shape.directions == directions_       ? &elements
                                   : shape.directions == directions_ - 1 ? &sides
                                                                         : nullptr;
        if (list != nullptr) {
          if (list->count() > 0 && list->order != shape.order)
            in_.fail("elements are of several orders: mesh all of it with one");
          list->order = shape.order;
          list->groups.push_back(groups_);
        }
        for (int n = shape.nodes(); n > 0; --n) {
          std::size_t const node = in_.count();
          if (node >= known_.size() || known_[node] == none) in_.fail("an element has a node that does not exist");
          if (list != nullptr) list->nodes.push_back(known_[node]);
        }
        in_.end_of_line();
      }
    }
    if (read != all) in_.fail("there are fewer elements than it says");
    in_.end_of_bytes();
  }

  // In version 2.2 an element of two groups is there twice: once here, with both groups.
  void join_copies()
  {
    std::size_t const all = elements.groups.size(), size = all > 0 ? elements.nodes.size() / all : 0;
    auto const first_node = [&](index_t i) { return elements.nodes[static_cast<std::size_t>(i) * size]; };
    lists_by_number const around(static_cast<index_t>(coordinates.size() / 3), elements.count(), first_node);
    element_list once{elements.order};
    own_vector<std::size_t> place(all);
    for (std::size_t e = 0; e < all; ++e) {
      auto const same = [&](std::size_t other) {
        for (std::size_t a = 0; a < size; ++a)
          if (elements.nodes[other * size + a] != elements.nodes[e * size + a]) return false;
        return true;
      };
      index_t const* other = around.begin(first_node(static_cast<index_t>(e)));
      while (!same(static_cast<std::size_t>(*other))) ++other;
      auto const before = static_cast<std::size_t>(*other);
      if (before == e) {
        place[e] = once.groups.size();
        once.groups.push_back(elements.groups[e]);
        for (std::size_t a = 0; a < size; ++a) once.nodes.push_back(elements.nodes[e * size + a]);
      } else {
        auto& here = once.groups[place[before]];
        std::vector<int> both = group_lists[here];
        auto const& more = group_lists[elements.groups[e]];
        bool again = more.empty() || both.empty();
        for (int const tag : more) {
          for (int const known : both) again = again || known == tag;
          both.push_back(tag);
        }
        if (again)
          in_.refuse("elements " + std::to_string(before) + " and " + std::to_string(e) +
                     " have the same nodes and group (different ones expected): leave one of them out");
        here = list_of(both);
      }
    }
    elements = std::move(once);
  }

  // The head of a block of nodes or elements; how many it has.
  std::size_t block(std::size_t most)
  {
    dim_ = in_.integer();
    std::int64_t const tag = in_.integer();
    entity const* const of = dim_ < 0 || dim_ > 3 ? nullptr : find(static_cast<int>(dim_), tag);
    if (of == nullptr) in_.fail("a block is of an entity that does not exist");
    groups_ = of->groups;
    type_ = in_.integer();
    std::size_t const here = in_.count();
    in_.end_of_line();
    if (in_.section == "Nodes" && type_ != 0)
      in_.fail("nodes have parameters, which are not read (save it with -setnumber Mesh.SaveParametric 0)");
    if (here > most) in_.fail("a block has more entries than the section");
    return here;
  }

  // Behind an element's number, in version 2.2: its type, and the numbers of its group and of what it lies on.
  void read_head()
  {
    type_ = in_.integer(), dim_ = -1;
    if (in_.integer() != 2) in_.fail("an element has another number of tags than two (save it without -part)");
    auto const physical = static_cast<int>(in_.integer());
    if (in_.integer() < 1) in_.fail("an element lies on an entity whose number is not positive");
    groups_ = physical == 0 ? 0 : list_of({without_sign(physical)});
  }

  gmsh_shape shape_of_block() const
  {
    gmsh_shape const shape = gmsh_shape_of(type_, shape_);
    if (shape.directions < 0 && shape_ == cell_shape::simplex)
      in_.fail("elements are of type " + std::to_string(type_) +
               ": only triangles, tetrahedra and lines of order 1 and 2 fit");
    if (shape.directions < 0)
      in_.fail("elements are of type " + std::to_string(type_) + ", " + gmsh_name_of(type_) +
               ": only complete hexahedra (8, 27, 64, ... nodes), quadrilaterals and lines fit");
    if (dim_ >= 0 && shape.directions != dim_) in_.fail("elements are of another dimension than their entity");
    if (shape.directions > directions_)
      in_.fail("elements have " + std::to_string(shape.directions) + " directions (at most " +
               std::to_string(directions_) + " expected): read<" + std::to_string(shape.directions) + "> is for them");
    return shape;
  }

  // A number; one much larger than there are entries is refused, as lists have all numbers up to the largest.
  std::size_t number(std::size_t all)
  {
    std::size_t const n = in_.count();
    if (n < 1 || n > 100 * lesser(all, in_.size()) + 1000000)
      in_.fail("a number is 0 or far beyond how many there are");
    return n;
  }

  entity const* find(int dim, std::int64_t tag) const
  {
    for (entity const& e : entities_[dim])
      if (e.tag == tag) return &e;
    return nullptr;
  }
  std::uint32_t list_of(std::vector<int> const& groups)
  {
    for (std::size_t i = 0; i < group_lists.size(); ++i)
      if (group_lists[i] == groups) return static_cast<std::uint32_t>(i);
    group_lists.push_back(groups);
    return static_cast<std::uint32_t>(group_lists.size() - 1);
  }

  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  mesh_file in_;
  int directions_;
  cell_shape shape_;
  bool old_ = false;  // version 2.2
  std::int64_t dim_ = 0, type_ = 0;
  std::uint32_t groups_ = 0;
  std::vector<group> names_{};
  own_vector<entity> entities_[4];
  own_vector<std::uint32_t> known_{};  // by number
};

}  // namespace sumfac::detail
