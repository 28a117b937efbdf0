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
