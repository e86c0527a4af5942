# find_package(elicit) gives the target elicit::elicit, for C, and elicit::cpp with the C++ header's language level.
get_filename_component(_elicit_library "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
if(NOT TARGET elicit::elicit)
  add_library(elicit::elicit SHARED IMPORTED)
  set_target_properties(elicit::elicit PROPERTIES
    IMPORTED_LOCATION "${_elicit_library}/libelicit.so.1"
    IMPORTED_SONAME "libelicit.so.1")
  # Debian has the library one directory deeper.
  foreach(_elicit_include "${_elicit_library}/../include" "${_elicit_library}/../../include")
    if(EXISTS "${_elicit_include}/elicit.h")
      set_target_properties(elicit::elicit PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_elicit_include}")
    endif()
  endforeach()
  add_library(elicit::cpp INTERFACE IMPORTED)
  set_target_properties(elicit::cpp PROPERTIES
    INTERFACE_LINK_LIBRARIES elicit::elicit
    INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()
unset(_elicit_library)
unset(_elicit_include)
