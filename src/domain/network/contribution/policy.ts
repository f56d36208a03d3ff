import { DUTY_TICKS_MIN, OPEN_BY_ONE_MAX, OVER_ONE_WORK_MAX, RANKS_MAX, REVEAL_TICKS } from '#core/dispute/rules.ts'
import { RATE_DEFAULT, RATE_MIN, RATE_NEW } from '#core/work/audit.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { ESTIMATE_TICKS_MAX, UNITS_PER_TICK } from '#core/work/estimate.ts'
import { BOND_WORKS_MAX, DISPUTE_TICKS, SERVE_TICKS, UNCHECKED_TICKS_MAX } from '#core/work/exposure.ts'
import { SAMPLES_DEFAULT, SAMPLES_STRICT } from '#core/work/samples.ts'
import type { ContributionPolicy } from '#domain/network/views/contribution.ts'
import { CENSUS_LEAST } from './census.ts'

/** What contributing promises and what it does not (trust.md, What is promised). */
const said: readonly string[] = [
  "Promised: no value outside 0.1 % by the requester's own check.",
  'Promised: every challenged wrong work whose data can be had is proven at each node that has the code.',
  'Promised: no honest bond is lost: a bond falls by a re-execution of the node that withholds it, never by votes.',
  'Not promised: that a bond deters where anybody mints: on one’s own node 1,000 envelopes cost a second.',
  'Not promised: secrecy of contributed inputs, bits of unaudited whole-run works, or records that are free of Sybils.',
]

/** The public rules, by the constants that node, verifier and simulator run. */
export const policyOf = (policy: string): ContributionPolicy => ({
  policy,
  bond_envelopes: BOND_TOKENS,
  works_open_max: BOND_WORKS_MAX,
  dispute_ticks: DISPUTE_TICKS,
  serve_ticks: SERVE_TICKS,
  unchecked_ticks_max: UNCHECKED_TICKS_MAX,
  estimate_ticks_max: ESTIMATE_TICKS_MAX,
  units_per_tick: UNITS_PER_TICK,
  samples: { default: SAMPLES_DEFAULT, strict: SAMPLES_STRICT },
  audit_rate_millionths: { default: RATE_DEFAULT, least: RATE_MIN, new_worker: RATE_NEW },
  reveal_ticks: REVEAL_TICKS,
  duty_ticks_min: DUTY_TICKS_MIN,
  ranks_max: RANKS_MAX,
  open_by_one_max: OPEN_BY_ONE_MAX,
  open_over_work_max: OVER_ONE_WORK_MAX,
  census_least: CENSUS_LEAST,
  said,
})
