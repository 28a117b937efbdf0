# One way to build a folder. Warnings and sanitizers are set here and nowhere else.

add_custom_target(hitmark-fuzzers)
add_library(hitmark_options INTERFACE)
target_include_directories(hitmark_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(hitmark_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${HITMARK_WERROR}>:-Werror>)
# Lines are what a backtrace needs, and types cost a third of the build: only the layouts of kernels/ are read.
define_property(TARGET PROPERTY HITMARK_TYPES_IN_DWARF BRIEF_DOCS "full debug information")
target_compile_options(hitmark_options INTERFACE $<IF:$<BOOL:$<TARGET_PROPERTY:HITMARK_TYPES_IN_DWARF>>,-g,-g1>)
if(HITMARK_SANITIZE)
  target_compile_options(hitmark_options INTERFACE -fsanitize=${HITMARK_SANITIZE} -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer)
  target_link_options(hitmark_options INTERFACE -fsanitize=${HITMARK_SANITIZE})
  if(HITMARK_FUZZERS)  # so that the fuzzers see every branch
    target_compile_options(hitmark_options INTERFACE -fsanitize=fuzzer-no-link)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # with sanitizers g++ 12 sees it inside <regex> and std::function
    target_compile_options(hitmark_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# hitmark_module(NAME [OBJECT] [DEPENDS targets...] [EXCLUDE files...])
# A library of every *.cpp of the folder but tests and fuzzers. OBJECT for folders whose files register
# themselves: a static archive would drop them.
function(hitmark_module name)
  cmake_parse_arguments(ARG "OBJECT" "" "DEPENDS;EXCLUDE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|fuzzer)\\.cpp$")
  foreach(file ${ARG_EXCLUDE})
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  if(NOT sources)
    return()
  endif()
  if(ARG_OBJECT)
    add_library(${name} OBJECT ${sources})
  else()
    add_library(${name} STATIC ${sources})
  endif()
  target_link_libraries(${name} PUBLIC hitmark_options ${ARG_DEPENDS})
endfunction()

# hitmark_tests(NAME [DEPENDS targets...] [LABELS labels...] [FILES files...])
# One GoogleTest program from every *_test.cpp of the folder (or from FILES). Tests run in the source
# folder, so that "testdata/x" is found.
function(hitmark_tests name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "DEPENDS;LABELS;FILES" ${ARGN})
  if(ARG_FILES)
    set(sources ${ARG_FILES})
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  endif()
  if(NOT sources)
    return()
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE hitmark_options ${ARG_DEPENDS} GTest::gmock GTest::gtest_main)
  # Nobody waits for a test's own code, everybody for its compilation.
  if(NOT HITMARK_SANITIZE)
    target_compile_options(${name} PRIVATE -O1)
  endif()
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <string> <vector>)
  gtest_discover_tests(${name} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# hitmark_fuzzers([DEPENDS targets...]): one program per *_fuzzer.cpp, with the seeds in fuzz_seeds/NAME.
function(hitmark_fuzzers)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  if(NOT HITMARK_FUZZERS)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_fuzzer.cpp)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE hitmark_options ${ARG_DEPENDS})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    file(WRITE ${CMAKE_BINARY_DIR}/fuzzers/${name}.seeds ${CMAKE_CURRENT_SOURCE_DIR}/fuzz_seeds/${name})
    add_dependencies(hitmark-fuzzers ${name})
  endforeach()
endfunction()

# hitmark_embed(TARGET SYMBOL FILE): the file's bytes as `const std::string_view hitmark::embedded::SYMBOL`,
# declared in "embedded/SYMBOL.hpp".
function(hitmark_embed target symbol file)
  set(out ${CMAKE_BINARY_DIR}/generated/embedded)
  add_custom_command(
    OUTPUT ${out}/${symbol}.cpp ${out}/${symbol}.hpp
    COMMAND ${CMAKE_COMMAND} -DSYMBOL=${symbol} -DINPUT=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DOUT=${out}
            -P ${CMAKE_SOURCE_DIR}/support/cmake/EmbedFile.cmake
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/support/cmake/EmbedFile.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${out}/${symbol}.cpp ${out}/${symbol}.hpp)
endfunction()
