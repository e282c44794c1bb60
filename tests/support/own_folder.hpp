// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A folder of a test's own, which goes with it.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace checks {

struct own_folder {
  own_folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  own_folder(own_folder const&) = delete;
  own_folder& operator=(own_folder const&) = delete;
  ~own_folder() { std::filesystem::remove_all(path); }

  std::string path = "/tmp/sumfac_test_XXXXXX";
};

}  // namespace checks
