// Lets LLVM's own tools read a scheduling model that was not compiled into them: loaded before libLLVM, this
// gives them the tables of LLVM's description of x86 with one model patched (tests/bench/llvm_model.sh), and
// all else stays theirs.
#define LLVMInitializeX86TargetMC initialize_all
#include "X86MCTargetDesc.cpp"
#undef LLVMInitializeX86TargetMC

#include <dlfcn.h>

extern "C" void LLVMInitializeX86TargetMC() {
    reinterpret_cast<void (*)()>(dlsym(RTLD_NEXT, "LLVMInitializeX86TargetMC"))();
    for (const Target& found : TargetRegistry::targets()) {
        if (StringRef(found.getName()) != "x86" && StringRef(found.getName()) != "x86-64") continue;
        Target& target = const_cast<Target&>(found);
        TargetRegistry::RegisterMCInstrInfo(target, createX86MCInstrInfo);
        TargetRegistry::RegisterMCSubtargetInfo(target, X86_MC::createX86MCSubtargetInfo);
    }
}
