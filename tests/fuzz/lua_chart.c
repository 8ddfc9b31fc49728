/* Any bytes as chart.json, and as discoveries.json: a page, or nil and one line. */
static const char chunk[] =
    "require 'portolan'\n"
    "local check, json, report = require 'portolan.report.check', require 'portolan.support.json', require 'portolan.report'\n"
    "local function refused(message) assert(message ~= '' and not message:find('\\n'), message) end\n"
    "return function(text)\n"
    "  local value, message = json.decode(text, 'f')\n"
    "  if value == nil then return refused(message) end\n"
    "  if type(value) == 'table' and value.format == 'portolan-discoveries' then\n"
    "    local page, fault = report.campaign.page(value)\n"
    "    if not page then refused(fault) end\n"
    "    return\n"
    "  end\n"
    "  local chart, fault = check.chart(value)\n"
    "  if not chart then return refused(fault) end\n"
    "  assert(report.chart(chart):find('</html>', 1, true))\n"
    "end\n";

#include "lua_harness.h"
