// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators for a GPU, compiled by NVRTC where it is; the code is run by bench/gpu/jit.cu, where a GPU is.
#include <sumfac/jit/device_operator.hpp>

#include <catch2/catch.hpp>
#include <support/own_folder.hpp>

#include <string>

namespace {

namespace jit = sumfac::jit;
using checks::own_folder;

}  // namespace

TEST_CASE("jit: what devices do not have is refused before anything is compiled")
{
  auto const mass = jit::type("sumfac/form/mass.hpp", "sumfac::mass");
  CHECK_THROWS_WITH(jit::detail::device_source(mass, {.space = sumfac::quadrilateral(2)}),
                    Catch::Contains("devices have hexahedra with stored factors alone"));
  CHECK_THROWS_WITH(jit::detail::device_source(mass, {.space = 2, .geometry = sumfac::affine{}}),
                    Catch::Contains("(sumfac::affine and 3 directions are asked for"));
}

TEST_CASE("jit: a degree that is a value becomes code for a device, once")
{
  own_folder const folder;
  jit::settings how;
  how.cache = folder.path;
  if (!jit::detail::nvrtc(jit::detail::toolkit_of("")).is_there()) {
    WARN("no libnvrtc: code for devices is not compiled");
    return;
  }
  auto const form = jit::weak("(k*grad(u), grad(v)) + c*u*v", {{"k", 2.0}, {"c", 0.5}});
  auto const code = jit::detail::device_code(form, {.space = 2}, how, "sm_90");
  CHECK(code.from.from == jit::origin::place::compiled);
  CHECK(code.cubin.substr(1, 3) == "ELF");
  CHECK_THAT(code.symbol, Catch::Contains("run_team"));
  for (std::string const& name : {code.symbol, std::string("sumfac_jit_make"), std::string("sumfac_jit_set_up")})
    CHECK(code.cubin.find(name) != std::string::npos);
  auto const again = jit::detail::device_code(form, {.space = 2}, how, "sm_90");
  CHECK(again.from.from == jit::origin::place::folder);
  CHECK(again.symbol == code.symbol);
  CHECK(again.cubin == code.cubin);
  CHECK_THROWS_WITH(jit::detail::device_code(jit::type("sumfac/form/mass.hpp", "no::form"), {.space = 1}, how, "sm_90"),
                    Catch::Contains("NVRTC refused the operator") && Catch::Contains("error"));
}
