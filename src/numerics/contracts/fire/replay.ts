import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import type { Attestations } from '#core/contract/attest.ts'
import { fireId } from '#core/contract/cause.ts'
import type { ContractExport } from '#core/contract/export.ts'
import type { FireComputation, FireProblem, FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { beginning } from './beginning.ts'
import { contextDigest, type Decision, decide, refusedFor, type Stimulus } from './decide.ts'
import { entering } from './dues.ts'
import type { ComputeOrder, ComputeOutcome } from './effects.ts'
import type { ReadyContract } from './ready.ts'
import { agreeDue, agreeMissed, agreePassed } from './replay-dues.ts'
import { agreeCause, agreeChange, agreeEntry, feed, indexOf, type ReplayIndex } from './replay-entries.ts'
import {
  agree,
  beginningOf,
  changeTo,
  changeZone,
  Differs,
  differs,
  type ReplayPlace,
  type RowDifference,
  versionOf,
} from './replay-place.ts'
import { countReadings, type ReadingCounts } from './replay-readings.ts'
import { laterMarks, settled } from './settled.ts'

/** A computation done again: what a row would say of it, why it was refused, or why it cannot be done here. */
export type Recomputed =
  | (Omit<FireComputation, 'token_id' | 'bound'> & { readonly bound: Readonly<Record<string, Json | undefined>> })
  | { readonly refused: FireProblem }
  | { readonly unavailable: string }

/** What a replay asks of its caller. */
export interface ReplayOptions {
  readonly recompute: (order: ComputeOrder) => Recomputed
  /** What attests readings, judged by whoever knows whom to trust; the others are the node's word. */
  readonly attested?: Attestations
  /** Told before each row. */
  readonly onRow?: (row: FireRow) => void
}

/** What a replay found. */
export interface ReplayedContract {
  /** The first row that differs; null where none does. */
  readonly differs: RowDifference | null
  readonly rows: number
  /** Fires that were decided again. */
  readonly decided: number
  /** Computations done again, and those that could not be, with why. */
  readonly recomputed: number
  readonly unavailable: readonly { readonly no: number; readonly why: string }[]
  /** Refusals for what only the node saw: budgets, accounts, a full queue. */
  readonly on_word: number
  /** Attested by a verified entry of their source's chain, by the node's word alone, or without their value. */
  readonly readings: Readonly<ReadingCounts>
  /** Fires that could not be decided again, since a reading of theirs is withheld. */
  readonly undecided: number
  /** Entries of the chain that rows were held against. */
  readonly entries: number
  /** Events that windows were fed by beside those of rows. */
  readonly events: number
  readonly state: string | null
  readonly context: ContractStanding['context'] | null
}

type Decided = Extract<FireRow, { outcome: 'fired' | 'refused' | 'failed' }>
type Counts = {
  -readonly [K in 'rows' | 'decided' | 'recomputed' | 'on_word' | 'undecided' | 'entries' | 'events']: number
}

interface Walk {
  readonly index: ReplayIndex
  readonly options: ReplayOptions
  readonly place: ReplayPlace
  readonly counts: Counts
  readonly readings: ReadingCounts
  readonly unavailable: { no: number; why: string }[]
  /** Fires that have their outcome. */
  readonly fires: Set<string>
}

/** Reasons of refusals that no decision comes to by itself. */
const OF_NODE: ReadonlySet<FireProblem['reason']> = new Set(['budget', 'credits', 'transfer'])
/** Reasons that have a place in the definition when a decision comes to them, and none when the node does. */
const OF_EITHER: ReadonlySet<FireProblem['reason']> = new Set(['range', 'value', 'chain'])
/** What a gate says that is the node's, and no other's. */
const NODE_CODES: ReadonlySet<string> = new Set(['NODE_BUSY', 'NODE_STOPPING', 'WORKER_LOST'])

const isOnWord = ({ reason, path, code = '' }: FireProblem): boolean =>
  OF_NODE.has(reason) || NODE_CODES.has(code) || (OF_EITHER.has(reason) && path === undefined)

const askedOf = ({ file }: ReplayIndex, { cause, event, asked, at }: Decided): Stimulus['of'] => {
  if ('trigger' in cause) return { kind: 'trigger', trigger: cause.trigger }
  if (asked !== null) return { kind: 'transition', id: asked, ...(event === null ? {} : { event }) }
  if (event === null) return { kind: 'now' }
  return { kind: 'event', from: 'slug' in cause && cause.slug !== file.slug ? cause.slug : null, at, ...event }
}

const sameRefusal = (row: Decided, problem: FireProblem): void => {
  const recorded = row.problem
  const of = (it: FireProblem | null) =>
    it && { reason: it.reason, path: it.path ?? null, position: it.position ?? null, code: it.code ?? null }
  agree(row.no, 'problem', of(recorded), of(problem))
}

/** Does the computations of a fire again, as they are asked for. */
const redecide = (
  walk: Walk,
  row: Decided,
  of: { ready: ReadyContract; stimulus: Stimulus },
): Exclude<Decision, { kind: 'compute' }> => {
  const { ready, stimulus } = of
  const { place, options, counts, unavailable } = walk
  const outcomes: ComputeOutcome[] = []
  let decision = decide(ready, place.standing, stimulus, outcomes)
  while (decision.kind === 'compute') {
    const recorded = row.computations[decision.index]
    const again = options.recompute(decision.order)
    if ('unavailable' in again) {
      unavailable.push({ no: row.no, why: again.unavailable })
      const refused = row.problem ?? { reason: 'gate', message: again.unavailable }
      outcomes.push(recorded === undefined ? { refused } : { bound: recorded.bound })
    } else {
      counts.recomputed += 1
      if (recorded !== undefined && !('refused' in again)) {
        const { token_id: _, ...said } = recorded
        agree(row.no, `computations/${decision.index}`, said, { ...again, bound: plainBound(again.bound) })
      }
      outcomes.push(again)
    }
    decision = decide(ready, place.standing, stimulus, outcomes)
  }
  if (row.outcome === 'fired') agree(row.no, 'computations', row.computations.length, outcomes.length)
  return decision
}

/** What a row can say of what was bound: a place that is not there has no value. */
const plainBound = (bound: Readonly<Record<string, Json | undefined>>): Json =>
  Object.fromEntries(Object.entries(bound).map(([name, value]) => [name, value ?? null]))

/** The decision that a refusal by the node's word goes with: the fire would have gone on. */
const onWord = (walk: Walk, row: Decided, of: { ready: ReadyContract; stimulus: Stimulus; problem: FireProblem }) => {
  const { ready, stimulus, problem } = of
  const decision = decide(ready, walk.place.standing, stimulus, [])
  if (decision.kind === 'none' || decision.kind === 'refused')
    return differs(row.no, 'problem', { recorded: problem.reason, found: decision.kind })
  if (decision.kind === 'fired') agree(row.no, 'steps', row.steps, decision.steps.slice(0, row.steps.length))
  walk.counts.on_word += 1
  return refusedFor(ready, walk.place.standing, { stimulus, steps: row.steps, problem })
}

const agreeDecision = (row: Decided, decision: Exclude<Decision, { kind: 'compute' }>): ContractStanding => {
  const { no, outcome } = row
  if (decision.kind === 'none') return differs(no, 'outcome', { recorded: outcome, found: `none: ${decision.why}` })
  agree(no, 'outcome', outcome === 'failed' ? 'refused' : outcome, decision.kind)
  if (decision.kind === 'refused') sameRefusal(row, decision.problem)
  agree(no, 'from', row.from, decision.from)
  agree(no, 'to', row.to, decision.to)
  agree(no, 'steps', row.steps, decision.steps)
  agree(no, 'after', row.after, contextDigest(decision.after.context))
  const notified = decision.kind === 'fired' ? decision.effects.filter(({ kind }) => kind === 'notify').length : 0
  agree(no, 'outbox', row.outbox, notified)
  return decision.after
}

/** Takes over where a fire left its contract, which a person may have moved on meanwhile. */
const settle = (
  { place, index }: Walk,
  row: Decided,
  of: { readonly ready: ReadyContract; readonly began: ContractStanding; readonly after: ContractStanding },
): void => {
  const { no, version_no } = row
  const { ready: by, began, after } = of
  if (place.stood.length === 0) {
    agree(no, 'context', contextDigest(row.context), row.after)
    place.standing = { ...after, marks: laterMarks(place.standing.marks, after.marks) }
    return
  }
  const now = versionOf(index.file, place, { no, version_no: place.version_no })
  const isNext = version_no === place.version_no || version_no + 1 === place.version_no
  place.standing = settled(now, place.standing, { by, began, after, since: place.since, isNext })
}

/** What a node could not decide moves nothing but how far its contract has heard. */
const undecided = ({ place, counts }: Walk, { no, ...row }: Decided): ContractStanding => {
  const { state, context } = place.standing
  const { outcome, from, to, steps, after, outbox, computations } = row
  const said = { outcome, from, to, steps, after, outbox, computations }
  const nothing = { outcome: 'failed', from: state, to: state, steps: [], after: contextDigest(context), outbox: 0 }
  agree(no, 'outcome', said, { ...nothing, computations: [] })
  counts.on_word += 1
  return place.standing
}

/** What comes of a fire that is decided again, or, where a reading of it is withheld, what its row says. */
const ended = (
  walk: Walk,
  row: Decided,
  of: { readonly ready: ReadyContract; readonly stimulus: Stimulus; readonly withheld: boolean },
): ContractStanding => {
  const { counts, place } = walk
  const { ready, stimulus } = of
  const { problem, fire, mesh_tick: tick } = row
  if (of.withheld) {
    counts.undecided += 1
    const moved = row.outcome === 'fired' || row.from !== row.to
    const { standing } = place
    return { ...(moved ? entering(ready, standing, { state: row.to, fire, tick }) : standing), context: row.context }
  }
  if (problem?.reason === 'node') return undecided(walk, row)
  const taken = problem !== null && isOnWord(problem)
  const decision = taken ? onWord(walk, row, { ready, stimulus, problem }) : redecide(walk, row, { ready, stimulus })
  counts.decided += 1
  return agreeDecision(row, decision)
}

const again = (walk: Walk, row: Decided): void => {
  const { index, place, counts } = walk
  const { no, mesh_tick: tick, fire, cause, due, attempt } = row
  agree(no, 'fire', fire, fireId(index.contract, cause))
  const ready = versionOf(index.file, place, row)
  agree(no, 'version', row.version, ready.version)
  agreeCause(index, row)
  const withheld = countReadings(walk, ready, row)
  counts.entries += agreeEntry(index, row) ? 1 : 0
  const present = { standing: place.standing, fed: place.fed }
  const { standing, fed } = beginningOf(place, row)
  Object.assign(place, { standing, fed })
  agreeDue(walk, ready, row)
  counts.events += feed(index, place, { ready, row })
  agree(no, 'before', row.before, contextDigest(place.standing.context))
  const readings = Object.fromEntries(row.readings.map(({ oracle, value }) => [oracle, value]))
  const stimulus: Stimulus = { fire, cause, tick, due, attempt, readings, of: askedOf(index, row) }
  const began = place.standing
  const after = ended(walk, row, { ready, stimulus, withheld })
  if (place.stood.length > 0) Object.assign(place, present)
  settle(walk, row, { ready, began, after })
  agree(no, 'context', contextDigest(row.context), contextDigest(place.standing.context))
  place.stood.length = 0
}

/** A change by hand: windows are fed by what was heard until then, and what it says takes hold. */
const changed = ({ index, place, counts }: Walk, row: Extract<FireRow, { outcome: 'changed' }>): void => {
  const { heard } = row.details as { readonly heard?: Readonly<Record<string, number>> }
  const { standing, version_no, fed } = place
  place.stood.push({ standing, version_no, fed })
  const ready = versionOf(index.file, place, { no: row.no, version_no })
  if (heard !== undefined) counts.events += feed(index, place, { ready, row: { no: row.no, heard } })
  changeTo(index.file, place, row)
}

const step = (walk: Walk, row: FireRow): void => {
  if ('fire' in row) {
    if (walk.fires.has(row.fire)) differs(row.no, 'fire', { recorded: row.fire, found: 'it has an outcome before' })
    walk.fires.add(row.fire)
  }
  switch (row.outcome) {
    case 'changed':
      walk.counts.entries += agreeChange(walk.index, row) ? 1 : 0
      return changed(walk, row)
    case 'zone_changed':
      return changeZone(walk.index.file, walk.place, row)
    case 'missed':
      return agreeMissed(walk, row)
    case 'skipped':
    case 'replaced':
      return agreePassed(walk, row)
    default:
      return again(walk, row)
  }
}

/** A contract begins in the initial state of its first version, with the initial values. */
const begin = (index: ReplayIndex): ReplayPlace => {
  const { file, contract } = index
  const [first] = file.rows
  const started: ReplayPlace = {
    standing: { state: '', entered: { fire: contract, tick: 0 }, context: {}, windows: {}, marks: {} },
    ...{ version_no: 1, since: 0, stood: [], zones: new Map(), fed: new Map(), ready: new Map() },
  }
  if (first === undefined || first.outcome !== 'changed')
    return differs(0, 'outcome', { recorded: first?.outcome, found: 'changed' })
  const ready = versionOf(file, started, { no: 0, version_no: 1 })
  const { entered, state, context } = first.details as unknown as Partial<ContractStanding>
  const standing = beginning(ready, contract, entered?.tick ?? first.mesh_tick)
  agree(0, 'details.entered.fire', entered?.fire ?? contract, contract)
  agree(0, 'details.state', state ?? standing.state, standing.state)
  agree(0, 'details.context', context ?? standing.context, standing.context)
  return { ...started, standing }
}

/**
 * Decides every fire of an exported contract again, from its beginning, and does its computations again; it stops at
 * the first row in which anything differs. Whether the chain in it is one that the node's log holds is for
 * `verifyChainFile`.
 */
export const replayContract = (file: ContractExport, options: ReplayOptions): ReplayedContract => {
  const index = indexOf(file)
  const counts: Counts = { rows: 0, decided: 0, recomputed: 0, on_word: 0, undecided: 0, entries: 0, events: 0 }
  const tallies = { readings: { attested: 0, node: 0, withheld: 0 }, unavailable: [] }
  const fires = new Set<string>()
  let place: ReplayPlace | undefined
  const ended = (found: RowDifference | null): ReplayedContract => ({
    ...{ differs: found, ...counts, ...tallies },
    ...{ state: place?.standing.state ?? null, context: place?.standing.context ?? null },
  })
  try {
    place = begin(index)
    for (const row of file.rows) {
      agree(counts.rows, 'no', row.no, counts.rows)
      options.onRow?.(row)
      assert(place !== undefined, 'a contract begins before its rows')
      step({ index, options, place, counts, fires, ...tallies }, row)
      counts.rows += 1
    }
    return ended(null)
  } catch (thrown) {
    if (thrown instanceof Differs) return ended(thrown.difference)
    throw thrown
  }
}
