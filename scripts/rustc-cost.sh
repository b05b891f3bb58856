#!/usr/bin/env bash
# A RUSTC_WRAPPER that appends the CPU seconds of each compiler run and the name of the crate to the file $BUILD_COST_LOG.
compiler=$1
shift
previous='' crate=''
for argument in "$@"; do
    [ "$previous" != --crate-name ] || crate=$argument
    previous=$argument
done
TIMEFORMAT="%U %S $crate"
{ time "$compiler" "$@" 2>&3; } 3>&2 2>>"$BUILD_COST_LOG"
