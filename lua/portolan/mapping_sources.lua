--- Mappings that are no files but made on demand: what their names begin with -> function(name) -> mapping | nil, message.
--
-- A name is the source's, possibly a version, a colon and the rest: `llvm-mca-19:skylake`. Front ends fill the table; `portolan.mapping`
-- looks into it where there is no file of that name.
-- @module portolan.mapping_sources
return {}
