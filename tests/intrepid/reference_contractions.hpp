// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The nine contractions as a list, arrays of any layout to call them on, and the comparison with the oracle.
#pragma once

#include "intrepid/reference.hpp"
#include "support/random.hpp"

#include <sumfac/intrepid/contractions.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace contraction {

using sumfac::index_t;
using extents = reference::contraction_extents;

enum class kind { field_field, data_field, data_data };

// One of the nine: its kind, and how many dimensions it sums over (1 Scalar, 2 Vector, 3 Tensor).
struct description {
  kind what;
  int contracted;

  std::string name() const
  {
    std::string const kinds[] = {"FieldField", "DataField", "DataData"}, values[] = {"Scalar", "Vector", "Tensor"};
    return "contract" + kinds[static_cast<int>(what)] + values[contracted - 1];
  }
};

template <kind Kind, int Contracted>
struct function {
  static constexpr description is{Kind, Contracted};
  static constexpr int out_rank = Kind == kind::field_field ? 3 : Kind == kind::data_field ? 2 : 1;
  static constexpr int left_rank = (Kind == kind::field_field ? 2 : 1) + Contracted;
  static constexpr int right_rank = (Kind == kind::data_data ? 1 : 2) + Contracted;

  // Backend, output, first and second factor, and optionally sumInto and a strategy.
  template <class... Arguments>
  static void call(Arguments const&... arguments)
  {
    using namespace sumfac::intrepid;
    if constexpr (Kind == kind::field_field && Contracted == 1) contractFieldFieldScalar(arguments...);
    if constexpr (Kind == kind::field_field && Contracted == 2) contractFieldFieldVector(arguments...);
    if constexpr (Kind == kind::field_field && Contracted == 3) contractFieldFieldTensor(arguments...);
    if constexpr (Kind == kind::data_field && Contracted == 1) contractDataFieldScalar(arguments...);
    if constexpr (Kind == kind::data_field && Contracted == 2) contractDataFieldVector(arguments...);
    if constexpr (Kind == kind::data_field && Contracted == 3) contractDataFieldTensor(arguments...);
    if constexpr (Kind == kind::data_data && Contracted == 1) contractDataDataScalar(arguments...);
    if constexpr (Kind == kind::data_data && Contracted == 2) contractDataDataVector(arguments...);
    if constexpr (Kind == kind::data_data && Contracted == 3) contractDataDataTensor(arguments...);
  }
};

// Calls f(function<kind, contracted>{}) for all nine.
template <class F>
void for_each_function(F const& f)
{
  f(function<kind::field_field, 1>{}), f(function<kind::field_field, 2>{}), f(function<kind::field_field, 3>{});
  f(function<kind::data_field, 1>{}), f(function<kind::data_field, 2>{}), f(function<kind::data_field, 3>{});
  f(function<kind::data_data, 1>{}), f(function<kind::data_data, 2>{}), f(function<kind::data_data, 3>{});
}

// The extents that a function has; the others are set to 1, and so is data's P where it is not P.
inline extents used(description f, extents n)
{
  if (f.contracted < 3) n.d2 = 1;
  if (f.contracted < 2) n.d1 = 1;
  if (f.what != kind::field_field) n.l = 1;
  if (f.what == kind::data_data) n.r = 1;
  if (f.what != kind::data_field || n.data_p != 1) n.data_p = n.p;
  return n;
}

// The table of the nine: shapes of the output, the first and the second factor.
struct shapes {
  using shape = std::vector<index_t>;
  shape out, left, right;

  shapes(description f, extents const& n)
  {
    auto const c = index(n.c), l = index(n.l), r = index(n.r), p = index(n.p);
    if (f.what == kind::field_field) out = {c, l, r}, left = {c, l, p}, right = {c, r, p};
    if (f.what == kind::data_field) out = {c, r}, left = {c, index(n.data_p)}, right = {c, r, p};
    if (f.what == kind::data_data) out = {c}, left = {c, p}, right = {c, p};
    if (f.contracted > 1) left.push_back(index(n.d1)), right.push_back(index(n.d1));
    if (f.contracted > 2) left.push_back(index(n.d2)), right.push_back(index(n.d2));
  }

private:
  static index_t index(std::size_t x) { return static_cast<index_t>(x); }
};

inline reference::array oracle(description f, extents const& n, reference::array const& left,
                               reference::array const& right)
{
  if (f.what == kind::field_field) return reference::contract_field_field(n, left, right);
  if (f.what == kind::data_field) return reference::contract_data_field(n, left, right);
  return reference::contract_data_data(n, left, right);
}

// How an array lies in memory: row order, column order, either with gaps, or cells in the middle; or in row order with
// the cells interleaved.
enum class arrangement { row, column, row_with_gaps, column_with_gaps, shuffled, interleaved };
inline constexpr int strided_arrangements = 5;

struct placement {
  arrangement how = arrangement::row;
  index_t width = 1;  // of interleaving

  // By dimension; of interleaved arrays those within a block.
  std::vector<index_t> strides(std::vector<index_t> const& shape) const
  {
    std::size_t const rank = shape.size();
    bool const gaps = how != arrangement::row && how != arrangement::column && how != arrangement::interleaved;
    std::vector<index_t> result(rank);
    index_t stride = gaps ? 2 : how == arrangement::interleaved ? width : 1;
    for (std::size_t step = 0; step < rank; ++step) {
      std::size_t r = rank - 1 - step;  // the dimension that gets this stride
      if (how == arrangement::column || how == arrangement::column_with_gaps) r = step;
      if (how == arrangement::shuffled) r = (rank / 2 + step) % rank;
      result[r] = stride;
      stride = stride * std::max<index_t>(shape[r], 1) + (gaps ? 1 : 0);
    }
    return result;
  }

  // Where the entries lie, in row order of their indices.
  std::vector<std::size_t> offsets(std::vector<index_t> const& shape) const
  {
    auto const stride = strides(shape);
    std::vector<std::size_t> result;
    std::vector<index_t> i(shape.size());
    index_t count = 1;
    for (index_t e : shape) count *= e;
    for (; count > 0; --count) {
      index_t offset = how == arrangement::interleaved ? i[0] / width * stride[0] + i[0] % width : i[0] * stride[0];
      for (std::size_t r = 1; r < shape.size(); ++r) offset += i[r] * stride[r];
      result.push_back(static_cast<std::size_t>(offset));
      for (std::size_t r = shape.size(); r-- > 0 && ++i[r] == shape[r];) i[r] = 0;
    }
    return result;
  }
};

// The entries of an array, in memory of its own that is `gap` where no entry lies, before it and behind.
template <class T>
class stored {
public:
  static constexpr std::size_t margin = 7;  // odd: no entry is aligned to more than its size

  stored(std::vector<index_t> const& shape, placement where, T gap)
      : shape_(shape), strides_(where.strides(shape)), offsets_(where.offsets(shape)), gap_(gap)
  {
    std::size_t size = 0;
    for (std::size_t offset : offsets_) size = std::max(size, offset + 1);
    memory_.assign(margin + size + margin + static_cast<std::size_t>(where.width - 1), gap);
  }

  T* data() { return memory_.data() + margin; }

  template <class Layout, int Rank>
  auto view()
  {
    return make_view<Layout>(data(), std::make_integer_sequence<int, Rank>());
  }
  template <class Layout, int Rank>
  auto const_view()
  {
    return make_view<Layout>(static_cast<T const*>(data()), std::make_integer_sequence<int, Rank>());
  }

  std::size_t size() const { return offsets_.size(); }

  void assign(reference::array const& rows)
  {
    for (std::size_t i = 0; i < rows.size(); ++i) data()[offsets_[i]] = static_cast<T>(rows[i]);
  }

  reference::array rows()
  {
    reference::array result;
    for (std::size_t offset : offsets_) result.push_back(data()[offset]);
    return result;
  }

  // Whether everything but the entries is as it was.
  bool gaps_are_untouched()
  {
    std::vector<T> rest = memory_;
    for (std::size_t offset : offsets_) rest[margin + offset] = gap_;
    return std::all_of(rest.begin(), rest.end(), [&](T const& x) { return std::memcmp(&x, &gap_, sizeof x) == 0; });
  }

private:
  template <class Layout, class U, int... Rs>
  auto make_view(U* data, std::integer_sequence<int, Rs...>)
  {
    using dynamic = sumfac::dextents<static_cast<int>(sizeof...(Rs))>;
    using mapping = typename Layout::template mapping<dynamic>;
    dynamic const e(shape_[std::size_t{Rs}]...);
    if constexpr (std::is_same_v<Layout, sumfac::layout_stride>)
      return sumfac::view(data, mapping(e, {strides_[std::size_t{Rs}]...}));
    else
      return sumfac::view(data, mapping(e));
  }

  std::vector<index_t> shape_, strides_;
  std::vector<std::size_t> offsets_;
  T gap_;
  std::vector<T> memory_;
};

enum class numbers { integers, reals };

// Small integers, whose sums are exact in every order; or reals, exact in float too.
inline reference::array random(std::size_t size, numbers which, std::uint64_t seed)
{
  support::generator next(seed);
  reference::array result(size);
  for (reference::real& x : result) x = which == numbers::reals ? next() : std::floor(next() * 9);
  return result;
}

// What lies in the output before the call: what sumInto adds to, or what must not survive.
inline reference::array before(std::size_t size, bool sum_into, numbers which, std::uint64_t seed)
{
  if (sum_into) return random(size, which, seed);
  constexpr auto nan = std::numeric_limits<reference::real>::quiet_NaN();
  constexpr auto infinity = std::numeric_limits<reference::real>::infinity();
  constexpr reference::real junk[] = {nan, infinity, -infinity};
  reference::array result(size);
  for (std::size_t i = 0; i < size; ++i) result[i] = junk[(i + seed) % 3];
  return result;
}

// What one comparison is made of.
struct trial {
  extents n;
  bool sum_into = false;
  numbers which = numbers::integers;
  std::uint64_t seed = 1;
  arrangement out = arrangement::row, left = arrangement::row, right = arrangement::row;  // of layout_stride

  std::string text() const
  {
    auto const number = [](auto x) { return " " + std::to_string(x); };
    return "C L R P D1 D2:" + number(n.c) + number(n.l) + number(n.r) + number(n.p) + number(n.d1) + number(n.d2) +
           ", data's P" + number(n.data_p) + ", sumInto" + number(sum_into) + ", arrangements" +
           number(static_cast<int>(out)) + number(static_cast<int>(left)) + number(static_cast<int>(right)) + ", seed" +
           number(seed);
  }
};

// Arrays for one call, and the comparison of its result with the oracle: of integers exactly, of reals within the
// tolerance. Factors have NaN in their gaps, which no sum can take in unseen.
template <class Out, class Left, class Right>
class experiment {
public:
  experiment(description f, trial const& t, placement out_place, placement left_place, placement right_place)
      : f_(f),
        t_(t),
        n_(used(f, t.n)),
        s_(f, n_),
        out(s_.out, out_place, Out(-77777)),
        left(s_.left, left_place, std::numeric_limits<Left>::quiet_NaN()),
        right(s_.right, right_place, std::numeric_limits<Right>::quiet_NaN()),
        old_(before(out.size(), t.sum_into, t.which, 3 * t.seed)),
        left_(random(left.size(), t.which, 3 * t.seed + 1)),
        right_(random(right.size(), t.which, 3 * t.seed + 2))
  {
    out.assign(old_), left.assign(left_), right.assign(right_);
  }

  // Says the first entry that differs.
  void check()
  {
    auto expected = oracle(f_, n_, left_, right_);
    reference::array magnitude(expected.size());
    if (t_.which == numbers::reals) magnitude = oracle(f_, n_, reference::moduli(left_), reference::moduli(right_));
    auto const got = out.rows();
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = got.size(); i-- > 0;) {
      if (t_.sum_into) expected[i] += old_[i], magnitude[i] += std::fabs(old_[i]);
      reference::real const allowed = t_.which == numbers::integers
                                          ? 0
                                          : reference::contraction_tolerance<std::common_type_t<Out, Left, Right>, Out>(
                                                n_.length(), magnitude[i], expected[i]);
      if (!(std::fabs(got[i] - expected[i]) <= allowed)) ++wrong, first = i;
    }
    INFO(f_.name() << " " << t_.text());
    REQUIRE(got.size() == expected.size());
    if (wrong > 0) {
      INFO("entry " << first << " in row order is " << got[first] << " and should be " << expected[first]);
      CHECK(wrong == 0);
    }
    CHECK(out.gaps_are_untouched());
    CHECK(left.rows() == left_);
    CHECK(right.rows() == right_);
  }

private:
  description f_;
  trial t_;
  extents n_;
  shapes s_;

public:
  stored<Out> out;
  stored<Left> left;
  stored<Right> right;

private:
  reference::array old_, left_, right_;
};

// Scalars and layouts of a comparison.
template <class Out, class Left = Out, class Right = Left, class OutLayout = sumfac::layout_stride,
          class LeftLayout = OutLayout, class RightLayout = LeftLayout>
struct types {};

template <class Layout>
inline constexpr placement placed{arrangement::row, 1};
template <>
inline constexpr placement placed<sumfac::layout_left>{arrangement::column, 1};
template <int W>
inline constexpr placement placed<sumfac::layout_interleaved<W>>{arrangement::interleaved, W};

template <class Layout>
placement place(arrangement how)
{
  return std::is_same_v<Layout, sumfac::layout_stride> ? placement{how, 1} : placed<Layout>;
}

// Calls a function on arrays of these types and compares the result with the oracle.
template <class Function, class Out, class Left, class Right, class OutLayout, class LeftLayout, class RightLayout,
          class Backend, class... Strategy>
void compare(Function, types<Out, Left, Right, OutLayout, LeftLayout, RightLayout>, trial const& t,
             Backend const& backend, Strategy const&... strategy)
{
  experiment<Out, Left, Right> e(Function::is, t, place<OutLayout>(t.out), place<LeftLayout>(t.left),
                                 place<RightLayout>(t.right));
  Function::call(backend, e.out.template view<OutLayout, Function::out_rank>(),
                 e.left.template const_view<LeftLayout, Function::left_rank>(),
                 e.right.template const_view<RightLayout, Function::right_rank>(), t.sum_into, strategy...);
  e.check();
}

}  // namespace contraction
