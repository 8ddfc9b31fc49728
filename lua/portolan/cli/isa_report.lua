--- `portolan isa count --check`: what the check of all schemes found, as text.
-- @module portolan.cli.isa_report
local terminal = require "portolan.support.terminal"

local isa_report = {}

-- Names in lines as wide as the terminal; at most `most` of them.
local function out_names(names, most, context)
  local indent, width, line = (" "):rep(10), terminal.width(io.stdout), nil
  for k = 1, math.min(#names, most) do
    local name = names[k] .. (k < #names and ";" or "")
    if line and #line + 1 + #name > width then
      context.out(line .. "\n")
      line = nil
    end
    line = line and line .. " " .. name or indent .. name
  end
  if line then context.out(line .. "\n") end
  if #names > most then context.out(indent .. ("and %d more (--json lists all)\n"):format(#names - most)) end
end

--- Shows what a check found.
-- @param check of portolan.isa_check, with `allocation`, and `llvm` if that was asked
-- @param context of the command
function isa_report.show(check, context)
  local function heading(text, good)
    context.out("\n" .. context.style(text, good and "green" or "red") .. "\n")
  end
  local function tested(text, result)
    heading(("%s: %d instances of %d schemes, %d failures"):format(text, result.instances, result.schemes, #result.failures),
      #result.failures == 0)
    for _, failure in ipairs(result.failures) do context.out("          %s: %s\n", failure.scheme, failure.message) end
  end
  tested("Encoded and decoded again", check)
  tested("Operands allocated, encoded and decoded again, of what makes sense to measure", check.allocation)
  heading(("Capstone agrees on length and mnemonic of %d schemes, disagrees on %d, %d of these unexplained"):format(
    check.agreements, check.schemes - #check.failures - check.agreements, #check.unexplained), #check.unexplained == 0)
  for _, group in ipairs(check.disagreements) do
    context.out("%8d  %s\n", #group.schemes, context.style(group.reason, "bold"))
    out_names(group.schemes, 200, context)
  end
  for _, opinion in ipairs(check.unexplained) do
    context.out("          %s: %s is %s to Capstone\n", opinion.scheme, opinion.bytes,
      opinion.verdict == "length" and opinion.their_length .. " bytes long" or opinion.theirs)
  end
  local llvm = check.llvm
  if not llvm then return end
  heading(("The text of %s assembles to the same code for %d schemes, to other or none for %d, %d of these unexplained"):format(
    llvm.program, llvm.agreements, check.schemes - llvm.agreements, #llvm.unexplained), #llvm.unexplained == 0)
  for _, group in ipairs(llvm.disagreements) do
    context.out("%8d  %s\n", #group.schemes, context.style(group.reason, "bold"))
    out_names(group.schemes, 200, context)
  end
  for _, opinion in ipairs(llvm.unexplained) do
    context.out("          %s: %s is %s to LLVM\n", opinion.scheme, opinion.bytes, opinion.theirs or "no instruction")
  end
end

return isa_report
