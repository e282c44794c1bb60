// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between global vectors, one value for each node of a mesh, and E-vectors, one for each node of each element.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/restriction/device_restriction.hpp>
#include <sumfac/dofs/restriction/host_restriction.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/row_passes.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Which nodes of a mesh each element has, and which of their values are constrained (essential boundary conditions).
//
// R x takes for each node of each element its entry of x, and 0 where that is constrained; R^T v adds up, for each
// entry of the result that is not constrained, what the elements have there: 0 at a node of no element. There may be
// such nodes, no elements, no nodes, and no entry that is free, as on a part of a mesh. Made from a table in the host's
// memory; x and y are contiguous vectors in the backend's memory. One restriction has work memory, so it does one thing
// at a time.
//
// With constraints R x takes for an unknown with an equation the sum of its terms, and R^T v adds to these what
// elements have there: R = R' C, C being the equations without their values, in which marked unknowns are 0. The
// unknown itself is constrained.
// **Shapes** table (E, n, n, n): element; node along z, y, x; n from 2 to 32; (E, n, n) on quadrilaterals, (E, n) on
// lines, whose E-vectors have as many n. marks (nodes) or (nodes, C), not 0 where
// constrained. x, y (nodes C). u, v: E-vectors (E, n, n, n), or (E, C, n, n, n) for C > 1, in any layout.
// **Work** on the host a table of 4 bytes for each element's node, less where the nodes of rows follow one another.
// **Errors** argument_error: node numbers out of range, shapes, null, vectors that share memory; with the option
// every_node, a node of no element; constrained rows of a number that is not 0, normal and positive.
template <class Scalar = double, class Backend = host>
class restriction {
  static_assert(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>,
                "sumfac::restriction: Scalar must be double or float");

public:
  using scalar_type = Scalar;
  using backend_type = Backend;

  template <class Table>
  restriction(Backend const& backend, Table const& table, index_t nodes, restriction_options const& options = {})
      : restriction(backend, detail::make_node_table(detail::host_of(backend), table, nodes, options), options)
  {
  }
  template <class Table, class Marks>
    requires(!std::is_convertible_v<Marks const&, restriction_options const&>)
  restriction(Backend const& backend, Table const& table, index_t nodes, Marks const& marks,
              restriction_options const& options = {})
      : restriction(backend, detail::make_node_table(detail::host_of(backend), table, nodes, options, marks), options)
  {
  }
  template <class Table, class Marks>
  restriction(Backend const& backend, Table const& table, index_t nodes, Marks const& marks, constraints const& rows,
              restriction_options const& options = {})
      : restriction(backend, detail::make_node_table(detail::host_of(backend), table, nodes, options, marks, rows),
                    options)
  {
  }
  // Options before marks are refused with a diagnostic.
  template <class Table, class Marks>
  restriction(Backend const& backend, Table const& table, index_t nodes, restriction_options const& options,
              Marks const&)
      : restriction(backend, table, nodes, options)
  {
    static_assert(std::is_same_v<Marks, restriction>,
                  "sumfac::restriction: marks come before options: restriction{backend, table, nodes, marks, options}");
  }

  restriction(restriction&&) noexcept = default;
  // Moved to itself it stays what it is, which vectors, member by member, do not promise.
  restriction& operator=(restriction&& other) noexcept
  {
    if (this == &other) return *this;
    backend_ = std::move(other.backend_), options_ = other.options_;
    table_ = std::move(other.table_), active_ = std::move(other.active_), storage_ = std::move(other.storage_);
    row_values_ = std::move(other.row_values_);
    return *this;
  }

  index_t elements() const { return table_.elements(); }
  index_t nodes() const { return table_.nodes(); }
  int nodes_1d() const { return table_.nodes_1d(); }
  int directions() const { return table_.directions(); }
  int components() const { return table_.components(); }
  index_t size() const { return nodes() * components(); }  // entries of x
  index_t constrained() const { return storage_.constrained(); }
  restriction_options const& options() const { return options_; }
  // What constrained rows have from now on, of operators that refer to it and what is made from it later.
  void set_rows(constrained_rows const& rows)
  {
    storage_.set_rows(checked_rows(rows));
    options_.rows = rows;
  }
  Backend const& backend() const { return backend_; }

  // u = R x.
  template <class From, class To>
  void gather(From const& x, To const& u) const
  {
    constexpr auto here = "restriction::gather";
    constexpr bool entries = detail::is_writable_view_of<To, Scalar>;
    static_assert(entries, "sumfac::restriction: u must be a sumfac::view of the restriction's scalar type, not const");
    check_vector(here, "x", x);
    if constexpr (entries && is_view<From>) {
      auto const to = detail::describe(here, "u", u, elements(), components(), nodes_1d(), table_.directions());
      detail::check_distinct(here, x, u, "x", "u");
      storage_.gather(x.data(), to);
    }
  }
  // y = R^T v: 0 at constrained entries and at nodes of no element.
  template <class From, class To>
  void scatter(From const& v, To const& y) const
  {
    scatter("restriction::scatter", v, y, detail::sweep_mode::write);
  }
  // y = y + R^T v.
  template <class From, class To>
  void scatter_add(From const& v, To const& y) const
  {
    scatter("restriction::scatter_add", v, y, detail::sweep_mode::add);
  }

  // x at unknowns that have equations: what these say, with their values, from the entries of x at their terms; for
  // solutions, and for what lifts values other than 0.
  void distribute(vector_argument<Scalar> x) const
  {
    check_vector("restriction::distribute", "x", x.entries);
    row_values_.set(backend_, x.entries.data());
  }

  // The same for some elements only, over the same vectors: the others are left out of sums, and gather leaves their u
  // alone. For codes that work on elements at a boundary of theirs first.
  // Those from first to last - 1.
  restriction subset(index_t first, index_t last) const
  {
    constexpr auto here = "restriction::subset";
    if (first > last)
      failf(here, "first is greater than last (first %lld, last %lld): pass elements first .. last - 1",
            static_cast<long long>(first), static_cast<long long>(last));
    if (first < 0 || last > elements())
      failf(here, "elements are out of range (first %lld, last %lld; there are %lld): pass elements first .. last - 1",
            static_cast<long long>(first), static_cast<long long>(last), static_cast<long long>(elements()));
    detail::own_vector<index_t> chosen;
    for (index_t const e : active_)
      if (e >= first && e < last) chosen.push_back(e);
    return {backend_, detail::node_table(table_), std::move(chosen), options_};
  }
  template <class List>
  restriction subset(List const& list) const
  {
    constexpr auto here = "restriction::subset";
    constexpr bool is_list = detail::is_view_of_integers<List, 1, 1>;
    static_assert(is_list, "sumfac::restriction: a list of elements must be a sumfac::view of integers, of rank 1");
    if constexpr (is_list) return {backend_, detail::node_table(table_), listed(here, list), options_};
    fail(here, "the list of elements is no view");
  }

  // For operators and solvers: of these elements alone; of the same nodes on other elements, of which `active` are
  // worked on; with nothing constrained; with 0 where unknowns have equations; and unconstrained with nodes of their
  // own for each of these elements.
  restriction with_elements(detail::own_vector<index_t> elements) const
  {
    return {backend_, detail::node_table(table_), std::move(elements), options_};
  }
  restriction on(detail::own_vector<detail::node_table::number> numbers, index_t elements, int n,
                 detail::own_vector<index_t> active) const
  {
    return {backend_, table_.on(std::move(numbers), elements, n), std::move(active), options_};
  }
  restriction unconstrained() const { return {backend_, table_.unconstrained(), active_, options_}; }
  restriction without_rows() const { return {backend_, table_.without_rows(), active_, options_}; }
  restriction apart(detail::own_vector<index_t> const& elements) const
  {
    return {backend_, table_.apart(elements), elements, options_};
  }

  // The same in these numbers, for the elements of a subset alone where it is one.
  template <class Numbers>
  explicit restriction(restriction<Numbers, Backend> const& other) : restriction(other.backend(), other)
  {
  }
  // And on another backend.
  template <class Numbers, class Other>
  restriction(Backend const& backend, restriction<Numbers, Other> const& other)
      : restriction(backend, detail::node_table(other.table()), detail::own_vector<index_t>(other.active()),
                    other.options())
  {
  }

  // For operators and solvers.
  detail::node_table::repeated_node repeated_node() const { return table_.repeated(); }
  detail::node_table const& table() const { return table_; }
  detail::own_vector<index_t> const& active() const { return active_; }  // elements of this subset, ascending
  detail::restriction_storage<Scalar, Backend> const& storage() const { return storage_; }
  // Of a vector in the host's memory: what unknowns with equations have is given to their terms, where one of so many
  // first nodes has an equation; 0 where entries are constrained.
  void collect(Scalar* b, index_t owned) const
  {
    int const each = components();
    for (auto const& row : table_.rows().all()) {
      index_t const node = row.key / each;
      auto const sum = static_cast<double>(b[entry_of(node, static_cast<int>(row.key % each))]);
      for (std::size_t t = 0; node < owned && t < row.free; ++t)
        b[entry_of(row.terms[t].index, row.terms[t].component)] += static_cast<Scalar>(row.terms[t].weight * sum);
    }
    for (index_t i = 0; i < size() && table_.has_marks(); ++i)
      if (table_.constrained(node_of(i), component_of(i))) b[i] = 0;
  }
  // Throws where unknowns are sums of others, which `where` does not know; what to do instead.
  void refuse_rows(char const* where, char const* instead) const
  {
    if (table_.has_rows())
      failf(where, "the restriction has constraints with terms (%lld rows, 0 expected): %s",
            static_cast<long long>(table_.rows().all().size()), instead);
  }
  // Where component c of a node lies in global vectors, and what lies at an entry.
  index_t entry_of(index_t node, int c) const { return order_of(nodes()).entry(node, c); }
  index_t node_of(index_t entry) const { return order_of(nodes()).node(entry); }
  int component_of(index_t entry) const { return order_of(nodes()).component(entry); }
  // The same in vectors of so many nodes.
  detail::entry_order order_of(index_t nodes) const { return {nodes, components(), options_.components_lie}; }

private:
  restriction(Backend const& backend, detail::node_table&& table, restriction_options const& options)
      : restriction(backend, std::move(table), detail::all_elements(table.elements()), options)
  {
  }
  restriction(Backend const& backend, detail::node_table&& table, detail::own_vector<index_t> active,
              restriction_options const& options)
      : backend_(backend),
        options_(options),
        table_(std::move(table)),
        active_(std::move(active)),
        storage_(backend, table_, active_, options),
        row_values_(backend, table_.rows(), order_of(table_.nodes()))
  {
    checked_rows(options.rows);
  }

  template <class Vector>
  void check_vector(char const* where, char const* what, Vector const& x) const
  {
    static_assert(is_view<Vector> && std::is_same_v<typename Vector::value_type, Scalar>,
                  "sumfac::restriction: global vectors must be sumfac::view of the restriction's scalar type");
    if constexpr (is_view<Vector>) {
      static_assert(Vector::rank() == 1 && std::is_same_v<typename Vector::layout_type, layout_right>,
                    "sumfac::restriction: global vectors must be contiguous: views of rank 1 and layout_right");
      detail::check_extent(where, what, 0, "entries", size(), x.extent(0));
      check_data(where, what, x.data(), size());
    }
  }
  template <class From, class To>
  void scatter(char const* where, From const& v, To const& y, detail::sweep_mode mode) const
  {
    constexpr bool entries = detail::is_view_of<From, Scalar> && detail::is_writable_view_of<To, Scalar>;
    static_assert(
        entries, "sumfac::restriction: v and y must be sumfac::view of the restriction's scalar type, and y not const");
    check_vector(where, "y", y);
    if constexpr (entries) {
      view<Scalar const, typename From::extents_type, typename From::layout_type> const read = v;
      auto const from = detail::describe(where, "v", read, elements(), components(), nodes_1d(), table_.directions());
      detail::check_distinct(where, v, y, "v", "y");
      storage_.scatter(from, y.data(), mode);
    }
  }
  // Numbers that can be divided by in Scalar, and 0.
  static constrained_rows const& checked_rows(constrained_rows const& rows)
  {
    constexpr double least = sizeof(Scalar) == sizeof(double) ? 0x1p-1022 : 0x1p-126, most = 1 / least;
    if (rows.value != 0 && !(rows.value >= least && rows.value <= most))
      failf("restriction",
            "constrained rows cannot have %g on the diagonal (0, or from %g to %g in numbers of %d bytes, expected)",
            rows.value, least, most, static_cast<int>(sizeof(Scalar)));
    return rows;
  }
  // Those of the active elements that a list names.
  template <class List>
  detail::own_vector<index_t> listed(char const* here, List const& list) const
  {
    check_data(here, "list of elements", list.data(), list.size());
    detail::own_vector<unsigned char> wanted(static_cast<std::size_t>(elements()), 0);
    for (index_t i = 0; i < list.extent(0); ++i) {
      auto const e = static_cast<index_t>(list(i));
      if (e < 0 || e >= elements())
        failf(here, "element is out of range (entry %lld of the list: got %lld, 0 to %lld expected)",
              static_cast<long long>(i), static_cast<long long>(e), static_cast<long long>(elements() - 1));
      if (wanted[static_cast<std::size_t>(e)]++ != 0)
        failf(here, "element is listed twice (element %lld, again at entry %lld): list each once",
              static_cast<long long>(e), static_cast<long long>(i));
    }
    detail::own_vector<index_t> chosen;
    for (index_t const e : active_)
      if (wanted[static_cast<std::size_t>(e)] != 0) chosen.push_back(e);
    return chosen;
  }

  Backend backend_;
  restriction_options options_;
  detail::node_table table_;
  detail::own_vector<index_t> active_;  // elements, ascending
  detail::restriction_storage<Scalar, Backend> storage_;
  detail::row_values<Scalar, Backend> row_values_;
};

template <class Backend, class Table, class... Rest>
restriction(Backend const&, Table const&, index_t, Rest const&...) -> restriction<double, Backend>;

}  // namespace sumfac
