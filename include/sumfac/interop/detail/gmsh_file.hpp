// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What Gmsh's files say, section by section, and what is wrong with them.
#pragma once

#include <sumfac/interop/detail/gmsh_elements.hpp>
#include <sumfac/interop/detail/mesh_file.hpp>
#include <sumfac/mesh/boundary_faces.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Reads a file's sections and says what is wrong with them.
class gmsh_reader {
public:
  // Elements in the file's order: the nodes of one after the other, by their places in the file, and physical groups.
  struct element_list {
    int order = 0;
    bool is_complete = true;
    own_vector<std::uint32_t> nodes{};
    own_vector<std::uint32_t> groups{};  // number of a list in group_lists
    index_t count() const { return static_cast<index_t>(groups.size()); }
  };
  struct group {
    int dimension, tag;
    std::string name;
  };

  // Of elements of one shape, or of all in a mesh of several; those of others are refused, or left out.
  gmsh_reader(std::string const& file, int directions, cell_shape shape, bool leaves_out)
      : in_(file), directions_(directions), shape_(shape), leaves_out_(leaves_out)
  {
    run();
  }

  mesh_file const& file() const { return in_; }
  own_vector<double> coordinates{};  // (nodes, 3)
  // Of the mesh's directions, and of one less.
  element_list const& elements(cell_shape shape) const { return lists_[0][static_cast<int>(shape)]; }
  element_list const& sides(cell_shape shape) const { return lists_[1][static_cast<int>(shape)]; }
  std::vector<std::vector<int>> group_lists{1};

  // The node that stands for all those that $Periodic makes one with this one.
  std::uint32_t one_of(std::uint32_t node) const { return periodic_.size() == 0 ? node : periodic_[node]; }
  // Whether it is there, with itself or another one.
  bool is_on_period(std::uint32_t node) const { return on_period_.size() > 0 && on_period_[node]; }

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
    char const* const order[] = {"MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements", "Periodic"};
    constexpr void (gmsh_reader::*readers[])() = {&gmsh_reader::read_format,   &gmsh_reader::read_names,
                                                  &gmsh_reader::read_entities, &gmsh_reader::read_nodes,
                                                  &gmsh_reader::read_elements, &gmsh_reader::read_periodic};
    constexpr int sections = 6;
    if (in_.at_end()) in_.refuse("it is empty");
    int next = 0;
    while (!in_.at_end()) {
      std::string const head = in_.line();
      if (head.empty() && next > 0) continue;
      if (next == 0 && head != "$MeshFormat") in_.refuse("it is no mesh of Gmsh's (no $MeshFormat at its start)");
      int place = next;
      while (place < sections && head != std::string("$") + order[place]) ++place;
      if (place == sections) refuse_section(head);
      if (!in_.is_whole()) in_.refuse("it is cut off (no $End of a section at its end)");
      in_.section = order[place];
      next = place + 1;
      (this->*readers[place])();
      if (in_.at_end() || in_.line() != "$End" + in_.section)
        in_.refuse("it is cut off, or longer than it says (no $End" + in_.section + " at its end)");
    }
    index_t count = 0;
    for (element_list& of : lists_[0]) join_copies(of), count += of.count();
    if (count == 0) in_.refuse("it has no " + wanted_elements(" or "));
  }

  // Whether elements of a shape are asked for; names of those that are.
  bool is_wanted(cell_shape shape) const { return shape_ == shape || shape_ == cell_shape::mixed; }
  std::string wanted_elements(std::string const& before_last) const
  {
    if (directions_ == 1) return "lines";
    std::string const solid[] = {"hexahedra", "tetrahedra", "prisms"}, flat[] = {"quadrilaterals", "triangles"};
    auto const& of = directions_ == 3 ? solid : flat;
    if (shape_ != cell_shape::mixed) return of[static_cast<int>(shape_)];
    return directions_ == 2 ? of[0] + before_last + of[1] : of[0] + ", " + of[2] + before_last + of[1];
  }

  // What a section that is not read would change, and what to do.
  [[noreturn]] void refuse_section(std::string const& head) const
  {
    constexpr char const* sections[][2] = {
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
               "$Entities, $Nodes, $Elements and $Periodic, in this order, are read");
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
        int const below = directions_ - shape.directions;
        element_list* const list = below <= 1 && (below == 1 || is_wanted(shape.shape))
                                       ? &lists_[below][static_cast<int>(shape.shape)]
                                       : nullptr;
        if (list != nullptr) list->groups.push_back(groups_);
        for (int n = shape.nodes(); n > 0; --n) {
          std::uint32_t const node = known_node("an element has");
          if (list != nullptr) list->nodes.push_back(node);
        }
        in_.end_of_line();
        if (list == nullptr) continue;
        if (order_ > 0 && shape.order > 0 && order_ != shape.order)
          in_.fail("elements are of several orders: mesh all of it with one");
        if (list->count() > 1 && list->is_complete != shape.is_complete)
          in_.fail("some elements have nodes within, and others have none: mesh all of it alike");
        if (shape.order > 0) order_ = shape.order;
        list->order = shape.order, list->is_complete = shape.is_complete;
      }
    }
    if (read != all) in_.fail("there are fewer elements than it says");
    in_.end_of_bytes();
  }

  // Pairs of nodes that are one: of each entity of points, curves and surfaces that is made like another.
  void read_periodic()
  {
    own_vector<bool> joined(coordinates.size() / 3, false);
    on_period_ = joined;
    for (std::uint32_t i = 0; i < joined.size(); ++i) periodic_.push_back(i);
    std::size_t const links = in_.count();
    in_.end_of_line();
    for (std::size_t link = 0; link < links; ++link) {
      for (int k = 0; k < 3; ++k) in_.integer();  // a dimension, an entity of it, and the one that it is made like
      in_.end_of_line();
      if (old_) {
        in_.pass_line("Affine");
      } else {
        for (std::size_t n = in_.count(); n > 0; --n) in_.real();
        in_.end_of_line();
      }
      std::size_t pairs = in_.count();
      for (in_.end_of_line(); pairs > 0; --pairs) {
        std::uint32_t const node = known_node("a period has"), other = known_node("a period has");
        in_.end_of_line();
        joined[node] = joined[node] || node != other;
        on_period_[node] = on_period_[other] = true;
        std::uint32_t const a = root_of(node), b = root_of(other);
        periodic_[greater(a, b)] = lesser(a, b);
      }
    }
    in_.end_of_bytes();
    for (std::uint32_t i = 0; i < joined.size(); ++i) periodic_[i] = root_of(i);
    check_sides(joined);
  }
  std::uint32_t root_of(std::uint32_t node) const
  {
    while (periodic_[node] != node) node = periodic_[node];
    return node;
  }
  // Whether with a side's vertices its other nodes are joined, too: else elements would be torn there.
  void check_sides(own_vector<bool> const& joined) const
  {
    auto const& of = elements(cell_shape::lines);
    int const m = of.order + 1,
              size = static_cast<int>(of.nodes.size() / (of.groups.size() > 0 ? of.groups.size() : 1));
    gmsh_order const order(directions_, of.order);
    for (index_t e = 0; e < of.count(); ++e)
      for (int side = 0; side < 2 * directions_; ++side) {
        bool vertices = true, all = true;
        for (int a = 0; a < size; ++a) {
          auto const& at = order[static_cast<std::size_t>(a)].at;
          if (at[side / 2] != side % 2 * (m - 1)) continue;
          bool is_vertex = true;
          for (int d = 0; d < directions_; ++d) is_vertex = is_vertex && at[d] % (m - 1) == 0;
          bool const here = joined[of.nodes[static_cast<std::size_t>(e * size + a)]];
          all = all && here, vertices = vertices && (here || !is_vertex);
        }
        if (vertices && !all)
          in_.refuse("element " + std::to_string(e) +
                     " has a side whose vertices $Periodic joins, and not the nodes between them (all of a side "
                     "expected): save the mesh with -setnumber Mesh.HighOrderSavePeriodic 1");
      }
  }

  // In version 2.2 an element of two groups is there twice: once here, with both groups.
  void join_copies(element_list& elements)
  {
    std::size_t const all = elements.groups.size(), size = all > 0 ? elements.nodes.size() / all : 0;
    auto const first_node = [&](index_t i) { return elements.nodes[static_cast<std::size_t>(i) * size]; };
    lists_by_number const around(static_cast<index_t>(coordinates.size() / 3), elements.count(), first_node);
    element_list once{elements.order, elements.is_complete};
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
    gmsh_shape const shape = gmsh_shape_of(type_);
    // Sides are triangles of simplices and of prisms, and quadrilaterals of what has some.
    bool const fits = shape.directions <= 1 || shape_ == cell_shape::mixed || shape.shape == shape_ ||
                      (shape.directions == 2 && directions_ == 3 && shape_ == cell_shape::prism) ||
                      shape.directions > directions_;
    if (shape.directions < 0 || !(fits || leaves_out_))
      in_.fail("elements are of type " + std::to_string(type_) + ", " + gmsh_name_of(type_) + ": only " +
               wanted_elements(" and ") + " and their sides fit");
    if (dim_ >= 0 && shape.directions != dim_) in_.fail("elements are of another dimension than their entity");
    if (shape.directions > directions_)
      in_.fail("elements have " + std::to_string(shape.directions) + " directions (at most " +
               std::to_string(directions_) + " expected): read<" + std::to_string(shape.directions) + "> is for them");
    return shape;
  }

  // The place of the node that is named next.
  std::uint32_t known_node(char const* who)
  {
    std::size_t const node = in_.count();
    if (node >= known_.size() || known_[node] == none) in_.fail(std::string(who) + " a node that does not exist");
    return known_[node];
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
  int directions_, order_ = 0;
  cell_shape shape_;
  element_list lists_[2][3];  // elements and sides: lines, simplices, prisms
  bool leaves_out_;
  bool old_ = false;  // version 2.2
  std::int64_t dim_ = 0, type_ = 0;
  std::uint32_t groups_ = 0;
  std::vector<group> names_{};
  own_vector<entity> entities_[4];
  own_vector<std::uint32_t> known_{};  // by number
  own_vector<bool> on_period_{};
  own_vector<std::uint32_t> periodic_{};  // by place: the one that stands for it; none without $Periodic
};

}  // namespace sumfac::detail
