// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An element operator on a GPU whose form, degree, points and numbers are values: compiled by NVRTC or hipRTC
// and run by the driver, both opened when they are wanted.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
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
      : gpu_(on), space_(o.space)
  {
    static_assert(is_view<Nodes>,
                  "sumfac::jit::device_operator: mesh nodes must be a sumfac::view (E, m, m, m, 3), (E, m, m, c) or "
                  "(E, m, c)");
    constexpr auto here = "jit::device_operator";
    auto const plain = sumfac::detail::plain_nodes(nodes);
    using plain_type = std::remove_const_t<decltype(plain)>;
    static_assert(plain_type::rank() >= 3 && plain_type::rank() <= 5,
                  "sumfac::jit::device_operator: mesh nodes are (E, m, m, m, 3), (E, m, m, c) or (E, m, c)");
    check_equal(here, "number of dimensions of the mesh nodes", space_.directions + 2,
                static_cast<index_t>(plain_type::rank()));
    sumfac::detail::check_mesh_nodes(here, plain, space_.coordinates);
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
    launch(u.data(), v.data());
  }

  index_t elements() const { return elements_; }
  int nodes_1d() const { return static_cast<int>(facts_.nodes_1d); }
  int components() const { return static_cast<int>(facts_.components); }
  origin const& code() const { return code_.from; }

private:
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
    for (int d = 1; d < space_.directions; ++d) nodes *= n;
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
  }
  void launch(void const* u, void* v)
  {
    if (elements_ == 0) return;
    auto const put = [&](std::int64_t place, void const* pointer) {
      std::memcpy(parameters_.data() + place, &pointer, sizeof pointer);
    };
    put(facts_.place_of_u, u);
    put(facts_.place_of_v, v);
    index_t first = 0, groups = (elements_ + facts_.lanes - 1) / facts_.lanes;
    auto const blocks = static_cast<unsigned>((groups + facts_.teams - 1) / facts_.teams);
    void* parameters[] = {parameters_.data(), &first, &groups};
    gpu_.driver()->use();
    gpu_.driver()->launch(kernel_, blocks, static_cast<unsigned>(facts_.threads),
                          static_cast<unsigned>(facts_.scratch_bytes), gpu_.stream(), parameters);
  }

  gpu gpu_;
  detail::loaded_code code_;
  space space_;
  index_t elements_ = 0;
  detail::device_facts facts_;
  detail::device_memory factors_, numbers_, tables_;
  std::vector<detail::device_memory> of_tables_;
  std::shared_ptr<void> module_;
  void* kernel_ = nullptr;
  std::vector<char> parameters_;
};

}  // namespace sumfac::jit
