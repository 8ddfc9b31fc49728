-- This file says why Capstone 4 reads some encodings differently: for each reason, mnemonics as Portolan (Zydis)
-- names them and as Capstone does. Used by `portolan isa count --check`; what no entry explains is reported as unexplained.
return {
  { reason = "another name for the same instruction",
    pairs = {
      cmovnb = "cmovae", cmovnbe = "cmova", cmovnl = "cmovge", cmovnle = "cmovg", cmovnz = "cmovne", cmovz = "cmove",
      jnb = "jae", jnbe = "ja", jnl = "jge", jnle = "jg", jnz = "jne", jz = "je",
      setnb = "setae", setnbe = "seta", setnl = "setge", setnle = "setg", setnz = "setne", setz = "sete",
      call = "lcall", jmp = "ljmp", ret = { "retf", "retfq" },
      mov = "movabs", movq = "movd", xlat = "xlatb", fwait = "wait", fsetpm287_nop = "fsetpm",
      vcvtpd2dq = "vcvtpd2dqx", vcvtpd2ps = "vcvtpd2psx", vcvttpd2dq = "vcvttpd2dqx",
      pfcpit1 = "pfrcpit1", pfsqrt = "pfrsqrt", xstore = "xstorerng",
      xcrypt_cbc = "xcryptcbc", xcrypt_cfb = "xcryptcfb", xcrypt_ctr = "xcryptctr", xcrypt_ecb = "xcryptecb",
      xcrypt_ofb = "xcryptofb",
    } },
  { reason = "newer than Capstone, which sees the NOP that older CPUs execute",
    pairs = {
      bndcl = "nop", bndcn = "nop", bndcu = "nop", bndldx = "nop", bndmk = "nop", bndmov = "nop", bndstx = "nop",
      cldemote = "nop",
    } },
  { reason = "newer than Capstone, which overlooks the prefix that tells it from an older one",
    pairs = {
      clrssbsy = "xsaveopt", ptwrite = { "xsave", "xsave64" }, rdpid = "rdseed", seamcall = "encls", senduipi = "rdrand",
    } },
  { reason = "Capstone overlooks F2 or F3 next to 66",
    pairs = { crc32 = "movbe", lzcnt = "bsr", tzcnt = "bsf" } },
  { reason = "Capstone reads ud0 and ud1 without their operands",
    pairs = { ud0 = "ud0", ud1 = "ud2b" } },
}
