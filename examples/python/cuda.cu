// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What CMake writes for the backend cuda, of one problem at low degrees: compiled where the module itself is not.
#include <sumfac/backend/cuda.hpp>

#include "kind_unit.hpp"
#include "levels_unit.hpp"
#include "operator_unit.hpp"

using sumfac_python::entered;

static entered const kind_entered{sumfac_python::entry_of_kind<double, sumfac::cuda>()};
static entered const operator_entered{
    sumfac_python::bake_off_operator<sumfac::bp3<2, sumfac::cuda>>::entry("bp3")};
static entered const levels_entered{
    sumfac_python::level_pair_on<sumfac_python::level_on<2, double, sumfac::cuda>,
                                 sumfac_python::level_on<1, double, sumfac::cuda>>::entry()};
