// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time, on the host and on `checked`; what is left out, and files that are broken.
#include "tune.hpp"

#include <sumfac/backend/checked.hpp>

#include <sys/stat.h>
#include <unistd.h>
#include <thread>

namespace {

using checks::has_line, checks::nodes_view, checks::own_file, checks::take_log;
using stiffness = sumfac::bp3<2>;

auto tuned(mesh::nodes const& mesh, char const* cache)
{
  return sumfac::tune<stiffness>({}, nodes_view(mesh), {.lambda = 0.3},
                                 {.cache = cache, .seconds = 1e-4, .log = checks::keep_line});
}

// A form whose kernels are wrong: `setup` knows where it is called, in the kernel or before.
struct wrong_in_the_kernel : sumfac::laplace {
  template <class T>
  auto setup(sumfac::mapping<T> const& x) const
  {
    auto f = sumfac::laplace::setup(x);
    if constexpr (sumfac::width_of<T> > 1) {
      T factor(1);
      for (int lane = 0; lane < T::width; ++lane)
        if (element < 0 || x.element(lane) == element) factor.set(lane, 1.001);
      f.metric = f.metric * factor;
    }
    return f;
  }
  sumfac::index_t element = -1;  // of which it is, or of all
};

constexpr sumfac::detail::kept_kind words{"words 1", "word", "words", "it is not kept", 2};

void hear(std::string const& line) { checks::keep_line(line.c_str()); }

auto kept(std::string const& path, int key)
{
  return sumfac::detail::kept_lines(path, words, std::to_string(key) + '\t', hear);
}

}  // namespace

TEST_CASE("tune: on the host, stored factors or vertices")
{
  checks::chooses_and_keeps<stiffness>(reference::on_gauss(2), reference::stiffness(0.3), {.lambda = 0.3});
  checks::chooses_and_keeps<sumfac::bp1<3, sumfac::host, float>>(reference::on_gauss(3), reference::mass());
}

TEST_CASE("tune: on a mesh of parallelepipeds affine geometry is tried, from whichever policy one comes")
{
  auto const straight = mesh::mapped(mesh::box({3, 2, 2}), mesh::affine{{1, 2, 3}, 0.1, 0.2, 0.3, {5, 6, 7}});
  auto const tried = [&](auto const& a) {
    std::string all;
    for (auto const& trial : a.trials()) {
      INFO(trial.what << ": " << trial.refused);
      CHECK(trial.refused.empty());
      CHECK(trial.error > 0);
      all += trial.what.substr(0, trial.what.find(',')) + " ";
    }
    return all;
  };
  CHECK(tried(tuned(straight, nullptr)) == "stored trilinear affine ");
  using by_maps = sumfac::bp3<2, sumfac::host, double, sumfac::affine>;
  CHECK(tried(sumfac::tune<by_maps>({}, nodes_view(straight), {.lambda = 0.3}, {.seconds = 1e-4, .log = nullptr})) ==
        "affine trilinear stored ");
}

TEST_CASE("tune: on checked, by what is counted")
{
  checks::chooses_and_keeps<sumfac::bp35<3, sumfac::checked>>(reference::collocated(3), reference::stiffness(0.3),
                                                              {.lambda = 0.3});
  using own = sumfac::bp4<1, sumfac::checked>;
  checks::chooses_and_keeps<own, sumfac::with_tuning<own, sumfac::tuning{.elements = 1}>>(reference::on_gauss(1, 3),
                                                                                          reference::laplace());
  auto const mesh = checks::some_mesh(8);
  auto const a = sumfac::tune<sumfac::bp1<2, sumfac::checked>>({}, nodes_view(mesh), {}, {.log = nullptr});
  auto const& trials = a.trials();
  CHECK(trials[std::size_t(a.chosen())].cost <= trials[0].cost);
  for (auto const& trial : trials) CHECK(trial.cost == std::floor(trial.cost));  // counts
}

TEST_CASE("tune: the operator that was chosen solves systems")
{
  auto const counts = mesh::counts{3, 2, 1};
  auto const mesh = mesh::jittered(counts, 0.2, reference::gauss_lobatto(2));
  auto const a = tuned(mesh, nullptr);
  checks::restricted_mesh const numbered{mesh::numbered(counts, 2, 4)};
  auto const r = numbered.restriction<double, sumfac::host>(sumfac::host());
  sumfac::global_operator const l{a, r};
  std::vector<double> const b(numbered.size(), 1);
  std::vector<double> x(b.size()), y(b.size());
  CHECK(sumfac::cg(l, checks::global_view(b), checks::global_view(x), sumfac::no_preconditioner{},
                   {.iterations = 500, .tolerance = 1e-12}));
  stiffness const plain({}, nodes_view(mesh), {.lambda = 0.3});
  plain.apply(r, checks::global_view(x), checks::global_view(y));
  for (double const entry : y) CHECK(std::abs(entry - 1) <= 1e-9);
  CHECK(a.work().bytes() > 0);
}

TEST_CASE("tune: what a mesh refuses is left out, and said")
{
  auto const where = reference::gauss_lobatto(3);
  auto const curved = mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), 5);
  own_file const file;
  take_log();
  auto const a = tuned(curved, file.path.c_str());
  CHECK(a.chosen() == 0);
  CHECK(a.trials()[1].refused.find("trilinear") != std::string::npos);
  CHECK(has_line(take_log(), "left out: sumfac::"));

  // The file says what this mesh does not take.
  auto const first_fields = file.text().substr(0, file.text().find("\t0\t"));
  file.write(first_fields + "\t1\ttrilinear\t1 us\n");
  auto const b = tuned(curved, file.path.c_str());
  CHECK(b.chosen() == 0);
  CHECK(has_line(take_log(), "warning: " + file.path + " has candidate 2 of 3, which cannot be taken"));
  CHECK(file.text().find("\t0\tstored") != std::string::npos);

  auto inverted = curved;
  for (double& x : inverted.coordinates) x = -x;
  checks::refused<sumfac::geometry_error>([&] { tuned(inverted, nullptr); }, {"cannot be integrated on"});
}

TEST_CASE("tune: what is wrong is left out, and said")
{
  auto const mesh = checks::some_mesh(5);
  take_log();
  using wrong = sumfac::element_operator<wrong_in_the_kernel, 2>;
  for (sumfac::index_t const element : {-1, 0, mesh.elements / 2, mesh.elements - 1}) {
    wrong_in_the_kernel form;
    form.element = element;
    CAPTURE(element);
    checks::refused<sumfac::backend_error>(
        [&] { sumfac::tune<wrong, wrong>({}, nodes_view(mesh), form, {.seconds = 1e-4, .log = checks::keep_line}); },
        {"sumfac::tune: no candidate gives right results", "2 tried"});
    CHECK(has_line(take_log(), "left out: its results are wrong: off by"));
  }
}

TEST_CASE("tune: a cache file that is broken is a warning and a new run")
{
  auto const mesh = checks::some_mesh(5);
  own_file const file;
  auto const runs_anew = [&](std::string const& text, std::string const& warning) {
    file.write(text);
    take_log();
    auto const a = tuned(mesh, file.path.c_str());
    INFO("file: " << text);
    CHECK(a.trials().size() == 3);
    CHECK(has_line(take_log(), "warning: " + file.path + warning));
  };
  static_cast<void>(tuned(mesh, file.path.c_str()));
  std::string const good = file.text(), head = "sumfac tunings 1\n";
  REQUIRE(good.find(head) == 0);
  auto const key = good.substr(head.size(), good.rfind('\t', good.rfind('\t') - 1) - head.size());
  auto const before_number = key.substr(0, key.rfind('\t'));

  runs_anew(head + "one\ttwo\n", ", line 2, is no tuning (2 fields, 6 expected)");
  CHECK(file.text().find("one\ttwo") == std::string::npos);
  runs_anew(head + before_number + "\tx\tstored\t1 us\n", ", line 2, names no candidate");
  runs_anew(head + before_number + "\t7\tstored\t1 us\n", " has candidate 8 of 3, which cannot be taken");
  CHECK(file.text().find("\t7\t") == std::string::npos);

  // Those of another device, of its driver, for which the host has its compiler, or of other operators stay.
  auto const driver = key.find('\t') + 1, operators = key.find('\t', driver) + 1;
  CHECK(key.substr(driver, operators - 1 - driver) == "compiler " __VERSION__);
  for (auto const& at : {std::size_t{0}, driver, operators}) {
    auto const elsewhere = std::string(before_number).insert(at, "other ") + "\t0\tstored\t1 us\n";
    file.write(head + elsewhere);
    take_log();
    CHECK(tuned(mesh, file.path.c_str()).trials().size() == 3);
    CHECK(!has_line(take_log(), "warning: "));
    CHECK(file.text().find(elsewhere) == head.size());
    CHECK(file.text().find(before_number, head.size() + elsewhere.size()) != std::string::npos);
  }
  std::string const other = "another\tdriver\toperator\t0\tstored\t1 us";
  runs_anew(head + other + "\n" + before_number + "\tx\tstored\t1 us\n", ", line 3, names no candidate");
  CHECK(file.text().find(other) != std::string::npos);

  // A file that is something else is left alone.
  std::string const letter = "Dear reader,\n";
  runs_anew(letter, " is no file of tunings (it begins with \"Dear reader,\"");
  CHECK(file.text() == letter);

  take_log();
  CHECK(tuned(mesh, "/nowhere/at/all").trials().size() == 3);
  CHECK(has_line(take_log(), "warning: /nowhere/at/all cannot be written"));
}

TEST_CASE("tune: what others kept since a file was read stays in it, and they may write at once")
{
  own_file const file;
  take_log();
  std::vector<sumfac::detail::kept_lines> all;
  for (int i = 0; i < 14; ++i) all.push_back(kept(file.path, i % 7));
  for (auto& one : all) one.keep("first", hear);
  for (int i = 0; i < 7; ++i) CHECK(kept(file.path, i).value() == "first");
  std::vector<std::thread> threads;
  for (int i = 0; i < 14; ++i)
    threads.emplace_back([&file, i] {
      for (int round = 0; round < 8; ++round)
        kept(file.path, i % 7 + 7 * (round % 2)).keep("second", [](auto const&) {});
    });
  for (auto& t : threads) t.join();
  for (int i = 0; i < 14; ++i) CHECK(kept(file.path, i).value() == "second");
  auto const text = file.text();
  CHECK(std::count(text.begin(), text.end(), '\n') == 15);
  CHECK(take_log().empty());
}

TEST_CASE("tune: a cache file's rights stay, and a link to it stays a link, also where there is no file yet")
{
  own_file const file, link, link_to_link;
  auto const name = [](own_file const& of) { return of.path.substr(of.path.rfind('/') + 1); };
  REQUIRE(::symlink(name(file).c_str(), link.path.c_str()) == 0);
  REQUIRE(::symlink(link.path.c_str(), link_to_link.path.c_str()) == 0);
  struct stat found;
  for (auto const* value : {"one", "two"}) {
    kept(link_to_link.path, 1).keep(value, hear);
    CHECK(kept(file.path, 1).value() == value);
    for (auto const* of : {&link, &link_to_link})
      CHECK((::lstat(of->path.c_str(), &found) == 0 && S_ISLNK(found.st_mode)));
    CHECK((::lstat(file.path.c_str(), &found) == 0 && S_ISREG(found.st_mode)));
    if (value[0] == 't') CHECK((found.st_mode & 0777) == 0604);
    CHECK(::chmod(file.path.c_str(), 0604) == 0);
  }
}

TEST_CASE("tune: a mesh of no elements takes the first")
{
  mesh::nodes const none{0, 2, {}};
  auto const a = tuned(none, nullptr);
  CHECK(a.chosen() == 0);
  for (auto const& trial : a.trials()) CHECK(trial.cost == 0);  // a clock that ran would choose at random
}
