import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { Weigh } from './cost.ts'
import type { ContractFinding } from './finding.ts'
import { breaks, deadGuards, overlaps } from './guards.ts'
import { type Model, modelOf } from './model.ts'
import type { StepsLeft } from './narrow.ts'
import { COUNTED_MAX } from './rates.ts'
import { type ContractReach, reachOf } from './reach.ts'
import { searchFor } from './search.ts'
import { deadStates, endlessAlways, unusedOf } from './shape.ts'
import { neverDue, tooFast, withinBudget } from './spending.ts'

/** Nodes looked at, for each part of the work: beyond, its answers are `unknown`. Some 20 ns each. */
const STEPS = {
  reach: 800_000,
  guards: 600_000,
  overlaps: 800_000,
  claims: 400_000,
  always: 200_000,
  search: 500_000,
} as const

/** Where the clock of a search begins, in Unix seconds, when nobody says: 2026. */
const START_SECONDS = 1_767_225_600

const counted = (steps: number): string => (steps === 1 ? 'one step' : `${steps} steps`)

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

export interface CheckedContract {
  /** Faults first, then warnings, then notes; each in the order in which they were found. */
  readonly findings: readonly ContractFinding[]
}

const ORDER = ['fault', 'warning', 'note'] as const

/** Claims, each with what came of it, and transitions of `always` that do not end. */
const played = (
  model: Model,
  reach: ContractReach,
  { from = START_SECONDS, zones = {} }: CheckOptions,
): readonly ContractFinding[] => {
  const steps: StepsLeft = { left: STEPS.claims }
  const { claims } = model.definition
  const open = claims.flatMap(({ never }, i) => (breaks(model, never, { reach, steps }) === 'never' ? [] : [i]))
  const endless = endlessAlways(model, reach, { left: STEPS.always })
  const looked = open.length > 0 || endless.length > 0
  const search = { claims: open, endless: endless.length > 0, from, zones, steps: { left: STEPS.search } }
  const found = looked ? searchFor(model, reach, search) : undefined
  const trace = found?.endless
  return [
    ...endless.map(
      (it): ContractFinding => (trace === undefined ? it : { ...it, answer: 'refuted', severity: 'fault', trace }),
    ),
    ...claims.map(({ never }, i): ContractFinding => {
      const path = `/claims/${i}/never`
      if (!open.includes(i))
        return { rule: 'claim', path, answer: 'proved', severity: 'note', reason: `This never holds: ${never}` }
      const steps = found?.claims.get(i)
      if (steps === undefined) {
        const reason = `It could neither be proved nor refuted that this never holds: ${never}`
        return { rule: 'claim', path, answer: 'unknown', severity: 'warning', reason }
      }
      const reason = `This holds after ${counted(steps.length)}: ${never}`
      return { rule: 'claim', path, answer: 'refuted', severity: 'fault', reason, trace: steps }
    }),
  ]
}

/**
 * Finds out what can go wrong with a contract before it runs. What is `proved` follows from sound reasoning over all
 * contexts, data and readings that fit their declarations; a witness was tried on the expressions themselves. Nothing
 * here depends on a clock, so the same definition has the same findings everywhere.
 *
 * @param definition in its normal form, without faults of the linter.
 */
export const checkContract = (definition: Definition, options: CheckOptions): CheckedContract => {
  const model = modelOf(definition)
  const { from, zones = {}, priceOf, secondsOf } = options
  const reach = reachOf(model, { left: STEPS.reach })
  const found = [
    ...deadStates(model, reach),
    ...deadGuards(model, reach, { left: STEPS.guards }),
    ...overlaps(model, reach, { left: STEPS.overlaps }),
    ...unusedOf(model),
    ...(secondsOf === undefined ? [] : tooFast(model, secondsOf)),
    ...played(model, reach, options),
  ]
  if (from !== undefined) {
    const clocks = { timezone: definition.timezone, zones, from, counted: { left: COUNTED_MAX } }
    found.push(...neverDue(model, clocks))
    if (priceOf !== undefined) found.push(...withinBudget(model, clocks, priceOf))
  }
  return { findings: ORDER.flatMap((severity) => found.filter((it) => it.severity === severity)) }
}

/** What keeps a contract from being deployed, as faults of its definition. */
export const deployFaults = (findings: readonly ContractFinding[]): readonly ContractFault[] =>
  findings.filter(({ severity }) => severity === 'fault').map(({ path, reason }) => ({ path, reason }))
