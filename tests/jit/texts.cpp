// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms as text: what they become, and what is refused where; names that would go into a source.
#include <sumfac/jit/form.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

namespace jit = sumfac::jit;

// The expression that a text becomes, without the names of the library's namespace.
std::string expression(std::string const& text, std::vector<jit::named_coefficient> const& given = {},
                       int components = 1)
{
  std::string code = jit::weak(text, given, components).code();
  std::string const begin = "return sumfac::weak::integrate(", space = "sumfac::weak::";
  code = code.substr(code.find(begin) + begin.size());
  code = code.substr(0, code.rfind(");\n"));
  for (auto at = code.find(space); at != std::string::npos; at = code.find(space)) code.erase(at, space.size());
  return code;
}

struct refused {
  char const* text;
  char const* problem;
  int at;  // counted from 1
};

}  // namespace

TEST_CASE("jit: a form's text becomes an expression")
{
  std::vector<jit::named_coefficient> const given{{"k", 2.0}, {"c", 0.5}};
  CHECK(expression("(k*grad(u), grad(v)) + c*u*v", given) == "(dot((of_k * grad(u)), grad(v)) + ((of_c * u) * v))");
  CHECK(expression("u*v") == "(u * v)");
  CHECK(expression("(u, v)") == "(u * v)");
  CHECK(expression(" 2 * ( u ,\n\tv ) - -u*v/4.5e-1") ==
        "((coefficient(2.0) * (u * v)) - (((-u) * v) / coefficient(4.5e-1)))");
  CHECK(expression("(grad(u), grad(v)) + div(u)*div(v)", {}, 3) == "(inner(grad(u), grad(v)) + (div(u) * div(v)))");
  CHECK(expression("inner(sym(grad(u)), grad(v))", {}, 3) == "inner((sym)(grad(u)), grad(v))");
  CHECK(expression("(curl(u), curl(v))", {}, 3) == "dot(curl(u), curl(v))");
  CHECK(expression("(curl(u), curl(v))", {}, 2) == "(curl(u) * curl(v))");
  CHECK(expression("x[0]*u*grad(v)[1]") == "((component<0>(x) * u) * component<1>(grad(v)))");
  CHECK(expression("grad(u)[0, 1]*v[2]", {}, 3) == "(component<0, 1>(grad(u)) * component<2>(v))");
  CHECK(expression("where(u < 1, u, pow(u, 2))*v") ==
        "(where(u < coefficient(1.0), u, (pow)(u, coefficient(2.0))) * v)");
}

TEST_CASE("jit: what is no form is refused, with its place")
{
  refused const cases[] = {
      {"", "the text ends where a number, a name or '(' is expected", 1},
      {"u*v +", "the text ends where", 6},
      {"u*v)", "an operator or the end is expected here, not ')'", 4},
      {"(u*v", "')' is expected at the end of what is in parentheses, not the end", 5},
      {"u*w", "the name w is not known (k, u, v, x, n and identity are)", 3},
      {"u*v; system(\"ls\")", "an operator or the end is expected here, not ';'", 4},
      {"u*v*\"a\"", "a number, a name or '(' is expected here, not '\"'", 5},
      {"u*v*f(u)", "there is no function f (", 5},
      {"grad(u) + u*v", "a vector plus a number: terms must be of one kind", 9},
      {"grad(u)*grad(v)", "a vector times a vector: for these there are (a, b)", 8},
      {"(grad(u), v)", "(a, b) of a vector and a number: both must be of one kind", 1},
      {"grad(k)*v", "grad of what is neither u nor v", 6},
      {"div(u)*v", "div of a function of one component", 5},
      {"u^2*v", "there is no ^ (powers are pow(a, b))", 2},
      {"u**2*v", "there is no ** (powers are pow(a, b))", 2},
      {"u*v + 1", "one of the two terms has v and the other has none", 5},
      {"u*v*v", "the integrand is not linear in v", 1},
      {"exp(v)", "the integrand is not linear in v", 1},
      {"u/v", "the integrand is not linear in v", 1},
      {"k*u", "the integrand has no v", 1},
      {"grad(v)", "the integrand is a vector (a number expected)", 1},
      {"1.2.3*v", "a number goes on in letters", 4},
      {"2e*v", "a number whose exponent has no digits", 1},
      {"0x1*v", "a number goes on in letters", 2},
      {"x[3]*v", "the place of an entry is expected here, 0, 1 or 2", 3},
      {"x[0, 1]*v", "a vector has entries a[i]", 2},
      {"sym(u)*v", "sym of a number (a matrix expected)", 5},
      {"where(u, 1, 2)*v", "a comparison is expected first in where", 8},
      {"v\xc3\xa9", "an operator or the end is expected here", 2},
  };
  for (auto const& one : cases) {
    INFO(one.text);
    std::string message = "none";
    try {
      static_cast<void>(jit::weak(one.text, {{"k", 1.0}}));
    } catch (sumfac::argument_error const& error) {
      message = error.what();
    }
    CHECK_THAT(message, Catch::StartsWith("sumfac::jit::weak: " + std::string(one.problem)));
    CHECK_THAT(message, Catch::Contains("(at character " + std::to_string(one.at) + ")"));
    CHECK_THAT(message, Catch::EndsWith("^"));
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '(';
  CHECK_THROWS_WITH(jit::weak(deep), Catch::Contains("more than 100"));
  deep = std::string(100000, '-');
  CHECK_THROWS_WITH(jit::weak(deep), Catch::Contains("more than 100"));
}

TEST_CASE("jit: names that are none do not come into a source")
{
  for (char const* name : {"", "2k", "k k", "k;", "k\n", "k\"", "of::k"}) {
    INFO(name);
    CHECK_THROWS_WITH(jit::weak("u*v", {{name, 1.0}}), Catch::Contains("the name of a coefficient is none"));
    CHECK_THROWS_WITH(jit::type("a.hpp", "a", {{name, 1.0}}), Catch::Contains("the name of a member is none"));
  }
  CHECK_THROWS_WITH(jit::weak("u*v", {{"u", 1.0}}), Catch::Contains("a coefficient cannot be called u"));
  CHECK_THROWS_WITH(jit::weak("u*v", {}, 0), Catch::Contains("u and v cannot have 0 components (1 to 9 expected)"));
  for (char const* name : {"", "a{}; int b", "a b", "a<", "a>", "a;", "a(1)", "a\n", "1a", "a<3>>", "a,b"}) {
    INFO(name);
    CHECK_THROWS_WITH(jit::type("a.hpp", name), Catch::Contains("the name of the form's type is none"));
  }
  for (char const* name : {"a", "::a::b", "a<3>", "a<b<int, 2>, -1>"}) CHECK_NOTHROW(jit::type("a.hpp", name));
  for (char const* header : {"", "a\"", "a\nb", "a\\b"})
    CHECK_THROWS_WITH(jit::type(header, "a"), Catch::Contains("the form's header is no name of a file"));
}
