import { BUNDLE_BYTES_MAX, bundleOf } from '#core/bundle.ts'
import {
  CHAIN_FILE_BYTES_MAX,
  type ChainFile,
  type ChainVerification,
  claimedLog,
  isChainFile,
  verifyChainFile,
} from '#core/chain-file.ts'
import { Fault } from '#core/fault.ts'
import { isHex64, isNodeId } from '#core/ids.ts'
import { parseJson } from '#core/json.ts'
import { encodeVkey } from '#core/note.ts'
import { POLICY_BYTES_MAX, type Policy, parsePolicy } from '#core/policy.ts'
import { assertNamed, judgeQuorum } from '#core/quorum.ts'
import { type ProvenSuccession, successionsOf } from '#core/succession.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { replayHere } from '#node/offline.ts'
import { schemasHere } from '#numerics/rerun.ts'
import { exits } from './exit.ts'
import { readBounded } from './files.ts'
import { CliError } from './problem.ts'

/** Bytes of a file with a key; the rest of its lines may be comments. */
const KEY_FILE_BYTES_MAX = 65_536

/**
 * A trusted key as it is given (a log's vkey, a public key in hex, a node id), or the first line with one in the file
 * of that name.
 *
 * @throws CliError (could not check) when there is no such file.
 */
export const readTrusted = async (given: string): Promise<string> => {
  if (isHex64(given) || isNodeId(given) || given.includes('+')) return given
  const unreadable = (why: string): CliError =>
    new CliError(exits.couldNotCheck, `could not check: --key ${given} is no key, and ${why}`, { code: 'NO_KEY' })
  const bytes = await readBounded(given, KEY_FILE_BYTES_MAX).catch((error: Error) => {
    throw unreadable(`as a file it cannot be read: ${error.message}`)
  })
  const lines = new TextDecoder().decode(bytes).split('\n')
  const key = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('#'))
  if (key === undefined) throw unreadable('the file of that name holds none')
  return key
}

/**
 * The policy in a file of C2SP tlog-policy.
 *
 * @throws CliError (could not check) for a file that cannot be read or is no policy.
 */
export const readPolicyFile = async (file: string): Promise<Policy> => {
  try {
    const bytes = await readBounded(file, POLICY_BYTES_MAX)
    if (bytes === undefined) throw new Error(`it is larger than ${POLICY_BYTES_MAX} bytes`)
    return parsePolicy(bytes)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError(exits.couldNotCheck, `could not check: the policy ${file} cannot be used: ${why}`, {
      code: 'NO_POLICY',
    })
  }
}

/** A chain held against a policy too: its checkpoint must be of a log that counts, with enough witnesses. */
const underPolicy = (found: ChainVerification, chain: ChainFile, policy: Policy): ChainVerification => {
  if (found.outcome === 'failed') return found
  const { checkpoint } = chain.proof
  const { log } = claimedLog(checkpoint)
  try {
    assertNamed(policy, log)
    const { met, detail } = judgeQuorum(policy, checkpoint, log)
    if (met) return { ...found, steps: [...found.steps, { step: 'checkpoint', state: 'ok', detail }] }
    return failedBy(found, detail)
  } catch (error) {
    if (error instanceof Fault) return failedBy(found, error.message)
    throw error
  }
}

const failedBy = (found: ChainVerification, detail: string): ChainVerification => ({
  ...found,
  outcome: 'failed',
  failing: 'checkpoint',
  steps: [...found.steps, { step: 'checkpoint', state: 'failed', detail }],
})

/** Bytes of a file with key successions. */
const SUCCESSIONS_BYTES_MAX = 16_777_216

/**
 * The key successions in a file, each verified: what `tickmesh keys successions` printed.
 *
 * @throws CliError (could not check) for a file that cannot be read or holds one that does not hold.
 */
export const readSuccessions = async (file: string): Promise<readonly ProvenSuccession[]> => {
  try {
    const bytes = await readBounded(file, SUCCESSIONS_BYTES_MAX)
    if (bytes === undefined) throw new Error(`it is larger than ${SUCCESSIONS_BYTES_MAX} bytes`)
    return successionsOf(parseJson(bytes, SUCCESSIONS_BYTES_MAX))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const told = `could not check: the successions in ${file} cannot be used: ${why}`
    throw new CliError(exits.couldNotCheck, told, { code: 'NO_SUCCESSIONS' })
  }
}

/** How evidence is judged. */
export interface Judging {
  readonly trusted?: string
  /** Whose logs count and how many witnesses it takes. */
  readonly policy?: Policy
  /** Key successions that are known. */
  readonly successions?: readonly ProvenSuccession[]
  readonly replay: boolean
}

const badForm = (detail: string): Verification => ({
  outcome: 'failed',
  failing: 'form',
  unchecked: [],
  steps: [{ step: 'form', state: 'failed', detail }],
})

const outOfReach = (detail: string): Verification => ({
  outcome: 'unchecked',
  unchecked: ['form'],
  steps: [{ step: 'form', state: 'skipped', detail }],
})

/** What was found of a file: of a bundle, or of a machine's chain, in the same terms. */
export type Judged = Verification | ChainVerification

/** Bytes of a file that may be either. */
const FILE_BYTES_MAX = Math.max(BUNDLE_BYTES_MAX, CHAIN_FILE_BYTES_MAX)

/** A policy that names the log of a chain says whom to trust, like a key. */
const judgeChain = (value: unknown, { trusted, policy, successions }: Judging): Judged => {
  if (policy === undefined) return verifyChainFile(value, trusted, successions)
  const note = (value as { proof?: { checkpoint?: unknown } }).proof?.checkpoint
  const named = policy.logs.find(({ name }) => typeof note === 'string' && note.startsWith(`${name}\n`))
  const found = verifyChainFile(value, trusted ?? (named && encodeVkey(named)), successions)
  return underPolicy(found, value as ChainFile, policy)
}

const judgeBytes = (source: Uint8Array, judging: Judging): Judged => {
  const { trusted, policy, successions, replay } = judging
  const value = parseJson(source, FILE_BYTES_MAX)
  if (isChainFile(value)) return judgeChain(value, judging)
  if (source.length > BUNDLE_BYTES_MAX)
    return badForm(`The file is larger than the ${BUNDLE_BYTES_MAX} bytes of a bundle.`)
  return verifyBundle({
    bundle: bundleOf(value),
    schemas: schemasHere,
    ...(successions !== undefined && { successions }),
    ...(policy !== undefined && { policy }),
    ...(trusted !== undefined && { trusted }),
    ...(replay && { replay: replayHere }),
  })
}

/**
 * Verifies a file (`-` is stdin), a bundle or a chain. What is neither fails at its form, like one whose members do not
 * fit; what cannot be read is unchecked.
 */
export const judgeFile = async (file: string, judging: Judging): Promise<Judged> => {
  let source: Uint8Array | undefined
  try {
    source = await readBounded(file, FILE_BYTES_MAX)
  } catch (error) {
    return outOfReach(error instanceof Error ? error.message : String(error))
  }
  if (source === undefined) return badForm(`The file is larger than ${FILE_BYTES_MAX} bytes.`)
  try {
    return judgeBytes(source, judging)
  } catch (error) {
    if (error instanceof Fault) return badForm(error.message)
    throw error
  }
}
