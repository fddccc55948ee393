# Debian packages of what is installed, by cpack: the command line and agent without Qt, the desktop application, the
# helper. What each needs of other packages, dpkg-shlibdeps finds in its programs.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "tcpscope")
set(CPACK_PACKAGE_CONTACT "The tcpscope developers <developers@tcpscope.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENTS_ALL cli)

set(CPACK_DEBIAN_CLI_PACKAGE_NAME tcpscope-cli)
set(CPACK_DEBIAN_CLI_DESCRIPTION "TCP oscilloscope for Linux: command line and agent
 Shows what limits each TCP connection of this host (receive window, send buffer,
 network, application), the rate that the next limit allows and what to change;
 makes the change revertibly, and measures its effect.")
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "iproute2")
set(CPACK_DEBIAN_CLI_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/../debian/cli/postrm)

if(TARGET tcpscope)
  list(APPEND CPACK_COMPONENTS_ALL desktop)
  set(CPACK_DEBIAN_DESKTOP_PACKAGE_NAME tcpscope)
  set(CPACK_DEBIAN_DESKTOP_DESCRIPTION "TCP oscilloscope for Linux
 Lists the TCP connections of this host and of others, shows each as on an
 oscilloscope, says which limit holds it and what to change, changes it with one
 click, measures what that brought, and takes it back with another.")
  set(CPACK_DEBIAN_DESKTOP_PACKAGE_DEPENDS "tcpscope-cli (>= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DESKTOP_PACKAGE_RECOMMENDS "tcpscope-helper, libqt6svg6, qt6-wayland, fonts-dejavu-core")
endif()

if(TARGET tcpscope-helper)
  list(APPEND CPACK_COMPONENTS_ALL helper)
  set(CPACK_DEBIAN_HELPER_PACKAGE_NAME tcpscope-helper)
  set(CPACK_DEBIAN_HELPER_DESCRIPTION "TCP oscilloscope for Linux: helper that changes settings
 Changes network settings for tcpscope after polkit has authorized it, keeps a
 journal of the previous values, and reverts unconfirmed changes in time.")
  set(CPACK_DEBIAN_HELPER_PACKAGE_DEPENDS "tcpscope-cli (>= ${PROJECT_VERSION}), dbus, polkitd")
  set(helper_scripts ${CMAKE_CURRENT_LIST_DIR}/../debian/helper)
  set(CPACK_DEBIAN_HELPER_PACKAGE_CONTROL_EXTRA ${helper_scripts}/postinst ${helper_scripts}/prerm ${helper_scripts}/postrm)
endif()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
include(CPack)
