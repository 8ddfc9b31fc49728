-- The features of the default domain, for blocks in which nothing waits for anything: operands by Algorithm 3.1 in place of random ones.
-- Port models without dependencies can be compared with processors by it. docs/abstract-domain.md explains it.
return { "default", operands = "independent" }
