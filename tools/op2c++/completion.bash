# Completion of op2c++ and op2fc in bash: our options and their values as the
# driver lists them, clang's as clang does; else files.

_op2cxx() {
  local typed=${COMP_LINE:0:COMP_POINT} begin IFS=$'\n'
  typed=${typed##*[[:space:]]}
  COMPREPLY=()
  [[ $typed == -* ]] || return
  COMPREPLY=($("$1" --op2-complete="$typed" 2>/dev/null))
  # Of an option with a value, bash completes what is after the last '='.
  begin=${typed%"${typed##*=}"}
  COMPREPLY=("${COMPREPLY[@]#"$begin"}")
  [[ $typed == --op2-* ]] ||
    COMPREPLY+=($("$1" --autocomplete="${typed/=/=,}" 2>/dev/null | cut -f 1))
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _op2cxx op2c++ op2fc
