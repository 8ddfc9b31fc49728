/* Any bytes: a chain whose text form reads back as itself, and whose code comes or is refused; or nil and one line. */
static const char chunk[] =
    "local chain = require 'portolan.experiment.chain'\n"
    "local loop_body = require 'portolan.experiment.loop_body'\n"
    "local declared = assert(loop_body.declared())\n"
    "return function(text)\n"
    "  local links, message = chain.parse(text)\n"
    "  if not links then return assert(message and not message:find('\\n'), message) end\n"
    "  local form = chain.format(links)\n"
    "  assert(chain.format(assert(chain.parse(form))) == form, form)\n"
    "  assert(chain.key(assert(chain.parse(chain.key(links)))) == chain.key(links), form)\n"
    "  local body, why = loop_body.of_chain(links, declared, 4)\n"
    "  assert(body or why and not why:find('\\n'), why)\n"
    "end\n";

#include "lua_harness.h"
