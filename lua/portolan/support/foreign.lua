--- Documents that are not in Portolan's own formats: who reads them, and who makes those that are no files.
--
-- `portolan.mapping`, `portolan.prediction.model` and `portolan.experiment.list` read Portolan's own formats and ask here about all others, so that
-- they need no format. `require "portolan"` enters the readers (portolan.format.readers) and the sources.
-- @module portolan.support.foreign
local foreign = {}

--- These make mappings on demand: what their names begin with -> function(name) -> mapping | nil, message.
--
-- A name is the source's, possibly a version, a colon and the rest: `llvm-mca-19:skylake`.
foreign.sources = {}

--- These read other formats: the kind of document -> function as in portolan.format.readers.
foreign.readers = {}

--- Reads a document in another format.
-- @tparam string kind of document, as in portolan.format.readers
-- @param ... what the reader takes
-- @return the document; or nil and a message; nil alone if this is in none of the known formats
function foreign.read(kind, ...)
  local read = foreign.readers[kind]
  if read then return read(...) end
end

return foreign
