#!/bin/sh
# How well does LLVM predict blocks with its own scheduling model, and how well with what Portolan found in its place? By the real llvm-mca.
# usage: PORTOLAN_LLVM_SOURCE=DIR tests/bench/llvm_model.sh MAPPING CPU BLOCKS [MEASURED]
#
# MAPPING is what `portolan export --to llvm` takes, CPU a name of LLVM's (znver3), BLOCKS a table of BHive's, MEASURED one of measured blocks
# (`portolan eval --measured`); without it they are measured here. DIR has the sources of LLVM 19; llvm-19, llvm-19-dev and g++ are installed.
#
# LLVM's description of the CPU is patched: what it says of single instructions goes, what Portolan says of them comes. What neither knows better is as
# LLVM's kinds of instructions say. The tables are made by llvm-tblgen, compiled, and loaded by llvm-mca ahead of its own.
set -eu

version=19
fail() { echo "$1" >&2; exit 2; }
[ $# -ge 3 ] || fail "usage: PORTOLAN_LLVM_SOURCE=DIR $0 MAPPING CPU BLOCKS [MEASURED]"
[ -d "${PORTOLAN_LLVM_SOURCE:-}/llvm/lib/Target/X86" ] || fail "PORTOLAN_LLVM_SOURCE names no sources of LLVM $version: there is no llvm/lib/Target/X86"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
portolan=$here/../../scripts/portolan
target=$(CDPATH='' cd -- "$PORTOLAN_LLVM_SOURCE/llvm/lib/Target/X86" && pwd)
include=$(llvm-config-$version --includedir)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

model=$(sed -n "s/^def : ProcModel<\"$2\", *\([A-Za-z0-9]*\).*/\1/p" "$target/X86.td" | head -n 1)
[ -n "$model" ] || fail "LLVM has no model of '$2' in X86.td"
file=$(grep -l "^def $model : SchedMachineModel" "$target"/*.td)

"$portolan" export "$1" --to llvm --opcodes $version --out "$work/found.td"
# InstRW of LLVM's go; the model of the export is LLVM's then, which need not be complete.
perl -0pe 's/^def\s*:\s*InstRW<.*?>;\n//msg; s/let CompleteModel = 1/let CompleteModel = 0/' "$file" > "$work/$(basename "$file")"
perl -0pe 's/^def (\w+) : SchedMachineModel \{.*?\n\}\n//ms; my $own = $1; s/\b$own\b/'"$model"'/g' "$work/found.td" >> "$work/$(basename "$file")"

echo "making the tables of $model" >&2
cp "$target/X86.td" "$work/"
tables() {
  name=$1; shift
  llvm-tblgen-$version -I "$work" -I "$target" -I "$PORTOLAN_LLVM_SOURCE/llvm/include" -I "$include" "$work/X86.td" -o "$work/$name" "$@"
}
tables X86GenSubtargetInfo.inc -gen-subtarget
tables X86GenInstrInfo.inc -gen-instr-info
tables X86GenRegisterInfo.inc -gen-register-info
tables X86GenAsmWriter.inc -gen-asm-writer
tables X86GenAsmWriter1.inc -gen-asm-writer -asmwriternum=1
tables X86GenMnemonicTables.inc -gen-x86-mnemonic-tables -asmwriternum=1

echo "compiling them" >&2
compile() {
  g++ -std=c++17 -O1 -fPIC -fno-exceptions -fno-rtti -w -I "$work" -I "$target" -I "$target/MCTargetDesc" -I "$include" "$@"
}
for name in X86ATTInstPrinter X86InstComments X86InstPrinterCommon X86IntelInstPrinter X86MnemonicTables X86ShuffleDecode X86EncodingOptimization; do
  compile -c "$target/MCTargetDesc/$name.cpp" -o "$work/$name.o"
done
compile -c "$here/llvm_model.cpp" -o "$work/model.o"
library=$(llvm-config-$version --libdir)
link() { g++ -shared -o "$work/model.so" "$work"/X86*.o "$work/model.o" "$@" -L "$library" -lLLVM-$version -ldl; }
link
# What only LLVM's own initialization calls is hidden in its library: it is never called here.
symbols() { nm -D "$@" | awk '{ print $NF }' | sed 's/@.*//' | sort -u; }
symbols --undefined-only "$work/model.so" | grep llvm > "$work/wanted"
symbols --defined-only "$library/libLLVM-$version.so" > "$work/there"
{ echo '.section .note.GNU-stack,"",@progbits'; echo .text
  comm -23 "$work/wanted" "$work/there" | while read -r symbol; do printf '.globl %s\n%s:\n' "$symbol" "$symbol"; done
  echo ud2; } > "$work/never.s"
g++ -c "$work/never.s" -o "$work/never.o"
link "$work/never.o"

real=$(command -v llvm-mca-$version)
mkdir "$work/bin"
printf '#!/bin/sh\nLD_PRELOAD="%s" exec "%s" "$@"\n' "$work/model.so" "$real" > "$work/bin/llvm-mca-$version"
chmod +x "$work/bin/llvm-mca-$version"

compare() { "$portolan" eval --blocks "$1" --oracle "$2" --predictor "llvm-mca-$version:$3"; }
measured=${4:-}
if [ -z "$measured" ]; then
  measured=$work/measured.csv
  "$portolan" eval --blocks "$3" --oracle hw --measured "$measured" --predictor "llvm-mca-$version:$2" > "$work/own.txt"
fi
echo "LLVM's model of $2, as it is:"
compare "$3" "blocks:$measured" "$2"
echo
echo "with what Portolan found:"
PATH=$work/bin:$PATH compare "$3" "blocks:$measured" "$2"
