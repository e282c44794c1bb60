// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Rows whose form scales with the elements, on elements of any size, skewed ones too.
#include <instances/subject.hpp>

#include <cmath>

namespace instances {

namespace {

property const near_the_oracle("sizes", [](traits const& t) { return t.high_power > 0; });
property const same_bits("sizes to the last bit",
                         [](traits const& t) { return t.high_power > 0 && t.low_power == t.high_power; });

// Elements of edges near 1; stretched 1 : 100 and sheared.
std::vector<elements> meshes(traits const& about)
{
  elements plain = mesh_for(about, about.group + 1, about.geometry == "affine" ? 2 : 3);
  if (about.geometry != "affine") plain = plain.scaled(3);
  elements skewed = plain;
  for (std::size_t i = 0; i < skewed.numbers.size(); i += 3) {
    double* const x = &skewed.numbers[i];
    x[1] *= 10, x[2] *= 100;
    x[0] += 0.5 * x[1], x[1] -= 0.25 * x[2];
  }
  return {plain, skewed};
}

}  // namespace

// The element's size to the greatest power that A has is to be a number.
TEST_CASE("instances: as right as rounding allows on elements of any size")
{
  near_the_oracle.check([](instance const& row) {
    bool const large = !row.about.in_float;
    std::vector<double> lengths;
    if (row.about.high_power == 1)
      lengths = large ? std::vector<double>{1e-250, 1e-70, 1e70, 1e250} : std::vector<double>{1e-30, 1e-12, 1e11, 1e30};
    else
      lengths = large ? std::vector<double>{1e-90, 1e-70, 1e70, 1e90} : std::vector<double>{4e-12, 1e-9, 1e9, 1e11};
    for (auto const& mesh : meshes(row.about))
      for (double const h : lengths) {
        subject const s(row, mesh.scaled(h));
        auto const u = s.u(), v = s.a().apply(u);
        INFO("edges near " << h);
        s.compare("A u", 0, u, v);
        s.compare("A u", mesh.count - 1, u, v);
        auto const d = s.a().diagonal();
        CHECK(greatest(d) < HUGE_VAL);
        for (double const entry : d) CHECK(entry > 0);
      }
  });
}

TEST_CASE("instances: the same bits, but for the exponent, on elements a power of two larger")
{
  same_bits.check([](instance const& row) {
    for (auto const& mesh : meshes(row.about)) {
      subject const at_one(row, mesh);
      auto const u = at_one.u();
      auto const v = at_one.a().apply(u), d = at_one.a().diagonal();
      bool const by_lengths = row.about.high_power == 1;
      for (double const h : row.about.in_float ? std::vector<double>{0x1p-37, 0x1p36, by_lengths ? 0x1p-100 : 0x1p10}
                                               : std::vector<double>{0x1p-233, 0x1p232, by_lengths ? 0x1p-800 : 2}) {
        subject const s(row, mesh.scaled(h));
        double const factor = std::pow(h, row.about.low_power);
        auto scaled_v = v, scaled_d = d;
        for (double& x : scaled_v) x *= factor;
        for (double& x : scaled_d) x *= factor;
        INFO("edges near " << h);
        CHECK((s.a().apply(u) == scaled_v));
        CHECK((s.a().diagonal() == scaled_d));
      }
    }
  });
}

}  // namespace instances
