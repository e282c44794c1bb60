// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form's inputs evaluated and kept at the points, beside any storage of the geometry.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/element/kernel/keep_kernel.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// A geometry's storage with the inputs' numbers at the points, in Kept's order of groups and points.
template <class Storage, class Problem, class Backend, class Kept>
class storage_with_inputs : public Storage {
  using number = typename Problem::factor_number;

public:
  using reader = typename with_inputs<typename Storage::reader, Kept>::type;
  using geometry = Storage;
  using numbers_at_point = input_numbers<double, inputs_of<typename Problem::form>, Problem::directions>;
  using kept_reader = Kept;

  static constexpr int count_kept = numbers_at_point::count;

  using Storage::Storage;

  Storage const& of_geometry() const { return *this; }

  // Where linearize writes. Memory is there after the first call.
  number* keep(Backend const& backend, index_t elements)
  {
    index_t const size = Storage::groups(elements) * group_size();
    if (kept_.size() < size) kept_ = make_memory<number>(backend, size);
    keeps_ = true;
    return kept_.data();
  }
  // Memory for what is read of a global vector, kept from call to call.
  own_vector<typename Problem::vector_number>& copies() { return copies_; }

  // As if `element`, the first of a group, were element 0.
  Kept kept_at(index_t element) const
  {
    demand_kept();
    Kept kept{kept_.data() + element / Kept::lanes * group_size()};
    if constexpr (Problem::at_run_time) kept.sizes = Storage::sizes();
    return kept;
  }

  // read_kept(backend)(e, point): the inputs at a point of element e, from memory that the host can read.
  auto read_kept(Backend const& backend) const
  {
    demand_kept();
    auto in_reach = [&] {
      if constexpr (is_device<Backend>)
        return download<number>(backend, kept_.data(), kept_.size());
      else
        return kept_.data();
    }();
    return [numbers = std::move(in_reach), of_group = group_size()](index_t e, int point) {
      numbers_at_point result;
      index_t const group = e / Kept::lanes * of_group;
      for (int i = 0; i < count_kept; ++i)
        result.numbers[i] = static_cast<double>(
            numbers[static_cast<std::size_t>(group + Kept::place(static_cast<int>(e % Kept::lanes), point, i))]);
      return result;
    };
  }

private:
  index_t group_size() const
  {
    if constexpr (Problem::at_run_time)
      return index_t{Kept::lanes} * Storage::sizes().points * count_kept;
    else
      return index_t{Kept::lanes} * Problem::points_of_element * count_kept;
  }
  void demand_kept() const
  {
    constexpr int expected = inputs_of<typename Problem::form>::count;
    if (!keeps_)
      failf("element_operator",
            "the form reads other functions at the points, and has not been given them (0 of %d): call "
            "linearize(field(R, x), ...) first",
            expected);
  }

  memory_of<number, Backend> kept_;
  own_vector<typename Problem::vector_number> copies_;
  bool keeps_ = false;
};

template <class Storage>
inline constexpr bool keeps_inputs = requires { typename Storage::kept_reader; };

// The storage of a problem: with inputs, where its form has any.
template <class Storage, class Problem, class Backend, class Kept>
struct storage_for {
  using type = Storage;
};
template <class Storage, class Problem, class Backend, class Kept>
  requires(inputs_of<typename Problem::form>::count > 0)
struct storage_for<Storage, Problem, Backend, Kept> {
  using type = storage_with_inputs<Storage, Problem, Backend, Kept>;
};

}  // namespace sumfac::detail
