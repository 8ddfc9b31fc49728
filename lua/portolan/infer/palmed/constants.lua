--- The numbers that Palmed's inference rests on. All but epsilon and basic_most, which are options, are fixed.
-- @module portolan.infer.palmed.constants

return {
  epsilon = 0.03, -- relative difference up to which times are equal: three standard deviations of readings with 1% of noise
  ratio_error = 0.05, -- by how much the counts of a pair may miss the ratio of the instructions per cycle
  ratio_most = 40, -- instructions of a pair
  least_ipc = 1, -- instructions per cycle: slower schemes are no basic instructions
  basic_first = 8, -- basic instructions to begin with
  basic_most = 20, -- basic instructions in the end
  basic_more = 2, -- that are added at a time, where the quadratic benchmarks are not explained
  flood = 4, -- how many times longer the flooding side of a kernel takes than the other one
  flood_most = 100, -- instructions of such a kernel
  kernel_most = 24, -- instructions of a kernel that saturates a resource
  saturates = 0.97, -- a kernel saturates one resource if all others are filled less than this
  shape_nodes = 300, -- of branch and bound, for the shape of a resource
  directions = 40, -- random mixtures that are looked at in a round
  rounds = 8, -- such rounds
  doubtful = 6, -- mixtures that are measured in a round
  refits = 4, -- times that weights are fitted and kernels are assigned anew
}
