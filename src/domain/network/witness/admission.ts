import {
  type AddCheckpoint,
  type AddVerdict,
  checkAddCheckpoint,
  parseAddCheckpoint,
  SIZE_TYPE,
  type WitnessedHead,
} from '#core/add-checkpoint.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { type EquivocationProof, equivocationOf, logVerifierOf } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { cosignatureLine, type Verifier, verifyNote } from '#core/note.ts'
import type { Policy } from '#core/policy.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { namedLogs } from '#domain/network/standing.ts'
import type { WitnessedRow } from '#store/rows/witness.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { originHash } from './evidence.ts'

/** Logs that this witness knows: those of the policy, the event logs of its nodes with them, then those of peers. */
export const LOGS_MAX = 1_024
/** Logs of one node: seal and event log, and those of an earlier genesis. */
export const LOGS_PER_NODE_MAX = 4
/** Requests that may wait for the disk. */
const WAITING_MAX = 64
/** Requests of one node in a tick, over libp2p. */
const PER_TICK_MAX = 16

/** What a witness answers, as HTTP says it. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422 | 429 | 503
  readonly type: string
  readonly body: string
}

/** The two entrances of the witness, and what monitors read. */
export interface WitnessAdmission {
  /**
   * Answers add-checkpoint by the rules of C2SP tlog-witness. Never throws for what it was given.
   *
   * @param from the node at the far end of a stream; undefined for HTTP, whose callers are bounded elsewhere.
   */
  add(body: Uint8Array, from?: string): Promise<WitnessAnswer>
  /** The latest checkpoint it cosigned of the log with this origin hash, or undefined. */
  checkpoint(originHash: string): string | undefined
}

export interface AdmissionOptions {
  readonly store: Store
  /** The witness key, with its verifier. */
  readonly key: { readonly verifier: Verifier; readonly seed: Uint8Array }
  /** This node: it is no witness of itself. */
  readonly node: string
  readonly policy: Policy | undefined
  /** Whether a node is connected now: only such a one brings a log that was not known. */
  readonly isPeer: (node: string) => boolean
  /** Told what a refused request proved. */
  readonly accuse: (proof: EquivocationProof) => void
  readonly log: Log
  readonly meter: Meter
}

const HASH = /^[0-9a-f]{64}$/
const text = 'text/plain; charset=utf-8'
const refusal = (status: WitnessAnswer['status'], why: string): WitnessAnswer => {
  return { status, type: text, body: `${why}\n` }
}

const answerOf = (verdict: Exclude<AddVerdict, { status: 200 }>): WitnessAnswer =>
  verdict.status === 409
    ? { status: 409, type: SIZE_TYPE, body: `${verdict.size}\n` }
    : refusal(verdict.status, verdict.why)

const recordedOf = (row: WitnessedRow | undefined): WitnessedHead | undefined =>
  row === undefined || row.note === '' ? undefined : { size: row.size, root: fromHex(row.root) }

/** Keys that a log may sign with; none for a log that this witness does not know. */
const knownLogs =
  ({ store, policy, node: self, isPeer }: AdmissionOptions, own: ReadonlySet<string>) =>
  (origin: string): readonly Verifier[] => {
    const named = policy?.logs.filter(({ name }) => name === origin) ?? []
    if (named.length > 0) return named
    let log: Verifier
    try {
      log = logVerifierOf(origin)
    } catch {
      return []
    }
    const node = nodeOfLog(origin)
    if (node === self) return []
    const isKnown = own.has(origin) || isPeer(node) || store.peek('witnessed', originHash(origin)) !== undefined
    return isKnown ? [log] : []
  }

/** Takes a place for a log that was never cosigned. @returns whether there was one. */
const takePlace = (tx: Transaction, origin: string, reserved: ReadonlySet<string>): boolean => {
  if (reserved.has(origin)) return true
  const all = tx.get('witnessPlaces', 'all')?.taken ?? 0
  const node = nodeOfLog(origin)
  const own = tx.get('witnessPlaces', node)?.taken ?? 0
  if (own >= LOGS_PER_NODE_MAX || all + reserved.size >= LOGS_MAX) return false
  tx.put('witnessPlaces', 'all', { taken: all + 1 })
  tx.put('witnessPlaces', node, { taken: own + 1 })
  return true
}

/** A request whose origin is known and whose signature holds. */
interface Proven {
  readonly request: AddCheckpoint
  /** The note with the signatures that were verified alone. */
  readonly note: string
}

const proven = (request: AddCheckpoint, verifiers: readonly Verifier[]): Proven => {
  const { note } = request
  const { signatures } = verifyNote(note, verifiers)
  const kept = note.lines.filter((_, i) => {
    const { name, keyId } = note.signatures[i] as (typeof note.signatures)[number]
    return signatures.some(({ verifier }) => verifier.name === name && verifier.keyId === keyId)
  })
  return { request, note: `${note.text}\n${kept.join('')}` }
}

type Advanced = Exclude<AddVerdict, { status: 200 }> | { readonly status: 200; readonly line: string } | 'full'

/** Checks against what is recorded, and records: one plan of the single writer, so that of two pushes one wins. */
const advance =
  (
    { key, reserved }: Pick<AdmissionOptions, 'key'> & { readonly reserved: ReadonlySet<string> },
    { request, note }: Proven,
    seconds: () => number,
  ) =>
  (tx: Transaction): Advanced => {
    const { origin, size, root } = request.checkpoint
    const at = originHash(origin)
    const row = tx.get('witnessed', at)
    const verdict = checkAddCheckpoint(request, recordedOf(row))
    if (verdict.status !== 200) return verdict
    if (row === undefined && !takePlace(tx, origin, reserved)) return 'full'
    const line = cosignatureLine(request.note.text, key.verifier, key.seed, seconds())
    tx.put('witnessed', at, { origin, size, root: toHex(root), note: note + line })
    return { status: 200, line }
  }

/** Counts requests of a node in the present tick. */
const perTick = (meshTick: () => number) => {
  let tick = -1
  const counts = new Map<string, number>()
  return (node: string): boolean => {
    const now = meshTick()
    if (now !== tick) counts.clear()
    tick = now
    const count = (counts.get(node) ?? 0) + 1
    counts.set(node, count)
    return count <= PER_TICK_MAX
  }
}

/** A witness of other nodes' logs. */
export const createAdmission = (options: AdmissionOptions): WitnessAdmission => {
  const { store, policy, key, accuse, log, meter } = options
  const nodes = namedLogs(policy)
  const reserved = new Set([...nodes, ...(policy?.logs.map(({ name }) => name) ?? [])])
  const verifiersOf = knownLogs(options, nodes)
  const mayAsk = perTick(() => store.now().meshTick)
  const seconds = (): number => Number(store.now().instant / NS_PER_SECOND)
  let waiting = 0

  /** What a refused request proves, together with what was cosigned before. */
  const examine = ({ request, note }: Proven): void => {
    const row = store.peek('witnessed', originHash(request.checkpoint.origin))
    if (row === undefined || row.note === '' || request.checkpoint.size < row.size) return
    const before = { note: row.note, checkpoint: { origin: row.origin, size: row.size, root: fromHex(row.root) } }
    const path = request.oldSize === row.size ? { path: request.proof } : undefined
    try {
      const proof = equivocationOf(before, { note, checkpoint: request.checkpoint }, path)
      if (proof !== undefined) accuse(proof)
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
    }
  }

  const admitted = async (it: Proven): Promise<WitnessAnswer> => {
    const { origin, size } = it.request.checkpoint
    // What is refused now is refused in the writer too, and need not wait for it: heads only grow.
    const early = checkAddCheckpoint(it.request, recordedOf(store.peek('witnessed', originHash(origin))))
    const verdict = early.status === 200 ? await store.commit(advance({ key, reserved }, it, seconds)) : early
    if (verdict === 'full') return refusal(404, 'As many logs are known here as fit.')
    if (verdict.status === 200) {
      log.debug({ origin, size }, 'cosigned')
      return { status: 200, type: text, body: verdict.line }
    }
    if (verdict.status !== 400) examine(it)
    return answerOf(verdict)
  }

  const answer = async (body: Uint8Array, from: string | undefined): Promise<WitnessAnswer> => {
    if (from !== undefined && !mayAsk(from)) return refusal(429, 'Too many requests in one tick.')
    if (waiting >= WAITING_MAX) return refusal(503, 'Too many requests wait for the disk.')
    let request: AddCheckpoint
    try {
      request = parseAddCheckpoint(body)
    } catch (cause) {
      if (cause instanceof Fault) return refusal(400, cause.message)
      throw cause
    }
    const { origin, extensions } = request.checkpoint
    const verifiers = verifiersOf(origin)
    if (verifiers.length === 0) return refusal(404, 'This log is not known here.')
    if (extensions > 0 && origin.startsWith('tickmesh.')) return refusal(400, 'Such a log has no extension lines.')
    let it: Proven
    try {
      it = proven(request, verifiers)
    } catch (cause) {
      if (cause instanceof Fault) return refusal(403, cause.message)
      throw cause
    }
    waiting += 1
    try {
      return await admitted(it)
    } catch (cause) {
      if (cause instanceof Fault) return refusal(503, cause.message)
      throw cause
    } finally {
      waiting -= 1
    }
  }

  return {
    add: async (body, from) => {
      const answered = await answer(body, from)
      meter.count('witness_requests_total', { result: String(answered.status) })
      return answered
    },
    checkpoint: (hash) => {
      const note = HASH.test(hash) ? store.peek('witnessed', hash)?.note : undefined
      return note === '' ? undefined : note
    },
  }
}
