/* Any bytes as a file of code: an object file, or assembler text with marked regions. Nothing is run, so that the target stays fast. */
static const char chunk[] =
    "local assembly, code, object = require 'portolan.code.assembly', require 'portolan.code', require 'portolan.code.object'\n"
    "local function refused(message) assert(message ~= '' and not message:find('\\n'), message) end\n"
    "return function(text)\n"
    "  local o, message = object.read(text, 'f')\n"
    "  if not o then refused(message) else\n"
    "    local pieces, trouble = code.of(text, 'f')\n"
    "    if not pieces then refused(trouble) end\n"
    "  end\n"
    "  local marked, regions = assembly.mark(text, 'f')\n"
    "  if not marked then refused(regions) end\n"
    "  for _, architecture in ipairs { 'x86_64', 'aarch64' } do\n"
    "    local pieces, trouble = true, nil\n"
    "    if not assembly.is(text, architecture) then pieces, trouble = code.of(text, 'f', nil, architecture) end\n"
    "    if not pieces then refused(trouble) end\n"
    "  end\n"
    "end\n";

#include "lua_harness.h"
