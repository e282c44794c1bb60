# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# What tests/run, bench/run and .ci/run know of the machine they run on: missing packages, cores, memory, what others do.
# shellcheck shell=bash

source tests/tools/progress.sh

missing_packages=()

# need PACKAGE CHECK...: notes the package (its name on Debian and Ubuntu) as missing unless the command CHECK succeeds.
need()
{
  local package=$1
  shift
  if [[ " ${missing_packages[*]} " != *" $package "* ]] && ! "$@" >/dev/null 2>&1; then
    missing_packages+=("$package")
  fi
}

# Installs what need() noted, by apt with root's rights; elsewhere names it and stops.
install_missing()
{
  if ((${#missing_packages[@]} == 0)); then
    return
  fi
  local packages=("${missing_packages[@]}")
  missing_packages=()
  local apt=(apt-get -o DPkg::Lock::Timeout=300)
  if ! has apt-get; then
    stop "please install, then start again (names as on Debian and Ubuntu): ${packages[*]}"
  fi
  local root=()
  if ((EUID != 0)); then
    has sudo || stop "as root, please run: apt-get install ${packages[*]}"
    root=(sudo)
  fi
  say "installing ${packages[*]}"
  "${root[@]}" "${apt[@]}" update -qq || say "apt-get update failed; trying with the lists at hand"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y -qq --no-install-recommends "${packages[@]}" \
    >/dev/null || stop "apt-get could not install: ${packages[*]}"
  hash -r
}

has()
{
  command -v "$1" >/dev/null 2>&1
}

# has_header COMPILER HEADER...: whether the compiler, or a prefix in CMAKE_PREFIX_PATH, has one of the headers.
has_header()
{
  local compiler=$1 header prefix prefixes
  shift
  IFS=':;' read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for header in "$@"; do
    if echo "#include <$header>" | "$compiler" -x c++ -E -o /dev/null - 2>/dev/null; then
      return 0
    fi
    for prefix in "${prefixes[@]}"; do
      if [[ -n $prefix && -e $prefix/include/$header ]]; then
        return 0
      fi
    done
  done
  return 1
}

# has_package NAME: whether pkg-config, which is installed with cmake's other tools, knows a library.
has_package()
{
  has pkg-config && pkg-config --exists "$1"
}

# at_least VERSION FOUND: whether FOUND is VERSION or newer.
at_least()
{
  [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# Packages are no help where the distribution's own CMake is too old: says so.
check_cmake()
{
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  at_least 3.25 "$version" || stop "CMake $version is too old (3.25 is needed): take a newer one from cmake.org"
}

# The compiler that the builds use: CXX, or c++ where it is not set.
compiler()
{
  printf '%s' "${CXX:-c++}"
}

# What every build needs; ccache keeps what was compiled for the next one.
need_build_tools()
{
  need cmake has cmake
  need ccache has ccache
  need make eval 'has ninja || has make'
  need g++ has "$(compiler)"
}

# Jobs for a build: one per core, fewer where memory is short (a large test takes 1.5 GiB to compile).
jobs()
{
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1024 / 1536) }' /proc/meminfo 2>/dev/null || echo "$cores")
  ((memory < 1)) && memory=1
  echo $((cores < memory ? cores : memory))
}

# Ninja where there is one, and CMake's own choice elsewhere.
if has ninja && [[ -z ${CMAKE_GENERATOR:-} ]]; then
  export CMAKE_GENERATOR=Ninja
fi

# configure PRESET OPTION...: configures build/PRESET, from nothing if another generator or compiler made what is there.
configure()
{
  local preset=$1 cache=build/$1/CMakeCache.txt fresh=()
  shift
  if [[ -e $cache ]]; then
    local generator compiler
    generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$cache")
    compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$cache")
    if [[ $generator != "${CMAKE_GENERATOR:-Unix Makefiles}" ]] ||
      [[ -n ${CXX:-} && $compiler != "$(command -v "$CXX")" ]]; then
      fresh=(--fresh)
    fi
  fi
  cmake --preset "$preset" "${fresh[@]}" "$@"
}

# What builds the tests.
need_test_tools()
{
  need_build_tools
  need python3 has python3
  need catch2 has_header "$(compiler)" catch2/catch.hpp catch2/catch_all.hpp
}

# What else is met by `tests/run --all`: Kokkos, Intrepid2, Eigen, hypre, MPI, PETSc, SLEPc, deal.II, Gmsh, pybind11,
# DOLFINx and an older processor. deal.II brings 160 packages that the others have not, in a minute.
need_neighbours()
{
  need libtrilinos-kokkos-dev has_header "$(compiler)" Kokkos_Core.hpp trilinos/Kokkos_Core.hpp
  need libtrilinos-intrepid2-dev has_header "$(compiler)" Intrepid2_ArrayTools.hpp trilinos/Intrepid2_ArrayTools.hpp
  need libtrilinos-sacado-dev has_header "$(compiler)" Sacado.hpp trilinos/Sacado.hpp
  need libeigen3-dev has_header "$(compiler)" eigen3/Eigen/SparseCholesky
  need libhypre-dev has_header "$(compiler)" hypre/HYPRE_config.h
  need libopenmpi-dev has mpicxx
  need openmpi-bin has mpirun
  need libpetsc-real-dev has_package PETSc
  need libslepc-real-dev has_package SLEPc
  need libsundials-dev has_header "$(compiler)" arkode/arkode_arkstep.h
  need libdeal.ii-dev test -e /usr/include/deal.II/base/config.h
  need libgmsh-dev has_header "$(compiler)" gmsh.h
  # The Python module is for Debian's interpreter, whatever other one there is.
  need python3-dev python_header
  need python3-pybind11 test -e /usr/include/pybind11/pybind11.h
  need python3-numpy /usr/bin/python3 -c 'import numpy'
  need python3-pytest /usr/bin/python3 -c 'import pytest'
  need python3-matplotlib /usr/bin/python3 -c 'import matplotlib'
  need python3-dolfinx /usr/bin/python3 -c 'import basix'
  need qemu-user has qemu-x86_64
}

python_header()
{
  compgen -G '/usr/include/python3.*/Python.h'
}

# speed: processor seconds that tests/tools/calibration.cpp takes to compile; nothing where it cannot be compiled.
speed()
{
  local TIMEFORMAT='%U %S' times
  times=$({ time "$(compiler)" -std=c++20 -O1 -c tests/tools/calibration.cpp -o /dev/null </dev/null 2>/dev/null
  } 2>&1) || return 1
  awk '{ if ($1 + $2 > 0.1) print $1 + $2; else exit 1 }' <<<"$times"
}

# expect STAGE PROGRAMS JOBS: says how long it will take here, on the cores that others leave.
expect()
{
  local here used=0 seconds
  here=$(speed) || return 0
  read -r used _ < <(others_cores) || used=0
  seconds=$(python3 tests/tools/slowest expected "$1" "$here" \
    "$(awk -v jobs="$3" -v cores="$(nproc)" -v used="$used" 'BEGIN {
      free = cores - used
      if (free > jobs) free = jobs
      print free < 0.5 ? 0.5 : free
    }')")
  ((seconds == 0)) || say "$2: about $(spoken "$seconds") here, $3 at a time, less where ccache has it"
}

# Whether each test that is there is meant to run: (--all), so that one that is skipped is a failure.
all_tests=()

# What ctest prints is shown, on a terminal too: (--show), for those who pass options to it.
show_tests=()

# build_and_test PRESET JOBS CTEST-OPTION...: of a build that is configured; says what took longest.
build_and_test()
{
  local folder=build/$1 jobs=$2 since tested status=0
  shift 2
  since=$EPOCHSECONDS
  rm -f "$folder/tests.xml"
  step "building, $jobs at a time"
  run_step "$folder/logs/build.log" cmake --build "$folder" --parallel "$jobs"
  [[ $progress_mode != plain ]] || python3 tests/tools/slowest build "$folder" --since "$since"
  tested=$EPOCHSECONDS
  step "testing, $jobs at a time"
  run_step "${show_tests[@]}" "$folder/logs/test.log" ctest --test-dir "$folder" --parallel "$jobs" \
    --output-on-failure --no-tests=error --output-junit tests.xml "$@" || status=$?
  [[ -e $folder/tests.xml ]] || return "$status"
  [[ $progress_mode != plain ]] || python3 tests/tools/slowest tests "$folder/tests.xml"
  local skipped
  skipped=$(python3 tests/tools/slowest skipped "$folder/tests.xml" "${all_tests[@]}") || status=1
  finish "$status" "$(python3 tests/tools/slowest count "$folder/tests.xml"), in $(spoken "$(since_begin)")" \
    "built in $(spoken $((tested - since))), tested in $(spoken $((EPOCHSECONDS - tested))); $(
      python3 tests/tools/slowest one "$folder/tests.xml")"
  [[ -z $skipped ]] || printf '%s\n' "$skipped"
  return "$status"
}

# python_with MODULE: the first python3 on the machine that can import the module.
python_with()
{
  local python
  for python in $(type -aP python3) /usr/bin/python3; do
    if [[ -x $python ]] && "$python" -c "import $1" >/dev/null 2>&1; then
      echo "$python"
      return 0
    fi
  done
  return 1
}

processor_stat=/proc/stat
processor_status=/proc/self/status

# processor_ticks: of the processors that this process may use the ticks that were busy, all ticks, and their number, as
# Linux tells.
processor_ticks()
{
  local allowed
  allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$processor_status" 2>/dev/null) || return 1
  awk -v allowed="$allowed" '
    BEGIN {
      parts = split(allowed, ranges, ",")
      for (i = 1; i <= parts; ++i) {
        last = split(ranges[i], ends, "-")
        for (cpu = ends[1] + 0; cpu <= ends[last] + 0; ++cpu) mine[cpu] = 1
      }
    }
    /^cpu[0-9]/ && (substr($1, 4) + 0) in mine {
      ++count
      for (i = 2; i <= 9; ++i) all += $i  # user, nice, system, idle, iowait, irq, softirq, stolen by other machines
      idle += $5 + $6
    }
    END {
      if (!count) exit 1
      printf "%.0f %.0f %d\n", all - idle, all, count
    }' "$processor_stat" 2>/dev/null
}

# others_cores: how many cores others keep busy, over half a second in which this script sleeps, and how many there are;
# nothing where the system does not tell.
others_cores()
{
  local before after
  before=$(processor_ticks) || return 1
  sleep 0.5
  after=$(processor_ticks) || return 1
  awk -v before="$before" -v after="$after" '
    BEGIN {
      split(before, b)
      split(after, a)
      if (a[2] <= b[2] || a[3] != b[3]) exit 1
      busy = a[1] > b[1] ? a[1] - b[1] : 0
      printf "%.2f %d\n", busy / (a[2] - b[2]) * a[3], a[3]
    }'
}

# is_busy USED COUNT: whether others disturb a measurement: they use a fifth of a core, on many cores a fiftieth of all.
is_busy()
{
  awk -v used="$1" -v count="$2" 'BEGIN { exit !(used > (count > 10 ? count / 50 : 0.2)) }'
}

# Seconds to wait for a quiet machine; empty: a terminal is asked.
quiet_wait=''

# check_wait: refuses a --wait that is no number of seconds.
check_wait()
{
  [[ $quiet_wait =~ ^[0-9]{0,6}$ ]] || stop "--wait is $quiet_wait, a number of seconds expected"
}

# warn_if_busy: at the beginning; on a terminal it offers to wait, before measuring, for at most ten minutes.
warn_if_busy()
{
  local used count answer=
  read -r used count < <(others_cores) || return 0
  is_busy "$used" "$count" || return 0
  warn "this machine is busy: others use $used of $count cores, and what is measured beside them is not its own"
  [[ -z $quiet_wait && $progress_mode == line && -t 0 ]] || return 0
  printf 'Wait before measuring until it is quiet, for at most 10 minutes? [y/N, N in 30 s] '
  read -r -t 30 answer || printf '\n'
  if [[ $answer == [yY]* ]]; then quiet_wait=600; else quiet_wait=0; fi
}

# wait_until_quiet: right before measuring: waits as it was asked to, for two quiet looks one after the other; warns where
# the machine is busy all the same. SUMFAC_BENCH_OTHERS tells the programs, which note it in their results.
wait_until_quiet()
{
  local used count quiet=0 waiting=0 begin=$EPOCHSECONDS waited limit=$((10#0$quiet_wait))
  unset SUMFAC_BENCH_OTHERS
  while true; do
    read -r used count < <(others_cores) || return 0
    waited=$((EPOCHSECONDS - begin))
    if ! is_busy "$used" "$count"; then
      quiet=$((quiet + 1))
      ((waiting && quiet < 2)) || break
    elif ((waited >= limit)); then
      warn "this machine is busy: others use $used of $count cores; the results say so"
      break
    else
      quiet=0 waiting=1
    fi
    show_waiting "waiting for a quiet machine: others use $used of $count cores, $(spoken "$waited") of $(
      spoken "$limit")"
  done
  export SUMFAC_BENCH_OTHERS=$used
}

# show_waiting TEXT: on a terminal in the line that changes, elsewhere once.
show_waiting()
{
  if [[ $progress_mode == line ]]; then
    progress_show "$1"
  elif [[ ${shown_waiting:-} != 1 ]]; then
    say "$1"
    shown_waiting=1
  fi
}

# What a benchmark's compiler is told beside its processor; where nothing is measured it need not optimize.
flags='-O3 -DNDEBUG'

# configure_and_build TARGET OPTION...: a benchmark's two steps, with as many jobs as $jobs says.
configure_and_build()
{
  step "configuring build/bench"
  run_step build/bench/logs/configure.log configure bench -DCMAKE_CXX_FLAGS_RELEASE="$flags" "${@:2}"
  step "building, ${jobs:?} at a time"
  run_step build/bench/logs/build.log cmake --build build/bench --parallel "${jobs:?}" --target "$1"
}

# plot SCRIPT RESULTS...: the step that plots what a benchmark wrote; the lines that matter and the picture's path.
plot()
{
  local python file out more='' drawn=()
  python=$(python_with matplotlib)
  step plotting
  for file in "${@:2}"; do
    out=$("$python" "$1" "$file")
    [[ $progress_mode != plain ]] || printf '%s\n' "$out"
    read -r -a drawn <<<"${drawn[*]} ${out//$'\n'/ }"
  done
  if ((${#drawn[@]} > 2)); then more=" and $((${#drawn[@]} - 1)) more"; fi
  in_short "$2" "${drawn[0]}$more"
}

# in_short RESULTS LINE...: the lines that matter of a benchmark's results, and these.
in_short()
{
  local lines
  lines=$(python3 bench/in_short.py "$1")
  finish 0 "$lines" "${@:2}" "$1, in $(spoken "$(since_begin)")"
}
