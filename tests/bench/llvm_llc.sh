#!/bin/sh
# What does the real llc make of what Portolan found? The twelve kernels of tests/bench/loops.lua, compiled by clang and llc, which schedules by LLVM's own
# model and then by Portolan's: both are measured here.
# usage: PORTOLAN_LLVM_SOURCE=DIR tests/bench/llvm_llc.sh MAPPING CPU [FLAG ...]
#
# MAPPING and CPU as in llvm_model.sh, FLAG for clang (-O2 if there are none). llc is linked from its sources, LLVM's static libraries and the tables of llvm_tables.sh.
set -eu

[ $# -ge 2 ] || { echo "usage: PORTOLAN_LLVM_SOURCE=DIR $0 MAPPING CPU [FLAG ...]" >&2; exit 2; }
# shellcheck source=tests/bench/llvm_tables.sh
. "$(dirname -- "$0")/llvm_tables.sh"
tables X86GenRegisterBank.inc -gen-register-bank

# Debian's static libraries have every target; this llc has one.
mkdir -p "$work/llvm/Config"
for kind in Targets:TARGET AsmPrinters:ASM_PRINTER AsmParsers:ASM_PARSER Disassemblers:DISASSEMBLER; do
  printf 'LLVM_%s(X86)\n#undef LLVM_%s\n' "${kind#*:}" "${kind#*:}" > "$work/llvm/Config/${kind%:*}.def"
done
for name in "$target/MCTargetDesc/X86MCTargetDesc" "$target/X86Subtarget" "$PORTOLAN_LLVM_SOURCE/llvm/tools/llc/llc" \
  "$PORTOLAN_LLVM_SOURCE/llvm/tools/llc/NewPMDriver"; do
  compile -c "$name.cpp" -o "$work/$(basename "$name").o"
done
# shellcheck disable=SC2046 # lists
g++ -o "$work/llc" "$work"/*.o -L "$library" $(llvm-config-$version --link-static --libs x86 codegen asmprinter mirparser irreader passes selectiondag scalaropts) \
  $(llvm-config-$version --link-static --system-libs | sed 's/-lzstd/-l:libzstd.so.1/')

# A compiler for `portolan loop` from clang and one llc. What clang was told of the CPU gives way to what llc is told.
compiler() { # name, llc
  cat > "$work/$1" <<EOF
#!/bin/sh
set -eu
clang -S -emit-llvm -o "$work/code.ll" \$(printf '%s\n' "\$@" | sed '/^-c\$/d; /^-o\$/,+1d')
sed -E -i 's/"(target-cpu|tune-cpu|target-features)"="[^"]*"//g' "$work/code.ll"
while [ "\$1" != -o ]; do shift; done
"$2" -O3 -mcpu=$cpu -filetype=obj -relocation-model=pic -o "\$2" "$work/code.ll"
cp "\$2" "$work/$1.o"
EOF
  chmod +x "$work/$1"
}
cpu=$2
shift 2
[ $# -gt 0 ] || set -- -O2
compiler own "$(command -v llc-$version)"
compiler found "$work/llc"
for name in own found; do
  echo "llc by $([ $name = own ] && echo "LLVM's model of $cpu, as it is" || echo "what Portolan found"):"
  CC=$work/$name "$portolan" run -- "$here/loops.lua" shipped "$@"
  echo
done
different=$(for name in own found; do objdump -d --no-show-raw-insn "$work/$name.o" > "$work/$name.txt"; done
  diff "$work/own.txt" "$work/found.txt" | grep -c '^[<>]' || true)
echo "lines of disassembly that differ: $different"
