--- `command-batch:PROGRAM ARGUMENTS`: a program that is run once for many blocks (portolan.predictor.adapters.command).
-- @module portolan.predictor.adapters.command_batch
return { open = require("portolan.predictor.adapters.command").open }
