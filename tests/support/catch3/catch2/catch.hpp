// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Catch2 version 3 under version 2's header name and with its names for matchers.
#pragma once

#include <catch2/catch_all.hpp>

#include <string>

namespace Catch {

namespace Matchers {

// Version 3 calls it ContainsSubstring, and Contains what looks for an element of a range.
inline auto Contains(char const* part) { return ContainsSubstring(part); }

inline auto Contains(std::string& part) { return ContainsSubstring(part); }

inline auto Contains(std::string const& part) { return ContainsSubstring(part); }

inline auto Contains(std::string&& part) { return ContainsSubstring(part); }

}  // namespace Matchers

using namespace Matchers;

}  // namespace Catch

using Catch::Approx;
