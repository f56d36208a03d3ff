import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { CHAIN_FILE_FORMAT, type ChainFile } from '#core/chain-file.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { type Cause, contractDigest, fireId } from '#core/contract/cause.ts'
import { CONTRACT_EXPORT_FORMAT, type ContractExport } from '#core/contract/export.ts'
import type { FireProblem, FireReading, FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { digest, purposes } from '#core/digest.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { type Entry, entryHash, entryLeaf, headLeaf, machineIdHash } from '#core/machine.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { zoneDigest } from '#numerics/contracts/cron/cron.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import {
  type ComputeOutcome,
  contextDigest,
  decide,
  refusedFor,
  type Stimulus,
} from '#numerics/contracts/fire/decide.ts'
import { type Due, decidedTick, nextDue } from '#numerics/contracts/fire/dues.ts'
import type { ComputeOrder } from '#numerics/contracts/fire/effects.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import type { Recomputed } from '#numerics/contracts/fire/replay.ts'
import { treeOf } from '../../../../scripts/vectors/sample.ts'
import { NOW, readyOf, UTC } from './drawn.ts'

/** A contract that runs by hand: it writes rows and a chain as a node does, from decisions alone. */

const SEED = new Uint8Array(32).fill(7)
/** The public key under which the chains of this file are signed. */
export const KEY = toHex(publicKeyOfSeed(SEED))
const GENESIS_TICK = NOW - 1_000
const ORIGIN = `tickmesh.log/${nodeIdOf(publicKeyOfSeed(SEED))}/${GENESIS_TICK}`
const SLUG = 'pump-7'
const GENESIS = 'ab'.repeat(32)
const ID = 'a1'.repeat(16)
const ID_HASH = machineIdHash(SLUG, GENESIS)
export const CONTRACT = contractDigest(ID_HASH, ID)

type Distributed<T> = T extends unknown ? Omit<T, 'no' | 'tick' | 'mesh_tick'> : never
type Decided = Extract<FireRow, { outcome: 'fired' | 'refused' | 'failed' }>
/** What a fire is told beside its cause. */
interface Told {
  readonly due?: number | null
  readonly readings?: readonly FireReading[]
  readonly problem?: FireProblem
  readonly asked?: string
}

/** A computation that needs no solver: one more than what it is given. */
export const plusOne = ({ inputs, bind }: ComputeOrder): Extract<Recomputed, { kind: string }> => {
  const n = Number(inputs['n']) + 1
  return {
    kind: 'plus-one',
    inputs_digest: digest(purposes.inputs, inputs as Json),
    result_digest: digest(purposes.result, { n }),
    bound: Object.fromEntries(Object.keys(bind).map((name) => [name, n])),
  }
}

const chainOf = (entries: readonly Entry[]): ChainFile => {
  const root = toHex(rootFrom(treeOf(entries.map((it) => leafHash(entryLeaf(it)))), entries.length))
  const last = entries.at(-1) as Entry
  const head = { id_hash: ID_HASH, seq: last.seq, hash: entryHash(last), size: entries.length, root }
  const log = [leafHash(utf8('another')), leafHash(headLeaf(head))]
  const tree = treeOf(log)
  const checkpoint = signCheckpoint({ origin: ORIGIN, size: 2, root: rootFrom(tree, 2) }, publicKeyOfSeed(SEED), SEED)
  const proof = { head, head_index: 1, head_path: inclusionProof(tree, 1, 2).map(toHex), checkpoint }
  return { format: CHAIN_FILE_FORMAT, slug: SLUG, genesis_hash: GENESIS, entries, proof }
}

/** Where a contract that is run by hand stands, and what it wrote. */
interface Hand {
  readonly versions: ReadyContract[]
  readonly rows: FireRow[]
  readonly entries: Entry[]
  readonly events: ContractExport['events'][number][]
  ready: ReadyContract
  now: number
  standing: ContractStanding
  heard: Readonly<Record<string, number>>
}

const enter = (it: Hand, type: string, body: Json): number => {
  const { entries, now } = it
  const before = entries.at(-1)
  const previous = before === undefined ? GENESIS : entryHash(before)
  entries.push({ seq: entries.length, previous, tick: now - GENESIS_TICK, type, body })
  return entries.length - 1
}

const addRow = ({ rows, now }: Hand, said: Distributed<FireRow>): void => {
  rows.push({ no: rows.length, tick: now - GENESIS_TICK, mesh_tick: now, ...said } as FireRow)
}

const change = (it: Hand, what: string): void => {
  const { state, entered, context, marks } = it.standing
  const [version_no, row] = [it.versions.length, it.rows.length]
  const type = what === 'created' ? 'contract_created' : 'contract_changed'
  const seq = enter(it, type, { contract: CONTRACT, what, version_no, version: it.ready.version, row })
  const details = { state, entered, context, marks, seqs: it.heard, seq }
  addRow(it, { outcome: 'changed', what, by: 'zid', version_no, details })
}

type Said = Omit<Decided, 'no' | 'tick' | 'mesh_tick' | 'seq'>

const bodyOf = (said: Said, decided: number): Json => {
  const { version, fire, cause, outcome, from, to, steps, before, after, event, outbox, attempt } = said
  return {
    ...{ contract: CONTRACT, version, fire, cause, outcome, from, to, transition: steps[0] ?? null, steps },
    ...{ context: { before, after }, data: event === null ? null : digest(purposes.eventData, event.data) },
    readings: said.readings.map(({ oracle, tick, source, basis }) => ({ oracle, tick, source, basis })),
    computations: said.computations.map(({ bound: _, ...it }) => it),
    ...{ outbox, attempt, decided },
  } as unknown as Json
}

/** Decides, with every computation that it asks for. */
const decided = ({ ready, standing }: Hand, stimulus: Stimulus, problem: FireProblem | undefined) => {
  const outcomes: ComputeOutcome[] = []
  const computations: Decided['computations'][number][] = []
  let decision = decide(ready, standing, stimulus, outcomes)
  while (decision.kind === 'compute' && problem === undefined) {
    const { bound, ...said } = plusOne(decision.order)
    computations.push({ ...said, token_id: '0'.repeat(32), bound: bound as Readonly<Record<string, Scalar>> })
    outcomes.push({ bound })
    decision = decide(ready, standing, stimulus, outcomes)
  }
  if (problem !== undefined) decision = refusedFor(ready, standing, { stimulus, steps: [], problem })
  if (decision.kind === 'compute') throw new Error('it computes on')
  return { decision, computations: decision.kind === 'fired' ? computations : [] }
}

const eventIn = (of: Stimulus['of']): Decided['event'] => {
  const event = of.kind === 'event' ? { name: of.name, data: of.data } : of.kind === 'transition' ? of.event : undefined
  return (event ?? null) as Decided['event']
}

/** Decides, and writes the row and the entry of what came of it. */
const fire = (it: Hand, of: Stimulus['of'], cause: Cause, { due = null, ...told }: Told = {}): FireRow | undefined => {
  const { ready, now, standing, heard } = it
  const { readings = [], problem, asked = null } = told
  const id = fireId(CONTRACT, cause)
  const values = Object.fromEntries(readings.map(({ oracle, value }) => [oracle, value]))
  const stimulus: Stimulus = { fire: id, cause, tick: now, due, attempt: 0, of, readings: values }
  const { decision, computations } = decided(it, stimulus, problem)
  it.standing = decision.after
  if (decision.kind === 'none') return undefined
  const { kind: outcome, from, to, steps, after } = decision
  const trigger = 'trigger' in cause ? ready.triggers.get(cause.trigger) : undefined
  const said: Said = {
    ...{ outcome, fire: id, cause, by: 'clock', version_no: it.versions.length, version: ready.version, due },
    ...{ attempt: 0, lateness_ticks: trigger === undefined || due === null ? 0 : now - decidedTick(trigger, due) },
    ...{ event: eventIn(of), at: of.kind === 'event' ? of.at : null, asked, heard, readings, from, to, steps },
    ...{ computations, charged: 0, took_ms: 0, problem: decision.kind === 'refused' ? decision.problem : null },
    ...{ context: after.context, before: contextDigest(standing.context), after: contextDigest(after.context) },
    outbox: decision.kind === 'fired' ? decision.effects.filter(({ kind }) => kind === 'notify').length : 0,
  }
  const moved = outcome === 'fired' || from !== to
  addRow(it, { ...said, seq: moved ? enter(it, 'contract_fire', bodyOf(said, now)) : null })
  return it.rows.at(-1)
}

const nextOf = ({ ready, standing }: Hand): Due => {
  const due = nextDue(ready, standing, NOW)
  if (due === undefined) throw new Error('nothing is due')
  return due
}

const missed = (it: Hand, count: number): void => {
  const { trigger, due } = nextOf(it)
  const of = it.ready.triggers.get(trigger)?.trigger
  if (of?.kind !== 'recurring') throw new Error('it is not recurring')
  const to = due + (count - 1) * of.every_ticks
  it.now = to
  it.standing = { ...it.standing, marks: { ...it.standing.marks, [trigger]: to } }
  addRow(it, { outcome: 'missed', trigger, from: due, to, count, reason: 'down' })
}

const patched = (it: Hand, next: unknown, moved: Partial<ContractStanding>): void => {
  const rules = it.ready.definition.windows
  it.ready = readyOf(next)
  it.versions.push(it.ready)
  const same = (name: string): boolean =>
    JSON.stringify(rules[name]) === JSON.stringify(it.ready.definition.windows[name])
  const windows = Object.fromEntries(Object.entries(it.standing.windows).filter(([name]) => same(name)))
  it.standing = { ...it.standing, windows, ...moved }
  change(it, 'patched')
}

const exported = ({ versions, rows, events, entries }: Hand): ContractExport => {
  const zones = { UTC: zoneDigest(UTC) }
  const said = versions.map(({ definition, version }, i) => ({ no: i + 1, version, definition, zones }))
  return structuredClone({
    ...{ format: CONTRACT_EXPORT_FORMAT, id: ID, id_hash: ID_HASH, slug: SLUG, genesis: GENESIS, versions: said },
    ...{ zones: { [zoneDigest(UTC)]: UTC }, rows, events, chain: chainOf(entries) },
  })
}

/** Begins a contract by hand, as of tick `NOW`. */
export const byHand = (definition: unknown) => {
  const ready = readyOf(definition)
  const it: Hand = {
    ...{ versions: [ready], rows: [], entries: [], events: [], ready, now: NOW, heard: { [SLUG]: -1 } },
    standing: beginning(ready, CONTRACT, NOW),
  }
  change(it, 'created')
  return {
    /** The next due instant is decided. */
    due: (told: Told = {}): FireRow | undefined => {
      const { kind, trigger, due, tick } = nextOf(it)
      it.now = Math.max(it.now, tick)
      const cause = kind === 'after' ? { trigger, entered: it.standing.entered.fire } : { trigger, due }
      return fire(it, { kind: 'trigger', trigger }, cause, { ...told, due })
    },
    /** An event of the machine's own chain. */
    event: (name: string, data: Readonly<Record<string, Scalar>>, told: Told = {}): FireRow | undefined => {
      it.now += 1
      const seq = enter(it, 'event', { event: name, data_digest: digest(purposes.eventData, data) })
      it.events.push({ slug: SLUG, seq, at: it.now, name, data })
      it.heard = { ...it.heard, [SLUG]: seq }
      return fire(it, { kind: 'event', name, from: null, data, at: it.now }, { slug: SLUG, seq }, told)
    },
    now: () => fire(it, { kind: 'now' }, { key: `now ${it.rows.length}` }),
    asked: (id: string) => fire(it, { kind: 'transition', id }, { key: `asked ${it.rows.length}` }, { asked: id }),
    /** So many instants of what is due next are not decided. */
    missed: (count: number) => missed(it, count),
    patched: (next: unknown, moved: Partial<ContractStanding> = {}) => patched(it, next, moved),
    exported: () => exported(it),
  }
}
