// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A.explain(): what an application of an operator moves and computes, what bounds it on a machine, what would help.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/tools/explain/explainer.hpp>
#include <sumfac/tools/explain/explanation.hpp>
#include <sumfac/tools/explain/text.hpp>
