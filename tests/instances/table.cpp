// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The whole table: no property that fits no row, no row twice.
#include <instances/subject.hpp>

#include <set>

TEST_CASE("instances: every property has rows, and every row a name of its own")
{
  std::set<std::string> names;
  for (auto const& row : instances::all()) {
    INFO(row.about.name);
    CHECK(names.insert(row.about.name).second);
  }
  CHECK(instances::properties().size() > 10);
  for (auto const* property : instances::properties()) {
    int rows = 0;
    for (auto const& row : instances::all()) rows += property->fits(row.about);
    INFO(property->name);
    CHECK(rows >= 3);
  }
}
