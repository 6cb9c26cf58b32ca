# op2_add_manual(<target> <summary> <component> <help2man's options>...)
# The manual page of a tool, which is what its help says. Without help2man there
# is none (Debian: help2man).

find_program(OP2_HELP2MAN help2man)
mark_as_advanced(OP2_HELP2MAN)
if(NOT OP2_HELP2MAN)
  message(STATUS "Manual pages: not built, because help2man is not there")
endif()

function(op2_add_manual target summary component)
  if(NOT OP2_HELP2MAN)
    return()
  endif()
  get_target_property(name ${target} OUTPUT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  set(page ${CMAKE_BINARY_DIR}/share/man/man1/${name}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/share/man/man1
    COMMAND ${OP2_HELP2MAN} --no-info --section=1 --name=${summary}
      --version-string=${PROJECT_VERSION} --source=op2-mlir --output=${page}
      ${ARGN} $<TARGET_FILE:${target}>
    DEPENDS ${target} VERBATIM)
  add_custom_target(${target}-manual ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT ${component})
endfunction()
