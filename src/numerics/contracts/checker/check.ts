import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { Weigh } from './cost.ts'
import type { Finding } from './finding.ts'
import { breaks, deadGuards, overlaps } from './guards.ts'
import { type Model, modelOf } from './model.ts'
import type { Steps } from './narrow.ts'
import { COUNTED_MAX } from './rates.ts'
import { type Reach, reachOf } from './reach.ts'
import { deadStates, endlessAlways, unusedOf } from './shape.ts'
import { neverDue, tooFast, withinBudget } from './spending.ts'

/** Nodes looked at, for each part of the work: beyond, its answers are `unknown`. Some 20 ns each. */
const STEPS = { reach: 3_000_000, guards: 2_000_000, overlaps: 3_000_000, claims: 2_000_000, always: 500_000 } as const

/** What a check is told beside the definition; whatever is left out is not looked at. */
export interface CheckOptions {
  /** Unix seconds from which triggers are looked at; what is over then is never due. */
  readonly from?: number
  /** Tables of the zones that triggers name. */
  readonly zones?: Readonly<Record<string, ZoneTable>>
  /** Credits of an action; undefined where nobody knows. */
  readonly priceOf?: Weigh
  /** Seconds of a computation on this machine; undefined where nobody knows. */
  readonly secondsOf?: Weigh
}

export interface Checked {
  /** Faults first, then warnings, then notes; each in the order in which they were found. */
  readonly findings: readonly Finding[]
}

const ORDER = ['fault', 'warning', 'note'] as const

const claimsOf = (model: Model, reach: Reach): readonly Finding[] => {
  const steps: Steps = { left: STEPS.claims }
  return model.definition.claims.map(({ never }, i): Finding => {
    const path = `/claims/${i}/never`
    const proved = breaks(model, never, { reach, steps }) === 'never'
    return proved
      ? { rule: 'claim', path, answer: 'proved', severity: 'note', reason: `This never holds: ${never}` }
      : {
          ...{ rule: 'claim', path, answer: 'unknown', severity: 'warning' },
          reason: `It could neither be proved nor refuted that this never holds: ${never}`,
        }
  })
}

/**
 * Finds out what can go wrong with a contract before it runs. What is `proved` follows from sound reasoning over all
 * contexts, data and readings that fit their declarations; a witness was tried on the expressions themselves. Nothing
 * here depends on a clock, so the same definition has the same findings everywhere.
 *
 * @param definition in its normal form, without faults of the linter.
 */
export const checkContract = (definition: Definition, options: CheckOptions): Checked => {
  const model = modelOf(definition)
  const { from, zones = {}, priceOf, secondsOf } = options
  const reach = reachOf(model, { left: STEPS.reach })
  const found = [
    ...deadStates(model, reach),
    ...deadGuards(model, reach, { left: STEPS.guards }),
    ...overlaps(model, reach, { left: STEPS.overlaps }),
    ...endlessAlways(model, reach, { left: STEPS.always }),
    ...unusedOf(model),
    ...(secondsOf === undefined ? [] : tooFast(model, secondsOf)),
    ...claimsOf(model, reach),
  ]
  if (from !== undefined) {
    const clocks = { timezone: definition.timezone, zones, from, counted: { left: COUNTED_MAX } }
    found.push(...neverDue(model, clocks))
    if (priceOf !== undefined) found.push(...withinBudget(model, clocks, priceOf))
  }
  return { findings: ORDER.flatMap((severity) => found.filter((it) => it.severity === severity)) }
}

/** What keeps a contract from being deployed, as faults of its definition. */
export const deployFaults = (findings: readonly Finding[]): readonly ContractFault[] =>
  findings.filter(({ severity }) => severity === 'fault').map(({ path, reason }) => ({ path, reason }))
