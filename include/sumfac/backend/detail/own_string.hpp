// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// std::string under a name of the target, for the messages that the library puts together.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/error.hpp>

#include <string>

namespace sumfac::SUMFAC_TARGET::detail {

using own_string = std::basic_string<char, std::char_traits<char>, own_allocator<char>>;

own_string in_digits(auto number) { return formatted("%lld", static_cast<long long>(number)); }

}  // namespace sumfac::detail
