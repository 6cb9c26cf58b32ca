# op2_expect_failure(status regex command...): an error unless the command exits
# with that status and prints a match. Of examples/CMakeLists.txt's tests:
#   cmake -DSTATUS=<n> -DREGEX=<regex> -P ExpectFailure.cmake -- command...

function(op2_expect_failure status regex)
  execute_process(COMMAND ${ARGN}
    RESULT_VARIABLE found OUTPUT_VARIABLE text ERROR_VARIABLE text)
  message("${text}")
  if(NOT "${found}" STREQUAL "${status}")
    message(FATAL_ERROR "expected exit status ${status}, got ${found}")
  endif()
  if(NOT "${text}" MATCHES "${regex}")
    message(FATAL_ERROR "expected a message that matches '${regex}'")
  endif()
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

set(command)
math(EXPR last "${CMAKE_ARGC} - 1")
set(seen FALSE)
foreach(n RANGE ${last})
  if(seen)
    list(APPEND command "${CMAKE_ARGV${n}}")
  elseif("${CMAKE_ARGV${n}}" STREQUAL "--")
    set(seen TRUE)
  endif()
endforeach()
op2_expect_failure(${STATUS} "${REGEX}" ${command})
