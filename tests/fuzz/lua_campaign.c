/* Any bytes as the directory of a campaign: the first line is campaign.json, the others are its journal. Its report is made and it is opened
 * to go on; each works, or gives one line. */
static const char chunk[] =
    "local file, json, journal = require 'portolan.support.file', require 'portolan.support.json', require 'portolan.anica.journal'\n"
    "local read, report = require 'portolan.report.campaign.read', require 'portolan.report'\n"
    "local directory = require('luv').fs_mkdtemp((os.getenv 'TMPDIR' or '/tmp') .. '/fuzz-XXXXXX')\n"
    "local function refused(message) assert(message ~= '' and not message:find('\\n'), message) end\n"
    "local function write(name, text)\n"
    "  local handle = assert(io.open(directory .. name, 'wb'))\n"
    "  handle:write(text)\n"
    "  handle:close()\n"
    "end\n"
    "return function(text)\n"
    "  local head, rest = text:match('^([^\\n]*)\\n?(.*)$')\n"
    "  write('/campaign.json', head)\n"
    "  write('/journal.jsonl', rest)\n"
    "  local result, message = read.directory(directory)\n"
    "  if not result then refused(message) else\n"
    "    local page, fault = report.campaign.page(result)\n"
    "    if not page then refused(fault) end\n"
    "  end\n"
    "  local header = json.decode(head)\n"
    "  if type(header) ~= 'table' or json.is_list(header) then return end\n"
    "  local opened, trouble = journal.open(directory, header)\n"
    "  if not opened then return refused(trouble) end\n"
    "  opened:close()\n"
    "end\n";

#include "lua_harness.h"
