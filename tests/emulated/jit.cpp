// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a device does of an operator that is compiled at run time, on an emulated one: the factors that it sets up, and
// the kernel that it makes, whose places of u and v a launch fills in. And jit::device_operator as a whole: this
// program has the functions of hipRTC and HIP that it looks for by name.
#include "device.hpp"

#include <sumfac/basis/cells.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/kernel/kernel_choice.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/device_unit.hpp>
#include <sumfac/jit/device_operator.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <catch2/catch.hpp>
#include <support/larger.hpp>
#include <support/own_folder.hpp>
#include <support/random.hpp>
#include <support/two_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace jit = sumfac::jit;

constexpr int N = 2, n = N + 1, E = 7;

// As text becomes it: weak("(k*grad(u), grad(v)) + c*u*v + x[0]*u*v"), k by element.
struct of_form {
  SUMFAC_FUNCTION static auto made(jit::detail::given_values const& given)
  {
    constexpr sumfac::weak::trial_function<1> u{};
    constexpr sumfac::weak::test_function<1> v{};
    auto const k = sumfac::weak::coefficient(given.table<sumfac::extents<sumfac::dynamic_extent>>(0));
    auto const c = sumfac::weak::coefficient(given.number(0));
    return sumfac::weak::integrate(dot(k * grad(u), grad(v)) + c * u * v +
                                   sumfac::weak::component<0>(sumfac::weak::x) * u * v);
  }
};

// The same with c = 0.75, compiled ahead: what k refers to must live as long.
auto form_by(std::vector<double>& k)
{
  jit::detail::array table{.data = k.data(), .rank = 1};
  table.extents[0] = static_cast<sumfac::index_t>(k.size());
  double const c = 0.75;
  jit::detail::parts given;
  given.numbers = &c;
  given.tables = &table;
  return of_form::made(jit::detail::given_values{&given});
}

template <class Policy, sumfac::space Space = sumfac::space{N}>
using unit_of =
    jit::detail::device_unit<sumfac::hip::runtime, of_form, Space, sumfac::detail::usual_rule<Space>, double, Policy>;
using unit = unit_of<sumfac::stored>;
using unit_of_surface = unit_of<sumfac::stored, sumfac::surface(N)>;

// weak("(k*grad(u), grad(v)) + c*(u, v)") of two components, k by point.
struct of_pair {
  SUMFAC_FUNCTION static auto made(jit::detail::given_values const& given)
  {
    constexpr sumfac::weak::trial_function<2> u{};
    constexpr sumfac::weak::test_function<2> v{};
    auto const k = sumfac::weak::coefficient(given.table<sumfac::dextents<4>>(0));
    auto const c = sumfac::weak::coefficient(given.number(0));
    return sumfac::weak::integrate(inner(k * grad(u), grad(v)) + c * dot(u, v));
  }
};
template <jit::detail::unit_kind Kind>
using unit_of_pair = jit::detail::device_unit<sumfac::hip::runtime, of_pair, sumfac::space{N}, sumfac::gauss<N + 2>,
                                              double, sumfac::stored, Kind>;

// tangent(weak("((k + u*u)*grad(u), grad(v)) + u*v")) on tetrahedra, k by element.
struct of_tangent {
  SUMFAC_FUNCTION static auto made(jit::detail::given_values const& given)
  {
    constexpr sumfac::weak::trial_function<1> u{};
    constexpr sumfac::weak::test_function<1> v{};
    auto const k = sumfac::weak::coefficient(given.table<sumfac::extents<sumfac::dynamic_extent>>(0));
    auto const form = sumfac::weak::integrate(dot((k + u * u) * grad(u), grad(v)) + u * v);
    return sumfac::tangent<std::remove_const_t<decltype(form)>>(form);
  }
};
template <jit::detail::unit_kind Kind>
using unit_of_tangent =
    jit::detail::device_unit<sumfac::hip::runtime, of_tangent, sumfac::tetrahedron(N),
                             sumfac::detail::usual_rule<sumfac::tetrahedron(N)>, double, sumfac::stored, Kind>;

struct of_two_inputs {
  SUMFAC_FUNCTION static support::two_inputs made(jit::detail::given_values const&) { return {}; }
};
template <jit::detail::unit_kind Kind>
using unit_of_two = jit::detail::device_unit<sumfac::hip::runtime, of_two_inputs, sumfac::space{N},
                                             sumfac::gauss<N + 2>, double, sumfac::stored, Kind>;

// It is the kernel that an operator compiled ahead launches.
using ahead = unit_of_tangent<jit::detail::unit_kind{}>;
static_assert(
    std::is_same_v<ahead::kernel, sumfac::detail::kernel_on_vectors<ahead::problem, sumfac::hip, ahead::tuned>>);

// What lies at the nodes of a space's elements, m along an edge; mesh nodes with their coordinates last.
template <sumfac::space Space, class T, class... Coordinates>
auto at_nodes(T* x, sumfac::index_t m, Coordinates... c)
{
  sumfac::index_t const elements = E;
  if constexpr (Space.directions == 3)
    return sumfac::view(x, elements, m, m, m, c...);
  else if constexpr (Space.directions == 2)
    return sumfac::view(x, elements, m, m, c...);
  else
    return sumfac::view(x, elements, m, c...);
}
constexpr int nodes_of(sumfac::space const& s, int m)
{
  return m * (s.directions >= 2 ? m : 1) * (s.directions >= 3 ? m : 1);
}

// Mesh nodes and k of each element.
struct elements {
  std::vector<double> nodes, k;
};
elements made_elements(support::generator& next, int m, sumfac::space const& of = sumfac::space(N))
{
  elements made;
  for (int e = 0; e < E; ++e) {
    made.k.push_back(1.5 + next());
    for (int node = 0; node < nodes_of(of, m); ++node)
      for (int d = 0; d < of.coordinates; ++d)
        made.nodes.push_back((d < of.directions ? node / (d == 0 ? 1 : d == 1 ? m : m * m) % m : 0) + 0.1 * next());
  }
  return made;
}
void turn_inside_out(std::vector<double>& nodes, int element, int m, sumfac::space const& of = sumfac::space(N))
{
  int const count = nodes_of(of, m);
  for (int node = 0; node < count; ++node)
    nodes[static_cast<std::size_t>((element * count + node) * of.coordinates)] *= -1;
}
void check_equal_vectors(std::vector<double> const& v, std::vector<double> const& expected)
{
  double largest = 0, off = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    largest = support::larger(largest, std::abs(expected[i]));
    double const of_entry = std::abs(v[i] - expected[i]);
    if (!(of_entry <= off)) off = of_entry;  // what is no number stays
    if (off != off) break;
  }
  CHECK(largest > 0);
  CHECK(off <= 100 * std::numeric_limits<double>::epsilon() * largest);
}

// What hipRTC was given, and what it answers.
struct compiler {
  std::string source, options, log = "x.cu:1:1: error: no such thing";
  int programs = 0, fails = 0;
} hiprtc;

// A kernel of a module, and the bytes of what the first parameter is.
struct function {
  std::string name;
  void (*run)(void** parameters);
  std::size_t bytes;
  bool applies;
};
template <class Kernel>
void run_kernel(void** parameters)
{
  sumfac::detail::run_team<sumfac::hip::runtime, Kernel>(*static_cast<Kernel const*>(parameters[0]),
                                                         *static_cast<sumfac::index_t const*>(parameters[1]),
                                                         *static_cast<sumfac::index_t const*>(parameters[2]));
}
template <class Unit>
struct kernels_of {
  static auto const& given(void** parameters) { return *static_cast<jit::detail::device_parts const*>(parameters[0]); }
  static void make(void** parameters) { Unit::make(given(parameters)); }
  static void set_up(void** parameters) { Unit::set_up(given(parameters)); }
  static std::vector<function> all(bool sets_up)
  {
    constexpr std::size_t bytes = sizeof(jit::detail::device_parts);
    std::vector<function> functions{
        {"sumfac_jit_make", make, bytes, false},
        {"sumfac_jit_apply", run_kernel<typename Unit::kernel>, sizeof(typename Unit::kernel), true}};
    if (sets_up) functions.push_back({"sumfac_jit_set_up", set_up, bytes, false});
    return functions;
  }
};
template <class... Bodies>
std::vector<function> loops_of()
{
  return {{std::string("sumfac_jit_") + jit::detail::name_of_body<Bodies>,
           run_kernel<sumfac::detail::loop_kernel<Bodies>>, sizeof(sumfac::detail::loop_kernel<Bodies>), true}...};
}
// A module is what its code says, 4 letters that stand for a source.
struct module {
  char const* code;
  std::string of_form, of_kind;  // what the source has
  std::vector<function> functions;
};
template <template <jit::detail::unit_kind> class Unit, jit::detail::unit_kind Kind>
module module_of(char const* code, std::string const& form)
{
  auto const word = [](bool is) { return std::string(is ? "true" : "false"); };
  return {code, form,
          "unit_kind{" + word(Kind.on_global) + ", " + word(Kind.is_diagonal) + ", " + word(Kind.is_listed) + ", " +
              std::to_string(Kind.input) + "}>",
          kernels_of<Unit<Kind>>::all(Kind == jit::detail::unit_kind{})};
}
std::vector<module> const& modules()
{
  namespace of = sumfac::detail;
  static std::vector<module> const all{
      {"loop", "loop_kernel<sumfac::detail::copy_body<double>>", "",
       loops_of<of::copy_body<double>, of::set_listed<double>, of::clear_entry<double>, of::sum_of_node<double>,
                of::set_row<double>, of::keep_row<double>, of::finish_row<double>>()},
      {"surf", "sumfac::space{2, 2, 3", "", kernels_of<unit_of_surface>::all(true)},
      {"tria", "sumfac::space{2, 2, 2", "simplex", kernels_of<unit_of<sumfac::stored, sumfac::triangle(N)>>::all(true)},
      {"affi", "simplex", "sumfac::affine", kernels_of<unit_of<sumfac::affine, sumfac::tetrahedron(N)>>::all(true)},
      {"pris", "prism", "", kernels_of<unit_of<sumfac::stored, sumfac::prism(N)>>::all(true)},
      module_of<unit_of_tangent, jit::detail::unit_kind{}>("tang", "simplex"),
      module_of<unit_of_tangent, jit::detail::unit_kind{.input = 0}>("inpt", "simplex"),
      module_of<unit_of_tangent, jit::detail::unit_kind{.on_global = true, .input = 0}>("ginp", "simplex"),
      module_of<unit_of_tangent, jit::detail::unit_kind{.on_global = true}>("gtan", "simplex"),
      module_of<unit_of_tangent, jit::detail::unit_kind{.is_diagonal = true}>("dtan", "simplex"),
      module_of<unit_of_two, jit::detail::unit_kind{}>("two_", "two_inputs"),
      module_of<unit_of_two, jit::detail::unit_kind{.on_global = true}>("gtwo", "two_inputs"),
      module_of<unit_of_two, jit::detail::unit_kind{.on_global = true, .input = 0}>("two0", "two_inputs"),
      module_of<unit_of_two, jit::detail::unit_kind{.input = 1}>("two1", "two_inputs"),
      module_of<unit_of_pair, jit::detail::unit_kind{true, false, false}>("glob", "trial_function<2>"),
      module_of<unit_of_pair, jit::detail::unit_kind{true, false, true}>("list", "trial_function<2>"),
      module_of<unit_of_pair, jit::detail::unit_kind{false, true, false}>("diag", "trial_function<2>"),
      module_of<unit_of_pair, jit::detail::unit_kind{true, true, false}>("gdia", "trial_function<2>"),
      module_of<unit_of_pair, jit::detail::unit_kind{true, true, true}>("ldia", "trial_function<2>"),
      module_of<unit_of_pair, jit::detail::unit_kind{}>("pair", "trial_function<2>"),
      {"code", "", "", kernels_of<unit>::all(true)}};
  return all;
}
std::string loaded;
std::vector<std::string> loads;

}  // namespace

// The functions of hipRTC and of HIP, under the names that a library has them by.
extern "C" {
int of_version(int* major, int* minor) __asm__("hiprtcVersion");
int of_version(int* major, int* minor)
{
  *major = 9;
  *minor = 0;
  return 0;
}
int of_create(void** program, char const* source, char const*, int, char const**,
              char const**) __asm__("hiprtcCreateProgram");
int of_create(void** program, char const* source, char const*, int, char const**, char const**)
{
  hiprtc.source = source;
  ++hiprtc.programs;
  *program = &hiprtc;
  return 0;
}
int of_compile(void*, int count, char const** options) __asm__("hiprtcCompileProgram");
int of_compile(void*, int count, char const** options)
{
  hiprtc.options.clear();
  for (int i = 0; i < count; ++i) hiprtc.options += std::string(options[i]) + ' ';
  return hiprtc.fails;
}
int of_destroy(void**) __asm__("hiprtcDestroyProgram");
int of_destroy(void**) { return --hiprtc.programs; }
int of_log_size(void*, std::size_t* size) __asm__("hiprtcGetProgramLogSize");
int of_log_size(void*, std::size_t* size)
{
  *size = hiprtc.log.size() + 1;
  return 0;
}
int of_log(void*, char* log) __asm__("hiprtcGetProgramLog");
int of_log(void*, char* log)
{
  std::memcpy(log, hiprtc.log.c_str(), hiprtc.log.size() + 1);
  return 0;
}
int of_code_size(void*, std::size_t* size) __asm__("hiprtcGetCodeSize");
int of_code_size(void*, std::size_t* size)
{
  *size = 4;
  return 0;
}
int of_code(void*, char* code) __asm__("hiprtcGetCode");
int of_code(void*, char* code)
{
  for (auto const& m : modules())
    if (hiprtc.source.find(m.of_form) != std::string::npos && hiprtc.source.find(m.of_kind) != std::string::npos) {
      std::memcpy(code, m.code, 4);
      break;
    }
  return 0;
}

int of_init(unsigned flags) __asm__("hipInit");
int of_init(unsigned flags) { return flags == 0 ? hipSuccess : hipErrorInvalidValue; }
int of_get(int* device, int ordinal) __asm__("hipDeviceGet");
int of_get(int* device, int ordinal)
{
  *device = ordinal;
  return ordinal < emulated::devices ? hipSuccess : hipErrorInvalidDevice;
}
int of_use(int device) __asm__("hipSetDevice");
int of_use(int device) { return hipSetDevice(device); }
int of_properties(char* found, int) __asm__("hipGetDeviceProperties");
int of_properties(char* found, int)
{
  std::strcpy(found, "a card called gfx");
  std::strcpy(found + 1160, "gfx90a:sramecc+:xnack-");
  return hipSuccess;
}
char const* of_error(hipError_t e) __asm__("hipGetErrorString");
char const* of_error(hipError_t e) { return hipGetErrorString(e); }
int of_malloc(void** p, std::size_t bytes) __asm__("hipMalloc");
int of_malloc(void** p, std::size_t bytes) { return hipMalloc(p, bytes); }
int of_free(void* p) __asm__("hipFree");
int of_free(void* p) { return hipFree(p); }
int of_copy_to(void* to, void const* from, std::size_t bytes) __asm__("hipMemcpyHtoD");
int of_copy_to(void* to, void const* from, std::size_t bytes)
{
  emulated::here().on_device(-1, [&] { std::memcpy(to, from, bytes); });
  return hipSuccess;
}
int of_copy_from(void* to, void const* from, std::size_t bytes) __asm__("hipMemcpyDtoH");
int of_copy_from(void* to, void const* from, std::size_t bytes) { return of_copy_to(to, from, bytes); }
int of_copy(void* to, void const* from, std::size_t bytes, int kind, hipStream_t s) __asm__("hipMemcpyAsync");
int of_copy(void* to, void const* from, std::size_t bytes, int kind, hipStream_t s)
{
  return kind == 4 ? hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, s) : hipErrorInvalidValue;
}
int of_wait(hipStream_t s) __asm__("hipStreamSynchronize");
int of_wait(hipStream_t s) { return hipStreamSynchronize(s); }
int of_load(void const** made, void const* code) __asm__("hipModuleLoadData");
int of_load(void const** made, void const* code)
{
  loads.push_back(loaded = std::string(static_cast<char const*>(code), 4));
  for (auto const& m : modules())
    if (loaded == m.code) *made = &m;
  return hipSuccess;
}
int of_unload(void*) __asm__("hipModuleUnload");
int of_unload(void*)
{
  loaded.clear();
  return hipSuccess;
}
int of_function(void const** found, void const* in, char const* name) __asm__("hipModuleGetFunction");
int of_function(void const** found, void const* in, char const* name)
{
  for (auto const& f : static_cast<module const*>(in)->functions)
    if (f.name == name) *found = &f;
  return *found != nullptr ? hipSuccess : hipErrorInvalidValue;
}
int of_launch(void const* f, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned, unsigned,
              unsigned scratch_bytes, hipStream_t s, void** parameters, void** extra) __asm__("hipModuleLaunchKernel");
int of_launch(void const* f, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned, unsigned,
              unsigned scratch_bytes, hipStream_t s, void** parameters, void** extra)
{
  if (y != 1 || z != 1 || extra != nullptr || scratch_bytes > emulated::most_scratch_bytes) return hipErrorInvalidValue;
  auto const of = *static_cast<function const*>(f);
  auto const run = of.run;
  // Queued as it is now; the caller's parameters are his again.
  std::vector<std::vector<char>> kept;
  std::size_t const sizes[] = {of.bytes, sizeof(sumfac::index_t), sizeof(sumfac::index_t)};
  for (int i = 0; i < (of.applies ? 3 : 1); ++i)
    kept.emplace_back(static_cast<char*>(parameters[i]), static_cast<char*>(parameters[i]) + sizes[i]);
  emulated::here().push(emulated::here().of(s), [=]() mutable {
    void* own[] = {kept[0].data(), kept.size() > 1 ? kept[1].data() : nullptr,
                   kept.size() > 1 ? kept[2].data() : nullptr};
    gridDim.x = x;
    emulated::here().on_device(
        0, [&] { emulated::run_grid(x, threads, emulated::scratch, scratch_bytes, [&] { run(own); }); });
  });
  return hipSuccess;
}
}

namespace {

// On elements of m nodes along an edge, which must be of the policy's kind.
template <class Policy, sumfac::space Space = sumfac::space{N}>
void sets_up_as_the_host(int m)
{
  using tested = unit_of<Policy, Space>;
  using kernel = typename tested::kernel;
  support::generator next(11);
  auto [nodes, k] = made_elements(next, m, Space);
  std::vector<double> const numbers{0.75};
  jit::detail::array table{.data = k.data(), .rank = 1};
  table.extents[0] = E;

  long double const ends[] = {-1, 1}, three[] = {-1, 0, 1};
  long double const* const places = m == 2 ? ends : three;
  auto const rule = jit::detail::rule_table({.space = N}, N + 2, m, places);
  REQUIRE(static_cast<int>(rule.size()) == (N + 2) * (2 * m + 1));
  jit::detail::device_facts facts;
  unsigned long long refused = E;
  jit::detail::device_parts parts;
  parts.given.nodes = nodes.data();
  parts.given.elements = E;
  parts.given.mesh_nodes_1d = m;
  parts.given.numbers = numbers.data();
  parts.given.tables = &table;
  parts.rule = rule.data();
  parts.facts = &facts;
  parts.refused = &refused;
  tested::make(parts);
  jit::options const options{.space = Space, .geometry = Policy{}};
  auto const maps = facts.kept_nodes_1d > 0
                        ? jit::detail::raised_nodes(options, nodes, E, m, places, static_cast<int>(facts.kept_nodes_1d))
                        : jit::detail::terms_of_maps(options, nodes, E, m, places);
  parts.maps = maps.data();
  REQUIRE(facts.kernel_bytes == sizeof(kernel));
  auto const groups = (E + facts.lanes - 1) / facts.lanes;
  std::vector<double> factors(static_cast<std::size_t>(groups * facts.group_bytes) / sizeof(double), -1.0);
  std::vector<char> bytes(sizeof(kernel));
  parts.factors = factors.data();
  parts.kernel = bytes.data();
  tested::make(parts);
  auto const set_up = [&] {  // by one thread, after whatever was launched before
    blockIdx = threadIdx = {0, 0, 0};
    blockDim = gridDim = {1, 1, 1};
    tested::set_up(parts);
  };
  set_up();
  CHECK(refused == E);

  std::vector<double> u(static_cast<std::size_t>(E * nodes_of(Space, n))), v(u.size()), expected(u.size());
  for (double& x : u) x = next();
  double const* const from = u.data();
  double* const to = v.data();
  std::memcpy(bytes.data() + facts.place_of_u, &from, sizeof from);
  std::memcpy(bytes.data() + facts.place_of_v, &to, sizeof to);
  alignas(kernel) unsigned char memory[sizeof(kernel)];
  std::memcpy(memory, bytes.data(), sizeof memory);
  sumfac::hip const backend;
  backend.launch(*reinterpret_cast<kernel const*>(memory), groups);
  backend.synchronize();

  auto const form = of_form::made(jit::detail::given_values{&parts.given});
  sumfac::element_operator<std::remove_const_t<decltype(form)>, Space, sumfac::gauss<N + 2>, double, Policy> const A{
      sumfac::host(1), at_nodes<Space>(nodes.data(), m, sumfac::index_t{Space.coordinates}), form};
  A.apply(at_nodes<Space>(u.data(), n), at_nodes<Space>(expected.data(), n));
  check_equal_vectors(v, expected);

  // An element that is turned inside out is named; a surface has no inside.
  if (Space.directions < Space.coordinates) return;
  turn_inside_out(nodes, 4, m, Space);
  set_up();
  CHECK(refused == 4);
}

// HIP's functions are those of this program.
auto this_program()
{
  auto of = jit::detail::amd_platform();
  of.compiler_files = of.driver_files = {""};
  return of;
}

// A device of AMD's, and a folder for what is compiled for it.
struct own_device {
  checks::own_folder folder;
  jit::settings how = kept_in(folder.path);
  jit::gpu gpu{this_program(), 0, nullptr};

  template <class Path>
  static jit::settings kept_in(Path const& path)
  {
    jit::settings how;
    how.cache = path;
    return how;
  }
};

// y = A x and y = y + A x, the diagonal, and what rows say, as the host has them; sums in order twice to the bit.
template <class Device, class Host>
void on_global_vectors(jit::gpu const& gpu, Device& A, Host const& B, sumfac::restriction<double> const& R,
                       support::generator& next)
{
  jit::device_restriction const S{A, R};
  std::vector<double> x(static_cast<std::size_t>(R.size())), y(x.size()), expected(x.size());
  for (double& a : x) a = next();
  for (double& a : y) a = next();
  jit::detail::device_memory const from(gpu.driver(), x.data(), x.size() * sizeof(double)),
      to(gpu.driver(), y.data(), y.size() * sizeof(double));
  auto const x_there = sumfac::view(from.as<double const>(), R.size());
  auto const y_there = sumfac::view(to.as<double>(), R.size());
  auto const x_here = sumfac::view(static_cast<double const*>(x.data()), R.size());
  auto const y_here = sumfac::view(expected.data(), R.size());
  auto const check = [&] {
    gpu.synchronize();
    gpu.driver()->to_host(y.data(), to.address(), y.size() * sizeof(double));
    check_equal_vectors(y, expected);
  };
  expected = y;
  A.apply_add(S, x_there, y_there);
  B.apply_add(R, x_here, y_here);
  check();
  A.apply(S, x_there, y_there);
  B.apply(R, x_here, y_here);
  check();
  if (R.options().policy == sumfac::scatter::deterministic) {
    auto const once = y;
    A.apply(S, x_there, y_there);
    check();
    CHECK(std::memcmp(once.data(), y.data(), y.size() * sizeof(double)) == 0);
  }
  A.diagonal(S, y_there);
  B.diagonal(R, y_here);
  check();
  S.distribute(y_there);
  R.distribute(y_here);
  check();
}

}  // namespace

TEST_CASE("jit: a device sets up its geometry and its kernel, and has what the host has")
{
  sets_up_as_the_host<sumfac::stored>(3);
  sets_up_as_the_host<sumfac::trilinear>(2);
  sets_up_as_the_host<sumfac::isoparametric<3>>(2);
  sets_up_as_the_host<sumfac::stored, sumfac::quadrilateral(N)>(3);
  sets_up_as_the_host<sumfac::stored, sumfac::line(N)>(2);
  sets_up_as_the_host<sumfac::trilinear, sumfac::surface(N)>(2);
  sets_up_as_the_host<sumfac::affine, sumfac::line(N)>(2);
}

TEST_CASE("jit: an operator on a device of AMD's, by the names of HIP's functions")
{
  own_device const device;
  auto const& how = device.how;
  auto const& gpu = device.gpu;
  CHECK(gpu.architecture() == "gfx90a:sramecc+:xnack-");
  CHECK_THROWS_WITH(jit::gpu(this_program(), emulated::devices, nullptr),
                    Catch::Equals("sumfac::jit: hipDeviceGet failed (result 101, 0 expected): invalid device ordinal"));

  constexpr int m = 3;
  support::generator next(12);
  auto [nodes, k] = made_elements(next, m);
  auto const mesh = sumfac::view(nodes.data(), E, m, m, m, 3);
  auto const k_of_element = sumfac::view(k.data(), E);
  auto const text = [k_of_element](double c) {
    return jit::weak("(k*grad(u), grad(v)) + c*u*v + x[0]*u*v", {{"k", k_of_element}, {"c", c}});
  };
  hiprtc.fails = 6;
  CHECK_THROWS_WITH((jit::device_operator{gpu, mesh, text(0.75), {.space = N}, how}),
                    Catch::Contains("hipRTC refused the operator") && Catch::Contains("no such thing"));
  CHECK(hiprtc.programs == 0);
  hiprtc.fails = 0;
  auto const allocations = emulated::here().allocations();
  {
    jit::device_operator A{gpu, mesh, text(0.75), {.space = N}, how};
    CHECK(loaded == "code");
    CHECK(hiprtc.programs == 0);
    CHECK_THAT(hiprtc.options, Catch::StartsWith("--offload-arch=gfx90a:sramecc+:xnack- -I"));
    CHECK_THAT(hiprtc.source,
               Catch::StartsWith("#undef std") && Catch::Contains("device_unit<sumfac::detail::hip_device"));
    CHECK(A.nodes_1d() == n);

    std::vector<double> u(E * n * n * n), v(u.size()), expected(u.size());
    for (double& x : u) x = next();
    jit::detail::device_memory const from(gpu.driver(), u.data(), u.size() * sizeof(double)),
        to(gpu.driver(), u.size() * sizeof(double));
    A.apply(sumfac::view(from.as<double const>(), E, n, n, n), sumfac::view(to.as<double>(), E, n, n, n));
    gpu.synchronize();
    gpu.driver()->to_host(v.data(), to.address(), v.size() * sizeof(double));
    auto const form = form_by(k);
    sumfac::element_operator<std::remove_const_t<decltype(form)>, N> const B{sumfac::host(1), mesh, form};
    B.apply(sumfac::view(u.data(), E, n, n, n), sumfac::view(expected.data(), E, n, n, n));
    check_equal_vectors(v, expected);
  }
  CHECK(loaded.empty());
  CHECK(emulated::here().allocations() == allocations);

  turn_inside_out(nodes, 4, m);
  CHECK_THROWS_WITH((jit::device_operator{gpu, mesh, text(0.75), {.space = N}, how}),
                    Catch::Contains("element 4 is inverted"));
  CHECK_THROWS_WITH((jit::device_operator{gpu, mesh, text(0.75), {.space = N, .geometry = sumfac::affine{}}, how}),
                    Catch::Contains("is not affine"));
}

TEST_CASE("jit: an operator on a device, on a surface")
{
  own_device const device;
  auto const& how = device.how;
  auto const& gpu = device.gpu;
  constexpr int m = 2;
  constexpr auto of_space = sumfac::surface(N);
  support::generator next(13);
  auto [nodes, k] = made_elements(next, m, of_space);
  auto const mesh = at_nodes<of_space>(nodes.data(), m, sumfac::index_t{3});
  auto const weak = jit::weak("(k*grad(u), grad(v)) + c*u*v + x[0]*u*v",
                              {{"k", sumfac::view(k.data(), sumfac::index_t{E})}, {"c", 0.75}});
  CHECK_THROWS_WITH((jit::device_operator{gpu, mesh, weak, {.space = N}, how}),
                    Catch::Contains("number of dimensions of the mesh nodes") && Catch::Contains("expected 5, got 4"));
  jit::device_operator A{gpu, mesh, weak, {.space = of_space}, how};
  std::vector<double> u(static_cast<std::size_t>(E * n * n)), v(u.size()), expected(u.size());
  for (double& x : u) x = next();
  jit::detail::device_memory const from(gpu.driver(), u.data(), u.size() * sizeof(double)),
      to(gpu.driver(), u.size() * sizeof(double));
  A.apply(at_nodes<of_space>(from.as<double const>(), n), at_nodes<of_space>(to.as<double>(), n));
  gpu.synchronize();
  gpu.driver()->to_host(v.data(), to.address(), v.size() * sizeof(double));
  auto const few = sumfac::view(to.as<double>(), sumfac::index_t{E}, sumfac::index_t{n});
  CHECK_THROWS_WITH(A.apply(few, few), Catch::Contains("expected 63, got 21"));
  auto const form = form_by(k);
  sumfac::element_operator<std::remove_const_t<decltype(form)>, of_space> const B{sumfac::host(1), mesh, form};
  B.apply(at_nodes<of_space>(u.data(), n), at_nodes<of_space>(expected.data(), n));
  check_equal_vectors(v, expected);
}

TEST_CASE("jit: an operator on a device, on global vectors")
{
  own_device const device;
  auto const& how = device.how;
  auto const& gpu = device.gpu;
  constexpr int m = 2;
  support::generator next(14);
  constexpr int q = N + 2;
  auto const nodes = made_elements(next, m).nodes;
  std::vector<double> k(E * q * q * q);
  for (double& x : k) x = 1.5 + next();
  auto const mesh = at_nodes<sumfac::space{N}>(nodes.data(), m, sumfac::index_t{3});
  auto const* const text = "(k*grad(u), grad(v)) + c*(u, v)";
  auto const weak = jit::weak(text, {{"k", sumfac::view(k.data(), E, q, q, q)}, {"c", 0.75}}, 2);
  jit::device_operator A{gpu, mesh, weak, {.space = N}, how};
  auto const of_fewer_points = jit::weak(text, {{"k", sumfac::view(k.data(), E, q, q, q - 1)}, {"c", 0.75}}, 2);
  CHECK_THROWS_WITH((jit::device_operator{gpu, mesh, of_fewer_points, {.space = N}, how}),
                    Catch::Contains("points along an edge of a coefficient") && Catch::Contains("expected 4, got 3"));

  // Neighbours share nodes, three entries are constrained, and the last two nodes are of no element.
  constexpr int cube = n * n * n, entries = E * cube;
  std::vector<int> table;
  for (int i = 0; i < entries; ++i) table.push_back(i / cube * 18 + i % cube);
  sumfac::index_t const count = table.back() + 3;
  std::vector<unsigned char> marks(static_cast<std::size_t>(2 * count));
  marks[3] = marks[40] = marks[41] = 1;  // (node, component)
  auto const places = at_nodes<sumfac::space{N}>(table.data(), n);
  auto const marked = sumfac::view(marks.data(), count, sumfac::index_t{2});
  jit::detail::array k_by_point{.data = k.data(), .rank = 4};
  k_by_point.extents[0] = E;
  for (int r = 1; r <= 3; ++r) k_by_point.extents[r] = q;
  std::vector<double> const numbers{0.75};
  jit::detail::parts given;
  given.numbers = numbers.data();
  given.tables = &k_by_point;
  auto const form = of_pair::made(jit::detail::given_values{&given});
  sumfac::element_operator<std::remove_const_t<decltype(form)>, N> const B{sumfac::host(1), mesh, form};

  // On E-vectors the diagonal.
  std::vector<double> d(static_cast<std::size_t>(2 * entries)), d_expected(d.size());
  jit::detail::device_memory const d_there(gpu.driver(), d.size() * sizeof(double));
  A.diagonal(sumfac::view(d_there.as<double>(), E, 2, n, n, n));
  CHECK(loaded == "diag");
  gpu.driver()->to_host(d.data(), d_there.address(), d.size() * sizeof(double));
  B.diagonal(sumfac::view(d_expected.data(), sumfac::index_t{E}, sumfac::index_t{2}, n, n, n));
  check_equal_vectors(d, d_expected);

  // Sums that are reproducible, or atomic; and some entries the sums of others.
  sumfac::constraints hanging;
  hanging.add(5, {{2, 0.5}, {9, 0.25}, {30, 0.25}});
  hanging.add_component(31, 1, {{32, 1.5, 0}});
  sumfac::restriction_options const atomic{.components = 2, .policy = sumfac::scatter::atomic, .rows = 3.0},
      in_order{.components = 2, .components_lie = sumfac::interleaving::slowest, .rows = 3.0};
  on_global_vectors(gpu, A, B, {sumfac::host(1), places, count, marked, atomic}, next);
  on_global_vectors(gpu, A, B, {sumfac::host(1), places, count, marked, in_order}, next);
  on_global_vectors(gpu, A, B, {sumfac::host(1), places, count, marked, hanging, in_order}, next);
  for (char const* once : {"glob", "gdia", "ldia", "list"}) CHECK(std::count(loads.begin(), loads.end(), once) == 1);

  sumfac::restriction const R{sumfac::host(1), places, count, marked, in_order};
  jit::device_restriction const S{A, R};
  CHECK(S.code().from == jit::origin::place::compiled);
  std::vector<double> x(static_cast<std::size_t>(R.size()));
  for (double& a : x) a = next();
  for (sumfac::index_t i = 1; i <= 2; ++i)
    x[static_cast<std::size_t>(count - i)] = x[x.size() - static_cast<std::size_t>(i)] = 0;
  jit::detail::device_memory const from(gpu.driver(), x.data(), x.size() * sizeof(double)),
      to(gpu.driver(), x.size() * sizeof(double));
  auto const x_there = sumfac::view(from.as<double const>(), R.size());
  auto const y_there = sumfac::view(to.as<double>(), R.size());
  CHECK_THROWS_WITH(A.apply(S, x_there, sumfac::view(to.as<double>(), count)), Catch::Contains("y does not match"));
  CHECK_THROWS_WITH(A.apply(S, x_there, sumfac::view(from.as<double>(), R.size())), Catch::Contains("x and y overlap"));
  CHECK_THROWS_WITH(A.apply(sumfac::view(d_there.as<double const>(), E, 2, n, n, n),
                            sumfac::view(d_there.as<double>() + 1, E, 2, n, n, n)),
                    Catch::Contains("u and v overlap"));
  hipStream_t stream = nullptr;
  REQUIRE(hipStreamCreate(&stream) == hipSuccess);
  {
    jit::device_operator aside{jit::gpu{this_program(), 0, stream}, mesh, weak, {.space = N}, how};
    CHECK_THROWS_WITH(aside.apply(S, x_there, y_there), Catch::Contains("another stream"));
  }
  CHECK(hipStreamDestroy(stream) == hipSuccess);
  CHECK_THROWS_WITH(A.apply(S, sumfac::view(from.as<float const>(), R.size()), y_there),
                    Catch::Contains("bytes of an entry"));

  // As many elements, with as many nodes along their edges, but flat.
  sumfac::restriction const flat{sumfac::host(1), sumfac::view(std::as_const(table).data(), sumfac::index_t{E}, n, n),
                                 count, marked, in_order};
  CHECK_THROWS_WITH((jit::device_restriction{A, flat}), Catch::Contains("number of directions"));
  sumfac::restriction const fewer{
      sumfac::host(1), sumfac::view(std::as_const(table).data(), sumfac::index_t{E - 1}, n, n, n), count, in_order};
  CHECK_THROWS_WITH((jit::device_restriction{A, fewer}), Catch::Contains("number of elements"));

  // A restriction does for what has become of its operator, and for another one.
  jit::device_operator moved(std::move(A));
  std::vector<double> y(x.size()), expected(x.size());
  B.apply(R, sumfac::view(std::as_const(x).data(), R.size()), sumfac::view(expected.data(), R.size()));
  moved.apply(S, x_there, y_there);
  gpu.synchronize();
  gpu.driver()->to_host(y.data(), to.address(), y.size() * sizeof(double));
  check_equal_vectors(y, expected);

  // Solved by a backend's own solvers on the same stream.
  sumfac::hip const backend;
  jit::device_matrix<sumfac::hip> const M(backend, moved, S);
  std::vector<double> b = expected, u(b.size()), u_expected(b.size());
  sumfac::buffer<double, sumfac::hip> right(backend, R.size()), solution(backend, R.size());
  backend.copy(std::as_const(b).data(), right.data(), R.size());
  auto const solved =
      sumfac::cg(M, sumfac::view(std::as_const(right).data(), R.size()), sumfac::view(solution.data(), R.size()),
                 sumfac::jacobi<double, sumfac::hip>(M), {.tolerance = 1e-12});
  CHECK(solved.status == sumfac::solve_status::converged);
  backend.copy(std::as_const(solution).data(), u.data(), R.size());
  backend.synchronize();
  for (std::size_t i = 0; i < u.size(); ++i) CHECK(u[i] == Approx(x[i]).margin(1e-8));
}

namespace {

// Mesh nodes of elements that are no products of lines, m on an edge: the reference element's under some affine map,
// each off by up to `bend`.
std::vector<double> cells(support::generator& next, sumfac::space of, int m, double bend)
{
  of.degree = m - 1;
  auto const basis = sumfac::detail::basis_of(of);
  std::vector<double> nodes;
  for (int e = 0; e < E; ++e) {
    double map[3][4];
    for (auto& row : map)
      for (double& x : row) x = 0.2 * next();
    for (int p = 0; p < basis.size(); ++p)
      for (int c = 0; c < of.coordinates; ++c) {
        double x = map[c][3] + 5 * c + bend * next();
        for (int d = 0; d < of.directions; ++d)
          x += ((c == d ? 1 : 0) + map[c][d]) * static_cast<double>(basis.node(p, d));
        nodes.push_back(x);
      }
  }
  return nodes;
}

// v = A u, of of_form, as the host has it.
template <sumfac::space Space, class Policy>
void is_as_on_the_host(own_device const& device, char const* code, int m)
{
  support::generator next(15);
  constexpr bool bends = std::is_same_v<Policy, sumfac::stored>;
  auto const nodes = cells(next, Space, m, bends ? 0.03 : 0.0);
  std::vector<double> k;
  for (int e = 0; e < E; ++e) k.push_back(1.5 + next());
  auto const M = static_cast<sumfac::index_t>(nodes.size()) / (E * Space.coordinates);
  constexpr sumfac::index_t P = sumfac::detail::functions_of_cell(Space);
  sumfac::view const mesh(nodes.data(), E, M, Space.coordinates);
  auto const weak =
      jit::weak("(k*grad(u), grad(v)) + c*u*v + x[0]*u*v", {{"k", sumfac::view(k.data(), E)}, {"c", 0.75}});
  jit::device_operator A{device.gpu, mesh, weak, {.space = Space, .geometry = Policy{}}, device.how};
  CHECK(loaded == code);
  CHECK(A.nodes_1d() == P);
  std::vector<double> u(static_cast<std::size_t>(E * P)), v(u.size()), expected(u.size());
  for (double& x : u) x = next();
  jit::detail::device_memory const from(device.gpu.driver(), u.data(), u.size() * sizeof(double)),
      to(device.gpu.driver(), u.size() * sizeof(double));
  A.apply(sumfac::view(from.as<double const>(), E, P), sumfac::view(to.as<double>(), E, P));
  device.gpu.synchronize();
  device.gpu.driver()->to_host(v.data(), to.address(), v.size() * sizeof(double));
  auto const form = form_by(k);
  sumfac::element_operator<std::remove_const_t<decltype(form)>, Space, Policy> const B{sumfac::host(1), mesh, form};
  B.apply(sumfac::view(std::as_const(u).data(), E, P), sumfac::view(expected.data(), E, P));
  check_equal_vectors(v, expected);
}

}  // namespace

TEST_CASE("jit: operators on a device, on triangles, tetrahedra and prisms")
{
  own_device const device;
  is_as_on_the_host<sumfac::triangle(N), sumfac::stored>(device, "tria", 3);
  is_as_on_the_host<sumfac::tetrahedron(N), sumfac::affine>(device, "affi", 2);
  is_as_on_the_host<sumfac::prism(N), sumfac::stored>(device, "pris", 2);
}

TEST_CASE("jit: a tangent on a device, on tetrahedra")
{
  own_device const device;
  auto const& gpu = device.gpu;
  constexpr auto of_space = sumfac::tetrahedron(N);
  constexpr sumfac::index_t P = 10, M = 10;
  support::generator next(16);
  auto nodes = cells(next, of_space, 3, 0.03);
  std::vector<double> k;
  for (int e = 0; e < E; ++e) k.push_back(1.5 + next());
  sumfac::view const mesh(std::as_const(nodes).data(), E, M, 3);
  auto const weak = jit::tangent(jit::weak("((k + u*u)*grad(u), grad(v)) + u*v", {{"k", sumfac::view(k.data(), E)}}));
  jit::device_operator A{gpu, mesh, weak, {.space = of_space}, device.how};
  CHECK(loaded == "tang");
  jit::detail::array table{.data = k.data(), .rank = 1};
  table.extents[0] = E;
  jit::detail::parts given;
  given.tables = &table;
  auto const form = of_tangent::made(jit::detail::given_values{&given});
  sumfac::element_operator<std::remove_const_t<decltype(form)>, of_space> B{sumfac::host(1), mesh, form};

  // Elements share nodes with the next one.
  std::vector<int> numbers;
  for (int i = 0; i < E * P; ++i) numbers.push_back(i / 10 * 7 + i % 10);
  sumfac::index_t const count = numbers.back() + 1;
  std::vector<unsigned char> marks(static_cast<std::size_t>(count));
  marks[4] = marks[9] = 1;
  sumfac::restriction const R{sumfac::host(1), sumfac::view(std::as_const(numbers).data(), E, P), count,
                              sumfac::view(marks.data(), count)};
  jit::device_restriction const S{A, R};
  std::vector<double> u(static_cast<std::size_t>(E * P)), w(u.size()), v(u.size()), expected(u.size());
  for (double& x : u) x = next();
  for (double& x : w) x = next();
  jit::detail::device_memory const at(gpu.driver(), u.data(), u.size() * sizeof(double)),
      from(gpu.driver(), w.data(), w.size() * sizeof(double)), to(gpu.driver(), w.size() * sizeof(double));
  auto const check = [&](std::size_t size) {
    gpu.synchronize();
    gpu.driver()->to_host(v.data(), to.address(), size * sizeof(double));
    v.resize(size), expected.resize(size);
    check_equal_vectors(v, expected);
  };
  sumfac::view const u_there(at.as<double const>(), E, P), w_there(from.as<double const>(), E, P);
  sumfac::view const v_there(to.as<double>(), E, P);
  CHECK_THROWS_WITH(A.apply(w_there, v_there), Catch::Contains("(0 of 1): call linearize() first"));
  CHECK_THROWS_WITH(A.linearize(sumfac::view(at.as<double const>(), E, P - 1)), Catch::Contains("expected 70, got 63"));
  A.linearize(u_there);
  A.apply(w_there, v_there);
  B.linearize(sumfac::view(std::as_const(u).data(), E, P));
  B.apply(sumfac::view(std::as_const(w).data(), E, P), sumfac::view(expected.data(), E, P));
  check(u.size());
  A.diagonal(v_there);
  B.diagonal(sumfac::view(expected.data(), E, P));
  check(u.size());

  auto const size = static_cast<std::size_t>(count);
  A.linearize(S, sumfac::view(at.as<double const>(), count));
  A.apply(S, sumfac::view(from.as<double const>(), count), sumfac::view(to.as<double>(), count));
  B.linearize(R, sumfac::view(std::as_const(u).data(), count));
  B.apply(R, sumfac::view(std::as_const(w).data(), count), sumfac::view(expected.data(), count));
  check(size);

  nodes[static_cast<std::size_t>(4 * M * 3)] += 10;
  CHECK_THROWS_WITH((jit::device_operator{gpu, mesh, weak, {.space = of_space}, device.how}),
                    Catch::Contains("element 4 is inverted"));
  CHECK_THROWS_WITH(
      (jit::device_operator{
          gpu, sumfac::view(std::as_const(nodes).data(), E, M - 1, 3), weak, {.space = of_space}, device.how}),
      Catch::Contains("(nodes of an element) of the mesh nodes does not fit (got 9"));
}

TEST_CASE("jit: two inputs on a device, one of another degree, and of a global vector")
{
  own_device const device;
  auto const& gpu = device.gpu;
  support::generator next(17);
  auto const nodes = made_elements(next, 2).nodes;
  auto const mesh = at_nodes<sumfac::space{N}>(nodes.data(), 2, sumfac::index_t{3});
  jit::device_operator A{
      gpu, mesh, jit::type("support/two_inputs.hpp", "support::two_inputs"), {.space = N}, device.how};
  sumfac::element_operator<support::two_inputs, N> B{sumfac::host(1), mesh};
  constexpr int cube = n * n * n, small = 8;
  std::vector<int> numbers;
  for (int i = 0; i < E * cube; ++i) numbers.push_back(i / cube * 18 + i % cube);
  sumfac::index_t const count = numbers.back() + 1;
  sumfac::restriction const R{sumfac::host(1), at_nodes<sumfac::space{N}>(std::as_const(numbers).data(), n), count};
  jit::device_restriction const S{A, R};
  std::vector<double> u(E * cube), w(E * small), v(u.size()), expected(u.size());
  for (double& x : u) x = next();
  for (double& x : w) x = next();
  jit::detail::device_memory const from(gpu.driver(), u.data(), u.size() * sizeof(double)),
      other(gpu.driver(), w.data(), w.size() * sizeof(double)), to(gpu.driver(), u.size() * sizeof(double));
  auto const u_there = at_nodes<sumfac::space{N}>(from.as<double const>(), n);
  auto const w_there = at_nodes<sumfac::space{N}>(other.as<double const>(), 2);
  sumfac::view const t_there(from.as<double const>(), count);
  CHECK_THROWS_WITH(A.linearize(u_there), Catch::Contains("number of inputs of the form") && Catch::Contains("got 1"));
  CHECK_THROWS_WITH(A.linearize(S, t_there, u_there), Catch::Contains("expected 56, got 189"));
  A.linearize(S, t_there, w_there);
  A.apply(S, t_there, sumfac::view(to.as<double>(), count));
  gpu.synchronize();
  v.resize(static_cast<std::size_t>(count)), expected.resize(v.size());
  gpu.driver()->to_host(v.data(), to.address(), v.size() * sizeof(double));
  sumfac::view const t_here(std::as_const(u).data(), count);
  B.linearize(sumfac::field(R, t_here), sumfac::field(at_nodes<sumfac::space{N}>(std::as_const(w).data(), 2)));
  B.apply(R, t_here, sumfac::view(expected.data(), count));
  check_equal_vectors(v, expected);
}
