// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Looks through a Gmsh file before Gmsh's library reads it, which takes numbers in it for indices without a look.
#pragma once

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace detail {

// The numbers of a file, one after the other: words of lines, or bytes.
class mesh_file {
public:
  explicit mesh_file(std::string const& name)
  {
    std::ifstream in(name, std::ios::binary);
    if (!in) throw std::runtime_error("the file cannot be read");
    text_.assign(std::istreambuf_iterator<char>(in), {});
  }

  bool binary = false;

  bool at_end() const { return at_ == text_.size(); }

  // Whether the last line is the end of a section.
  bool is_whole() const
  {
    std::size_t const last = text_.find_last_not_of(" \t\r\n"), line = text_.rfind('\n', last);
    return line != std::string::npos && text_.compare(line + 1, 4, "$End") == 0;
  }

  // The next line, without blanks at its ends.
  std::string line()
  {
    if (at_end()) throw std::runtime_error("it is cut off in line " + std::to_string(lines_));
    std::size_t const end = std::min(text_.find('\n', at_), text_.size());
    std::string found = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size()), ++lines_;
    found.erase(found.find_last_not_of(" \t\r") + 1);
    return found.substr(std::min(found.find_first_not_of(" \t"), found.size()));
  }

  // A whole number of 4 bytes, one of 8 that is not negative, a finite number.
  std::int64_t integer() { return binary ? bytes<std::int32_t>() : whole_number(); }
  std::size_t count()
  {
    std::int64_t const n = binary ? bytes<std::int64_t>() : whole_number();
    if (n < 0) fail("a number is negative (" + std::to_string(n) + ")");
    return static_cast<std::size_t>(n);
  }
  double real()
  {
    double x = 0;
    if (binary) {
      x = bytes<double>();
    } else {
      std::string const word = next_word();
      char* end = nullptr;
      x = std::strtod(word.c_str(), &end);
      if (word.empty() || *end != 0) fail(quoted(word) + " is no number");
    }
    if (!std::isfinite(x)) fail("a number is not finite");
    return x;
  }

  // In text, whatever belongs together is one line.
  void end_of_line()
  {
    if (!binary && words_.find_first_not_of(" \t", place_) != std::string::npos) fail("the line has too many numbers");
    words_.clear(), place_ = 0, in_line_ = false;
  }
  // Behind the bytes of a section.
  void end_of_bytes()
  {
    if (binary && line() != "") fail("a section of bytes is longer than it says");
  }

  // A part of the file in a sentence.
  static std::string quoted(std::string text)
  {
    text = text.substr(0, 40);
    for (char& c : text)
      if (c < ' ' || c > '~') c = '?';
    return "'" + text + "'";
  }

  [[noreturn]] void fail(std::string const& what) const
  {
    throw std::runtime_error(what + " in section $" + section + (binary ? "" : ", line " + std::to_string(lines_)));
  }

  std::string section;

private:
  template <class T>
  T bytes()
  {
    T x;
    if (text_.size() - at_ < sizeof x) fail("the file ends");
    std::memcpy(&x, text_.data() + at_, sizeof x);
    at_ += sizeof x;
    return x;
  }
  std::string next_word()
  {
    if (!in_line_) words_ = line(), place_ = 0, in_line_ = true;
    std::size_t const first = std::min(words_.find_first_not_of(" \t", place_), words_.size());
    place_ = std::min(words_.find_first_of(" \t", first), words_.size());
    if (first == place_) fail("the line has too few numbers");
    return words_.substr(first, place_ - first);
  }
  std::int64_t whole_number()
  {
    std::string const word = next_word();
    std::size_t const digits = word[0] == '-' ? 1 : 0;
    if (word.size() == digits || word.size() > 18 || word.find_first_not_of("0123456789", digits) != std::string::npos)
      fail(quoted(word) + " is no whole number");
    return std::atoll(word.c_str());
  }

  std::string text_, words_;
  std::size_t at_ = 0, place_ = 0, lines_ = 0;
  bool in_line_ = false;
};

// What the sections of a mesh say of one another; throws std::runtime_error where one is not what it should be.
class mesh_check {
public:
  explicit mesh_check(std::string const& file) : in_(file) {}

  void run()
  {
    std::vector<std::string> const order{"MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements"};
    if (in_.at_end()) throw std::runtime_error("it is empty");
    std::size_t next = 0;
    while (!in_.at_end()) {
      std::string const head = in_.line();
      if (head.empty() && next > 0) continue;
      if (next == 0 && head != "$MeshFormat")
        throw std::runtime_error("it is no mesh of Gmsh's (no $MeshFormat at its start)");
      std::size_t place = next;
      while (place < order.size() && head != "$" + order[place]) ++place;
      if (place == order.size()) refuse_section(head);
      if (!in_.is_whole()) throw std::runtime_error("it is cut off (no $End of a section at its end)");
      in_.section = order[place];
      next = place + 1;
      constexpr void (mesh_check::*readers[])() = {&mesh_check::format, &mesh_check::names, &mesh_check::entities,
                                                   &mesh_check::nodes, &mesh_check::elements};
      (this->*readers[place])();
      if (in_.at_end() || in_.line() != "$End" + in_.section)
        throw std::runtime_error("it is cut off, or longer than it says (no $End" + in_.section + " at its end)");
    }
  }

private:
  // What a section that is not read would change, and what to do.
  [[noreturn]] static void refuse_section(std::string const& head)
  {
    struct known {
      char const *section, *sentence;
    };
    constexpr known sections[] = {
        {"$Periodic", "nodes that are one around a period are not joined: mesh it without Periodic Surface and "
                      "Periodic Curve, for sides of their own, or join numbers of vertices as your problem wants it"},
        {"$PartitionedEntities", "it is cut into parts: save it without -part"},
        {"$GhostElements", "it is cut into parts: save it without -part"},
        {"$ParametricNodes", "nodes have parameters: save it without them (-setnumber Mesh.SaveParametric 0)"},
        {"$Parametrizations", "surfaces are meshes of their own: save the mesh alone"},
        {"$NodeData", "it has results: save the mesh alone"},
        {"$ElementData", "it has results: save the mesh alone"},
        {"$ElementNodeData", "it has results: save the mesh alone"},
        {"$InterpolationScheme", "it has results: save the mesh alone"}};
    for (auto const& [section, sentence] : sections)
      if (head == section) throw std::runtime_error("it has a section " + head + ", which is not read: " +
                                                    sentence);
    throw std::runtime_error(mesh_file::quoted(head) + " is no section that belongs there: only $MeshFormat, "
                             "$PhysicalNames, $Entities, $Nodes and $Elements, in this order, are read");
  }

  void format()
  {
    std::string const line = in_.line();
    if (line != "2.2 0 8" && line != "4.1 0 8" && line != "4.1 1 8")
      throw std::runtime_error("its format is " + mesh_file::quoted(line) +
                               ": only 4.1, and 2.2 as text, are read (gmsh -format msh41)");
    old_ = line[0] == '2';
    if (line != "4.1 1 8") return;
    in_.binary = true;
    if (in_.integer() != 1) in_.fail("the bytes are in another order than this machine's");
    in_.end_of_bytes();
  }

  // Text always.
  void names()
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
    }
    in_.binary = binary;
  }

  void entities()
  {
    std::size_t counts[4];
    for (auto& n : counts) n = in_.count();
    in_.end_of_line();
    for (int dim = 0; dim < 4; ++dim)
      for (std::size_t i = 0; i < counts[dim]; ++i) {
        if (!entities_[dim].insert(in_.integer()).second) in_.fail("two of one dimension have the same number");
        for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) in_.real();
        for (std::size_t physical = in_.count(); physical > 0; --physical) in_.integer();
        for (std::size_t bounds = dim == 0 ? 0 : in_.count(); bounds > 0; --bounds)
          if (!entities_[dim - 1].contains(std::abs(in_.integer()))) in_.fail("what bounds an entity does not exist");
        in_.end_of_line();
      }
    in_.end_of_bytes();
  }

  void nodes()
  {
    blocks_ = old_ ? 1 : in_.count();
    std::size_t const all = in_.count();
    if (!old_) in_.count(), in_.count();  // the least and the largest number, which Gmsh counts anew
    in_.end_of_line();
    for (std::size_t b = 0; b < blocks_; ++b) {
      std::size_t const here = old_ ? all : block(all);
      if (!old_) {
        for (std::size_t i = 0; i < here; ++i) number(nodes_, all), in_.end_of_line();
      }
      for (std::size_t i = 0; i < here; ++i) {
        if (old_) number(nodes_, all);
        for (int c = 0; c < 3; ++c) in_.real();
        in_.end_of_line();
      }
    }
    if (nodes_.size() != all) in_.fail("there are fewer nodes than it says");
    in_.end_of_bytes();
  }

  void elements()
  {
    blocks_ = old_ ? 1 : in_.count();
    std::size_t const all = in_.count();
    if (!old_) in_.count(), in_.count();
    in_.end_of_line();
    for (std::size_t b = 0; b < blocks_; ++b) {
      std::size_t const here = old_ ? all : block(all);
      int const nodes_of_block = old_ ? 0 : nodes_of(type_, dim_);
      for (std::size_t i = 0; i < here; ++i) {
        number(elements_, all);
        for (int n = old_ ? old_head() : nodes_of_block; n > 0; --n)
          if (!nodes_.contains(in_.count())) in_.fail("an element has a node that does not exist");
        in_.end_of_line();
      }
    }
    if (elements_.size() != all) in_.fail("there are fewer elements than it says");
    in_.end_of_bytes();
  }

  // The head of a block of nodes or elements; how many it has.
  std::size_t block(std::size_t most)
  {
    dim_ = in_.integer();
    std::int64_t const entity = in_.integer();
    if (dim_ < 0 || dim_ > 3 || !entities_[dim_].contains(entity))
      in_.fail("a block is of an entity that does not exist");
    type_ = in_.integer();
    std::size_t const here = in_.count();
    in_.end_of_line();
    if (in_.section == "Nodes" && type_ != 0)
      in_.fail("nodes have parameters, which are not read (save it with -setnumber Mesh.SaveParametric 0)");
    if (here > most) in_.fail("a block has more entries than the section");
    return here;
  }

  // Behind an element's number, in version 2.2: its type, and two numbers of what it lies on. How many nodes follow.
  int old_head()
  {
    std::int64_t const type = in_.integer();
    if (in_.integer() != 2)
      in_.fail("an element has another number of tags than two (save it without -part)");
    in_.integer();
    if (in_.integer() < 1) in_.fail("an element lies on an entity whose number is not positive");
    return nodes_of(type, -1);
  }

  // A number that nothing else has. Gmsh keeps lists of all up to the largest.
  void number(std::unordered_set<std::size_t>& known, std::size_t all)
  {
    std::size_t const n = in_.count();
    if (n < 1 || n > 100 * all + 1000000) in_.fail("a number is 0 or far beyond how many there are");
    if (!known.insert(n).second) in_.fail("the number " + std::to_string(n) + " is there twice");
  }

  int nodes_of(std::int64_t type, std::int64_t dim)
  {
    if (type < 1 || type > 140) in_.fail("elements are of a type that is unknown");
    auto const [found, added] = types_.try_emplace(type);
    if (added) {
      std::string name;
      int order = 0, corners = 0;
      std::vector<double> local;
      try {
        gmsh::model::mesh::getElementProperties(static_cast<int>(type), name, found->second.dim, order,
                                                found->second.nodes, local, corners);
      } catch (...) {  // Gmsh 4.8 throws numbers and std::string, newer ones std::runtime_error
        found->second.nodes = 0;
      }
    }
    if (found->second.nodes < 1) in_.fail("elements are of a type that is unknown");
    if (dim >= 0 && found->second.dim != dim) in_.fail("elements are of another dimension than their entity");
    return found->second.nodes;
  }

  struct type_of_element {
    int dim = 0, nodes = 0;
  };

  mesh_file in_;
  bool old_ = false;  // version 2.2
  std::size_t blocks_ = 0;
  std::int64_t dim_ = 0, type_ = 0;
  std::unordered_set<std::int64_t> entities_[4];
  std::unordered_set<std::size_t> nodes_, elements_;
  std::map<std::int64_t, type_of_element> types_;
};

}  // namespace detail
