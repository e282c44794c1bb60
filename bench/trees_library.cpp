// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A library for `trees`: TREES_PROBLEM of what the file compiled beside it has entered, bake_off_*.cpp, or all that
// roofline_*.cpp has, at one degree.
#include "bake_off_subject.hpp"
#include "kernel.hpp"
#include "trees_subject.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

namespace {

using namespace sumfac::bench;

class global_subject : public trees_subject {
public:
  global_subject(std::unique_ptr<solve_subject> subject, trees_work work) : subject_(std::move(subject)), work_(work) {}

  double dofs() const override { return static_cast<double>(subject_->dofs()); }
  double seconds(int count) override
  {
    switch (work_) {
      case trees_work::plain:
        return subject_->plain_seconds(count);
      case trees_work::merged:
        return subject_->merged_seconds(count);
      case trees_work::atomic:
        return subject_->operator_seconds(sumfac::scatter::atomic, count);
      case trees_work::diagonal:
        return subject_->diagonal_seconds(count);
      case trees_work::apply:
        break;
    }
    return subject_->operator_seconds(sumfac::scatter::deterministic, count);
  }

private:
  std::unique_ptr<solve_subject> subject_;
  trees_work work_;
};

class element_subject : public trees_subject {
public:
  element_subject(std::unique_ptr<application> application, double dofs)
      : application_(std::move(application)), dofs_(dofs)
  {
  }

  double dofs() const override { return dofs_; }
  double seconds(int count) override
  {
    auto const begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) application_->apply();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

private:
  std::unique_ptr<application> application_;
  double dofs_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) trees_subject* trees_make(double dofs, int threads, trees_work work)
{
  if (!solve_catalogue().empty()) {
    auto const& all = solve_catalogue();
    auto const& entry = *std::find_if(all.begin(), all.end(), [](auto const& e) { return e.problem == TREES_PROBLEM; });
    double const of_element = entry.components * std::pow(entry.order, 3);
    int const log_elements = std::max(0, static_cast<int>(std::lround(std::log2(dofs / of_element))));
    return new global_subject(entry.make(log_elements, threads, work == trees_work::atomic), work);
  }
  if (work != trees_work::apply) return nullptr;
  auto const& entry = catalogue().front();
  double const of_element = std::pow(entry.order, 3);
  auto const group = static_cast<sumfac::index_t>(entry.width);
  sumfac::index_t const groups = std::max<sumfac::index_t>(1, std::lround(dofs / of_element) / group);
  return new element_subject(entry.make(groups * group, vector_layout::interleaved, threads),
                             static_cast<double>(groups * group) * of_element);
}
