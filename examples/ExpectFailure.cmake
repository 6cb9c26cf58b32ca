# cmake -DSTATUS=<n> -DREGEX=<regex> -P ExpectFailure.cmake -- command...
# Fails unless the command exits with that status and prints a match.

set(command)
set(last ${CMAKE_ARGC})
math(EXPR last "${last} - 1")
set(seen FALSE)
foreach(n RANGE ${last})
  if(seen)
    list(APPEND command "${CMAKE_ARGV${n}}")
  elseif("${CMAKE_ARGV${n}}" STREQUAL "--")
    set(seen TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command}
  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
message("${text}")
if(NOT "${status}" STREQUAL "${STATUS}")
  message(FATAL_ERROR "expected exit status ${STATUS}, got ${status}")
endif()
if(NOT "${text}" MATCHES "${REGEX}")
  message(FATAL_ERROR "expected a message that matches '${REGEX}'")
endif()
