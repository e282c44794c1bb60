# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by programs of this folder: builds $pair of sumfac and of deal.II into one program, which checks that they are the
# same and times them in turns, on one core; on Debian it installs what is missing. $subject says what it is,
# $libraries what it is linked with besides.
set -euo pipefail

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  cat <<END_OF_HELP
usage: bench/peers/$pair [--wait S] [--quiet] [ROUNDS [WORD]]

Installs deal.II (Debian, Ubuntu; about a gigabyte), builds bench/peers/$pair.cpp and dealii_$pair.cpp for this machine,
and prints a table of ROUNDS rounds (default 5) of $subject.${words:-}

  --wait S         where others keep the machine busy, wait until it is quiet, at most S seconds (default: a
                   terminal is asked, without one it warns and goes on)
  --quiet          nothing but warnings, what fails and the table

LD_PRELOAD of what bench/report/processor_time.cpp makes counts processor time, for a machine that others use.
END_OF_HELP
  exit 0
fi

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/tools/machine.sh

quiet=0
arguments=()
while (($# > 0)); do
  case $1 in
    --quiet) quiet=1; shift ;;
    --wait) quiet_wait=${2:?--wait needs seconds}; shift 2 ;;
    --wait=*) quiet_wait=${1#--wait=}; shift ;;
    *) arguments+=("$1"); shift ;;
  esac
done

check_wait
progress 4 "$quiet"
need_build_tools
need libdeal.ii-dev test -e /usr/include/deal.II/base/config.h
need openmpi-bin has mpirun
install_missing
warn_if_busy

folder=build/peers
mkdir -p $folder/logs
if [[ ! -e $folder/dealii_$pair.o ||
  -n $(find bench/peers/dealii_$pair.?pp bench/peers/dealii_lanes.hpp -newer $folder/dealii_$pair.o) ]]; then
  step "building deal.II's side (two minutes)"
  # The options are deal.II's own; its headers include those of all that Debian built it with, and call them inline.
  OMPI_CXX=$(compiler) run_step $folder/logs/build.log mpicxx -std=c++17 -O2 -funroll-loops -march=native \
    -isystem /usr/include/trilinos -isystem /usr/include/petsc -isystem /usr/include/slepc \
    -c bench/peers/dealii_$pair.cpp -o $folder/dealii_$pair.o
else
  progress_steps=3
fi
step "building sumfac's side"
run_step $folder/logs/$pair.log "$(compiler)" -std=c++20 -O3 -DNDEBUG -march=native -fopenmp -Iinclude \
  -c bench/peers/$pair.cpp -o $folder/$pair.o
OMPI_CXX=$(compiler) run_step $folder/logs/link.log mpicxx -fopenmp $folder/$pair.o $folder/dealii_$pair.o \
  -Wl,--copy-dt-needed-entries -ldeal.ii -ltbb ${libraries:-} -o $folder/$pair

step measuring
wait_until_quiet
run_step --show $folder/logs/measure.log $folder/$pair "${arguments[@]:-5}"
if [[ $progress_mode == quiet ]]; then cat $folder/logs/measure.log; fi
