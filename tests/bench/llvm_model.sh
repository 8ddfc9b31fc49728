#!/bin/sh
# How well does LLVM predict blocks with its own scheduling model, and how well with what Portolan found in its place? By the real llvm-mca.
# usage: PORTOLAN_LLVM_SOURCE=DIR tests/bench/llvm_model.sh MAPPING CPU BLOCKS [MEASURED]
#
# MAPPING is what `portolan export --to llvm` takes, CPU a name of LLVM's (znver3), BLOCKS a table of BHive's, MEASURED one of measured blocks
# (`portolan eval --measured`); without it they are measured here. The tables (llvm_tables.sh) are loaded by llvm-mca ahead of its own.
set -eu

[ $# -ge 3 ] || { echo "usage: PORTOLAN_LLVM_SOURCE=DIR $0 MAPPING CPU BLOCKS [MEASURED]" >&2; exit 2; }
# shellcheck source=tests/bench/llvm_tables.sh
. "$(dirname -- "$0")/llvm_tables.sh"

for name in X86ATTInstPrinter X86InstComments X86InstPrinterCommon X86IntelInstPrinter X86MnemonicTables X86ShuffleDecode X86EncodingOptimization; do
  compile -c "$target/MCTargetDesc/$name.cpp" -o "$work/$name.o"
done
compile -c "$here/llvm_model.cpp" -o "$work/model.o"
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
