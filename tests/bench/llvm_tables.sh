# Sourced by llvm_model.sh and llvm_llc.sh, with "$1" a mapping and "$2" LLVM's name of a CPU: LLVM 19's description of x86 with what Portolan found
# in the place of what it says of that CPU, as tables made by llvm-tblgen in $work, and `compile`, which makes code that includes them.
# PORTOLAN_LLVM_SOURCE has the sources of LLVM 19; llvm-19, llvm-19-dev and g++ are installed.
#
# What LLVM says of single instructions goes, what Portolan says of them comes. What Portolan does not know is as LLVM's kinds of instructions say.
# shellcheck shell=sh

version=19
fail() { echo "$1" >&2; exit 2; }
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
# shellcheck disable=SC2034 # used by whoever sources this
library=$(llvm-config-$version --libdir)
