/* Any bytes: an experiment whose text form reads back as itself, or nil and one line. */
static const char chunk[] =
    "local experiment = require 'portolan.experiment'\n"
    "return function(text)\n"
    "  local e, message = experiment.parse(text)\n"
    "  if not e then return assert(message and not message:find('\\n'), message) end\n"
    "  local form = experiment.format(e)\n"
    "  assert(experiment.format(assert(experiment.parse(form))) == form, form)\n"
    "end\n";

#include "lua_harness.h"
