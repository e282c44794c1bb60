// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The user's element-to-node table, marks of constrained entries and constraints, checked, in one form for all
// backends.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/constraint_rows.hpp>
#include <sumfac/dofs/restriction/element_masks.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/view/view.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Which nodes the elements have, and which of their components are constrained.
//
// **Shapes** numbers (E, n^3), x fastest, n^2 of quadrilaterals, n of lines; marks (nodes, C), or empty where nothing
// is constrained.
class node_table {
public:
  static constexpr dof_extras extras{.rows = true, .masks = true};
  using number = std::uint32_t;
  // Nodes that a restriction can tell apart: the highest bit and some numbers are wanted for other purposes.
  static constexpr index_t most_nodes = index_t{1} << 30;

  template <class Table>
  node_table(host const& threads, Table const& table, index_t nodes, restriction_options const& options)
      : elements_(table.extent(0)),
        nodes_(nodes),
        n_(static_cast<int>(table.extent(1))),
        directions_(int{Table::rank()} - 1),
        components_(options.components)
  {
    check_shape(table);
    if (options.every_node) check_most_nodes();
    numbers_ = own_vector<number>::unwritten(static_cast<std::size_t>(elements_ * nodes_of_element()));
    first_of_all wrong(elements_), repeated(elements_);  // elements with a number out of range, with one more than once
    threads.partition(elements_, [&](index_t first, index_t last) {
      seen_nodes seen(nodes);
      node_box const b = box();
      number* out = numbers_.data() + first * nodes_of_element();
      for (index_t e = first; e < last; ++e) {
        bool fits = true;
        for (int k = 0; k < b.z; ++k)
          for (int j = 0; j < b.y; ++j)
            for (int i = 0; i < b.x; ++i) {
              auto const got = entry_of(table, e, k, j, i);
              *out++ = static_cast<number>(got);
              // A negative number becomes one that is far too large.
              fits &= static_cast<std::uint64_t>(got) < static_cast<std::uint64_t>(nodes);
            }
        if (!fits)
          wrong.keep(e);
        else if (has_repeated(e, seen))
          repeated.keep(e);
      }
    });
    if (wrong.index() < elements_)
      for (index_t p = 0; p < nodes_of_element(); ++p) check_number(table, wrong.index(), p);
    if (options.every_node) check_every_node();
    if (repeated.index() < elements_) name_repeated(repeated.index());
  }

  // Takes the marks, a view (nodes) or (nodes, C).
  template <class Marks>
  void mark(host const& threads, Marks const& marks)
  {
    check_equal(here_, "extent 0 (nodes) of marks", nodes_, marks.extent(0));
    if constexpr (Marks::rank() == 2)
      check_equal(here_, "extent 1 (components) of marks", components_, marks.extent(1));
    check_data(here_, "view of marks", marks.data(), marks.size());
    auto all = own_vector<std::uint8_t>::unwritten(static_cast<std::size_t>(nodes_ * components_));
    shared_count any, partly;
    threads.partition(nodes_, [&](index_t first, index_t last) {
      bool any_here = false, partly_here = false;
      std::uint8_t* out = all.data() + first * components_;
      for (index_t node = first; node < last; ++node) {
        int count = 0;
        for (int c = 0; c < components_; ++c) {
          bool marked = false;
          if constexpr (Marks::rank() == 2)
            marked = marks(node, c) != 0;
          else
            marked = marks(node) != 0;
          *out++ = marked ? 1 : 0;
          count += marked ? 1 : 0;
        }
        any_here |= count > 0, partly_here |= count > 0 && count < components_;
      }
      if (any_here) any.store_relaxed(1);
      if (partly_here) partly.store_relaxed(1);
    });
    if (any.load_relaxed() != 0) marks_ = std::move(all);
    partly_ = partly.load_relaxed() != 0;
  }
  // Takes constraints, behind marks.
  void mark(host const&, constraints const& given)
  {
    rows_ = constraint_rows(given, nodes_, components_);
    if (rows_.empty()) return;
    rows_.sort_by([this](index_t key) { return !marks_.empty() && marks_[static_cast<std::size_t>(key)] != 0; });
    if (marks_.empty()) marks_.assign(static_cast<std::size_t>(nodes_ * components_), 0);
    for (auto const& row : rows_.all()) marks_[static_cast<std::size_t>(row.key)] = 1;
    for (auto const& row : rows_.all())
      partly_ = partly_ || constrained_components(*this, row.key / components_) < components_;
    if (has_rows() && given.masks().fits(elements_, n_, directions_, [this](index_t e) { return element(e); }))
      masks_ = given.masks();
  }

  // A node that an element has more than once, as in a mesh that is periodic after one element.
  struct repeated_node {
    index_t element = -1;  // the first such element, -1 where there is none
    index_t node = 0;
  };
  repeated_node repeated() const { return repeated_; }

  index_t elements() const { return elements_; }
  index_t nodes() const { return nodes_; }
  int nodes_1d() const { return n_; }
  int directions() const { return directions_; }
  node_box box() const { return {n_, directions_}; }
  index_t nodes_of_element() const { return box().all(); }
  int components() const { return components_; }

  number operator()(index_t e, index_t p) const { return element(e)[p]; }
  number const* element(index_t e) const { return numbers_.data() + e * nodes_of_element(); }

  bool has_marks() const { return !marks_.empty(); }
  bool constrained(index_t node, int c) const
  {
    return has_marks() && marks_[static_cast<std::size_t>(node * components_ + c)] != 0;
  }
  // Constrained by a mark, and not by an equation.
  bool marked(index_t node, int c) const
  {
    return constrained(node, c) && rows_.find(node * components_ + c) == nullptr;
  }
  // Whether there is a node of which some components are constrained and others not.
  bool partly_constrained() const { return partly_; }

  // Whether a row has terms, by which elements read and add; of an unknown those terms, none where it is free or 0.
  bool has_rows() const { return rows_.has_free_terms(); }
  struct terms_of_row {
    row_term const *first, *last;
    row_term const* begin() const { return first; }
    row_term const* end() const { return last; }
    index_t size() const { return last - first; }

    friend bool operator==(terms_of_row const& a, terms_of_row const& b)
    {
      bool same = a.size() == b.size();
      for (index_t t = 0; same && t < a.size(); ++t) same = a.first[t] == b.first[t];
      return same;
    }
  };
  terms_of_row row(index_t node, int c) const
  {
    auto const* const found = rows_.find(node * components_ + c);
    if (found == nullptr) return {nullptr, nullptr};
    return {found->terms.data(), found->terms.data() + found->free};
  }
  constraint_rows const& rows() const { return rows_; }
  element_masks const& masks() const { return masks_; }
  // The same elements without marks and rows, of which the listed ones have nodes of their own, one behind the other,
  // and all others have those of the first.
  node_table apart(own_vector<index_t> const& listed) const
  {
    node_table made = unconstrained();
    auto const each = static_cast<number>(nodes_of_element());
    made.nodes_ = static_cast<index_t>(listed.size()) * each;
    for (number& node : made.numbers_) node = 0;
    number next = 0;
    for (index_t const e : listed)
      for (number p = 0; p < each; ++p) made.numbers_[static_cast<std::size_t>(e) * each + p] = next++;
    return made;
  }
  // The same nodes, marks and rows on other elements, (E, n^D).
  node_table on(own_vector<number> numbers, index_t elements, int n) const
  {
    node_table made = *this;
    made.numbers_ = std::move(numbers), made.elements_ = elements, made.n_ = n, made.repeated_ = {}, made.masks_ = {};
    return made;
  }
  // The same with nothing constrained; and with all that is constrained 0.
  node_table unconstrained() const
  {
    node_table made = *this;
    made.partly_ = false, made.marks_ = {}, made.rows_ = {}, made.masks_ = {};
    return made;
  }
  node_table without_rows() const
  {
    node_table made = *this;
    made.rows_ = {}, made.masks_ = {};
    return made;
  }
  // What elements read at component c of a node, from read(node, component) of a vector.
  template <class Read>
  auto value(index_t node, int c, Read const& read) const
  {
    using number_type = decltype(read(node, c));
    if (!constrained(node, c)) return read(node, c);
    number_type sum = 0;
    for (row_term const& t : row(node, c)) sum += static_cast<number_type>(t.weight) * read(t.index, t.component);
    return sum;
  }

private:
  static constexpr char const* here_ = "restriction";

  template <class Table>
  void check_shape(Table const& table) const
  {
    auto const as_printed = [](index_t i) { return static_cast<long long>(i); };
    if (components_ < 1) failf(here_, "components is less than 1 (got %d, at least 1 expected)", components_);
    if (nodes_ < 0) failf(here_, "the number of nodes is negative (got %lld, at least 0 expected)", as_printed(nodes_));
    if (nodes_ >= most_nodes)
      failf(here_, "there are too many nodes (got %lld, less than %lld expected): split the mesh into parts",
            as_printed(nodes_), as_printed(most_nodes));
    index_t const most = directions_ == 1 ? 4096 : 32;  // of triangles, tetrahedra and prisms all are one row
    if (table.extent(1) < 2 || table.extent(1) > most)
      failf(here_,
            "extent 1 (nodes per direction) of the table does not fit (got %lld, 2 to %lld expected): pass node "
            "numbers of shape %s",
            as_printed(table.extent(1)), as_printed(most),
            directions_ == 3   ? "(E, n, n, n)"
            : directions_ == 2 ? "(E, n, n)"
                               : "(E, n)");
    if constexpr (Table::rank() == 4) {
      check_equal(here_, "extent 2 (nodes along y) of the table", n_, table.extent(2));
      check_equal(here_, "extent 3 (nodes along x) of the table", n_, table.extent(3));
    } else if constexpr (Table::rank() == 3) {
      check_equal(here_, "extent 2 (nodes along x) of the table", n_, table.extent(2));
    }
    constexpr index_t most_entries = index_t{1} << 56;  // and far less fit into any memory
    if (elements_ < 0 || elements_ > most_entries / nodes_of_element())
      failf(here_, "extent 0 (elements) of the table does not fit (got %lld, 0 to %lld expected)",
            as_printed(elements_), as_printed(most_entries / nodes_of_element()));
    check_data(here_, "view of the table", table.data(), elements_ * nodes_of_element());
    if (nodes_ == 0 && elements_ > 0)
      failf(here_, "the number of nodes is 0, but the table has %lld entries: pass the number of nodes of the mesh",
            as_printed(elements_ * nodes_of_element()));
  }
  // Of element e.
  template <class Table>
  static auto entry_of(Table const& table, index_t e, [[maybe_unused]] int k, [[maybe_unused]] int j, int i)
  {
    if constexpr (Table::rank() == 4)
      return table(e, k, j, i);
    else if constexpr (Table::rank() == 3)
      return table(e, j, i);
    else
      return table(e, i);
  }
  template <class Table>
  void check_number(Table const& table, index_t e, index_t p) const
  {
    node_box const b = box();
    auto const k = static_cast<int>(p / (b.x * b.y)), j = static_cast<int>(p / b.x % b.y),
               i = static_cast<int>(p % b.x);
    auto const got = entry_of(table, e, k, j, i);
    if (static_cast<std::uint64_t>(got) < static_cast<std::uint64_t>(nodes_)) return;
    failf(here_,
          "node number is out of range (element %lld, node (k, j, i) = (%d, %d, %d): got %lld, 0 to %lld expected)",
          static_cast<long long>(e), k, j, i, static_cast<long long>(got), static_cast<long long>(nodes_ - 1));
  }
  // Before memory is asked for by their number.
  void check_most_nodes() const
  {
    if (nodes_ > elements_ * nodes_of_element())
      failf(here_,
            "there are more nodes than entries of the table (%lld nodes, %lld entries): number the nodes without "
            "gaps",
            static_cast<long long>(nodes_), static_cast<long long>(elements_ * nodes_of_element()));
  }
  void check_every_node() const
  {
    own_vector<bool> met(static_cast<std::size_t>(nodes_));
    for (number const node : numbers_) met[node] = true;
    index_t missing = 0;
    while (missing < nodes_ && met[static_cast<std::size_t>(missing)]) ++missing;
    if (missing < nodes_)
      failf(here_, "node %lld is in no element (0 of %lld entries of the table): number the nodes without gaps",
            static_cast<long long>(missing), static_cast<long long>(numbers_.size()));
  }
  // A bit for each node, all 0 between two elements.
  class seen_nodes {
  public:
    explicit seen_nodes(index_t nodes) : bits_(static_cast<std::size_t>(nodes / 64 + 1), 0) {}

    // Whether it was there before.
    bool insert(number node)
    {
      std::uint64_t const bit = std::uint64_t{1} << (node % 64);
      std::uint64_t& word = bits_[node / 64];
      bool const there = (word & bit) != 0;
      word |= bit;
      return there;
    }
    // With others of its word.
    void erase(number node) { bits_[node / 64] = 0; }

  private:
    own_vector<std::uint64_t> bits_;
  };
  bool has_repeated(index_t e, seen_nodes& seen) const
  {
    number const *const first = element(e), *const last = first + nodes_of_element();
    bool found = false;
    for (number const* node = first; node != last; ++node) found |= seen.insert(*node);
    for (number const* node = first; node != last; ++node) seen.erase(*node);
    return found;
  }
  // The first that an element, which has one, has again.
  void name_repeated(index_t e)
  {
    seen_nodes seen(nodes_);
    for (index_t p = 0; p < nodes_of_element() && repeated_.element < 0; ++p)
      if (number const node = (*this)(e, p); seen.insert(node)) repeated_ = {e, static_cast<index_t>(node)};
  }

  index_t elements_ = 0, nodes_ = 0;
  repeated_node repeated_;
  bool partly_ = false;
  int n_ = 0, directions_ = 3, components_ = 1;
  own_vector<number> numbers_;
  own_vector<std::uint8_t> marks_;
  constraint_rows rows_;
  element_masks masks_;
};

static_assert(dof_map<node_table>);

// Whether View is a view of integers whose rank is from Least to Most.
template <class View, int Least, int Most>
inline constexpr bool is_view_of_integers = false;
template <class T, class Extents, class Layout, int Least, int Most>
inline constexpr bool is_view_of_integers<view<T, Extents, Layout>, Least, Most> =
    std::is_integral_v<T> && Extents::rank() >= Least && Extents::rank() <= Most;

// The arguments of a restriction, and of what numbers nodes for one, checked.
template <class Table, class... Marks>
node_table make_node_table(host const& threads, Table const& table, index_t nodes, restriction_options const& options,
                           Marks const&... marks)
{
  constexpr bool numbers = is_view_of_integers<Table, 2, 4>;
  constexpr bool bits = ((is_view_of_integers<Marks, 1, 2> || std::is_same_v<Marks, constraints>)&&...);
  static_assert(numbers,
                "sumfac::restriction: the table must be a sumfac::view of integers, of shape (E, n, n, n), "
                "or (E, n, n), (E, n) on quadrilaterals and lines");
  static_assert(bits,
                "sumfac::restriction: marks must be a sumfac::view of bool or integers, of shape (nodes) or "
                "(nodes, C), and behind them may come sumfac::constraints");
  if (options.blocks < 0)
    failf("restriction", "the number of blocks is negative (got %lld, at least 0 expected; 0: by the size)",
          static_cast<long long>(options.blocks));
  if constexpr (numbers && bits) {
    node_table made(threads, table, nodes, options);
    (made.mark(threads, marks), ...);
    return made;
  } else {
    fail("restriction", "the table or the marks are no view");
  }
}

}  // namespace sumfac::detail
