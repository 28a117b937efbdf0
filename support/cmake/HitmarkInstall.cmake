# What a user gets: the programs, and what a package needs. Run after every folder has been added.
include(GNUInstallDirs)

set(programs)
foreach(program hitmark hitmark-microbench hitmark-likwid)
  if(TARGET ${program})
    list(APPEND programs ${program})
  endif()
endforeach()
add_custom_target(hitmark-programs DEPENDS ${programs})

install(TARGETS hitmark RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET hitmark-microbench)
  install(TARGETS hitmark-microbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET hitmark-likwid)  # started by hitmark, never by hand
  install(TARGETS hitmark-likwid RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/hitmark)
endif()
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The man page and the completion scripts are printed by the program itself.
set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(
  OUTPUT ${generated}/hitmark.1 ${generated}/hitmark.bash ${generated}/_hitmark ${generated}/hitmark.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
  COMMAND hitmark man > ${generated}/hitmark.1
  COMMAND hitmark completion bash > ${generated}/hitmark.bash
  COMMAND hitmark completion zsh > ${generated}/_hitmark
  COMMAND hitmark completion fish > ${generated}/hitmark.fish
  DEPENDS hitmark)
add_custom_target(hitmark-documents ALL DEPENDS ${generated}/hitmark.1)
install(FILES ${generated}/hitmark.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/hitmark.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME hitmark)
install(FILES ${generated}/_hitmark DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${generated}/hitmark.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# `cpack --config build/release/CPackConfig.cmake` writes a .deb; its dependencies are read off the programs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hitmark)
set(CPACK_PACKAGE_CONTACT "The hitmark maintainers <maintainers@hitmark.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cache-line layout of hot structs, measured and judged")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)  # `hitmark layout` reads the variants' structs from its own DWARF
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
include(CPack)
