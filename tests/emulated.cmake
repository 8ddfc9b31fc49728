# Tests of a cross build, run in an emulator (CMAKE_CROSSCOMPILING_EMULATOR: qemu-aarch64's user mode). C tests are started in it by ctest. The
# emulator cannot start what the emulated programs start: that finds scripts here which start the emulator again. Nothing is measured.
set(emulated ${CMAKE_BINARY_DIR}/emulated) # ahead of PATH
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)

# A script FILE that goes on as COMMAND, with the words that it gets. (The shell adds PWD to the environment, the worker has none.)
function(ptl_script file command)
  file(GENERATE OUTPUT ${file} CONTENT "#!/bin/sh\nunset PWD\nexec ${command} \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

# A script FILE that runs PROGRAM in the emulator.
function(ptl_emulate file program)
  ptl_script(${file} "'${emulator}' '${program}'")
endfunction()

ptl_emulate(${emulated}/lua5.4 ${CMAKE_SYSROOT}/programs/lua5.4)
set(LUA_PROGRAM ${emulated}/lua5.4)

# On the emulated machine `as` and `gcc` are of its own architecture: the cross tools, under these names. `as` of the search path is this machine's.
find_program(PTL_CROSS_AS ${CMAKE_LIBRARY_ARCHITECTURE}-as REQUIRED)
ptl_script(${emulated}/as "'${PTL_CROSS_AS}'")
ptl_script(${emulated}/gcc "'${CMAKE_C_COMPILER}'")

# The program itself makes room for the script at its place.
set_target_properties(portolan_worker PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${emulated})
set(worker_program ${CMAKE_BINARY_DIR}/clib/portolan/worker)
ptl_emulate(${worker_program} $<TARGET_FILE:portolan_worker>)

# What is not run there, and why.
set(left_out lua/attack lua/bench_cli lua/storm lua/faults)
set(left_out_lua/attack "its code is x86-64's")
set(left_out_lua/bench_cli "it measures x86-64's code")
set(left_out_lua/storm "nothing can be disturbed in an emulator")
set(left_out_lua/faults "what it preloads would be loaded into programs of this machine, too")

# What takes more than some ten seconds of a processor there has the label "long": these tests in C, and all specs but those below. (Other builds
# run all of them.)
set(c_timeout 3000)
set(lua_timeout 6000)
set(long_in_emulator c/anica_sampler_test c/anica_template_test c/isa_aarch64_derive_test c/isa_chain_test c/model_lp_test
  c/predict_simulate_test c/smt_lira_test c/smt_test c/smt_uops_test)
set(quick_in_emulator aarch64_execution accuracy agreement algebra anica_cover anica_decode anica_feature anica_report_pieces architectures batch
  block bursts busy_units certain chain chart_ending chart_predictor code conjunctive_compare counters cpu_aarch64 default_architecture docs_code
  failure file first_cache flood format_bhive format_csv format_exegesis format_pmevo format_pmevo_a64 gate hardware isa_text json
  latency_number lists lua_library mapping measuring merge model osaca_a64 place predict_block probes progress
  progress_whole quickstart record session_arguments simulated_clock state_records statuses studies uop_sources weather witness)
