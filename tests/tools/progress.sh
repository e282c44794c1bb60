# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# What scripts show of their work: steps, on a terminal a line that changes, what failed, and the lines at the end.
# shellcheck shell=bash

# How it is shown. line: on a terminal, the tools' output goes to logs. plain: all output, as it comes, no control
# characters. quiet: plain, and nothing but warnings, what failed and the end.
progress_mode=plain
progress_steps=0 progress_step=0 progress_name='' progress_since=$EPOCHSECONDS
progress_done=0 progress_all=0 progress_first=0 progress_begin=0 progress_failed=0
progress_child='' progress_log='' progress_drawn=0
progress_red='' progress_green='' progress_yellow='' progress_usual=''

# progress STEPS QUIET: so many steps are to come; QUIET is 1 for --quiet. Colour as https://no-color.org has it.
progress()
{
  progress_steps=$1
  if (($2)); then
    progress_mode=quiet
  elif [[ -t 1 && -n ${TERM:-} && $TERM != dumb ]]; then
    progress_mode=line
    if [[ -z ${NO_COLOR:-} ]]; then
      progress_red=$'\e[1;31m' progress_green=$'\e[1;32m' progress_yellow=$'\e[33m'
      progress_usual=$'\e[0m'
    fi
    shopt -s checkwinsize
    trap progress_width WINCH
    progress_width
  fi
  if [[ $progress_mode != plain ]]; then
    export NINJA_STATUS='[%f/%t] '
    trap 'progress_stop INT' INT
    trap 'progress_stop TERM' TERM
    trap 'progress_stop HUP' HUP
    trap progress_clear EXIT
  fi
}

# Bash looks at the terminal's size after a command that is not its own.
progress_width()
{
  (:)
}

# say WORD...: what is done now, as a line of its own.
say()
{
  [[ $progress_mode != quiet ]] || return 0
  progress_clear
  printf '== %s\n' "$*"
}

# warn WORD...: like say, and with --quiet too.
warn()
{
  progress_clear
  printf '%s== %s%s\n' "$progress_yellow" "$*" "$progress_usual"
}

stop()
{
  progress_clear
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# step NAME: the next one begins; with the number of those to come where progress() was told it.
step()
{
  progress_step=$((progress_step + 1))
  progress_name=$1
  progress_begin=$EPOCHSECONDS progress_done=0 progress_all=0 progress_failed=0
  case $progress_mode in
    line) progress_draw ;;
    plain) say "$(progress_place)$1" ;;
  esac
}

progress_place()
{
  ((progress_steps == 0)) || printf '[%d/%d] ' "$progress_step" "$progress_steps"
}

# spoken SECONDS: as 48 s, 3 min 20 s, 1 h 5 min.
spoken()
{
  if (($1 < 60)); then
    printf '%d s' "$1"
  elif (($1 < 3600)); then
    printf '%d min %d s' $(($1 / 60)) $(($1 % 60))
  else
    printf '%d h %d min' $(($1 / 3600)) $(($1 % 3600 / 60))
  fi
}

# run_step [--show] LOG COMMAND...: runs the command of this step, with its own exit status. Where the output is not
# shown as it comes it goes to LOG; --show has it above the line that changes. It reads nothing.
run_step()
{
  local show=0 status=0
  if [[ $1 == --show ]]; then
    show=1
    shift
  fi
  progress_log=$1
  shift
  if [[ $progress_mode == plain ]]; then
    "$@" </dev/null || status=$?
    ((status == 0)) || printf '%s: %s failed (status %d)\n' "${0##*/}" "$progress_name" "$status" >&2
  else
    mkdir -p "$(dirname "$progress_log")"
    progress_watch "$show" "$@" || status=$?
    ((status == 0)) || progress_failure "$status" "$show"
  fi
  return "$status"
}

# The command runs in a process group of its own, so that it can be ended with all that it has started.
progress_watch()
{
  local show=$1 log never part='' status=0 pause=0.2
  shift
  : >"$progress_log"
  set -m
  "$@" >"$progress_log" 2>&1 </dev/null &
  progress_child=$!
  set +m
  # A read that nothing comes to is a pause without a process, which would disturb what is measured.
  exec {log}<"$progress_log" {never}<> <(:)
  while kill -0 "$progress_child" 2>/dev/null; do
    progress_read "$log" "$show"
    [[ $progress_mode == quiet ]] || progress_draw
    ((EPOCHSECONDS - progress_begin < 20)) || pause=1
    read -r -t "$pause" -u "$never" _ || true
  done
  wait "$progress_child" 2>/dev/null || status=$?
  progress_child=
  progress_read "$log" "$show"
  exec {log}<&- {never}<&-
  progress_clear
  return "$status"
}

# run_apart COMMAND...: a script that shows its steps by itself; a signal to this one ends it too.
run_apart()
{
  local status=0
  if [[ $progress_mode == plain ]]; then
    "$@" </dev/null
    return
  fi
  set -m
  "$@" </dev/null &
  progress_child=$!
  set +m
  wait "$progress_child" 2>/dev/null || status=$?
  progress_child=
  return "$status"
}

# Reads what the log has got since; `part` is the beginning of a line that is not all there.
progress_read()
{
  local line
  while IFS= read -r -u "$1" line; do
    progress_line "$part$line" "$2"
    part=
  done
  part+=$line
}

# Steps of a build, of tests and of the benchmarks: [37/412], [ 37%], 12/384 Test #12: view.layout ....   Passed.
progress_line()
{
  local line=$1
  if [[ $line =~ ^\[\ *([0-9]+)/\ *([0-9]+)\]\  ]]; then
    progress_count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  elif [[ $line =~ ^\[\ *([0-9]+)%\]\  ]]; then
    progress_count "${BASH_REMATCH[1]}" 100
  elif [[ $line =~ ^\ *([0-9]+)/([0-9]+)\ Test\ +#[0-9]+:\ ([^ ]+)\ \.*(\ *Passed|\*\*\*Skipped|\*\*\*(.*[^ ])\ +[0-9.]+\ sec) ]]; then
    progress_count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    if [[ -n ${BASH_REMATCH[5]} && ${BASH_REMATCH[5]} != Skipped ]]; then
      progress_failed=$((progress_failed + 1))
      [[ $progress_mode == quiet ]] || (($2)) || progress_print "$progress_red${BASH_REMATCH[5]}:$progress_usual \
${BASH_REMATCH[3]}"
    fi
  fi
  [[ $progress_mode == quiet ]] || ((!$2)) || progress_print "$line"
}

# Of a build that makes and then runs something, counts begin anew.
progress_count()
{
  local done=$((10#$1)) all=$((10#$2))
  if ((all != progress_all)); then
    progress_begin_count=$EPOCHSECONDS progress_first=$done
  fi
  progress_done=$done progress_all=$all
}

progress_print()
{
  progress_clear
  printf '%s\n' "$1"
}

# The line that changes, as wide as the terminal at most.
progress_draw()
{
  local text over=$((EPOCHSECONDS - progress_begin)) left
  text="$(progress_place)$progress_name"
  if ((progress_all > 0)); then
    text+=": $progress_done of $progress_all"
  fi
  ((progress_failed == 0)) || text+=", $progress_failed failed"
  text+=", $(spoken "$over")"
  if ((progress_done > progress_first + 1 && EPOCHSECONDS - progress_begin_count >= 3)); then
    left=$(((EPOCHSECONDS - progress_begin_count) * (progress_all - progress_done) / (progress_done - progress_first)))
    ((left < 1)) || text+=", about $(spoken "$left") left"
  fi
  progress_show "$text"
}

progress_show()
{
  printf '\r%s\e[K' "${1:0:${COLUMNS:-80}-1}"
  progress_drawn=1
}

progress_clear()
{
  if ((progress_drawn)); then
    printf '\r\e[K'
    progress_drawn=0
  fi
}

# What the log has of the failure: where it first speaks of one, or its end, of tests their names too; and its place.
progress_failure()
{
  local first
  progress_print "$progress_red$(progress_place)$progress_name failed (status $1)$progress_usual"
  if ((!$2)) || [[ $progress_mode == quiet ]]; then
    first=$(grep -n -m 1 -E '^FAILED: |(^|[ :])error: |\*\*\*(Failed|Timeout|Exception|Not Run)|CMake Error' \
      "$progress_log" | cut -d : -f 1 || true)
    if [[ -n $first ]]; then
      sed -n "/^The following tests FAILED/q; $first,\$p" "$progress_log" |
        grep -v -E '^ *[0-9]+/[0-9]+ Test .* Passed |^ +Start +[0-9]+: ' | head -n 60 | cut -c 1-400 || true
      sed -n '/^The following tests FAILED/,$p' "$progress_log" | head -n 20
    else
      tail -n 30 "$progress_log" | cut -c 1-400
    fi
  fi
  printf 'the whole log: %s\n' "$progress_log"
}

# Ends what runs, as the signal would have, and itself by the same signal, so that the caller sees it.
progress_stop()
{
  trap - INT TERM HUP EXIT
  if [[ -n $progress_child ]]; then
    kill -s "$1" -- "-$progress_child" 2>/dev/null || true
    kill -s CONT -- "-$progress_child" 2>/dev/null || true
    wait "$progress_child" 2>/dev/null || true
  fi
  progress_clear
  printf '%s: stopped while %s\n' "${0##*/}" "${progress_name:-it began}" >&2
  kill -s "$1" $$
}

# finish STATUS LINE...: the lines that matter; the first one says how it went.
finish()
{
  local colour=$progress_green
  (($1 == 0)) || colour=$progress_red
  progress_clear
  printf '%s%s%s\n' "$colour" "$2" "$progress_usual"
  shift 2
  (($# == 0)) || printf '%s\n' "$@"
}

# Seconds since the script began.
since_begin()
{
  printf '%d' $((EPOCHSECONDS - progress_since))
}
