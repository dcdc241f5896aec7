# What is installed where, said once: components are the packages that people install.
#   runtime      libheddle.so, the drop-in folder with the stock runtimes' names, tracers, the man page
#   development  headers, the CMake package, pkg-config files, the module file
#   mpi, mpi-development   the same of libheddle-mpi.so
#   programs     heddle-amr, heddle-wave, heddle-simulate
#   wheel        what a Python package of the launcher contains besides its modules

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(HEDDLE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Heddle)

# heddle_install_library(EXPORT COMPONENT DEVELOPMENT TARGET…): the latter component has the names without a version, and
# the file of the CMake package.
function(heddle_install_library export component development)
  install(TARGETS ${ARGN} EXPORT ${export}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT ${development})
  install(EXPORT ${export} NAMESPACE Heddle:: DESTINATION ${HEDDLE_PACKAGE_DIR} COMPONENT ${development})
endfunction()

# heddle_install_program(TARGET): on libheddle where that is installed too, unless LD_LIBRARY_PATH says otherwise.
function(heddle_install_program target)
  set(libraries "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${libraries}/heddle/drop-in;${libraries}")
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endfunction()

# heddle_install_configured(TEMPLATE FOLDER NAME COMPONENT): a file that names the prefix, which is known when installing only.
function(heddle_install_configured template folder name component)
  install(CODE "
    set(PROJECT_VERSION ${PROJECT_VERSION})
    set(CMAKE_INSTALL_BINDIR ${CMAKE_INSTALL_BINDIR})
    set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
    set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
    set(CMAKE_INSTALL_MANDIR ${CMAKE_INSTALL_MANDIR})
    configure_file(\"${PROJECT_SOURCE_DIR}/cmake/${template}\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/${name}\" @ONLY)"
    COMPONENT ${component})
endfunction()

# heddle_install_for_wheel(FOLDER TARGET-OR-FILE…): files beside the launcher's modules, for pip (tools/heddle/paths.py).
# Wheels have no links: a library has the one name under which it is looked for.
function(heddle_install_for_wheel folder)
  foreach(what IN LISTS ARGN)
    if(TARGET ${what})
      install(FILES $<TARGET_FILE:${what}> DESTINATION heddle/files/${folder} RENAME $<TARGET_SONAME_FILE_NAME:${what}>
        COMPONENT wheel EXCLUDE_FROM_ALL)
    else()
      install(FILES ${what} DESTINATION heddle/files/${folder} COMPONENT wheel EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endfunction()
