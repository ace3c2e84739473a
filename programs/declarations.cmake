# Reads all declarations without a toolkit, and writes them as JSON: cmake -D ROOT=<project> -D OUT=<file> -P declarations.cmake
# `python3 ci program list` calls it, and adds the lines on which the declarations stand.

cmake_minimum_required(VERSION 3.24...3.25)
include("${CMAKE_CURRENT_LIST_DIR}/ProgramKeywords.cmake")

# A text as JSON writes it.
function(json_text result text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

# One object a declaration: folder, name, mistake, and the keywords that it gives.
function(lockstep_program name)
  lockstep_read_declaration(mistake)
  file(RELATIVE_PATH folder "${ROOT}/programs" "${CMAKE_CURRENT_SOURCE_DIR}")
  set(keywords)
  foreach(keyword IN LISTS LOCKSTEP_FLAGS)
    if(arg_${keyword})
      list(APPEND keywords "\"${keyword}\": true")
    endif()
  endforeach()
  if(mistake STREQUAL "")
    foreach(keyword IN LISTS LOCKSTEP_NUMBERS)
      if(DEFINED arg_${keyword})
        math(EXPR number "${arg_${keyword}}")
        list(APPEND keywords "\"${keyword}\": ${number}")
      endif()
    endforeach()
  endif()
  list(JOIN keywords ", " keywords)
  foreach(keyword IN LISTS LOCKSTEP_VERSIONS LOCKSTEP_REASONS)
    if(DEFINED arg_${keyword})
      json_text(text "${arg_${keyword}}")
      string(APPEND keywords ", \"${keyword}\": ${text}")
    endif()
  endforeach()
  foreach(keyword IN LISTS LOCKSTEP_LISTS)
    if(DEFINED arg_${keyword})
      set(values "")
      foreach(value IN LISTS arg_${keyword})
        json_text(text "${value}")
        string(APPEND values ", ${text}")
      endforeach()
      string(REGEX REPLACE "^, " "" values "${values}")
      string(APPEND keywords ", \"${keyword}\": [${values}]")
    endif()
  endforeach()
  string(REGEX REPLACE "^, " "" keywords "${keywords}")
  json_text(folder "${folder}")
  json_text(name "${name}")
  json_text(mistake "${mistake}")
  set_property(GLOBAL APPEND_STRING PROPERTY LOCKSTEP_JSON
    ",\n  {\"folder\": ${folder}, \"name\": ${name}, \"mistake\": ${mistake}, \"keywords\": {${keywords}}}")
endfunction()

# Reads a folder's list, in a scope of its own.
function(add_subdirectory folder)
  set(CMAKE_CURRENT_SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
  include("${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt")
endfunction()

# What else a folder's list may say is for the build.
foreach(command IN ITEMS
    add_compile_definitions add_compile_options add_custom_command add_custom_target add_dependencies add_executable
    add_library add_link_options add_test set_source_files_properties set_target_properties set_tests_properties
    target_compile_definitions target_compile_features target_compile_options target_include_directories
    target_link_libraries target_link_options target_sources)
  cmake_language(EVAL CODE "function(${command})\nendfunction()")
endforeach()

get_filename_component(ROOT "${ROOT}" ABSOLUTE)
set(CMAKE_CURRENT_SOURCE_DIR "${ROOT}/programs")
include("${ROOT}/programs/CMakeLists.txt")
get_property(programs GLOBAL PROPERTY LOCKSTEP_JSON)
string(REGEX REPLACE "^," "" programs "${programs}")
file(WRITE "${OUT}" "{\"standard\": ${LOCKSTEP_CUDA_STANDARD}, \"programs\": [${programs}\n]}\n")
