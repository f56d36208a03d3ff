import { openCheckpoint } from './checkpoint.ts'
import { Fault } from './fault.ts'
import { isoOf } from './iso.ts'
import { parseNote, sameKey, type Verifier } from './note.ts'
import { type Policy, quorumMet } from './policy.ts'
import { NS_PER_SECOND } from './time.ts'

/** A witness of the policy that has signed a checkpoint. */
export interface Cosigner {
  /** As the policy calls it. */
  readonly name: string
  /** POSIX seconds, as it signed them. */
  readonly seconds: number
}

/** Whether a checkpoint is valid by a policy. */
export interface QuorumVerdict {
  readonly met: boolean
  readonly cosigners: readonly Cosigner[]
  /** A sentence for people. */
  readonly detail: string
}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/**
 * Lets a log pass that the policy names by its key. One that names no logs leaves it to others which they are.
 *
 * @throws Fault BAD_SIGNATURE when it names others, or gives this name another key.
 */
export const assertNamed = (policy: Policy, log: Verifier): void => {
  if (policy.logs.length === 0) return
  const named = policy.logs.find(({ name }) => name === log.name)
  if (named === undefined) refuse(`The policy does not name the log ${log.name}.`)
  else if (!sameKey(named, log)) refuse(`The policy gives ${log.name} another key.`)
}

/** Signature lines on a note beside its log's, none of them verified. */
export const linesBeside = (note: string): number => Math.max(0, parseNote(note).signatures.length - 1)

const listed = (cosigners: readonly Cosigner[]): string =>
  cosigners.length === 0
    ? 'no witness of the policy'
    : cosigners.map(({ name, seconds }) => `${name} (${isoOf(BigInt(seconds) * NS_PER_SECOND)})`).join(', ')

/**
 * Holds a checkpoint against a policy: every signature of a witness that the policy knows must verify, and enough of
 * them must be there.
 *
 * @throws Fault BAD_SIGNATURE for a note that does not hold.
 */
export const verifyQuorum = (policy: Policy, note: string, log: Verifier): QuorumVerdict => {
  const { cosignatures } = openCheckpoint(note, log, [...policy.witnesses.values()])
  const cosigners = [...policy.witnesses].flatMap(([name, witness]): Cosigner[] => {
    const found = cosignatures.find(({ verifier }) => sameKey(verifier, witness))
    return found === undefined ? [] : [{ name, seconds: found.timestamp ?? 0 }]
  })
  const met = quorumMet(policy, cosignatures)
  const asked =
    policy.quorum === null ? 'no quorum is asked for' : `the quorum ${policy.quorum} is ${met ? '' : 'not '}met`
  return { met, cosigners, detail: `Cosigned by ${listed(cosigners)}; ${asked}.` }
}
