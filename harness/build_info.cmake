# generated/embedded/build_info.hpp: version, git revision, compiler and flags, as environment.cpp records them.
# Written when configuring and looked at again in every build, so that a new commit shows without configuring anew;
# the file changes only when its content does. Without .git (a source archive) the revision says so.
#
# As a script: cmake -DOUT=... -DSOURCE=... -DVERSION=... -DCOMPILER=... -DFLAGS=... -DTYPE=... -P build_info.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(REVISION "unknown: built outside a git checkout")
  find_program(GIT git)
  if(GIT AND EXISTS ${SOURCE}/.git)
    # safe.directory: a build by root of somebody's checkout is no reason to lose the revision.
    execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} -C ${SOURCE} describe --always --dirty --abbrev=12 --tags
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND described)
      set(REVISION "${described}")
    else()
      set(REVISION "unknown: git cannot describe the checkout")
    endif()
  endif()
  set(content "// Written by harness/build_info.cmake.\n#pragma once\n")
  foreach(name VERSION REVISION COMPILER FLAGS TYPE)
    string(REPLACE "\\" "\\\\" value "${${name}}")
    string(REPLACE "\"" "\\\"" value "${value}")
    string(APPEND content "#define HITMARK_BUILD_${name} \"${value}\"\n")
  endforeach()
  set(before "")
  if(EXISTS ${OUT})
    file(READ ${OUT} before)
  endif()
  if(NOT before STREQUAL content)
    file(WRITE ${OUT} "${content}")
  endif()
  return()
endif()

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" build_flags)
set(build_info_header ${CMAKE_BINARY_DIR}/generated/embedded/build_info.hpp)
set(build_info_command
  ${CMAKE_COMMAND} -DOUT=${build_info_header} -DSOURCE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
  "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DFLAGS=${build_flags}"
  -DTYPE=${CMAKE_BUILD_TYPE} -P ${CMAKE_CURRENT_LIST_FILE})
execute_process(COMMAND ${build_info_command})
add_custom_target(hitmark_build_info ALL COMMAND ${build_info_command} BYPRODUCTS ${build_info_header} VERBATIM
                  COMMENT "")
