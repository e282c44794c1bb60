// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An explanation in words, and as JSON.
#pragma once

#include <sumfac/tools/explain/explanation.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// A number with the prefix that leaves it 1 to 999: "12.3 M".
inline std::string with_prefix(double x)
{
  static constexpr char const* prefixes[] = {"", "k", "M", "G", "T", "P"};
  int i = 0;
  while (x >= 999.5 && i < 5) x /= 1000, ++i;
  return formatted(x >= 99.5 || (i == 0 && x == __builtin_floor(x)) ? "%.0f %s" : "%.3g %s", x, prefixes[i]);
}
inline std::string with_prefix(index_t x) { return with_prefix(static_cast<double>(x)); }

inline std::string text_of_seconds(double s)
{
  return s >= 1 ? formatted("%.3g s", s) : s >= 1e-3 ? formatted("%.3g ms", s * 1e3) : formatted("%.3g us", s * 1e6);
}

inline char const* name_of(advice_on on)
{
  switch (on) {
    case advice_on::geometry: return "geometry";
    case advice_on::form: return "form";
    case advice_on::precision: return "precision";
    case advice_on::numbering: return "numbering";
    case advice_on::threads: return "threads";
    case advice_on::huge_pages: return "huge pages";
    default: return "target";
  }
}
inline char const* name_of(explanation::limit bound)
{
  switch (bound) {
    case explanation::limit::memory: return "memory";
    case explanation::limit::caches: return "caches";
    case explanation::limit::arithmetic: return "arithmetic";
    default: return "unknown";
  }
}

// Lines of at most `width` characters, where words allow it, all but the first behind `indent` blanks.
inline std::string wrapped(std::string const& text, std::size_t indent, std::size_t width = 100)
{
  std::string lines;
  std::size_t column = indent;
  for (std::size_t first = 0; first < text.size();) {
    std::size_t const blank = text.find(' ', first), last = blank < text.size() ? blank : text.size();
    if (column + last - first > width && column > indent) {
      lines.back() = '\n';
      lines += std::string(indent, ' ');
      column = indent;
    }
    lines += text.substr(first, last - first) + ' ';
    column += last - first + 1;
    first = last + 1;
  }
  if (!lines.empty()) lines.back() = '\n';
  return lines;
}

// Rates that are known, "memory copies 20.1 GB/s".
inline std::string text_of_rates(machine_roofs const& r)
{
  std::string text;
  auto const add = [&](char const* what, double rate, char const* unit) {
    if (rate > 0) text += (text.empty() ? "" : ", ") + std::string(what) + " " + with_prefix(rate) + unit;
  };
  add("memory reads", r.read, "B/s");
  add("memory copies", r.copy, "B/s");
  add("in pages of 4 KiB", r.small_pages, "B/s");
  add("copies in cache", r.cached, "B/s");
  add("multiply-adds in double", r.f64, "flop/s");
  add("in float", r.f32, "flop/s");
  return "  " + wrapped(text.empty() ? "none is known" : text, 2);
}

// A JSON object, its members in the order in which they are added.
class json_members {
public:
  template <class Value>
  json_members& operator()(char const* name, Value const& value)
  {
    text_ += (text_.empty() ? "\"" : ", \"") + std::string(name) + "\": ";
    if constexpr (std::is_same_v<Value, bool>)
      text_ += value ? "true" : "false";
    else if constexpr (std::is_integral_v<Value>)
      text_ += std::to_string(value);
    else if constexpr (std::is_floating_point_v<Value>)
      text_ += value - value == 0 ? formatted("%.9g", value) : std::string("null");
    else if constexpr (std::is_same_v<Value, json_members>)
      text_ += value.text();
    else
      text_ += quoted(value);
    return *this;
  }
  // Objects or texts, as a list.
  template <class Value>
  json_members& operator()(char const* name, std::vector<Value> const& list)
  {
    text_ += (text_.empty() ? "\"" : ", \"") + std::string(name) + "\": [";
    for (auto const& item : list) {
      if (&item != &list.front()) text_ += ", ";
      if constexpr (std::is_same_v<Value, json_members>)
        text_ += item.text();
      else
        text_ += quoted(item);
    }
    text_ += "]";
    return *this;
  }
  std::string text() const { return "{" + text_ + "}"; }

private:
  static std::string quoted(std::string const& text)
  {
    std::string out = "\"";
    for (char const c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
  }

  std::string text_;
};

// The table of bytes: of all, and of an unknown.
inline std::string table_of_bytes(explanation const& e)
{
  std::string text;
  auto const line = [&](char const* what, index_t bytes) {
    if (bytes == 0) return;
    double const each = e.unknowns > 0 ? static_cast<double>(bytes) / static_cast<double>(e.unknowns) : 0;
    text += formatted("  %-44s %8sB %10.1f %6.1f %%\n", what, with_prefix(bytes).c_str(), each,
                      100.0 * static_cast<double>(bytes) / static_cast<double>(e.bytes.all()));
  };
  bool const global = e.lines_of_least > 0 || e.bytes.indices > 0;
  line(global ? "x, read" : "u, read", e.bytes.read);
  line(global ? "y, written" : "v, written", e.bytes.written);
  line("factors of the geometry", e.bytes.factors);
  line("the restriction's table", e.bytes.indices);
  line("lines moved for a part, copies", e.bytes.again);
  line("all", e.bytes.all());
  return text;
}

}  // namespace detail

inline std::string explanation::text() const
{
  using detail::formatted, detail::with_prefix, detail::text_of_seconds;
  std::string t = detail::wrapped(what + "; " + machine, 0) + "\n";
  t += formatted("%-46s %9s %10s %8s\n", "an application moves", "", "an unknown", "share");
  t += detail::table_of_bytes(*this);
  t += formatted("and computes %sflop as credited, %.3g a byte; its multiply-adds are %sflop",
                 with_prefix(flops).c_str(), intensity(), with_prefix(multiply_adds).c_str());
  t += geometry_flops > 0 ? formatted(", %sflop of them for the geometry.\n\n", with_prefix(geometry_flops).c_str())
                          : std::string(".\n\n");
  t += "roofs, " + roofs_from + "\n" + detail::text_of_rates(roofs) + "\nthe least time by\n";
  auto const row = [&](char const* of, double s, bool highest) {
    t += formatted("  %-30s %10s%s\n", of, s > 0 ? text_of_seconds(s).c_str() : "unknown",
                   highest ? "   the bound" : "");
  };
  row(in_caches ? "caches, where all of it lies" : "memory", memory_seconds,
      bound == limit::memory || bound == limit::caches);
  row("arithmetic", arithmetic_seconds, bound == limit::arithmetic);
  if (seconds > 0) {
    t += "an application took " + text_of_seconds(seconds) + ", which is ";
    t += formatted("%sB/s, %sflop/s, %s unknowns/s", with_prefix(static_cast<double>(bytes.all()) / seconds).c_str(),
                   with_prefix(static_cast<double>(flops) / seconds).c_str(),
                   with_prefix(static_cast<double>(unknowns) / seconds).c_str());
    t += least_seconds() > 0 ? formatted(": %.2f of what the bound allows.\n", reached()) : std::string(".\n");
    if (least_seconds() > 0 && reached() < 0.6)
      t += "What is missing is in no roof: other programs, the latency of memory, the start of threads, a kernel's\n"
           "own instructions.\n";
  }
  t += what_helps.empty() ? "\nnothing is known that would help.\n"
                          : "\nwhat would help, so many times as fast: as it was timed, or at most\n";
  for (auto const& a : what_helps)
    t += (a.gain > 0 ? formatted("  %5.2f  ", a.gain) : std::string(9, ' ')) +
         detail::wrapped(detail::name_of(a.on) + (": " + a.text), 9);
  for (auto const& warning : warnings) t += detail::wrapped(warning, 0);
  return t;
}

inline std::string explanation::json() const
{
  detail::json_members of_bytes, of_roofs;
  of_bytes("read", bytes.read)("written", bytes.written)("factors", bytes.factors)("indices", bytes.indices);
  of_bytes("again", bytes.again)("all", bytes.all());
  of_roofs("from", roofs_from)("read", roofs.read)("copy", roofs.copy)("small_pages", roofs.small_pages);
  of_roofs("cached", roofs.cached)("f64", roofs.f64)("f32", roofs.f32)("caches", roofs.caches);
  std::vector<detail::json_members> pieces;
  for (auto const& a : what_helps)
    pieces.push_back(detail::json_members()("on", std::string(detail::name_of(a.on)))("gain", a.gain)("timed", a.timed)(
        "text", a.text));
  detail::json_members whole;
  whole("what", what)("machine", machine)("elements", elements)("unknowns", unknowns)("bytes", of_bytes);
  whole("flops", flops)("geometry_flops", geometry_flops)("multiply_adds", multiply_adds)("intensity", intensity());
  whole("roofs", of_roofs)("in_caches", in_caches)("memory_seconds", memory_seconds);
  whole("arithmetic_seconds", arithmetic_seconds)("bound", std::string(detail::name_of(bound)));
  whole("seconds", seconds)("reached", reached())("lines_of_least", lines_of_least);
  return whole("what_helps", pieces)("warnings", warnings).text();
}

}  // namespace sumfac
