// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An element operator on a GPU whose form, degree, points and numbers are values: compiled by NVRTC or hipRTC
// and run by the driver, both opened when they are wanted.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/error.hpp>
#include <sumfac/jit/detail/arrays.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/driver.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/detail/platform.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/options.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit {

// A GPU, by number, and a stream of it.
//
// **Errors** backend_error where its driver is not there, or fails.
class gpu {
public:
  gpu(detail::platform const& of, int device, void* stream)
      : driver_(std::make_shared<detail::driver const>(of, device)), stream_(stream)
  {
  }

  std::string architecture() const { return driver_->architecture(); }
  void* stream() const { return stream_; }
  void synchronize() const
  {
    driver_->use();
    driver_->synchronize(stream_);
  }
  std::shared_ptr<detail::driver const> const& driver() const { return driver_; }

private:
  std::shared_ptr<detail::driver const> driver_;
  void* stream_;
};

// One of NVIDIA's; the stream is a CUstream or cudaStream_t.
class nvidia : public gpu {
public:
  explicit nvidia(int device = 0, void* stream = nullptr) : gpu(detail::nvidia_platform(), device, stream) {}
};

// One of AMD's; the stream is a hipStream_t.
class amd : public gpu {
public:
  explicit amd(int device = 0, void* stream = nullptr) : gpu(detail::amd_platform(), device, stream) {}
};

class device_operator;

// Which nodes elements have, and which entries are constrained, for one operator on a device, which it refers to: those
// of a sumfac::restriction, of any backend, which it does not. It adds atomically. A unit of its own is compiled.
// **Errors** argument_error for another policy of adding, for constraint rows, and for elements that do not fit; those
// of the operator.
class device_restriction {
public:
  template <std::same_as<device_operator> Operator, detail::has_numbering Other>
  device_restriction(Operator const& a, Other const& other)
      : of_(a.module_), nodes_(other.nodes()), options_(other.options())
  {
    constexpr auto here = "jit::device_restriction";
    if (options_.policy != scatter::atomic)
      fail(here, "operators that are compiled at run time add atomically on devices: say {.policy = scatter::atomic}");
    other.refuse_rows(here, "operators that are compiled at run time do not know them");
    check_equal(here, "number of elements", a.elements(), other.elements());
    check_equal(here, "number of elements of a subset", a.elements(), static_cast<index_t>(other.active().size()));
    check_equal(here, "number of directions of elements", a.options_.space.directions, other.table().directions());
    check_equal(here, "number of nodes along an edge", a.nodes_1d(), other.nodes_1d());
    check_equal(here, "number of components", a.components(), components());
    constexpr index_t most = (index_t{1} << 31) - 1;
    if (size() > most)
      failf(here, "there are more entries than have numbers of 31 bits (got %lld, at most %lld expected)",
            static_cast<long long>(size()), static_cast<long long>(most));
    auto const& numbers = other.table();
    bool const marked = numbers.has_marks(), slowest = options_.components_lie == interleaving::slowest;
    index_t const planes = marked ? components() : 1, places = numbers.nodes_of_element();
    std::vector<std::uint32_t> table;
    for (index_t e = 0; e < a.elements(); ++e)
      for (int c = 0; c < planes; ++c)
        for (index_t p = 0; p < places; ++p) {
          index_t const node = numbers(e, p);
          table.push_back(marked && numbers.constrained(node, c) ? ~std::uint32_t{0}
                                                                 : static_cast<std::uint32_t>(node));
        }
    std::vector<unsigned char> constrained(marked ? static_cast<std::size_t>(size()) : 0);
    detail::device_numbering numbering{.nodes_of_element = places,
                                       .component_stride = marked ? places : 0,
                                       .element_stride = planes * places,
                                       .step = slowest ? 1 : components(),
                                       .stride = slowest ? nodes_ : 1,
                                       .rows = options_.rows.value,
                                       .entries = size()};
    for (index_t node = 0; node < nodes_ && marked; ++node)
      for (int c = 0; c < components(); ++c)
        constrained[static_cast<std::size_t>(node * numbering.step + c * numbering.stride)] =
            numbers.constrained(node, c) ? 1 : 0;
    a.make(*this, numbering, table, constrained);
  }

  index_t nodes() const { return nodes_; }
  int components() const { return options_.components; }
  index_t size() const { return nodes_ * components(); }
  restriction_options const& options() const { return options_; }
  origin const& code() const { return code_.from; }

private:
  friend class device_operator;

  std::shared_ptr<void> of_;  // the code of its operator, which is that operator's alone, also when it is moved
  index_t nodes_ = 0;
  restriction_options options_;
  detail::loaded_code code_;
  detail::device_memory table_, constrained_;
  detail::device_parts parts_;
  detail::device_facts facts_;
  std::shared_ptr<void> module_;
  void *kernel_ = nullptr, *start_ = nullptr;
  std::vector<char> parameters_;
};

// v = A u on E-vectors in a GPU's memory, with geometry that is stored, or affine or trilinear on hexahedra. apply()
// queues the kernel that sumfac::element_operator launches on such vectors, and returns.
// **Shapes** u, v: (E, n, n, n), or (E, C, n, n, n), row by row; (E, n, n) on quadrilaterals, (E, n) on lines, or with
// C likewise. Mesh nodes in the host's memory, (E, m, m, m, 3), (E, m, m, c), (E, m, c) in c coordinates.
// **Errors** those of jit::element_operator; backend_error where the driver or the compiler are not there, or fail.
class device_operator {
public:
  template <class Nodes, class NodeSet = unsaid_nodes>
  device_operator(gpu const& on, Nodes const& nodes, form const& f, options const& o, settings const& how = {},
                  NodeSet const& node_set = {})
      : gpu_(on), form_(f), options_(o), settings_(how)
  {
    static_assert(is_view<Nodes>,
                  "sumfac::jit::device_operator: mesh nodes must be a sumfac::view (E, m, m, m, 3), (E, m, m, c) or "
                  "(E, m, c)");
    constexpr auto here = "jit::device_operator";
    auto const plain = sumfac::detail::plain_nodes(nodes);
    using plain_type = std::remove_const_t<decltype(plain)>;
    static_assert(plain_type::rank() >= 3 && plain_type::rank() <= 5,
                  "sumfac::jit::device_operator: mesh nodes are (E, m, m, m, 3), (E, m, m, c) or (E, m, c)");
    check_equal(here, "number of dimensions of the mesh nodes", options_.space.directions + 2,
                static_cast<index_t>(plain_type::rank()));
    sumfac::detail::check_mesh_nodes(here, plain, options_.space.coordinates);
    auto const m = static_cast<int>(plain.extent(1));
    long double places[sumfac::detail::max_mesh_nodes_1d] = {};
    sumfac::detail::said_nodes(here, nodes, node_set)(m, places);
    elements_ = plain.extent(0);
    code_ = detail::device_code(f, o, how, on.driver()->of(), on.architecture());
    set_up(f, o, detail::in_rows<double>(plain), m, places);
  }

  template <class From, class To>
  void apply(From const& u, To const& v)
  {
    constexpr auto here = "jit::device_operator::apply";
    check_argument(here, "u", u);
    check_argument(here, "v", v);
    launch(kernel_, facts_, parameters_, u.data(), v.data());
  }
  // y = R^T A R x on global vectors in the GPU's memory, and what R says at constrained entries; or y += R^T A R x,
  // which leaves these as they are. Queued as well.
  // **Shapes** x and another y: (R.size()).
  template <class From, class To>
  void apply(device_restriction& r, From const& x, To const& y)
  {
    apply_by("jit::device_operator::apply", r, x, y, false);
  }
  template <class From, class To>
  void apply_add(device_restriction& r, From const& x, To const& y)
  {
    apply_by("jit::device_operator::apply_add", r, x, y, true);
  }

  index_t elements() const { return elements_; }
  int nodes_1d() const { return static_cast<int>(facts_.nodes_1d); }
  int components() const { return static_cast<int>(facts_.components); }
  origin const& code() const { return code_.from; }

private:
  friend class device_restriction;

  template <class View>
  void check_vector(char const* where, char const* what, index_t size, View const& x) const
  {
    static_assert(is_view<View> && View::rank() == 1 && std::is_same_v<typename View::layout_type, layout_right>,
                  "sumfac::jit::device_operator: global vectors are views of rank 1, layout_right");
    check_equal(where, "bytes of an entry", facts_.bytes, index_t{sizeof(typename View::element_type)});
    check_equal(where, what, size, x.extent(0));
    check_data(where, what, x.data(), size);
  }
  template <class From, class To>
  void apply_by(char const* where, device_restriction& r, From const& x, To const& y, bool add)
  {
    if (r.of_.owner_before(module_) || module_.owner_before(r.of_))
      fail(where, "the restriction is of another operator: make it of this one");
    check_vector(where, "x", r.size(), x);
    check_vector(where, "y", r.size(), y);
    if (r.size() == 0) return;
    if (static_cast<void const*>(x.data()) == y.data()) fail(where, "x and y are the same vector: y must be another");
    detail::device_parts parts = r.parts_;
    parts.u = x.data(), parts.v = y.data();
    void* parameters[] = {&parts};
    gpu_.driver()->use();
    if (!add) gpu_.driver()->launch(r.start_, 1024, 128, 0, gpu_.stream(), parameters);
    launch(r.kernel_, r.facts_, r.parameters_, x.data(), y.data());
  }

  template <class View>
  void check_argument(char const* where, char const* what, View const& u) const
  {
    static_assert(is_view<View>, "sumfac::jit::device_operator: vectors must be views");
    using number = std::remove_const_t<typename View::element_type>;
    check_equal(where, "bytes of an entry", facts_.bytes, index_t{sizeof(number)});
    static_assert(std::is_same_v<typename View::layout_type, layout_right>,
                  "sumfac::jit::device_operator: vectors are row by row, layout_right");
    index_t entries = 1;
    for (int r = 0; r < View::rank(); ++r) entries *= u.extent(r);
    index_t const n = facts_.nodes_1d;
    index_t nodes = n;
    for (int d = 1; d < options_.space.directions; ++d) nodes *= n;
    check_equal(where, what, elements_ * facts_.components * nodes, entries);
    check_data(where, what, u.data(), entries);
  }

  void set_up(form const& f, options const& o, std::vector<double> const& nodes, int m, long double const* places)
  {
    auto const& driver = gpu_.driver();
    driver->use();
    auto const memory_of = [&](auto const& numbers) {
      return detail::device_memory(driver, numbers.data(), numbers.size() * sizeof(numbers[0]));
    };
    module_ = {driver->load(code_.binary.data()), [driver](void* loaded) { driver->unload(loaded); }};
    void* const module = module_.get();
    auto const run = [&](char const* name, detail::device_parts parts, unsigned blocks, unsigned threads) {
      void* parameters[] = {&parts};
      driver->launch(driver->function(module, name), blocks, threads, 0, gpu_.stream(), parameters);
      driver->synchronize(gpu_.stream());
    };

    // Numbers and tables of the form; tables are copied, each as large as its shape says.
    numbers_ = memory_of(f.numbers());
    std::vector<detail::array> tables = f.tables();
    for (auto& table : tables) {
      std::size_t entries = 1;
      for (int r = 0; r < table.rank; ++r) entries *= static_cast<std::size_t>(table.extents[r]);
      check_equal("jit::device_operator", "extent 0 (elements) of a coefficient", elements_, table.extents[0]);
      of_tables_.emplace_back(driver, table.data, entries * sizeof(double));
      table.data = of_tables_.back().as<void>();
    }
    tables_ = memory_of(tables);

    detail::device_memory const coordinates = memory_of(nodes), facts(driver, sizeof facts_);
    detail::device_parts parts;
    parts.given.nodes = coordinates.as<double const>();
    parts.given.elements = elements_;
    parts.given.mesh_nodes_1d = m;
    parts.given.numbers = numbers_.as<double const>();
    parts.given.tables = tables_.as<detail::array const>();
    parts.facts = facts.as<detail::device_facts>();
    run("sumfac_jit_make", parts, 1, 1);
    driver->to_host(&facts_, facts.address(), sizeof facts_);

    auto const table = detail::rule_table(o, static_cast<int>(facts_.points_1d), m, places);
    detail::device_memory const rule = memory_of(table),
                                maps = memory_of(detail::terms_of_maps(o, nodes, elements_, m, places));
    index_t const groups = (elements_ + facts_.lanes - 1) / facts_.lanes;
    factors_ = {driver, static_cast<std::size_t>(groups * facts_.group_bytes)};
    auto const none = static_cast<unsigned long long>(elements_);
    auto refused = none;
    detail::device_memory const worst(driver, &refused, sizeof refused);
    parameters_.resize(static_cast<std::size_t>(facts_.kernel_bytes));
    detail::device_memory const kernel(driver, parameters_.size());
    parts.rule = rule.as<double const>();
    parts.maps = maps.as<double const>();
    parts.factors = factors_.as<void>();
    parts.refused = worst.as<unsigned long long>();
    parts.kernel = kernel.as<void>();
    if (elements_ > 0) run("sumfac_jit_set_up", parts, 1024, 128);
    run("sumfac_jit_make", parts, 1, 1);
    driver->to_host(parameters_.data(), kernel.address(), parameters_.size());
    driver->to_host(&refused, worst.address(), sizeof refused);
    if (refused < none)
      sumfac::detail::throw_text<geometry_error>(
          "sumfac::jit::device_operator: element %llu is inverted, flat or not finite (its determinant is not positive "
          "at a point): the mesh cannot be integrated on",
          refused);
    kernel_ = driver->function(module, "sumfac_jit_apply");
    if (facts_.scratch_bytes > 0) driver->allow_scratch(kernel_, static_cast<int>(facts_.scratch_bytes));
    parts_.given = parts.given, parts_.given.nodes = nullptr;
    parts_.factors = parts.factors;
  }

  // The unit of a restriction, and its kernel.
  void make(device_restriction& r, detail::device_numbering const& numbering, std::vector<std::uint32_t> const& table,
            std::vector<unsigned char> const& constrained) const
  {
    auto const& driver = gpu_.driver();
    r.code_ = detail::device_code(form_, options_, settings_, driver->of(), gpu_.architecture(), true);
    driver->use();
    r.module_ = {driver->load(r.code_.binary.data()), [driver](void* loaded) { driver->unload(loaded); }};
    void* const module = r.module_.get();
    r.table_ = {driver, table.data(), table.size() * sizeof(std::uint32_t)};
    r.constrained_ = {driver, constrained.data(), constrained.size()};
    r.parts_ = parts_;
    r.parts_.numbering = numbering;
    r.parts_.numbering.nodes = r.table_.as<std::uint32_t const>();
    if (!constrained.empty()) r.parts_.numbering.constrained = r.constrained_.as<unsigned char const>();
    detail::device_memory const facts(driver, sizeof r.facts_);
    detail::device_parts parts = r.parts_;
    parts.facts = facts.as<detail::device_facts>();
    auto const run = [&] {
      void* parameters[] = {&parts};
      driver->launch(driver->function(module, "sumfac_jit_make"), 1, 1, 0, gpu_.stream(), parameters);
      driver->synchronize(gpu_.stream());
    };
    run();
    driver->to_host(&r.facts_, facts.address(), sizeof r.facts_);
    r.parameters_.resize(static_cast<std::size_t>(r.facts_.kernel_bytes));
    detail::device_memory const kernel(driver, r.parameters_.size());
    parts.kernel = kernel.as<void>();
    run();
    driver->to_host(r.parameters_.data(), kernel.address(), r.parameters_.size());
    r.kernel_ = driver->function(module, "sumfac_jit_apply");
    r.start_ = driver->function(module, "sumfac_jit_start");
    if (r.facts_.scratch_bytes > 0) driver->allow_scratch(r.kernel_, static_cast<int>(r.facts_.scratch_bytes));
  }

  void launch(void* kernel, detail::device_facts const& facts, std::vector<char>& kept, void const* u, void* v)
  {
    if (elements_ == 0) return;
    auto const put = [&](std::int64_t place, void const* pointer) {
      std::memcpy(kept.data() + place, &pointer, sizeof pointer);
    };
    put(facts.place_of_u, u);
    put(facts.place_of_v, v);
    index_t first = 0, groups = (elements_ + facts.lanes - 1) / facts.lanes;
    auto const blocks = static_cast<unsigned>((groups + facts.teams - 1) / facts.teams);
    void* parameters[] = {kept.data(), &first, &groups};
    gpu_.driver()->use();
    gpu_.driver()->launch(kernel, blocks, static_cast<unsigned>(facts.threads),
                          static_cast<unsigned>(facts.scratch_bytes), gpu_.stream(), parameters);
  }

  gpu gpu_;
  form form_;
  options options_;
  settings settings_;
  detail::loaded_code code_;
  detail::device_parts parts_;  // what other units are given
  index_t elements_ = 0;
  detail::device_facts facts_;
  detail::device_memory factors_, numbers_, tables_;
  std::vector<detail::device_memory> of_tables_;
  std::shared_ptr<void> module_;
  void* kernel_ = nullptr;
  std::vector<char> parameters_;
};

}  // namespace sumfac::jit
