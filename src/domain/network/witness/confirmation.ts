import { Fault } from '#core/fault.ts'
import { encodeVkey, parseVkey, type Verifier } from '#core/note.ts'
import { type Policy, quorumMet } from '#core/policy.ts'
import { cosignedOf } from '#store/cosigned.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { Lost } from './rollback.ts'

/** How long after a start a log that was witnessed before waits for a word of its witnesses: about six seconds. */
export const CONFIRM_TICKS = 8
const RETRY_SECONDS = 1
/** While a witness that may be away for days is waited for. */
const RETRY_LONG_SECONDS = 60

export interface ConfirmationOptions {
  readonly store: Store
  readonly policy: Policy | undefined
  /** Whether this node can reach any witness at all: without, data that were never put back wait for none. */
  readonly reaches: boolean
  /** Whether the data came out of an archive, and no witness has said since how far their logs were. */
  readonly restored: boolean
  /** Told once, when the witnesses have said how far the logs were, or were asked in vain, or there are none to ask. */
  readonly onConfirmed?: (() => void) | undefined
}

/** What the witnesses have said by now. */
export interface Words {
  /** Whether one has answered about both logs, and none is being asked. */
  readonly answered: boolean
  /** Keys of those who have seen no more of a log than is here, and no less than they had signed before. */
  vouching(origin: string): readonly Verifier[]
}

export interface Confirmation {
  /** Whether no log takes a leaf yet. */
  waits(): boolean
  /** Whether it waits for somebody in particular, however long. */
  seeks(): boolean
  /** Nodes and others that had cosigned a log before this start, by their keys. */
  earlier(log: SealLog): readonly Verifier[]
  look(words: Words): void
}

const sought = ({ store: { log } }: ConfirmationOptions, asksQuorum: boolean): Fault => {
  const who = asksQuorum ? 'the quorum of its policy' : 'one of the witnesses that cosigned it'
  const detail =
    `The data of this node were put back, and its key may have signed more of ${log.origin} since: sealing waits ` +
    `until ${who} has said how far it was. Its owner can begin a new log instead: stop the node, then ` +
    `tickmesh keys new-log --unconfirmed ${log.origin}`
  return new Fault('LOG_UNCONFIRMED', detail, { origin: log.origin, retry_after_seconds: RETRY_LONG_SECONDS })
}

/**
 * After a start a log that somebody has cosigned before takes no leaf until a witness has said how far it was. Data
 * that are known to have been put back wait for the quorum of the policy or, without one, for somebody who had cosigned
 * the log before: a second history can never be taken back. All others wait a few ticks, for they look the same from
 * inside.
 */
export const createConfirmation = (options: ConfirmationOptions, lost: () => Lost | undefined): Confirmation => {
  const { store, policy, reaches, restored, onConfirmed } = options
  const logs = [store.log, store.events]
  // As it is now: who cosigns what was put back knows nothing of what was there before.
  const cosigners = new Map(
    logs.map(({ name }) => [name, Object.keys(cosignedOf(store, name).witnesses).map(parseVkey)]),
  )
  const earlier = ({ name }: SealLog): readonly Verifier[] => cosigners.get(name) ?? []
  const wasWitnessed = logs.some((log) => earlier(log).length > 0)
  const asksQuorum = policy !== undefined && policy.quorum !== null
  const seeks = restored && (asksQuorum || wasWitnessed)
  const deadline = store.now().meshTick + CONFIRM_TICKS
  let waits = (seeks || (reaches && wasWitnessed)) && lost() === undefined
  if (!waits && lost() === undefined) onConfirmed?.()
  const shortly = (): Fault => new Fault('LOG_UNCONFIRMED', undefined, { retry_after_seconds: RETRY_SECONDS })
  if (waits) store.hold(() => (seeks ? sought(options, asksQuorum) : shortly()))

  const isVouchedFor = (log: SealLog, { vouching }: Words): boolean => {
    const all = vouching(log.origin)
    if (policy !== undefined && asksQuorum) {
      return quorumMet(
        policy,
        all.map((verifier) => ({ verifier })),
      )
    }
    const known = earlier(log).map(encodeVkey)
    return known.length === 0 || all.some((it) => known.includes(encodeVkey(it)))
  }
  const isOver = (words: Words): boolean =>
    seeks ? logs.every((log) => isVouchedFor(log, words)) : words.answered || store.now().meshTick >= deadline

  return {
    waits: () => waits,
    seeks: () => waits && seeks,
    earlier,
    look: (words) => {
      if (!waits) return
      if (lost() !== undefined) {
        waits = false
        return
      }
      if (!isOver(words)) return
      waits = false
      store.hold(undefined)
      onConfirmed?.()
    },
  }
}
