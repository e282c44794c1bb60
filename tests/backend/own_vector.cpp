// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The library's own vector: what it holds after it has grown, shrunk, been copied, moved and filled.
#include <sumfac/backend/detail/own_vector.hpp>

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <utility>

using sumfac::detail::own_vector;

namespace {

// Counts itself, and throws when the last of `left` is made.
struct counted {
  static inline int alive = 0, left = 1000;

  explicit counted(int v = 0) : value(v) { take(); }
  counted(counted const& other) : value(other.value) { take(); }
  counted(counted&& other) noexcept : value(std::exchange(other.value, -1)) { ++alive; }
  ~counted() { --alive; }

  static void take()
  {
    if (left-- == 0) throw std::runtime_error("none left");
    ++alive;
  }

  int value;
};

}  // namespace

TEST_CASE("a vector grows one by one and keeps what it holds")
{
  own_vector<std::string> texts;
  CHECK(texts.empty());
  for (int i = 0; i < 100; ++i) texts.push_back(std::string(40, static_cast<char>('a' + i % 26)));
  texts.push_back(texts[1]);  // its own entry, also where it has to grow
  REQUIRE(texts.size() == 101);
  for (std::size_t i = 0; i < 100; ++i) CHECK(texts[i] == std::string(40, static_cast<char>('a' + i % 26)));
  CHECK(texts.back() == texts[1]);
  CHECK(static_cast<std::size_t>(texts.end() - texts.begin()) == texts.size());
}

TEST_CASE("a vector has the size and the values that it is told")
{
  own_vector<int> const zeros(5), ones(3, 1), listed = {4, 5, 6};
  for (int const x : zeros) CHECK(x == 0);
  CHECK(zeros.size() == 5);
  CHECK(ones.size() == 3);
  CHECK(ones[2] == 1);
  own_vector<int> v = listed;
  v.append(ones);
  REQUIRE(v.size() == 6);
  CHECK(v[2] == 6);
  CHECK(v[3] == 1);
  v.resize(2);
  v.resize(4);
  REQUIRE(v.size() == 4);
  CHECK(v[1] == 5);
  CHECK(v[2] == 0);
  v.assign(7, 9);
  CHECK(v.size() == 7);
  CHECK(v.back() == 9);
  v = own_vector<int>();
  CHECK(v.empty());
  v = listed;
  CHECK(v[0] == 4);
  own_vector<int> const& same = v;
  v = same;
  CHECK(v.size() == 3);
}

TEST_CASE("entries of a vector end as often as they begin, whatever is thrown")
{
  counted::left = 1000;
  {
    own_vector<counted> v(3);
    own_vector<counted> const copy = v;
    v.push_back(counted(7));
    own_vector<counted> moved = std::move(v);
    CHECK(moved.size() == 4);
    CHECK(moved[3].value == 7);
    CHECK(counted::alive == 7);
    moved.clear();
    CHECK(counted::alive == 3);
  }
  CHECK(counted::alive == 0);
  counted::left = 4;
  CHECK_THROWS_AS(own_vector<counted>(5), std::runtime_error);
  CHECK(counted::alive == 0);
}

TEST_CASE("a vector that is too large for any memory is refused")
{
  CHECK_THROWS_AS(own_vector<double>(static_cast<std::size_t>(-1) / 4), std::bad_alloc);
}
