// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Subjects on a device's global vectors: an operator with atomic sums, so that what is timed is the elements' kernel.
#pragma once

#include "../model/candidate.hpp"
#include "../subjects/global_error.hpp"
#include "../subjects/subject.hpp"
#include "device.hpp"
#include "kinds.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace sumfac::bench {

template <class Problem, class Kind, int Order, int Directions, tuning Tuning>
class device_global_instance : public instance {
  using number = typename Kind::numbers;
  using points = typename Problem::template points<Order>;
  using operator_type = element_operator<typename Problem::form, space_on<Order, Directions>, points, device, number,
                                         typename Kind::policy, tuned<Tuning>>;
  using kernel = typename candidate_kernel<Problem, Kind, Order, vector_kind::global, Tuning, Directions>::type;
  using mesh_type = box_mesh<Directions>;
  static constexpr int components = operator_type::components, n = Order + 1;
  static constexpr index_t nodes = n * n * (Directions == 3 ? n : 1);

public:
  explicit device_global_instance(request const& r)
      : instance({"apply"}),
        mesh_(static_cast<int>(std::lround(std::log2(double(r.elements)))),
              !std::is_same_v<typename Kind::policy, affine>),
        numbers_(mesh_.number_nodes(Order)),
        operator_(backend_, mesh_.vertices()),
        restriction_(make_restriction()),
        x_(random_numbers<number>(restriction_.size())),
        y_there_(backend_, restriction_.size())
  {
    for (index_t i = 0; i < restriction_.size(); ++i)
      if (Problem::constrained && numbers_.on_boundary[static_cast<std::size_t>(i / components)] != 0)
        x_[static_cast<std::size_t>(i)] = 0;
    x_there_ = on_device(backend_, x_);
  }

  static subject entry()
  {
    constexpr index_t g = operator_type::points_1d, all_points = g * g * (Directions == 3 ? g : 1);
    constexpr index_t bytes = index_t{sizeof(number)} *
                              (2 * components * nodes + factors_on<typename Problem::form, Directions> * all_points);
    return subject_of<device_global_instance, Problem, Kind>(
        device::runtime::name, Order, g, components, vector_kind::global, 1, bytes, text_of(Tuning), Directions);
  }

  index_t elements() const override { return operator_.elements(); }
  index_t dofs() const override { return restriction_.size(); }
  // Factors, the table, and the vectors once in, once out.
  cost work() const override
  {
    auto const w = operator_.work();
    index_t const vector = restriction_.size() * index_t{sizeof(number)};
    return {static_cast<index_t>(w.flops),
            static_cast<index_t>(w.bytes_read - w.bytes_written) + elements() * 4 * nodes + vector, vector};
  }
  kernel_numbers numbers(int) override { return numbers_of(backend_.template resources<kernel>()); }

  double seconds(int, int count) override
  {
    return seconds_of(backend_, count, [this] { apply(); });
  }

  double error(int) override
  {
    std::vector<number> y(x_.size(), std::numeric_limits<number>::quiet_NaN());
    backend_.copy(y.data(), y_there_.data(), y_there_.size());
    apply();
    y = on_host(backend_, y_there_);
    auto const at = [](auto const& of) { return [&of](index_t i) { return double(of[static_cast<std::size_t>(i)]); }; };
    bool const single = sizeof(number) == sizeof(float);
    return std::max(global_error<Problem, Directions>(mesh_, numbers_, 0, at(x_), at(y), single),
                    global_error<Problem, Directions>(mesh_, numbers_, elements() / 2, at(x_), at(y), single));
  }

private:
  restriction<number, device> make_restriction() const
  {
    restriction_options const options{.components = components, .policy = scatter::atomic};
    if constexpr (Problem::constrained)
      return {backend_, numbers_.table(), numbers_.nodes, numbers_.marks(), options};
    else
      return {backend_, numbers_.table(), numbers_.nodes, options};
  }

  void apply()
  {
    operator_.apply(restriction_, view(static_cast<number const*>(x_there_.data()), restriction_.size()),
                    view(y_there_.data(), restriction_.size()));
  }

  device backend_;
  mesh_type mesh_;
  typename mesh_type::numbering numbers_;
  operator_type operator_;
  restriction<number, device> restriction_;
  std::vector<number> x_;
  buffer<number, device> x_there_, y_there_;
};

// A subject for each tuning.
template <class Problem, class Kind, int Order, int Directions, tuning... Tunings>
std::vector<subject> global_subjects()
{
  return {device_global_instance<Problem, Kind, Order, Directions, Tunings>::entry()...};
}

}  // namespace sumfac::bench
