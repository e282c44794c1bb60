// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Intrepid's nine contractions by Intrepid's names, on views of any layout.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/intrepid/products/contract_views.hpp>
#include <sumfac/intrepid/strategy.hpp>

namespace sumfac::SUMFAC_TARGET::intrepid {

// What all nine have in common: c cell; l, r, f field; p point; d, d1, d2 component. C, L, R, F, P, D, D1, D2 are their
// extents. The sum over the contracted dimensions is written to `output`, whatever that held, or added to it where
// `sumInto`. The last argument chooses a strategy (<sumfac/intrepid/strategy.hpp>); all of them give the same sums up
// to rounding. Factors and output may be of float and double in any mix; the widest of them is computed in.
//
// **Shapes** at each function; layouts in any mix, extents static or dynamic.
// **Work** two flops for each product; each factor is read and the output written once. On the host a thread keeps work
// memory for a few cells' factors, where these have to be copied to be read in a row.
// **Errors** (compile time) arguments of another rank, an output of const, numbers other than float and double;
// (run time) argument_error, which is a std::invalid_argument, before anything is written, in this order: C, P, D, D1,
// D2 of the factors, then C, L or F, R of the output; a null pointer; an output whose entries share places; an output
// without gaps that shares memory with a factor without gaps.
// **Source** Trilinos' Intrepid, ArrayTools.

// output(c, l, r) = sum of left(c, l, p) right(c, r, p) over p.
template <class Backend, class Out, class Left, class Right, class Strategy = automatic>
void contractFieldFieldScalar(Backend const& backend, Out const& output, Left const& left, Right const& right,
                              bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<3, 3, 3>(backend,
                                  {"intrepid::contractFieldFieldScalar", detail::contraction_kind::field_field, 1},
                                  output, "left", left, "right", right, sumInto, strategy);
}

// output(c, l, r) = sum of left(c, l, p, d) right(c, r, p, d) over p, d.
template <class Backend, class Out, class Left, class Right, class Strategy = automatic>
void contractFieldFieldVector(Backend const& backend, Out const& output, Left const& left, Right const& right,
                              bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<3, 4, 4>(backend,
                                  {"intrepid::contractFieldFieldVector", detail::contraction_kind::field_field, 2},
                                  output, "left", left, "right", right, sumInto, strategy);
}

// output(c, l, r) = sum of left(c, l, p, d1, d2) right(c, r, p, d1, d2) over p, d1, d2.
template <class Backend, class Out, class Left, class Right, class Strategy = automatic>
void contractFieldFieldTensor(Backend const& backend, Out const& output, Left const& left, Right const& right,
                              bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<3, 5, 5>(backend,
                                  {"intrepid::contractFieldFieldTensor", detail::contraction_kind::field_field, 3},
                                  output, "left", left, "right", right, sumInto, strategy);
}

// output(c, f) = sum of data(c, p) fields(c, f, p) over p; where data have one point, it serves all.
template <class Backend, class Out, class Data, class Fields, class Strategy = automatic>
void contractDataFieldScalar(Backend const& backend, Out const& output, Data const& data, Fields const& fields,
                             bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<2, 2, 3>(backend,
                                  {"intrepid::contractDataFieldScalar", detail::contraction_kind::data_field, 1},
                                  output, "data", data, "fields", fields, sumInto, strategy);
}

// output(c, f) = sum of data(c, p, d) fields(c, f, p, d) over p, d; where data have one point, it serves all.
template <class Backend, class Out, class Data, class Fields, class Strategy = automatic>
void contractDataFieldVector(Backend const& backend, Out const& output, Data const& data, Fields const& fields,
                             bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<2, 3, 4>(backend,
                                  {"intrepid::contractDataFieldVector", detail::contraction_kind::data_field, 2},
                                  output, "data", data, "fields", fields, sumInto, strategy);
}

// output(c, f) = sum of data(c, p, d1, d2) fields(c, f, p, d1, d2) over p, d1, d2; where data have one point, it serves
// all.
template <class Backend, class Out, class Data, class Fields, class Strategy = automatic>
void contractDataFieldTensor(Backend const& backend, Out const& output, Data const& data, Fields const& fields,
                             bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<2, 4, 5>(backend,
                                  {"intrepid::contractDataFieldTensor", detail::contraction_kind::data_field, 3},
                                  output, "data", data, "fields", fields, sumInto, strategy);
}

// output(c) = sum of left(c, p) right(c, p) over p.
template <class Backend, class Out, class Left, class Right, class Strategy = automatic>
void contractDataDataScalar(Backend const& backend, Out const& output, Left const& left, Right const& right,
                            bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<1, 2, 2>(backend, {"intrepid::contractDataDataScalar", detail::contraction_kind::data_data, 1},
                                  output, "left", left, "right", right, sumInto, strategy);
}

// output(c) = sum of left(c, p, d) right(c, p, d) over p, d.
template <class Backend, class Out, class Left, class Right, class Strategy = automatic>
void contractDataDataVector(Backend const& backend, Out const& output, Left const& left, Right const& right,
                            bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<1, 3, 3>(backend, {"intrepid::contractDataDataVector", detail::contraction_kind::data_data, 2},
                                  output, "left", left, "right", right, sumInto, strategy);
}

// output(c) = sum of left(c, p, d1, d2) right(c, p, d1, d2) over p, d1, d2.
template <class Backend, class Out, class Left, class Right, class Strategy = automatic>
void contractDataDataTensor(Backend const& backend, Out const& output, Left const& left, Right const& right,
                            bool sumInto = false, Strategy strategy = {})
{
  detail::contract_views<1, 4, 4>(backend, {"intrepid::contractDataDataTensor", detail::contraction_kind::data_data, 3},
                                  output, "left", left, "right", right, sumInto, strategy);
}

}  // namespace sumfac::intrepid
