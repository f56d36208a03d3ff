import { addCheckpointBody } from '#core/add-checkpoint.ts'
import { encodeVkey, parseNote, sameKey, takeSignatureLines, type Verifier } from '#core/note.ts'
import type { Policy } from '#core/policy.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import { readStatement } from '#core/witness-key.ts'
import { cosignedOf } from '#store/cosigned.ts'
import type { CheckpointRow } from '#store/rows/log.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { WitnessCandidate } from './choose.ts'
import type { Confirmation } from './confirmation.ts'
import { keepCosignature } from './cosignatures.ts'
import { originHash } from './evidence.ts'
import type { Rollback } from './rollback.ts'
import type { PushAnswer, WitnessTransport } from './transport.ts'

/** How long a witness may take for one answer. */
const TIMEOUT_MS = 5_000

export interface AskerOptions {
  readonly store: Store
  /** This node. */
  readonly node: string
  readonly policy: Policy | undefined
  readonly policyName: string
  /** Nodes that are connected now. */
  readonly peers: () => readonly string[]
  readonly transport: () => WitnessTransport | undefined
  readonly rollback: Rollback
  readonly confirmation: Confirmation
  readonly log: Log
  readonly meter: Meter
}

/** What this process knows of one witness. */
export interface Known {
  verifier: Verifier | undefined
  busy: boolean
  /** Mesh tick before which it is not asked again. */
  rest: number
  /** Mesh tick in which it was last asked out of its turn. */
  urged: number
  /** By origin, the size it cosigned last as far as known. */
  readonly sizes: Map<string, number>
  /** Origins about which it was asked what it has. */
  readonly asked: Set<string>
  /** Origins of which it has seen no more than is here, and no less than it had signed before. */
  readonly vouched: Set<string>
}

/** What became of a request, as it is counted. */
export type Result = 'cosigned' | 'unanswered' | 'bad_answer' | 'ahead' | 'status_other' | `status_${Answered}`

/** Statuses of C2SP and of the doors before it; a witness's own invention makes no series. */
const answered = [400, 403, 404, 409, 413, 422, 429, 503] as const
type Answered = (typeof answered)[number]

const statusResult = (status: number): Result => {
  const known = answered.find((it) => it === status)
  return known === undefined ? 'status_other' : `status_${known}`
}

const sizeIn = (body: string): number | undefined => {
  const digits = /^(0|[1-9][0-9]{0,15})\n$/.exec(body)?.[1]
  return digits === undefined || !Number.isSafeInteger(Number(digits)) ? undefined : Number(digits)
}

/** The size of what a witness cosigned last; 0 where that is nothing. */
const sizeOf = (note: string): number | undefined =>
  note === '' ? 0 : sizeIn(`${parseNote(note).text.split('\n')[1]}\n`)

/** One visit: a witness, one log, its newest checkpoint. */
export interface Visit {
  readonly to: WitnessCandidate
  readonly known: Known
  readonly log: SealLog
  readonly signal: AbortSignal
}

/** The ways to a witness, each within its time. */
const createReach = ({ transport }: Pick<AskerOptions, 'transport'>) => {
  const timed = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  const reach = (): WitnessTransport => {
    const there = transport()
    if (there === undefined) throw new Error('there is no transport')
    return there
  }

  const push = async (
    { to, log, signal }: Visit,
    { size, note }: CheckpointRow,
    oldSize: number,
  ): Promise<PushAnswer> => {
    const body = addCheckpointBody(oldSize, await log.consistency(oldSize, size), note)
    if (to.node !== undefined) return reach().push(to.node, body, timed(signal))
    return reach().post(to.url ?? '', body, timed(signal))
  }

  return { timed, reach, push }
}

/** The two things a log says to a witness: what have you, and cosign this. */
export const createVisits = (options: AskerOptions) => {
  const { store, policy, policyName, rollback, confirmation, log: lines } = options
  const { timed, reach, push } = createReach(options)

  /** Asks what a witness has, and checks it: a note of our own key that the log does not hold stops the node. */
  const inquire = async ({ to, known, log, signal }: Visit): Promise<void> => {
    if (to.node === undefined) {
      // What it shows monitors is worth a look, but a prefix for submissions need not show anything.
      known.asked.add(log.origin)
      const looked = to.url === undefined ? undefined : reach().monitor(to.url, originHash(log.origin), timed(signal))
      const shown = await looked?.catch(() => undefined)
      if (shown !== undefined) await rollback.check(log, shown, to.url ?? to.name)
      return
    }
    const { statement, note } = await reach().state(to.node, log.origin, timed(signal))
    const stated = readStatement(statement, to.node)
    known.verifier ??= stated
    known.asked.add(log.origin)
    if (note !== '') await rollback.check(log, note, to.node)
    const size = sizeOf(note)
    if (size === undefined || size > log.size) return
    if (note !== '') known.sizes.set(log.origin, size)
    // A witness that has lost what it signed knows no more than these data do.
    const hasKept = size >= (cosignedOf(store, log.name).witnesses[encodeVkey(stated)] ?? 0)
    if (hasKept && sameKey(stated, known.verifier) && rollback.lost() === undefined) known.vouched.add(log.origin)
  }

  const keep = async ({ known, log }: Visit, { size, note }: CheckpointRow, body: string): Promise<boolean> => {
    const { verifier } = known
    if (verifier === undefined) return false
    const lines = takeSignatureLines(parseNote(note).text, body, [verifier])
    if (lines.length > 0) known.vouched.add(log.origin)
    // Whoever cosigns while somebody else is waited for is not to be taken for one who had cosigned before.
    for (const { line, timestamp } of confirmation.seeks() ? [] : lines) {
      const gained = { size, vkey: encodeVkey(verifier), line, seconds: timestamp ?? 0 }
      await store.commit((tx) => keepCosignature(tx, log.name, gained, { policy, policyName }))
    }
    return lines.length > 0
  }

  /** Asks for one cosignature; a 409 says where the witness is, and is followed once. */
  const cosign = async (visit: Visit, checkpoint: CheckpointRow): Promise<Result> => {
    const { known, log } = visit
    const vkey = known.verifier === undefined ? undefined : encodeVkey(known.verifier)
    const before = vkey === undefined ? 0 : (cosignedOf(store, log.name).witnesses[vkey] ?? 0)
    let old = known.sizes.get(log.origin) ?? before
    for (let tries = 0; ; tries++) {
      const answer = await push(visit, checkpoint, Math.min(old, checkpoint.size))
      if (answer.status === 200) {
        if (!(await keep(visit, checkpoint, answer.body))) return 'bad_answer'
        known.sizes.set(log.origin, checkpoint.size)
        return 'cosigned'
      }
      const theirs = answer.status === 409 ? sizeIn(answer.body) : undefined
      if (theirs !== undefined && theirs > log.size) {
        // A number is no proof. What it may stand for is asked for, and only a note that we signed counts.
        lines.warn({ origin: log.origin, size: log.size, theirs, witness: visit.to.name }, 'witness_ahead')
        await inquire(visit)
        return 'ahead'
      }
      if (theirs === undefined || theirs > checkpoint.size || tries > 0) {
        if (answer.status === 422 || answer.status === 409) await inquire(visit)
        return statusResult(answer.status)
      }
      old = theirs
    }
  }

  return { inquire, cosign }
}
