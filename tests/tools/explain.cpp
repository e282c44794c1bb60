// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Explanations of planted situations: what bounds an application, and what is advised, each with its number.
#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/node_order.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/tools/explain.hpp>

#include <dofs/global_vectors.hpp>
#include <operator/two_sided_forms.hpp>
#include <support/mesh.hpp>

#include <catch2/catch.hpp>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#if defined(__linux__) && defined(_OPENMP)
#include <omp.h>
#include <sched.h>
#endif

namespace {

using namespace checks;
using sumfac::advice_on, sumfac::explanation, sumfac::explain_options, sumfac::machine_roofs;
auto nodes_view(mesh::nodes const& mesh)
{
  int const m = mesh.nodes_1d;
  sumfac::view<double const, sumfac::dextents<5>> const nodes(mesh.data(), mesh.elements, m, m, m, 3);
  return sumfac::mesh_view(nodes, sumfac::gauss_lobatto_nodes{});
}

using laplace = sumfac::bp3<3>;  // 4 nodes, 5 points per direction
sumfac::host const two_threads{2};
mesh::counts const cells{4, 4, 2};

// Of a machine on which nothing is timed, whose memory is slow, and whose caches are small.
machine_roofs const slow_memory{.read = 1e9, .copy = 1e9, .cached = 1e12, .f64 = 1e15, .f32 = 2e15, .caches = 1};
explain_options with(machine_roofs const& roofs) { return {.roofs = roofs, .cache = "", .seconds = 0}; }

mesh::nodes straight() { return mesh::mapped(mesh::box(cells), mesh::affine{{1, 2, 3}, 0.1, 0.2, 0.3, {5, 6, 7}}); }

laplace on(mesh::nodes const& mesh) { return {two_threads, nodes_view(mesh), {.lambda = 0.5}}; }

// What is advised on something, of which there is one piece at most.
sumfac::advice const* find(explanation const& e, advice_on on)
{
  sumfac::advice const* found = nullptr;
  for (auto const& a : e.what_helps)
    if (a.on == on) {
      CHECK(found == nullptr);
      found = &a;
    }
  return found;
}

bool says(sumfac::advice const* a, std::string const& part)
{
  return a != nullptr && a->text.find(part) != std::string::npos;
}

// Whether a text is JSON, and nothing behind it.
class json_reader {
public:
  explicit json_reader(std::string const& text) : at_(text.c_str()) {}
  bool all() { return value() && *at_ == 0; }

private:
  bool take(char c)
  {
    while (*at_ == ' ') ++at_;
    return *at_ == c && ++at_;
  }
  bool word(std::string const& w)
  {
    if (std::string(at_).compare(0, w.size(), w) != 0) return false;
    at_ += w.size();
    return true;
  }
  bool string()
  {
    if (!take('"')) return false;
    for (; *at_ != '"'; ++at_)
      if (static_cast<unsigned char>(*at_) < 0x20 || (*at_ == '\\' && *++at_ != '"' && *at_ != '\\')) return false;
    return take('"');
  }
  bool number()
  {
    char* end = nullptr;
    std::strtod(at_, &end);
    bool const plain = std::isdigit(static_cast<unsigned char>(*at_)) != 0 || *at_ == '-';
    return plain && end != at_ && (at_ = end);
  }
  bool value()
  {
    while (*at_ == ' ') ++at_;
    if (*at_ == '"') return string();
    if (take('[')) return take(']') || items([&] { return value(); }, ']');
    if (take('{')) return take('}') || items([&] { return string() && take(':') && value(); }, '}');
    return word("true") || word("false") || word("null") || number();
  }
  template <class Item>
  bool items(Item const& item, char end)
  {
    do {
      if (!item()) return false;
    } while (take(','));
    return take(end);
  }

  char const* at_;
};

}  // namespace

TEST_CASE("explain: bytes, flops and the bound follow from the roofs that are given")
{
  auto const mesh = mesh::jittered(cells, 0.1);
  auto const a = on(mesh);
  auto const w = a.work();
  machine_roofs const roofs{.read = 4e9, .copy = 2e9, .cached = 16e9, .f64 = 8e9, .f32 = 64e9, .caches = 1000};
  auto const e = sumfac::explain(a, with(roofs));
  index_t const elements = mesh.elements, vector = elements * 64 * 8;
  CHECK(e.elements == elements);
  CHECK(e.unknowns == elements * 27);
  CHECK((e.bytes.read == vector && e.bytes.written == vector));
  CHECK(e.bytes.factors == elements * 125 * 7 * 8);
  CHECK((e.bytes.indices == 0 && e.bytes.again == 0 && e.lines_of_least == 0));
  CHECK(e.bytes.all() == w.bytes());
  CHECK(e.flops == w.flops);
  // Contractions at half of their flops: to points and back, and three derivatives and fluxes; the form whole.
  index_t const contractions = 2 * 2 * (5 * 64 + 25 * 16 + 125 * 4) + 2 * 3 * 2 * 125 * 5;
  CHECK(e.multiply_adds == w.flops - elements * contractions / 2);
  CHECK(e.roofs == roofs);
  CHECK(e.roofs_from == "given");
  CHECK_FALSE(e.in_caches);
  // As much as is written is copied, the rest is read.
  CHECK(e.memory_seconds == Approx(double(2 * vector) / 2e9 + double(e.bytes.factors) / 4e9));
  CHECK(e.arithmetic_seconds == Approx(double(e.multiply_adds) / 8e9));
  CHECK(e.bound == explanation::limit::memory);
  CHECK(e.intensity() == Approx(double(w.flops) / double(w.bytes())));
  CHECK((e.seconds == 0 && e.reached() == 0));

  auto more = roofs;
  more.f64 = 1e9;
  CHECK(sumfac::explain(a, with(more)).bound == explanation::limit::arithmetic);
  more = roofs, more.caches = 2 * w.bytes();
  auto const cached = sumfac::explain(a, with(more));
  CHECK(cached.in_caches);
  CHECK(cached.memory_seconds == Approx(double(w.bytes()) / 16e9));
  CHECK(cached.bound == explanation::limit::arithmetic);
  more.cached = 1e9;
  CHECK(sumfac::explain(a, with(more)).bound == explanation::limit::caches);
  CHECK(sumfac::explain(a, with({.f64 = 1e9, .caches = 1})).bound == explanation::limit::arithmetic);
  CHECK(sumfac::explain(a, with({.f32 = 1e9, .caches = 1})).bound == explanation::limit::unknown);
  // One number for memory is enough.
  CHECK(sumfac::explain(a, with({.copy = 1e9, .caches = 1})).memory_seconds == Approx(double(w.bytes()) / 1e9));
}

TEST_CASE("explain: what was reached, as it was timed or as it is said")
{
  auto const a = on(mesh::jittered(cells, 0.1));
  auto options = with(slow_memory);
  options.reached = 1e-3;
  auto const e = sumfac::explain(a, options);
  CHECK(e.seconds == 1e-3);
  CHECK(e.reached() == Approx(e.memory_seconds / 1e-3));

  options.reached = 0, options.seconds = 1e-3;
  CHECK(sumfac::explain(a, options).seconds > 0);
  std::vector<double> u(std::size_t(a.elements()) * 64, 1), v(u.size()), expected(u.size());
  sumfac::view const u_view(u.data(), a.elements(), 4, 4, 4), v_view(v.data(), a.elements(), 4, 4, 4);
  CHECK(sumfac::explain(a, u_view, v_view, options).seconds > 0);
  a.apply(u_view, sumfac::view(expected.data(), a.elements(), 4, 4, 4));
  CHECK(v == expected);
}

TEST_CASE("explain: an affine mesh whose factors are stored")
{
  auto const mesh = straight();
  auto const a = on(mesh);
  auto const e = sumfac::explain(a, with(slow_memory));
  auto const* const geometry = find(e, advice_on::geometry);
  REQUIRE(says(geometry, "all elements are affine, by their factors: with sumfac::affine"));
  sumfac::bp3<3, sumfac::host, double, sumfac::affine> const cheap{two_threads, nodes_view(mesh), {.lambda = 0.5}};
  CHECK(geometry->gain == Approx(double(a.work().bytes()) / double(cheap.work().bytes())));
  CHECK(says(geometry, "56 bytes an element are read in place of 7000"));
  CHECK(&e.what_helps.front() == geometry);
  CHECK(find(sumfac::explain(cheap, with(slow_memory)), advice_on::geometry) == nullptr);

  // A mass, of one factor; factors in float; a mesh far from zero.
  sumfac::bp1<2> const mass{two_threads, nodes_view(mesh)};
  CHECK(says(find(sumfac::explain(mass, with(slow_memory)), advice_on::geometry), "sumfac::affine"));
  sumfac::bp3<3, sumfac::host, sumfac::precision<double, float, double>> const narrow{two_threads, nodes_view(mesh)};
  CHECK(says(find(sumfac::explain(narrow, with(slow_memory)), advice_on::geometry), "sumfac::affine"));
  auto const far = mesh::mapped(straight(), mesh::affine{{1, 1, 1}, 0, 0, 0, {1e3, 0, 0}});
  CHECK(says(find(sumfac::explain(on(far), with(slow_memory)), advice_on::geometry), "sumfac::affine"));

  // Where arithmetic is the bound, bytes are worth nothing.
  CHECK(find(sumfac::explain(a, with({.copy = 1e12, .f64 = 1e6, .caches = 1})), advice_on::geometry) == nullptr);
}

TEST_CASE("explain: what the elements' classes allow")
{
  auto const bent = mesh::jittered(cells, 0.1);
  auto const a = on(bent);
  CHECK(find(sumfac::explain(a, with(slow_memory)), advice_on::geometry) == nullptr);  // factors do not tell
  auto options = with(slow_memory);
  options.classes = sumfac::classify(nodes_view(bent));
  auto const e = sumfac::explain(a, options);
  auto const* const geometry = find(e, advice_on::geometry);
  REQUIRE(says(geometry, "0 elements are affine, 32 trilinear, 0 neither: with sumfac::trilinear"));
  sumfac::bp3<3, sumfac::host, double, sumfac::trilinear> const cheap{two_threads, nodes_view(bent), {.lambda = 0.5}};
  CHECK(geometry->gain == Approx(double(a.work().bytes()) / double(cheap.work().bytes())));

  // Trilinear elements that are all affine; curved ones among affine ones.
  sumfac::bp3<3, sumfac::host, double, sumfac::trilinear> const dear{two_threads, nodes_view(straight())};
  options.classes.assign(32, sumfac::geometry_class::affine);
  CHECK(says(find(sumfac::explain(dear, options), advice_on::geometry), "with sumfac::affine"));
  for (std::size_t i = 0; i < 32; i += 2) options.classes[i] = sumfac::geometry_class::general;
  auto const mixed = sumfac::explain(a, options);
  CHECK(says(find(mixed, advice_on::geometry), "with sumfac::split"));
  CHECK(says(find(mixed, advice_on::geometry), "sumfac::element_order"));

  options.classes.pop_back();
  refused([&] { sumfac::explain(a, options); }, {"number of classes", "expected 32, got 31"});
}

TEST_CASE("explain: numbers of half the bytes")
{
  auto const a = on(mesh::jittered(cells, 0.1));
  auto const e = sumfac::explain(a, with(slow_memory));
  std::vector<sumfac::advice const*> halves;  // among what else the machine and the build give reason for, as threads
  for (auto const& advised : e.what_helps)
    if (advised.on == advice_on::precision) halves.push_back(&advised);
  REQUIRE(halves.size() == 2);
  double const bytes = double(e.bytes.all()), factors = double(e.bytes.factors);
  CHECK(halves[0]->gain == Approx(2));
  CHECK(says(halves[0], "everything in float"));
  CHECK(halves[1]->gain == Approx(bytes / (bytes - factors / 2)));
  CHECK(says(halves[1], "sumfac::precision<double, float, double>"));
  auto options = with(slow_memory);
  options.least_gain = 1.99;
  CHECK(find(sumfac::explain(a, options), advice_on::precision) != nullptr);  // one of them
}

TEST_CASE("explain: bad numbers of nodes")
{
  mesh::counts const box{8, 8, 8};
  auto const mesh = mesh::jittered(box, 0.1);
  auto const a = on(mesh);
  restricted_mesh numbered{mesh::numbered(box, 3, 7)};
  auto const r = numbered.restriction<double, sumfac::host>(two_threads);
  auto const e = sumfac::explain(a, r, with(slow_memory));

  // The lines of each step, and as few as would hold its nodes.
  std::vector<std::set<index_t>> nodes(std::size_t(r.storage().tables().steps())), lines(nodes.size());
  for (index_t b = 0; b < r.storage().tables().blocks(); ++b)
    r.storage().tables().for_each_node(r.table(), b, [&](std::uint32_t node, index_t step) {
      nodes[std::size_t(step)].insert(node), lines[std::size_t(step)].insert(node / 8);
    });
  index_t all = 0, least = 0;
  for (std::size_t s = 0; s < nodes.size(); ++s)
    all += index_t(lines[s].size()), least += (index_t(nodes[s].size()) + 7) / 8;
  CHECK(e.lines_of_least == Approx(double(all) / double(least)));
  CHECK(e.lines_of_least > 2);
  index_t const vector = r.size() * 8;
  CHECK((e.bytes.read == vector && e.bytes.written == vector && e.unknowns == r.size()));
  CHECK(e.bytes.indices == r.storage().tables().entries.size() * 4);
  CHECK(e.bytes.again == 2 * 64 * (all - least) + index_t(r.storage().tables().shared_slots.size()) * 4 * 8);

  auto const* const numbering = find(e, advice_on::numbering);
  REQUIRE(says(numbering, "sumfac::node_order"));
  CHECK(numbering->gain > 1.1);

  // It is what comes of the advice, but for the table, which is estimated; and there is nothing left to be advised.
  auto const table = numbered.numbers.table_of<std::int64_t>();
  auto const number = sumfac::node_order(table_view(table, 512, 4), r.nodes());
  for (auto& node : numbered.numbers.table) node = number[std::size_t(node)];
  auto const better_r = numbered.restriction<double, sumfac::host>(two_threads);
  auto const better = sumfac::explain(a, better_r, with(slow_memory));
  CHECK(better.lines_of_least < 1.5);
  CHECK(numbering->gain == Approx(e.memory_seconds / better.memory_seconds).epsilon(0.02));
  CHECK(find(better, advice_on::numbering) == nullptr);

  CHECK(sumfac::explain(sumfac::global_operator{a, r}, with(slow_memory)).bytes.all() == e.bytes.all());
  std::vector<double> x(std::size_t(r.size()), 1), y(x.size());
  auto timed = with(slow_memory);
  timed.seconds = 1e-3;
  CHECK(sumfac::explain(a, r, timed).seconds > 0);
  CHECK(sumfac::explain(a, r, global_view(x), global_view(y), timed).seconds > 0);
  refused([&] { sumfac::explain(on(straight()), r, with(slow_memory)); }, {"number of elements of the restriction"});

  // Equations are not counted, which it says.
  sumfac::constraints rows;
  rows.add(3, {{4, 0.5}, {5, 0.5}});
  sumfac::restriction const with_rows{two_threads, table_view(table, 512, 4), r.nodes(), rows};
  auto const counts_them_not = [](explanation const& of) {
    return of.what.find("on global vectors with equations between unknowns, whose work is not counted") <
           of.what.size();
  };
  CHECK(counts_them_not(sumfac::explain(a, with_rows, with(slow_memory))));
  CHECK(!counts_them_not(e));
}

#if defined(__linux__) && defined(_OPENMP)
TEST_CASE("explain: a sum is its parts, which add to y but for the first")
{
  auto const mesh = straight();
  laplace const a = on(mesh);
  restricted_mesh const numbered{mesh::numbered(cells, 3), 1};
  auto const r = numbered.restriction<double, sumfac::host>(two_threads);
  auto const one = sumfac::explain(a, r, with(slow_memory));
  auto const two = sumfac::explain(sumfac::sum{sumfac::part{a, r}, 2.0 * sumfac::part{a, r}}, with(slow_memory));
  CHECK(two.flops == 2 * one.flops);
  CHECK(two.bytes.read == 2 * one.bytes.read + one.bytes.written);
  CHECK(two.bytes.factors == 2 * one.bytes.factors);
  CHECK(two.bytes.all() == 2 * one.bytes.all() + one.bytes.written);
  CHECK(two.unknowns == one.unknowns);
  CHECK(two.bound == explanation::limit::memory);
  CHECK(two.memory_seconds > 2 * one.memory_seconds);
  CHECK(two.what.find("a sum of ") == 0);
  REQUIRE(two.what_helps.size() == 2 * one.what_helps.size());
  REQUIRE(!one.what_helps.empty());
  CHECK(two.what_helps.back().text == "part 1: " + one.what_helps.back().text);
}

TEST_CASE("explain: two threads on one core")
{
  auto const a = on(mesh::jittered(cells, 0.1));
  static_cast<void>(sumfac::explain(a, with(slow_memory)));  // has counted the processors
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
#pragma omp parallel num_threads(2)
  sched_setaffinity(0, sizeof one, &one);
  auto const e = sumfac::explain(a, with(slow_memory));
#pragma omp parallel num_threads(2)
  sched_setaffinity(0, sizeof before, &before);
  auto const* const threads = find(e, advice_on::threads);
  REQUIRE(says(threads, "2 threads run on 1 processor"));
  CHECK(threads->gain == 2);
  CHECK_FALSE(says(find(sumfac::explain(a, with(slow_memory)), advice_on::threads), "2 threads run on 1"));
}
#endif

TEST_CASE("explain: threads, pages and targets, as they are planted")
{
  explanation e;
  auto const advised = [&](auto const& ask) {
    e.what_helps.clear();
    sumfac::detail::adviser adviser(e, 1.1, false);
    ask(adviser);
    return e.what_helps.empty() ? sumfac::advice{advice_on::target, -1, {}} : e.what_helps.front();
  };
  using sumfac::detail::placement;
  // Threads, processors, cores, how many of both they have, and the time that is granted.
  auto const of_threads = [&](placement const& p) { return advised([&](auto& a) { a.on_threads(p); }); };
  CHECK(of_threads({4, 8, 4, 4, 4, 0}).gain == -1);
  auto const few = of_threads({2, 8, 8, 2, 2, 0});
  CHECK(few.gain == 4);
  CHECK(says(&few, "2 of 8 cores are used"));
  auto const many = of_threads({6, 2, 2, 2, 2, 0});
  CHECK(many.gain == 3);
  CHECK(says(&many, "6 threads run on 2 processors: take 2"));
  auto const siblings = of_threads({4, 8, 4, 4, 2, 0});
  CHECK(siblings.gain == 2);
  CHECK(says(&siblings, "4 threads run on 2 cores"));
  auto const granted = of_threads({2, 2, 2, 2, 2, 1.5});
  CHECK(granted.gain == Approx(2 / 1.5));
  CHECK(says(&granted, "grants the time of 1.5 processors to 2 threads"));

  using sumfac::detail::huge_page_rule;
  e.bytes = {.read = 1 << 26, .written = 1 << 26};
  e.roofs = {.copy = 2e9, .small_pages = 1e9};
  e.memory_seconds = double(e.bytes.all()) / 2e9;
  auto const of_pages = [&](sumfac::detail::page_kinds const& k) { return advised([&](auto& a) { a.on_pages(k); }); };
  auto const never = of_pages({huge_page_rule::never, false, 0, 0});
  CHECK(never.gain == 0);
  CHECK(says(&never, "32.8 kpages of 4 KiB"));
  CHECK(of_pages({huge_page_rule::madvise, false, 0, 0}).gain == -1);  // nobody has looked at the vectors
  auto const small = of_pages({huge_page_rule::madvise, true, 131072, 2048});
  CHECK(small.gain == Approx(2));
  CHECK(says(&small, "2 of 128 MiB in huge ones"));
  CHECK(of_pages({huge_page_rule::madvise, true, 131072, 131072}).gain == -1);

  e.arithmetic_seconds = 4 * e.memory_seconds;
  auto const narrow = advised([](auto& a) { a.on_target({16, 64, true, true}); });
  CHECK(narrow.gain == Approx(4));
  CHECK(says(&narrow, "registers of 128 bits, and the processor has 512"));
  CHECK(advised([](auto& a) { a.on_target({64, 64, true, true}); }).gain == -1);
  CHECK(advised([](auto& a) { a.on_target({16, 16, true, false}); }).gain == 0);
}

TEST_CASE("explain: as text, and as JSON")
{
  auto const a = on(straight());
  auto options = with({.read = 2e10, .copy = 1e10, .f64 = 5e10, .caches = 1});
  options.reached = 1e-3;
  auto e = sumfac::explain(a, options);
  auto const text = e.text();
  INFO(text);
  for (char const* part :
       {"hexahedra of degree 3, 5 points a direction", "geometry stored", "u, read", "factors of the geometry",
        "roofs, given\n  memory reads 20 GB/s, memory copies 10 GB/s, multiply-adds in double 50 Gflop/s\n",
        "the bound", "an application took", "of what the bound allows", "what would help",
        "geometry: all elements are affine"})
    CHECK(text.find(part) != std::string::npos);
  std::ostringstream out;
  out << e;
  CHECK(out.str() == text);

  e.warnings.push_back("a \"quoted\" \\ text\nof two lines");
  e.arithmetic_seconds = HUGE_VAL;
  auto const json = e.json();
  INFO(json);
  CHECK(json_reader(json).all());
  CHECK_FALSE(json_reader(json + "}").all());
  CHECK_FALSE(json_reader(json.substr(0, json.size() - 1)).all());
  CHECK(json.find("\"bound\": \"memory\"") != std::string::npos);
  CHECK(json.find("\"arithmetic_seconds\": null") != std::string::npos);
  CHECK(json.find("\"factors\": " + std::to_string(e.bytes.factors) + ",") != std::string::npos);
  CHECK(json.find("{\"on\": \"geometry\", \"gain\": ") != std::string::npos);
}

TEST_CASE("explain: on checked, which times nothing, and of no elements")
{
  auto const mesh = mesh::jittered({2, 2, 1}, 0.1);
  sumfac::bp1<2, sumfac::checked> const a{{}, nodes_view(mesh)};
  auto const e = sumfac::explain(a);
  CHECK(e.bytes.all() == a.work().bytes());
  CHECK((e.seconds == 0 && e.roofs.copy == 0 && e.bound == explanation::limit::unknown));
  CHECK(e.what.find("geometry stored; kernel: cubes") != std::string::npos);
  CHECK(e.roofs_from.find("not given") == 0);
  restricted_mesh const numbered{mesh::numbered({2, 2, 1}, 2)};
  auto const r = numbered.restriction<double, sumfac::checked>(sumfac::checked{});
  auto const global = sumfac::explain(a, r, with(slow_memory));
  CHECK(global.bytes.indices == 4 * 27 * 2 * 4);
  CHECK(global.bytes.again > 0);
  CHECK(global.bound == explanation::limit::memory);

  mesh::nodes const none{0, 2, {}};
  auto const empty = sumfac::explain(on(none), with(slow_memory));
  CHECK((empty.bytes.all() == 0 && empty.flops == 0));
  CHECK(json_reader(empty.json()).all());
}

namespace {

// Of 9 elements of 27 nodes and 64 points, with 16 points on each of six sides; factors of a point within and between.
template <class Within, class Between>
void explains_faces(int kernels, int within, int between)
{
  auto const box = sumfac::box_mesh({3, 3, 1});
  sumfac::element_operator<Within, 2, sumfac::checked> const K{sumfac::checked{}, box};
  sumfac::interior_operator<Between, 2, sumfac::checked> const F{sumfac::checked{}, box};
  sumfac::sum const A{K, F};
  CHECK(A.kernels == kernels);
  auto const e = sumfac::explain(A, with(slow_memory));
  constexpr sumfac::index_t vector = 9 * 27 * 8;
  CHECK(e.unknowns == 9 * 27);
  CHECK(e.bytes.read == (kernels == 1 ? 1 : 3) * vector);
  CHECK(e.bytes.written == kernels * vector);
  CHECK(e.bytes.factors == 9 * 8 * (64 * within + 6 * 16 * between));
  CHECK(e.text().find(kernels == 1 ? "are one kernel" : "are two kernels") != std::string::npos);
}

}  // namespace

TEST_CASE("explain: terms within elements and on faces, in one kernel and in two")
{
  explains_faces<two_sided::advection, two_sided::upwind>(1, 3, 1);
  explains_faces<sumfac::laplace, two_sided::interior_penalty>(2, 6, 7);
}
