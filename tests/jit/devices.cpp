// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators for GPUs, compiled by NVRTC and hipRTC where they are; the code is run by bench/gpu/jit.cu, where a GPU is,
// and what drives it by tests/emulated/jit.cpp.
#include <sumfac/jit/device_operator.hpp>

#include <catch2/catch.hpp>
#include <support/own_folder.hpp>

#include <string>
#include <vector>

namespace {

namespace jit = sumfac::jit;
using checks::own_folder;

}  // namespace

TEST_CASE("jit: what devices do not have is refused before anything is compiled")
{
  auto const mass = jit::type("sumfac/form/mass.hpp", "sumfac::mass");
  for (char const* device : {jit::detail::nvidia_platform().device, jit::detail::amd_platform().device}) {
    CHECK_THROWS_WITH(jit::detail::device_source(mass, {.space = 2, .geometry = sumfac::split{}}, device),
                      Catch::Contains("affine, trilinear or isoparametric (sumfac::split is asked for)"));
    CHECK_THROWS_WITH(
        jit::detail::device_source(mass, {.space = sumfac::triangle(2), .geometry = sumfac::affine{}}, device),
        Catch::Contains("geometry that is stored (sumfac::affine is asked for)"));
    CHECK_THROWS_WITH(
        jit::detail::device_source(mass, {.space = sumfac::prism(2), .geometry = sumfac::trilinear{}}, device),
        Catch::Contains("stored or affine (sumfac::trilinear is asked for)"));
  }
}

TEST_CASE("jit: a degree that is a value becomes code for a device, once")
{
  struct target {
    jit::detail::platform of;
    char const* architecture;
  };
  auto const form = jit::weak("(k*grad(u), grad(v)) + c*u*v", {{"k", 2.0}, {"c", 0.5}});
  for (target const& t : {target{jit::detail::nvidia_platform(), "sm_90"}, {jit::detail::amd_platform(), "gfx90a"}}) {
    CAPTURE(t.architecture);
    own_folder const folder;
    jit::settings how;
    how.cache = folder.path;
    if (!jit::detail::device_compiler(t.of).is_there()) {
      WARN("no " << t.of.compiler << ": code for " << t.architecture << " is not compiled");
      continue;
    }
    auto const code = jit::detail::device_code(form, {.space = 2}, how, t.of, t.architecture);
    CHECK(code.from.from == jit::origin::place::compiled);
    CHECK(code.binary.substr(1, 3) == "ELF");
    for (char const* name : {"sumfac_jit_apply", "sumfac_jit_make", "sumfac_jit_set_up"})
      CHECK(code.binary.find(name) != std::string::npos);
    std::vector<double> const k(27, 2.0);
    auto const by_point = jit::weak("(k*grad(u), grad(v)) + 0.5*u*v", {{"k", sumfac::view(k.data(), 1, 3, 3, 3)}});
    auto const affine =
        jit::detail::device_code(by_point, {.space = 1, .geometry = sumfac::affine{}}, how, t.of, t.architecture);
    CHECK(affine.binary.find("sumfac_jit_apply") != std::string::npos);
    auto const listed_diagonal =
        jit::detail::device_code(form, {.space = sumfac::quadrilateral(2), .geometry = sumfac::trilinear{}}, how, t.of,
                                 t.architecture, {.on_global = true, .is_diagonal = true, .is_listed = true});
    for (char const* name : {"sumfac_jit_apply", "sumfac_jit_make"})
      CHECK(listed_diagonal.binary.find(name) != std::string::npos);
    // A tangent on tetrahedra, and what keeps its function at the points.
    auto const nonlinear = jit::tangent(jit::weak("(grad(u), grad(v)) + u*u*u*v"));
    for (int const input : {-1, 0}) {
      auto const on_cells =
          jit::detail::device_code(nonlinear, {.space = sumfac::tetrahedron(2), .geometry = sumfac::affine{}}, how,
                                   t.of, t.architecture, {.on_global = input == 0, .input = input});
      CHECK(on_cells.binary.find("sumfac_jit_apply") != std::string::npos);
      CHECK((on_cells.binary.find("sumfac_jit_set_up") != std::string::npos) == (input < 0));
    }
    auto const loops =
        jit::detail::device_code(jit::detail::loops_source(t.of.device, "float"), "", how, t.of, t.architecture);
    for (char const* name : jit::detail::names_of_bodies)
      CHECK(loops.binary.find(std::string("sumfac_jit_") + name) != std::string::npos);
    auto const again = jit::detail::device_code(form, {.space = 2}, how, t.of, t.architecture);
    CHECK(again.from.from == jit::origin::place::folder);
    CHECK(again.binary == code.binary);
    CHECK_THROWS_WITH(
        jit::detail::device_code(jit::type("sumfac/form/mass.hpp", "no::form"), {.space = 1}, how, t.of,
                                 t.architecture),
        Catch::Contains(std::string(t.of.compiler) + " refused the operator") && Catch::Contains("error"));
  }
}

TEST_CASE("jit: where a compiler or a driver is not, that is said with what was looked for")
{
  for (auto of : {jit::detail::nvidia_platform(), jit::detail::amd_platform()}) {
    of.compiler_files = {"libno_such_compiler.so.1", "/lib/libno_such_compiler.so"};
    of.driver_files = {"libno_such_driver.so.1"};
    own_folder const folder;
    jit::settings how;
    how.cache = folder.path;
    how.toolkit = "/no/toolkit";
    auto const mass = jit::type("sumfac/form/mass.hpp", "sumfac::mass");
    CHECK_THROWS_WITH(
        jit::detail::device_code(mass, {.space = 1}, how, of, "none"),
        Catch::Equals(std::string("sumfac::jit: there is no ") + of.compiler +
                      " (libno_such_compiler.so.1 /no/toolkit/lib/libno_such_compiler.so were looked for), by which "
                      "operators for devices are compiled: say where the toolkit is in settings.toolkit or " +
                      of.home));
    CHECK_THROWS_WITH(jit::gpu(of, 0, nullptr), Catch::Contains("(libno_such_driver.so.1 were looked for)"));
  }
}

// HIP's library is there where there is no GPU; of CUDA's driver the toolkit has one without insides.
TEST_CASE("jit: drivers have the functions that are called")
{
  for (auto of : {jit::detail::nvidia_platform(), jit::detail::amd_platform()}) {
    of.driver_files.push_back("/lib64/stubs/libcuda.so");
    jit::detail::opened_library const driver(jit::detail::in_toolkit(of.driver_files, of.toolkit("")));
    if (!driver.is_there()) {
      WARN("no driver that operators compiled by " << of.compiler << " are run by");
      continue;
    }
    for (char const* name :
         {of.init, of.get, of.retain, of.release, of.use, of.allocate, of.free, of.to_device, of.to_host, of.copy,
          of.synchronize, of.load, of.unload, of.function, of.scratch, of.launch}) {
      if (name == nullptr) continue;
      CAPTURE(name);
      CHECK(driver.find(name) != nullptr);
    }
  }
}
