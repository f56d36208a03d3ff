import type { FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { type ContractRequest, findContract, needs } from '#domain/contracts/finding.ts'
import type { VerifiedView } from '#domain/contracts/views/firing.ts'
import { eventOf } from '#domain/machines/event-data.ts'
import { contextDigest, type Decision, decide, refusedFor } from '#numerics/contracts/fire/decide.ts'
import type { ComputeOutcome } from '#numerics/contracts/fire/effects.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { carriedWindows } from '#numerics/contracts/fire/replay-place.ts'
import { beganFrom, type StoodPlace, settled } from '#numerics/contracts/fire/settled.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import type { ContractRow, WaitingFire } from '#store/rows/contract.ts'
import { heardOnly } from './begin.ts'
import { freshFire, stimulusOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** Rows after which others have their turn. */
const PAUSE_EVERY = 256

type Decided = Extract<FireRow, { readonly outcome: 'fired' | 'refused' | 'failed' }>

/** What nothing but the moment of the commit could see: such a refusal is taken as its row says it. */
const SEEN_LATE: ReadonlySet<string> = new Set(['budget', 'credits', 'transfer', 'gate', 'chain', 'value', 'range'])

/** Where a contract stands between two of its rows, and how far it has heard its machine. */
interface Place extends StoodPlace {
  readonly seqs: Readonly<Record<string, number>>
  /** Mesh tick in which the version took over. */
  readonly since: number
  /** Tables that took the place of those of each version. */
  readonly zones: Readonly<Record<number, Readonly<Record<string, string>>>>
  /** Where it stood before each change by hand since its last fire. */
  readonly stood: readonly StoodPlace[]
}

const fireOf = (row: ContractRow, it: Decided): WaitingFire => ({
  ...freshFire(row, { cause: it.cause, by: it.by, since: it.mesh_tick }),
  ...{ due: it.due, event: it.event, transition: it.asked, attempt: it.attempt, at: it.at },
})

/** After these a contract hears what follows their own entries, and nothing of before. */
const LISTENS_FROM: ReadonlySet<string> = new Set(['created', 'started', 'resumed'])

/** What a row says of where a contract stood from then on: that a person put it there, by which version. */
const saidBy = (slug: string, row: Extract<FireRow, { outcome: 'changed' }>, place: Place): Place => {
  const { version_no, mesh_tick } = row
  const { state, context, entered, marks, seq } = row.details as unknown as Partial<ContractStanding> & { seq?: number }
  const standing = {
    ...place.standing,
    ...(state === undefined ? {} : { state }),
    ...(context === undefined ? {} : { context }),
    ...(entered === undefined ? {} : { entered }),
    ...(marks === undefined ? {} : { marks }),
  }
  const listens = seq !== undefined && LISTENS_FROM.has(row.what)
  return {
    ...{ ...place, standing, version_no, since: version_no === place.version_no ? place.since : mesh_tick },
    seqs: listens ? { ...place.seqs, [slug]: seq } : place.seqs,
    stood: [...place.stood, { standing: place.standing, version_no: place.version_no }],
  }
}

/** What a row says of the clock of a zone from then on. */
const clockedBy = ({ zone, after }: Extract<FireRow, { outcome: 'zone_changed' }>, place: Place): Place => {
  const { version_no, zones } = place
  return { ...place, zones: { ...zones, [version_no]: { ...zones[version_no], [zone]: after } } }
}

const sameSteps = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join()

/** In what a decision is not what its row says; undefined where it is. */
const differenceOf = (it: Decided, decision: Decision): string | undefined => {
  const { outcome } = it
  if (decision.kind === 'none') return 'it took no transition'
  if (decision.kind === 'compute') return 'it has computations fewer than it would run'
  if ((decision.kind === 'fired') !== (outcome === 'fired'))
    return `it is ${decision.kind}, and the row says ${outcome}`
  if (decision.from !== it.from || decision.to !== it.to) return `it goes from ${decision.from} to ${decision.to}`
  if (!sameSteps(decision.steps, it.steps)) return `its transitions are ${decision.steps.join(', ')}`
  return contextDigest(decision.after.context) === it.after ? undefined : 'it leaves another context'
}

/** Creates what decides one row again, on what its contract had heard. */
const createAgain = (context: EngineContext) => {
  const { store } = context
  /** What windows heard between two rows. */
  const heard = async (
    row: ContractRow,
    ready: ReadyContract,
    place: Place,
    it: Decided,
  ): Promise<ContractStanding> => {
    let { standing } = place
    if (Object.keys(ready.definition.windows).length === 0) return standing
    for (const [slug, last] of Object.entries(it.heard)) {
      const isOwn = 'slug' in it.cause && it.cause.slug === slug && it.at !== null
      const first = (place.seqs[slug] ?? last) + 1
      const range = { gte: keyOf(slug, seqKey(first)), lt: keyOf(slug, seqKey(last + (isOwn ? 0 : 1))) }
      for await (const [, entry] of store.range('machineEntry', range)) {
        const event = eventOf(context, slug, entry)
        if (event === undefined) continue
        const { seq, tick } = entry.entry
        const at = store.genesisMeshTick + tick
        const fire = freshFire(row, { cause: { slug, seq }, by: '', since: at, event, at })
        standing = heardOnly(ready, standing, stimulusOf(row, fire, { tick: it.mesh_tick, readings: [] }))
      }
    }
    return standing
  }

  const again = (row: ContractRow, ready: ReadyContract, standing: ContractStanding, it: Decided): Decision => {
    const { mesh_tick: tick, readings, computations, problem } = it
    const stimulus = stimulusOf(row, fireOf(row, it), { tick, readings })
    const outcomes: ComputeOutcome[] = computations.map(({ bound }) => ({ bound }))
    const decision = decide(ready, standing, stimulus, outcomes)
    if (problem === null || decision.kind === 'refused' || decision.kind === 'none') return decision
    if (!SEEN_LATE.has(problem.reason)) return decision
    return refusedFor(ready, standing, { stimulus, steps: it.steps, problem })
  }

  return { heard, again }
}

/** Creates what goes from one row to the next. */
const createStep = (context: EngineContext) => {
  const { contracts } = context
  const { heard, again } = createAgain(context)

  const readyOf = ({ id }: ContractRow, { zones }: Place, version_no: number): ReadyContract => {
    const changed = zones[version_no]
    return contracts.ready({ id, version_no, ...(changed && { zones: changed }) })
  }

  /** Where a fire led, though a person may have moved its contract on beside it. */
  const led = (
    row: ContractRow,
    place: Place,
    of: { it: Decided; began: ContractStanding; after: ContractStanding },
  ) => {
    const { it, began, after } = of
    const context = it.context as Record<string, Scalar>
    const moved = { ...place, seqs: it.heard, stood: [] }
    if (place.stood.length === 0) return { ...moved, standing: { ...after, context } }
    const [by, now] = [it.version_no, place.version_no].map((no) => readyOf(row, place, no)) as [
      ReadyContract,
      ReadyContract,
    ]
    const isNext = it.version_no === place.version_no || it.version_no + 1 === place.version_no
    const standing = settled(now, place.standing, { by, began, after, since: place.since, isNext })
    const windows = carriedWindows(by.definition, now.definition, after.windows)
    return { ...moved, standing: { ...standing, windows, context } }
  }

  /** One fire again. @returns where it leads, or in what it differs. */
  return async (row: ContractRow, place: Place, it: Decided): Promise<Place | string> => {
    const { standing: stands, version_no, stood } = place
    const places = [...stood, { standing: stands, version_no }]
    const from = beganFrom(places, it) ?? places.findLast((of) => of.version_no === it.version_no)
    if (from === undefined) return 'its version had not begun'
    const ready = readyOf(row, place, it.version_no)
    const began = await heard(row, ready, { ...place, standing: from.standing }, it)
    if (contextDigest(began.context) !== it.before) return 'it begins with another context'
    if (it.problem?.reason === 'node') {
      const moved = it.from !== it.to || it.after !== it.before
      return moved ? 'it moved its contract undecided' : led(row, place, { it, began, after: began })
    }
    const decision = again(row, ready, began, it)
    const what = differenceOf(it, decision)
    if (what !== undefined || !('after' in decision)) return what ?? 'it cannot be decided'
    return led(row, place, { it, began, after: decision.after })
  }
}

/** Creates what decides every row of an audit again, from the rows alone. */
export const createVerify = (context: EngineContext) => {
  const { store } = context
  const reader = { get: store.peek }
  const step = createStep(context)

  const walk = async (row: ContractRow): Promise<VerifiedView> => {
    let place: Place = {
      ...{
        standing: { ...row.standing, windows: {}, marks: {} },
        version_no: 1,
        seqs: {},
        since: 0,
        zones: {},
        stood: [],
      },
    }
    let [rows, decided] = [0, 0]
    const differs = (no: number, what: string): VerifiedView => ({
      ...{ id: row.id, rows, decided, equal: false, differs: { no, what } },
    })
    for await (const [, it] of store.range('contractFire', under(row.id))) {
      if (it.no !== rows) return differs(rows, 'the row is missing')
      rows += 1
      if (rows % PAUSE_EVERY === 0) await new Promise((resolve) => setImmediate(resolve))
      if (it.outcome === 'changed') place = saidBy(row.slug, it, place)
      if (it.outcome === 'zone_changed') place = clockedBy(it, place)
      if (it.outcome !== 'fired' && it.outcome !== 'refused' && it.outcome !== 'failed') continue
      const next = await step(row, place, it)
      if (typeof next === 'string') return differs(it.no, next)
      decided += 1
      place = next
    }
    if (rows !== row.rows) return differs(rows, `there are ${rows} rows, and ${row.rows} were written`)
    return { id: row.id, rows, decided, equal: true, differs: null }
  }

  return {
    /** Decides every row of the audit again; names the first that differs. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    verify: (asking: ContractRequest): Promise<VerifiedView> => walk(findContract(reader, asking, needs.own).row),
  }
}
