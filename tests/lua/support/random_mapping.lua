-- Ground truths for tests: those of the library.
return require "portolan.processor.random_mapping"
