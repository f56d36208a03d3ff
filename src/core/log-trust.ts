import { fromHex } from './bytes.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { Fault } from './fault.ts'
import { isHex64, isNodeId, nodeOfLog, patterns } from './ids.ts'
import { assertSoundKey, nodeIdOf, publicKeyOf, soundKeyOf } from './keys.ts'
import { ED25519_NOTE, parseVkey, type Verifier, verifierOf } from './note.ts'
import type { Policy } from './policy.ts'
import { assertNamed, verifyQuorum } from './quorum.ts'
import { endOf, isEnd, type ProvenSuccession, standsBehind } from './succession.ts'

/** The form of a result that is checked step by step, in the terms of that of a bundle. */
export interface LogStep<Name extends string = string> {
  readonly step: Name
  readonly state: 'ok' | 'failed' | 'skipped'
  /** A sentence: what was found, what does not hold, or why it was not looked at. */
  readonly detail: string
}

/** What a verification found. */
export interface LogVerification<Name extends string = string> {
  /** `failed`: something does not hold. `unchecked`: nothing was found wrong, but not everything could be looked at. */
  readonly outcome: 'verified' | 'failed' | 'unchecked'
  /** The first step that failed; none after it was taken. */
  readonly failing?: Name
  readonly unchecked: readonly Name[]
  readonly steps: readonly LogStep<Name>[]
}

/** What a step needs cannot be used, or is not there: that accuses nobody. */
class Unable extends Error {}

/** Ends a step that does not hold. @throws Fault BAD_SIGNATURE */
export const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}
/** Ends a step that cannot be taken, which accuses nobody: what it needs is not there. */
export const unable = (why: string): never => {
  throw new Unable(why)
}

const pinnedOf = (trusted: string): { readonly publicKey: Uint8Array; readonly name?: string } => {
  try {
    if (isHex64(trusted)) return { publicKey: fromHex(trusted) }
    if (isNodeId(trusted)) return { publicKey: publicKeyOf(trusted) }
    const { publicKey, name, type } = parseVkey(trusted)
    assertSoundKey(publicKey)
    if (type === ED25519_NOTE) return { publicKey, name }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return unable(`The trusted key cannot be used: ${error.message}`)
  }
  return unable('The trusted key is a witness key, not the key of a log.')
}

const logForm = new RegExp(patterns.logName)

/** Key of the log that a checkpoint names itself, nothing of it trusted. @throws Fault BAD_SIGNATURE */
const claimedLog = (checkpoint: string): { readonly log: Verifier; readonly node: string } => {
  const origin = checkpoint.slice(0, Math.max(0, checkpoint.indexOf('\n')))
  if (!logForm.test(origin)) return refuse('The checkpoint names no log of a node.')
  const node = nodeOfLog(origin)
  return { log: verifierOf(origin, soundKeyOf(node)), node }
}

/** Whom a verifier trusts, from outside of what is checked. */
export interface LogTrust {
  /** A log's vkey, a raw public key in hex, or a node id. */
  readonly trusted?: string
  /** Key successions that are known, each verified by `successionsOf`: what an old key signed beyond one counts not. */
  readonly successions?: readonly ProvenSuccession[]
  /** Whose logs count and how many witnesses it takes; it says whom to trust, like a key. */
  readonly policy?: Policy
}

/** A head in a log, as proofs of chains and of entries have it. */
interface InLog {
  readonly head_index: number
  readonly checkpoint: string
}

/** Refuses what an old key signed beyond its succession, or in a log that did not end by it. */
const assertCounts = ({ head_index, checkpoint }: InLog, known: readonly ProvenSuccession[]): void => {
  const { log, node } = claimedLog(checkpoint)
  const end = endOf(known, node)?.succession
  if (end === undefined || (log.name === end.origin && head_index < end.size)) return
  refuse(`The key is superseded by ${end.new_node}: only the first ${end.size} leaves of ${end.origin} count.`)
}

/**
 * Of a log that ended, only the tree that both keys signed shows what was in it: an old key can sign any
 * other.
 *
 * @throws Fault BAD_SIGNATURE, and what ends a step unchecked.
 */
const assertEnd = (checkpoint: Checkpoint, known: readonly ProvenSuccession[]): void => {
  const end = endOf(known, nodeOfLog(checkpoint.origin))
  if (end === undefined || isEnd(end, checkpoint)) return
  const { size, new_node } = end.succession
  if (checkpoint.size >= size)
    refuse(`This is not the tree of ${size} leaves with which the log ended for ${new_node}.`)
  unable(`The log ended with ${size} leaves, and a tree of ${checkpoint.size} is not shown to be part of it.`)
}

/** Whether the log that a checkpoint names is one that is trusted. */
const checkKey = (checkpoint: string, { trusted, policy, successions: known = [] }: LogTrust): string => {
  const { log, node } = claimedLog(checkpoint)
  if (policy !== undefined) assertNamed(policy, log)
  if (trusted === undefined && (policy?.logs.length ?? 0) > 0) return `The policy names the log ${log.name}.`
  if (trusted === undefined) return unable('No trusted key was given; the key that a proof names proves nothing.')
  const pinned = pinnedOf(trusted)
  const trustedNode = nodeIdOf(pinned.publicKey)
  if (trustedNode !== node && standsBehind(known, trustedNode, node)) {
    return `The log is of ${node}, whose successor ${trustedNode} is trusted.`
  }
  if (trustedNode !== node) return refuse(`The trusted key is that of ${trustedNode}, the log is of ${node}.`)
  if (pinned.name !== undefined && pinned.name !== log.name)
    return refuse(`The trusted log is ${pinned.name}, this one is ${log.name}.`)
  return `The log is of the trusted node ${node}.`
}

/** The steps that proofs of a head in a log have in common. */
export interface LogChecks {
  readonly key: () => string
  readonly checkpoint: () => string
  /** Whether the head is under the checkpoint. @param fault says why it is not. @param leaf what it is called. */
  readonly found: (fault: (checkpoint: Checkpoint) => string | undefined, leaf?: string) => string
  /** Only where there is a policy. */
  readonly quorum?: () => string
}

/** Steps about the log of a proof. Neither proof nor trust is asked for before a step is taken. */
export const logChecks = (proof: () => InLog, trust: () => LogTrust, policy: Policy | undefined): LogChecks => {
  let opened: Checkpoint | undefined
  return {
    key: () => {
      const trusted = trust()
      assertCounts(proof(), trusted.successions ?? [])
      return checkKey(proof().checkpoint, trusted)
    },
    checkpoint: () => {
      const { checkpoint } = proof()
      opened = openCheckpoint(checkpoint, claimedLog(checkpoint).log).checkpoint
      return `The log signed the tree of ${opened.size} leaves.`
    },
    found: (fault, leaf = 'head') => {
      if (opened === undefined) return refuse('There is no checkpoint.')
      const why = fault(opened)
      if (why !== undefined) return refuse(why)
      assertEnd(opened, trust().successions ?? [])
      return `The ${leaf} is leaf ${proof().head_index} of that log.`
    },
    ...(policy !== undefined && {
      quorum: () => {
        const { checkpoint } = proof()
        const { met, detail } = verifyQuorum(policy, checkpoint, claimedLog(checkpoint).log)
        return met ? detail : refuse(detail)
      },
    }),
  }
}

const take = <Name extends string>(step: Name, run: () => string): LogStep<Name> => {
  try {
    return { step, state: 'ok', detail: run() }
  } catch (error) {
    if (error instanceof Fault) return { step, state: 'failed', detail: error.message }
    if (error instanceof Unable) return { step, state: 'skipped', detail: error.message }
    throw error
  }
}

/** Takes steps in their order, and none behind the first that does not hold. A refusal is a Fault; others are bugs. */
export const takeSteps = <Name extends string>(
  checks: readonly (readonly [Name, () => string])[],
): LogVerification<Name> => {
  const steps: LogStep<Name>[] = []
  for (const [i, [name, run]] of checks.entries()) {
    const taken = take(name, run)
    steps.push(taken)
    if (taken.state !== 'failed') continue
    for (const [step] of checks.slice(i + 1)) steps.push({ step, state: 'skipped', detail: 'An earlier step failed.' })
    return { outcome: 'failed', failing: name, unchecked: uncheckedOf(steps.slice(0, i)), steps }
  }
  const unchecked = uncheckedOf(steps)
  return { outcome: unchecked.length === 0 ? 'verified' : 'unchecked', unchecked, steps }
}

const uncheckedOf = <Name extends string>(steps: readonly LogStep<Name>[]): Name[] =>
  steps.flatMap(({ step, state }) => (state === 'skipped' ? [step] : []))
