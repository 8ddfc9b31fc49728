-- For tests: the commands that a document names, in its blocks of code and in its text.
local docs_commands = {}

-- The simple commands of a line for a shell: lists of words. A word is `{ text =, quoted = }`; comments, redirections and what is not ours are kept
-- out of the way.
local function simple_commands(line)
  local commands, words, at = {}, {}, 1
  local function finish()
    if #words > 0 then commands[#commands + 1] = words end
    words = {}
  end
  while at <= #line do
    local rest = line:sub(at)
    local blank, operator = rest:match "^%s+", rest:match "^|%s" or rest:match "^&&" or rest:match "^;"
    if blank then
      at = at + #blank
    elseif operator then
      finish()
      at = at + #operator
    elseif rest:find "^#" or rest:find "^%d?>" then
      break
    else
      local word, quoted = "", false
      while at <= #line and not line:find("^[%s;]", at) do
        local text, stop = line:match("^'([^']*)'()", at)
        if not text then text, stop = line:match('^"([^"]*)"()', at) end
        quoted = quoted or text ~= nil
        if not text then text, stop = line:match("^(.)()", at) end
        word, at = word .. text, stop
      end
      words[#words + 1] = { text = word, quoted = quoted }
    end
  end
  finish()
  return commands
end

-- What stands for something else: a place to fill in, a choice, more of the same.
local function stands_for_others(word)
  local text = word.text
  return not word.quoted and (text:find "^%[" or text:find "%]$" or text:find("...", 1, true) or text:find "%a|%a" or text:find "^%u+$"
    or text:find "[=:]%u+$") ~= nil
end

-- A command of ours, nil if it is none: `{ program = "portolan" or the path of a script, words = list, is_synopsis = it has places to fill in }`.
local function ours(words)
  local from = 1
  while words[from] and (words[from].text:find "^[%u_]+=" or words[from].text == "do" or words[from].text == "$") do from = from + 1 end
  local program = words[from] and words[from].text:gsub("^scripts/portolan$", "portolan") or ""
  if program ~= "portolan" and not program:find "^scripts/[%w-]+$" then return nil end
  local found = { program = program, words = {}, is_synopsis = false }
  for i = from + 1, #words do
    found.is_synopsis = found.is_synopsis or stands_for_others(words[i])
    local text = words[i].quoted and words[i].text or words[i].text:gsub("^%[", ""):gsub("%.*%]?%.*$", "")
    if text ~= "" and text ~= "OPTION" then found.words[#found.words + 1] = text end
  end
  local name = found.words[1] or "-"
  return not (name:find ":$" or name:find "^%u+$") and found or nil -- a message of the command, COMMAND
end

local function add(list, line, place, inline)
  if line:find "^scripts/%S+   +%a" then return end -- a table of files
  for _, words in ipairs(simple_commands(line)) do
    local command = ours(words)
    if command then
      command.place, command.line, command.inline = place, line, inline
      list[#list + 1] = command
    end
  end
end

--- The commands of a document, and the options that its text names apart from commands.
-- @param text Markdown
-- @return list of `{ program =, words =, is_synopsis =, inline = in the text, place = number of the line, line = text }`
-- @return list of `{ option = "--json", place =, section = the words behind `portolan` in the last heading that has it, or nil, paragraph = }`
function docs_commands.of(text)
  local list, options, block, paragraph = {}, {}, nil, {}
  local number, section, began, fenced = 0, nil, 1, false
  local function end_block()
    if block then add(list, block, began, false) end
    block = nil
  end
  local function end_paragraph()
    local whole = table.concat(paragraph, " ")
    paragraph = {}
    for code in whole:gmatch "`([^`]+)`" do
      add(list, code, began, true)
      local option = code:match "^(%-%-%l[%w-]*)"
      if option then options[#options + 1] = { option = option, place = began, section = section, paragraph = whole } end
    end
  end
  for line in (text .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    if line:find "^```" then fenced = not fenced end
    local code = line:match "^    +(.*)$"
    if fenced or code and #paragraph == 0 then
      if not block then began = number end
      local part = (code or line):gsub("%s*\\$", " ")
      block = (block or "") .. part
      if not line:find "\\$" then end_block() end
    else
      end_block()
      if line:find "^#" or line == "" or line:find "^|" or line:find "^%s*%- " then end_paragraph() end
      section = line:match "^#+ `portolan ([^`]*)`" or section
      if #paragraph == 0 then began = number end
      if line ~= "" then paragraph[#paragraph + 1] = line:gsub("^%s+", "") end
    end
  end
  end_paragraph()
  return list, options
end

return docs_commands
