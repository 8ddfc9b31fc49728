--- This table says when to measure again, when to believe, when to give up: it has all rules by which an experiment is asked more than once.
--
-- The engine itself decides what one answer needs (engine/bench/estimate.h): readings until enough of them are expected to be
-- undisturbed, as many as its budget of visits allows. This is asked again after that, and for these reasons:
--
-- | rule | who follows it | what it is for |
-- | --- | --- | --- |
-- | `undecided` | whatever measures: `processor/answer.lua` | the machine was too noisy: asked again while there is time |
-- | `faint` | charts: `measuring/ask.lua` | an answer that rests on hardly any readings: asked again until three agree |
-- | `precise` | charts: `measuring/ask.lua` | readings of a noisy processor: as many as their median needs |
-- | `suspicious` | cegis, grow: `measuring/suspicious.lua` | slower than its schemes alone explain: must be so twice; a third decides |
-- | `contradicting` | cegis, grow: `measuring/suspicious.lua` | contradicts all mappings: taken anew, the middle one counts |
-- | `agreement` | charts: `measuring/agreement.lua` | what a claim rests on: measured once more, and a third time where that differs |
-- | `counts` | uop sources: `measuring/counting.lua` | events that must be whole numbers: anew until most readings agree |
-- | `counts` | uops-info: `infer/uops_info/port_meter.lua` | counts of one or two samples only: as many readings as make a median |
-- | `chains` | latencies: `infer/latency/meter.lua` | a time near no whole number, or that contradicts: anew, the middle one counts |
-- | `slots` | charts: `measuring/slots.lua` | issue slots: anew until they are near a whole number |
--
-- A reading that settles by none of these is set aside, and its scheme classed as what it is: unstable.
-- @module portolan.measuring.policy
return {
  undecided = {
    tries = 2, -- in any case; after these only while there is time to wait
  },
  faint = {
    readings = 5, -- an answer that rests on fewer, of many, is not believed at once
    agree = 0.02, -- relative difference of readings that agree
    enough = 3,   -- readings that have to agree
    most = 10,    -- readings in all; then the fastest counts: noise makes readings slower, not faster
  },
  precise = {
    deviation = 0.005, -- relative standard deviation wanted of a reading, unless asked otherwise
    most = 100,        -- readings
    learned = 8,       -- experiments read twice, from which on they say themselves how noisy they are
    clear = 3,         -- standard deviations by which a time is clear of a threshold
  },
  foreign = {
    resolution = 0.01, -- cycles an instruction that readings of other programs, and records of them, resolve
  },
  suspicious = {
    far = 0.05, -- relative distance of readings of which one must be off; slowness that is a sign
  },
  contradicting = {
    readings = 3,
  },
  agreement = {
    rounds = 2, -- that have to disagree with the first reading
    two_rates = 0.06, -- share by which code that has two rates may be slower than what the claim says, and agree
  },
  counts = {
    tolerance = 0.3, -- a count is taken for the whole number that it is this close to
    samples = 3,     -- a reading that is the median of so many samples needs no second one
    most = 7,        -- readings of one count
  },
  chains = {
    readings = 3, -- in all
  },
  slots = {
    most = 9,  -- readings
    tries = 3, -- for a reading at all
    apart = 4, -- standard deviations of a reading by which noise may set two paddings apart
    steady = 3, -- readings that agree within half the distance from a whole number that is asked for: they are what they are
  },
}
