import { BATCH_FILE_BYTES_MAX, isBatchFile } from '#core/batch/file.ts'
import { type BatchVerification, verifyBatchLines } from '#core/batch/verify.ts'
import { BUNDLE_BYTES_MAX, bundleOf } from '#core/bundle.ts'
import { CHAIN_FILE_BYTES_MAX, type ChainVerification, isChainFile, verifyChainFile } from '#core/chain-file.ts'
import { Fault } from '#core/fault.ts'
import { isHex64, isNodeId } from '#core/ids.ts'
import { parseJson } from '#core/json.ts'
import type { LogTrust, LogVerification } from '#core/log-trust.ts'
import { POLICY_BYTES_MAX, type Policy, parsePolicy } from '#core/policy.ts'
import { stepTitle } from '#core/step-titles.ts'
import { type ProvenSuccession, successionsOf } from '#core/succession.ts'
import { isTokenReceipt, type TokenVerification, verifyTokenReceipt } from '#core/token/verify.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { replayHere } from '#node/offline.ts'
import { advisoriesHere } from '#numerics/runtime/advisories.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import type { Invocation } from './command.ts'
import { readEvidence } from './evidence-source.ts'
import { type Exit, exits } from './exit.ts'
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
const readTrusted = async (given: string): Promise<string> => {
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

/** Bytes of a file with key successions. */
const SUCCESSIONS_BYTES_MAX = 16_777_216

interface FileOf<T> {
  /** What it holds, in words. */
  readonly what: string
  readonly bytesMax: number
  readonly read: (bytes: Uint8Array) => T
  readonly code: string
}

/** A policy of C2SP tlog-policy. */
const policyFile: FileOf<Policy> = {
  ...{ what: 'the policy', bytesMax: POLICY_BYTES_MAX, code: 'NO_POLICY' },
  read: parsePolicy,
}

/** Key successions, each verified: what `tickmesh keys successions` printed. */
const successionsFile: FileOf<readonly ProvenSuccession[]> = {
  ...{ what: 'the successions in', bytesMax: SUCCESSIONS_BYTES_MAX, code: 'NO_SUCCESSIONS' },
  read: (bytes) => successionsOf(parseJson(bytes, SUCCESSIONS_BYTES_MAX)),
}

/** @throws CliError (could not check) for a file that cannot be read, or holds nothing of the kind. */
const readTrustFile = async <T>(file: string, { what, bytesMax, read, code }: FileOf<T>): Promise<T> => {
  try {
    const bytes = await readBounded(file, bytesMax)
    if (bytes === undefined) throw new Error(`it is larger than ${bytesMax} bytes`)
    return read(bytes)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError(exits.couldNotCheck, `could not check: ${what} ${file} cannot be used: ${why}`, { code })
  }
}

/** Whom the options say to trust. @throws CliError (could not check) for a file that cannot be used. */
export const readTrust = async ({ key, policy, successions }: Invocation['options']): Promise<LogTrust> => ({
  ...(typeof key === 'string' && { trusted: await readTrusted(key) }),
  ...(typeof successions === 'string' && { successions: await readTrustFile(successions, successionsFile) }),
  ...(typeof policy === 'string' && { policy: await readTrustFile(policy, policyFile) }),
})

/** How evidence is checked. */
export interface EvidenceOptions extends LogTrust {
  readonly replay: boolean
}

const badForm = (detail: string): Verification => ({
  outcome: 'failed',
  failing: 'form',
  unchecked: [],
  steps: [{ step: 'form', state: 'failed', detail }],
  advisories: [],
})

const outOfReach = (detail: string): Verification => ({
  outcome: 'unchecked',
  unchecked: ['form'],
  steps: [{ step: 'form', state: 'skipped', detail }],
  advisories: [],
})

/** What was found of a file: of a bundle, a machine's chain, a token's receipt or a batch, in the same terms. */
export type FileVerification = Verification | ChainVerification | TokenVerification | BatchVerification

/** How a command ends that verified. */
export const exitOf: Readonly<Record<FileVerification['outcome'], Exit>> = {
  verified: exits.ok,
  failed: exits.verificationFailed,
  withdrawn: exits.withdrawn,
  unchecked: exits.couldNotCheck,
}

const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const

/** The steps that were taken, a line each, and below one that failed what was not looked at for it. */
export const stepLines = ({ steps }: Pick<LogVerification, 'steps'>): readonly string[] => {
  const taken = steps.filter(({ detail }) => detail !== 'An earlier step failed.')
  const width = Math.max(...taken.map(({ step }) => stepTitle(step).length))
  const lines = taken.map(({ step, state, detail }) => `${marks[state]}  ${stepTitle(step).padEnd(width)}  ${detail}`)
  const left = steps.slice(taken.length).map(({ step }) => stepTitle(step))
  return left.length === 0 ? lines : [...lines, `not looked at, since that failed: ${left.join(', ')}`]
}

/** Bytes of a file that may be either. */
const FILE_BYTES_MAX = Math.max(BUNDLE_BYTES_MAX, CHAIN_FILE_BYTES_MAX, BATCH_FILE_BYTES_MAX)

/** Verifies what a bundle, a chain, a receipt of a token or a batch is in bytes. @throws Fault for what is none */
export const verifyEvidence = (source: Uint8Array, options: EvidenceOptions): FileVerification => {
  const { trusted, policy, successions, replay } = options
  if (isBatchFile(source)) return verifyBatchLines(source, options)
  const value = parseJson(source, FILE_BYTES_MAX)
  if (isChainFile(value)) return verifyChainFile(value, options)
  if (isTokenReceipt(value)) return verifyTokenReceipt(value, options)
  if (source.length > BUNDLE_BYTES_MAX)
    return badForm(`The file is larger than the ${BUNDLE_BYTES_MAX} bytes of a bundle.`)
  return verifyBundle({
    bundle: bundleOf(value),
    schemas: schemasHere,
    advisories: advisoriesHere(),
    ...(successions !== undefined && { successions }),
    ...(policy !== undefined && { policy }),
    ...(trusted !== undefined && { trusted }),
    ...(replay && { replay: replayHere }),
  })
}

/**
 * Verifies a file (`-` is stdin), a saved page or an address that has a bundle, a chain or a receipt of a token. What
 * is none fails at its form, like one whose members do not fit; what cannot be read is unchecked.
 */
export const verifyFile = async (file: string, options: EvidenceOptions): Promise<FileVerification> => {
  const source = await readEvidence(file, FILE_BYTES_MAX)
  if ('why' in source) return outOfReach(source.why)
  if ('tooLong' in source) return badForm(`The file is larger than ${FILE_BYTES_MAX} bytes.`)
  try {
    return verifyEvidence(source.bytes, options)
  } catch (error) {
    if (error instanceof Fault) return badForm(error.message)
    throw error
  }
}
