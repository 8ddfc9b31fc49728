--- The numbers that Palmed's inference rests on. All but epsilon and basic_most, which are options, are fixed.
-- @module portolan.infer.palmed.constants

return {
  epsilon = 0.03, -- relative difference up to which times are equal: three standard deviations of readings with 1% of noise
  apart = 2, -- times epsilon: how far two readings must be apart to be different in one of many comparisons
  alike = 1.5, -- times epsilon: up to which the floods of two schemes of a class are averaged
  unexplained = 3, -- times epsilon: a pair that is modelled so wrongly is not explained
  ratio_error = 0.05, -- by how much the counts of a pair may miss the ratio of the instructions per cycle
  ratio_most = 40, -- instructions of a pair
  least_ipc = 1, -- instructions per cycle: slower schemes are no basic instructions
  basic_first = 8, -- basic instructions to begin with
  basic_most = 20, -- basic instructions in the end
  basic_more = 2, -- that are added at a time, where the quadratic benchmarks are not explained
  flood = 4, -- how many times longer the flooding side of a kernel takes than the other one
  flood_most = 100, -- instructions of such a kernel
  noise = 0.5, -- times epsilon: share of a flood's time below which what a scheme adds to it is no load
  kernel_most = 24, -- instructions of a kernel that saturates a resource
  saturates = 3, -- times epsilon: what a kernel that saturates one resource leaves of all others at least
  bounds = 8, -- bounds that are added to a program at a time
  shape_nodes = 300, -- of branch and bound, for the shape of a resource
  directions = 40, -- random mixtures that are looked at in a round
  rounds = 12, -- such rounds, at most
  quiet_rounds = 2, -- that end the search, if nothing is open in them
  doubtful = 6, -- mixtures that are measured in a round
  near = 0.9, -- share of a kernel's time: a resource that is busy for less does not matter to it when weights are fitted
  confirmations = 4, -- times that resources are confirmed by the kernels that saturate them
  refits = 4, -- times that weights are fitted and kernels are assigned anew
}
