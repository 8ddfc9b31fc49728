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
set(left_out_lua/attack "its code is x86-64's")
set(left_out_lua/hardware "nothing can be timed in an emulator")
set(left_out_lua/storm "nothing can be disturbed in an emulator")
set(left_out_lua/faults "what it preloads would be loaded into programs of this machine, too")

# What takes more than some ten seconds of a processor there. (Sanitizers' and ordinary builds run all of it.)
set(c_timeout 3000)
set(lua_timeout 6000)
set(long_in_emulator)
foreach(name isa_chain_test model_lp_test predict_simulate_test smt_lira_test smt_test smt_uops_test)
  list(APPEND long_in_emulator c/${name})
endforeach()
