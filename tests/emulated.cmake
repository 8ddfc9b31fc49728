# Tests of a cross build, run in an emulator (CMAKE_CROSSCOMPILING_EMULATOR: qemu-aarch64's user mode). C tests are started in it by ctest. The
# emulator cannot start what the emulated programs start: that finds scripts here which start the emulator again. Nothing is measured.
set(emulated ${CMAKE_BINARY_DIR}/emulated) # ahead of PATH
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)

# A script FILE that runs PROGRAM in the emulator. (The shell adds PWD to the environment, the worker has none.)
function(ptl_emulate file program)
  file(GENERATE OUTPUT ${file} CONTENT "#!/bin/sh\nunset PWD\nexec '${emulator}' '${program}' \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

ptl_emulate(${emulated}/lua5.4 ${CMAKE_SYSROOT}/usr/bin/lua5.4)
set(LUA_PROGRAM ${emulated}/lua5.4)

# The program itself makes room for the script at its place.
set_target_properties(portolan_worker PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${emulated})
set(worker_program ${CMAKE_BINARY_DIR}/clib/portolan/worker)
ptl_emulate(${worker_program} $<TARGET_FILE:portolan_worker>)

# What is not run there, and why: left_out_NAME.

