--- The numbers that a chart's decisions rest on, in the order of the stages.
--
-- A line is `{ name, value, unit, what it means, how it was found }`; the modules read the value as `constants.name`. Whole numbers are counts, what
-- has a point is continuous. `apart` says why the grid of `tests/bench/constants.lua` does not vary one. The grid varied those with `lacks` without
-- any effect (docs/inference.md has its figures, and its conditions): they guard against what its simulated cores lack, which is then named.
-- @module portolan.infer.chart.constants
local chosen = "chosen, never varied before the grid of tests/bench/constants.lua"
local floods = "chosen on simulated cores when floods got NOPs"
local best_fit = "chosen on LLVM's Sapphire Rapids, simulated, when the best fit of all counts replaced the first that fits"

local all = {
  -- survey, fitness
  { "settle_share", 2, "factor", "a stage may ask again what is undecided for this many times its share of the budget", chosen,
    apart = "simulated processors decide at once" },
  { "witness_tolerance", 0.03, "share of the cycles", "by which a reading may differ from a later one, or from what ports explain, and say the same",
    "chosen when witnesses came to be measured again" },
  { "fitness_spread", 0.02, "share of the cycles", "spread of readings beyond which a scheme stands for no others", chosen,
    lacks = "code that varies by itself" },
  { "fitness_share", 0.3, "share of readings", "undisturbed readings that agree, below which code is unsteady",
    "readings of code that varies by itself", lacks = "readings that were disturbed" },

  -- stages/noise, stages/counts
  { "noise_sample", 40, "schemes", "measured twice to learn how noisy readings are, spread over the set; enough of several classes", chosen },
  { "slots_of_many", 0.06, "share of the slots", "the same where they are many; one more or less is then allowed for",
    "chosen for schemes of very many uops" },
  { "sequenced_slots", 2, "widths", "of issue slots, beyond which a sequencer may have issued the uops and lost slots",
    "on Golden Cove schemes of 5 to 8 uops take 14 to 20 slots at a width of 6, decoded ones 8 at most", lacks = "slots that are lost" },
  { "groups_between", 0.1, "share of those that take a width or more", "that take at least half of it and less: fewer, and whole groups are issued",
    "on Zen 5 none of 2,060 schemes takes 3 to 7 slots, and 149 take 8 to 89" },
  { "slots_padding", 1.5, "share", "NOPs of a probe, of what the front end takes meanwhile", "that of portolan.processor.probes" },
  { "noisy", 0.006, "share of the cycles", "noise from which on slots are read several times", chosen,
    lacks = "noise of about half a percent" },
  { "slots_readings", 3, "readings", "of slots on a processor that is so noisy", chosen },

  -- stages/rename, stages/classes
  { "chain_executed", 0.9, "cycles a link", "of a chain from which on all of it is executed; below, no port executes most of it, or all",
    "whatever is executed takes a cycle a link", lacks = "links that take a part of a cycle" },
  { "rename_fast", 0.45, "share of the rename width", "from which on a scheme may be eliminated in part: half, with a margin",
    "chosen for Zen 4, which eliminates some moves now and then" },
  { "rate_whole", 0.04, "share", "distance of 1/t, or of the issue width, from a whole number that it is",
    "numbers of ports up to 12 stay apart" },
  { "class_few", 2, "members or readings", "so few may have a limit of their own that is no port, and more are no accident",
    "mov r64, imm64 on Cascade Lake; a second such scheme later (docs/decisions.md, 8); a single reading may have come out too fast" },

  -- stages/elimination
  { "elimination_sure", 0.15, "uops", "that an instance may cost beside a flood and be eliminated, or be short of a whole one and be executed",
    chosen, lacks = "instances that are eliminated now and then" },
  { "elimination_precision", 0.002, "share of the cycles", "standard deviation wanted of these readings", chosen },
  { "elimination_ports", 3, "ports", "of a class; narrower ones are tried only if there are no wider ones",
    "greedy binders put uops that could evade a narrow flood on its ports" },

  -- stages/stores
  { "store_alike", 0.45, "uops", "by which the counts of two stores of one class may differ", floods },
  { "class_apart", 1.15, "cycles", "below which classes that fill a cycle each have no port in common",
    "two of n ports that share one take (2n)/(2n - 1): told apart up to three ports each, and not claimed beyond" },

  -- stages/class_ports, port_witnesses
  { "ports_solver", 120, "seconds", "of the solver; what is open then is reported as assumed", chosen, apart = "seconds do not repeat" },
  { "ports_most", 24, "ports", "that an inference looks for at most",
    "charts of a Zen 5 show 15 to 17, and look for one more", lacks = "cores of more than 16 ports" },
  { "ports_epsilon", 0.002, "cycles an instruction", "that a reading may be off beside its noise",
    "0.01 was 8% of a cycle of eight (docs/decisions.md, 240)" },
  { "unfit_broken", 1.2, "factor", "by which an experiment takes longer than the mapping says, from which on ports do not explain it",
    "three uops on two ports take 1.5 as long as on four; Zen 3 binds pairs of classes by up to a quarter worse than it could, seldom more",
    lacks = "classes that share a unit beside their ports" },
  { "telling_ports", 0.02, "share of the cycles", "that a witness of a class is off what other ports would give", chosen,
    lacks = "noise that is stronger than the grid's" },

  -- lacking
  { "lacking_solver", 20, "seconds", "of the solver on recorded experiments; what is open then stays open", chosen, apart = "seconds do not repeat" },

  -- blocking/flood
  { "flood_cycles", 10, "cycles", "of a flood, at least", floods },
  { "flood_room", 1.25, "factor", "by which a flood is longer than its instance needs", chosen },
  { "flood_filled", 0.93, "share of the slots", "that a flood, its NOPs and the instance take", floods },
  { "flood_longer", 1.3, "factor", "length of the second variant of a flood",
    "chosen for binders to which an instance costs no whole number of uops" },
  { "flood_longer_filled", 0.86, "share of the slots", "that the second variant takes", "fewer NOPs than the first variant" },
  { "flood_longest", 1.7, "factor", "length of the third variant", "as the second" },
  { "flood_longest_filled", 0.8, "share of the slots", "that the third variant takes", "fewer NOPs than the second variant" },
  { "flood_sparse", 0.6, "factor", "the same for instances beside which NOPs are decoded slowly (x87)",
    "on Golden Cove four NOPs a cycle are decoded beside some x87 schemes, at a width of six", lacks = "slots that are lost" },
  { "flood_lost", 16, "cycles", "of a flood of such an instance, at least",
    "on Golden Cove floods of 10 cycles take up to a cycle longer beside x87, of 17 and 30 none", lacks = "slots that are lost" },
  { "flood_short", 0.4, "uops or slots", "by which a count may be below a whole number, or off it in the end",
    "hardware is slower than the model, never faster (docs/decisions.md, 13)" },
  { "flood_near", 0.25, "uops or slots", "distance from a whole number at which a count is not in doubt, and what noise may make of none", chosen },
  { "flood_many", 12, "uops", "of a scheme; beyond it long floods are too uncertain themselves, and more readings or effects tell nothing",
    "chosen for schemes of very many uops" },
  { "flood_hastened", 0.25, "share of the schemes", "beside which a flood is faster than alone, from which on it tells nothing",
    "on Zen 5 nearly all hasten a flood of lea, a few in a thousand one of cmp", lacks = "floods that are held up by themselves" },
  { "flood_candidates", 4, "instructions", "that are tried for a flood", chosen },
  { "flood_precise", 0.12, "uops", "standard deviation wanted of a count", "an eighth of a uop tells whole numbers apart" },

  -- blocking/misfit
  { "misfit_below", 0.1, "uops", "standard deviation of a count below the model's number, beside its readings' noise", best_fit },
  { "misfit_above", 0.15, "uops", "the same above the model's number", best_fit },
  { "misfit_excess", 0.3, "uops for each of excess", "more of it above, as effects are no constants", best_fit },
  { "misfit_uops", 0.04, "uops for each of the scheme", "more of it above, as uops are in each other's way", best_fit },
  { "misfit_most_uops", 6, "uops", "of a scheme that count for that", best_fit },
  { "misfit_shortest", 0.6, "uops", "that a count may fall short of a whole number, at all", best_fit },
  { "misfit_held", 0.5, "share", "standard deviation below, of the uops by which the flood alone is slower than the model",
    "Golden Cove, where a count fell short by what its flood was held up" },
  { "misfit_farthest", 3.5, "standard deviations", "above; what is further has uops on the ports", best_fit },
  { "misfit_dear", 6.0, "squared standard deviations", "price of a count above that has uops on the ports, at most",
    "binders were seen to lose several cycles" },

  -- blocking/asking, blocking/fit, blocking/attribute
  { "asking_refuted", 9.0, "squared standard deviations", "more against an answer than against the best: it is refuted. The price of no load, too",
    best_fit },
  { "fit_tried", 15000, "choices", "that the search looks at", "chosen for the time that it takes",
    lacks = "searches without an end: very many uops and sets of ports" },
  { "answers_apart", 0.3, "uops", "by which two answers must differ for a count to tell them apart; smaller counts are not told", best_fit },

  -- blocking/prior: prices in squared standard deviations
  { "price_odd", 2.0, "price a uop", "beyond uncertain bounds, or too few for the time alone; by which an unlikely answer must be better", best_fit },
  { "price_unlike", 3.0, "price a uop", "more or less than the operation on registers has with its memory access; a write without a store",
    best_fit },
  { "price_mnemonic", 9.0, "price", "other uops than the same operation has on other registers", "that of hypotheses that need no other flood" },
  { "price_second_unit", 9.0, "price a uop", "more than the one issue slot: a second unit that it keeps busy", "that of a wrong relative" },
  { "price_category", 2.0, "price", "other uops than one of the same category has on the same kinds of operands",
    "4 claimed three wrong loads on a Neoverse N1, 2 one" },
  { "price_fewer", 0.5, "price a uop", "less than there may be: a uop that shares an issue slot is the rule", best_fit },

  -- blocking/refine
  { "refine_clear", 4.0, "squared standard deviations", "price of an answer that is poor", best_fit },
  { "lead_least", 1.0, "squared standard deviations", "by which an answer must be ahead, on a core that binds perfectly", best_fit },
  { "lead_greed", 2.5, "squared standard deviations", "more for each uop that binding costs", best_fit },
  { "lead_most", 5.9, "squared standard deviations", "asked for at most", "chosen when mixtures that are not balanced were left out" },
  { "refine_nearest", 0.5, "uops", "by which a count is nearer to another number: it bounds nothing",
    "whole numbers: half of one" },

  -- stages/several_uops, stages/consistency, stages/inputs, stages/agreement, stages/evaluate
  { "uops_low", 2.5, "standard deviations", "of a count below the model's number, which contradicts", best_fit },
  { "uops_microcode", 0.6, "share of its slots' time", "that a scheme adds to any flood, from which on it is microcoded", chosen,
    lacks = "microcode" },
  { "uops_shown", 3, "floods", "that are evidence of a scheme without uops on any", chosen },
  { "consistent_faster", 0.96, "share of the model's time", "below which a time contradicts the ports, or the sum of two that have the same", chosen,
    lacks = "readings that are several percent off" },
  { "consistent_slower", 1.1, "share of the model's time", "above which a scheme is slower than ports or slots, and an answer has a price",
    "nop takes 1.08 slots on a Raptor Cove, as code of one byte an instruction fills caches of uops unevenly; one port of five less is 1.2" },
  { "consistent_companions", 2.2, "factor", "the same for schemes with companions, which are decoded one by one",
    "fcmove alone, a chain, takes 1.0 cycles on Golden Cove, with its companions 2.0", lacks = "decoders" },
  { "mixture_slower", 1.25, "factor", "by which a mixture is slower than what was found, from which on it refutes that, if others are not slow",
    "greedy binders, simulated" },
  { "beyond_ports", 1.12, "factor",
    "the same where binding does not matter or is as unwise as can be, or compared with controls, or with the same uops of others",
    "chimeras; one port of seven less is 1.17" },
  { "mixtures_refute", 0.25, "share of the claims", "that mixtures refute, from which on the others are assumed, too",
    "chimeras: where what all claims rest on was wrong, 30 to 90% were refuted, on named cores 9% at most" },
  { "times_differ", 0.05, "share of the cycles", "by which times differ: with other values, of a class among NOPs, of loads, of NOPs",
    "NOPs and loads repeat within 1%; on Zen 5 cmp, lea and vpaddd lose 8 to 34% among NOPs, narrower classes 3% at most" },
  { "fusion_saved", 0.7, "slots", "that a compare beside its jump takes less than apart from it, from which on the two fuse",
    "a fused pair saves one slot", apart = "simulated processors have no front end to ask" },
  { "length_changing_least", 0.5, "cycles", "that a prefix must cost to be told from noise", "prefixes cost 3 to 6 cycles where they cost any",
    apart = "simulated processors have no front end to ask" },
  { "sync_least", 0.25, "cycles", "that a moved stack pointer must come later to be told from noise", "a Zen 5 takes a whole cycle",
    apart = "simulated processors have no front end to ask" },
  { "agreement_finer", 4.0, "factor", "by which a witness is measured again more precisely than its tolerance", chosen },
}

local constants = { all = all }
for _, c in ipairs(all) do constants[c[1]] = c[2] end

return setmetatable(constants, { __index = function(_, name) error(("there is no constant '%s'"):format(tostring(name)), 2) end })
