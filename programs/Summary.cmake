# Counts the programs, so that none is left out silently.

option(LOCKSTEP_COMPLETE "Fail where a program cannot be compiled, instead of leaving it out" OFF)

# Notes what becomes of a program: DECLARED (each one), then COMPILED, NOT_COMPILED (its page shows that it does not compile)
# or LEFT_OUT.
function(lockstep_count kind program)
  set_property(GLOBAL APPEND PROPERTY LOCKSTEP_COUNT_${kind} ${program})
endfunction()

# Says that a program is not compiled, and why; fails where nothing may be left out.
function(lockstep_leave_out program reason)
  if(LOCKSTEP_COMPLETE)
    message(FATAL_ERROR "${program} cannot be compiled: ${reason}; ci/setup.sh check installs what is missing")
  endif()
  lockstep_count(LEFT_OUT ${program})
  set_property(GLOBAL APPEND_STRING PROPERTY LOCKSTEP_REASONS "left out: ${program}: ${reason}\n")
endfunction()

# Sets <result> to a line for each program that is left out, and last how many are declared, compiled and left out.
function(lockstep_summary_text result)
  foreach(kind DECLARED COMPILED NOT_COMPILED LEFT_OUT)
    get_property(programs GLOBAL PROPERTY LOCKSTEP_COUNT_${kind})
    list(LENGTH programs ${kind})
  endforeach()
  math(EXPR accounted "${COMPILED} + ${NOT_COMPILED} + ${LEFT_OUT}")
  if(NOT accounted EQUAL DECLARED)
    message(FATAL_ERROR "${DECLARED} programs are declared, but ${accounted} are compiled or left out")
  endif()
  get_property(reasons GLOBAL PROPERTY LOCKSTEP_REASONS)
  string(CONCAT text "${reasons}programs: ${DECLARED} declared, ${COMPILED} compiled, "
    "${NOT_COMPILED} must not compile, ${LEFT_OUT} left out\n")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Has the configuration and each complete build end in the summary.
function(lockstep_summary)
  lockstep_summary_text(text)
  message(STATUS "${text}")
  file(WRITE ${PROJECT_BINARY_DIR}/summary.txt "${text}")
  add_custom_target(summary ALL COMMAND ${CMAKE_COMMAND} -E cat ${PROJECT_BINARY_DIR}/summary.txt VERBATIM)
  get_property(targets GLOBAL PROPERTY LOCKSTEP_TARGETS)
  foreach(target IN LISTS targets ITEMS timeline header_tests)
    if(TARGET ${target})
      add_dependencies(summary ${target})  # the summary comes last
    endif()
  endforeach()
endfunction()
