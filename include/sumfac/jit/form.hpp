// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form that a program has as text: the name of a type, or a weak form as it stands on paper.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/detail/names.hpp>
#include <sumfac/jit/detail/weak_text.hpp>

#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit {

// What a name in a form's text stands for: a number, or a view by element (E), by point (E, q, q, q), or of so many
// numbers at each where the last extent is a constant, (E, C) or (E, q, q, q, C). A view's numbers are the caller's, in
// rows, and are read when an operator is made, or, where geometry is recomputed, whenever it is applied.
class coefficient {
public:
  coefficient(double number) : number_(number) {}
  template <class Extents>
  coefficient(view<double, Extents> const& table) : coefficient(view<double const, Extents>(table))
  {
  }
  template <class Extents>
  coefficient(view<double const, Extents> const& table) : is_table_(true)
  {
    constexpr int rank = Extents::rank();
    static_assert(rank >= 1 && rank <= detail::array::most_ranks,
                  "sumfac::jit::coefficient: a view has 1 to 5 dimensions: (E), (E, q, q, q), (E, q, q, q, C)");
    constexpr auto last = Extents::static_extent(rank - 1);
    if (rank > 1 && last != dynamic_extent) components_ = static_cast<int>(last);
    array_.data = const_cast<double*>(table.data());
    array_.rank = rank;
    for (int r = 0; r < rank; ++r) array_.extents[r] = table.extent(r);
  }

  bool is_table() const { return is_table_; }
  double number() const { return number_; }
  int components() const { return components_; }
  detail::array const& array() const { return array_; }

private:
  bool is_table_ = false;
  double number_ = 0;
  int components_ = 1;
  detail::array array_;
};

struct named_coefficient {
  std::string name;
  coefficient value;
};

// A form as a value: made by `type` or `weak`.
class form {
public:
  std::string const& code() const { return code_; }      // of a function that makes it
  std::string const& header() const { return header_; }  // to include, or none
  std::vector<double> const& numbers() const { return numbers_; }
  std::vector<detail::array> const& tables() const { return tables_; }
  bool is_tangent() const { return is_tangent_; }

private:
  friend form tangent(form const&);
  friend form type(std::string const&, std::string const&, std::vector<named_coefficient> const&);
  friend form weak(std::string const&, std::vector<named_coefficient> const&, int);

  std::string code_, header_;
  std::vector<double> numbers_;
  std::vector<detail::array> tables_;
  bool is_tangent_ = false;
};

// A form that is a type in a header, "sumfac/form/stiffness.hpp" and "sumfac::stiffness", or one of your own; members
// that are numbers may be given by name, {{"lambda", 0.1}}.
//
// **Errors** argument_error for what is no name of a type, a header or a member.
inline form type(std::string const& header, std::string const& name, std::vector<named_coefficient> const& members = {})
{
  detail::check_header("jit::type", header);
  detail::check_type("jit::type", name);
  form made;
  made.header_ = header;
  made.code_ = "    " + name + " made{};\n";
  for (auto const& member : members) {
    detail::check_name("jit::type", "a member", member.name);
    if (member.value.is_table())
      failf("jit::type", "member %s is given a view (a number expected)", member.name.c_str());
    made.code_ += "    made." + member.name + " = static_cast<decltype(made." + member.name + ")>(given.number(" +
                  std::to_string(made.numbers_.size()) + "));\n";
    made.numbers_.push_back(member.value.number());
  }
  made.code_ += "    return made;\n";
  return made;
}

// A weak form as text, in the language of sumfac::weak, u and v being of so many components:
//
//     weak("(k*grad(u), grad(v)) + c*u*v", {{"k", conductivities}, {"c", 2.0}})
//
// (a, b) is the product of two numbers, vectors or matrices, and a[i], a[i, j] are entries. Numbers may be others for
// each operator of a form, without another compilation.
// **Errors** argument_error, with the position, for what is no such form.
inline form weak(std::string const& text, std::vector<named_coefficient> const& coefficients = {}, int components = 1)
{
  form made;
  detail::weak_names names;
  names.components = components;
  made.code_ =
      "    using namespace sumfac::weak;  // for operators between entries of x alone\n"
      "    constexpr sumfac::weak::trial_function<" +
      std::to_string(components) + "> u{};\n    constexpr sumfac::weak::test_function<" + std::to_string(components) +
      "> v{};\n";
  for (auto const& [name, value] : coefficients) {
    detail::check_name("jit::weak", "a coefficient", name);
    names.coefficients.push_back({name, value.components() > 1 ? 1 : 0});
    made.code_ += "    auto const of_" + name + " = sumfac::weak::coefficient(given.";
    if (value.is_table()) {
      std::string extents;
      for (int r = 0; r < value.array().rank; ++r) {
        bool const constant = r + 1 == value.array().rank && value.components() > 1;
        extents += (r == 0 ? "" : ", ") + (constant ? std::to_string(value.components()) : "sumfac::dynamic_extent");
      }
      made.code_ += "table<sumfac::extents<" + extents + ">>(" + std::to_string(made.tables_.size()) + "));\n";
      made.tables_.push_back(value.array());
    } else {
      made.code_ += "number(" + std::to_string(made.numbers_.size()) + "));\n";
      made.numbers_.push_back(value.number());
    }
  }
  made.code_ += "    return sumfac::weak::integrate(" + detail::code_of_weak_text(text, names) + ");\n";
  made.header_ = "sumfac/form/weak.hpp";
  return made;
}

// The tangent of a form that need not be linear, as sumfac::tangent is: its operator's linearize() takes the function
// at which it is the derivative.
// **Errors** argument_error for a tangent.
inline form tangent(form const& of)
{
  if (of.is_tangent()) fail("jit::tangent", "the form is a tangent already: pass the form that it is the tangent of");
  form made = of;
  made.code_ = "    auto const of_form = [&] {\n" + of.code_ +
               "    }();\n    return sumfac::tangent<std::remove_const_t<decltype(of_form)>>(of_form);\n";
  made.is_tangent_ = true;
  return made;
}

}  // namespace sumfac::jit
