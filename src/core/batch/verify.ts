import { toHex } from '#core/bytes.ts'
import type { Checkpoint } from '#core/checkpoint.ts'
import { verifyClaim } from '#core/envelope.ts'
import { nodeOfLog, tokenIdOf } from '#core/ids.ts'
import { publicKeyOf } from '#core/keys.ts'
import { type LogTrust, type LogVerification, logChecks, refuse, takeSteps, unable } from '#core/log-trust.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { standsBehind } from '#core/succession.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { type BatchFile, batchFileOf, type SealedCall } from './file.ts'
import {
  type BatchClosing,
  callsRoot,
  closeLeaf,
  countsOf,
  openLeaf,
  outcomesRoot,
  verifyClosing,
  verifyOpening,
} from './forms.ts'

/** The steps of a verification, in the order in which they are taken; the last one only where there is a policy. */
export type BatchStepName =
  | 'form'
  | 'key'
  | 'signature'
  | 'calls'
  | 'outcomes'
  | 'envelopes'
  | 'order'
  | 'checkpoint'
  | 'inclusion'
  | 'quorum'

/** What a verification found, in the terms of that of a bundle. */
export interface BatchVerification extends LogVerification<BatchStepName> {
  /** What was read; absent when the form does not hold. */
  readonly batch?: BatchFile
}

const stillOpen = (): never => unable('The batch is not closed: nothing says yet what became of all its calls.')

const closed = ({ closing }: BatchFile): BatchClosing => closing?.closing ?? stillOpen()

const checkSignature = (file: BatchFile, { successions = [] }: LogTrust): string => {
  const { opening } = file.opening
  const node = nodeOfLog(opening.log)
  if (opening.node !== node) return refuse(`The opening is of ${opening.node}, its log is one of ${node}.`)
  if (!verifyOpening(file.opening)) return refuse(`The opening is not signed by ${node}.`)
  if (file.closing === undefined) return `The opening is signed by ${node}.`
  const { closing } = file.closing
  if (closing.batch !== opening.batch) return refuse('Opening and closing are of different batches.')
  if (closing.opening !== toHex(leafHash(openLeaf(file.opening)))) return refuse('The closing is of another opening.')
  if (closing.node !== nodeOfLog(closing.log)) return refuse("The closing's log is not a log of its node.")
  if (closing.node !== node && !standsBehind(successions, closing.node, node)) {
    return refuse(`The batch was opened by ${node} and closed by ${closing.node}, whom nothing ties to it.`)
  }
  return verifyClosing(file.closing)
    ? `Opening and closing are signed by ${closing.node}.`
    : refuse('The closing is not signed.')
}

const checkCalls = ({ opening: { opening }, calls }: BatchFile): string => {
  if (calls.length !== opening.calls) {
    return refuse(`The batch was opened with ${opening.calls} calls, and ${calls.length} are shown.`)
  }
  if (callsRoot(calls.map(({ call }) => call)) !== opening.root)
    return refuse('The calls are not those of the opening.')
  return `All ${calls.length} calls that were opened are here, none beside them.`
}

const checkOutcomes = (file: BatchFile): string => {
  const { sealed, refused, failed, calls, outcomes } = closed(file)
  const shown = file.calls.map(({ outcome }) => outcome)
  const found = countsOf(shown)
  if (calls !== shown.length) return refuse(`The closing counts ${calls} calls, and ${shown.length} are shown.`)
  if (found.sealed !== sealed || found.refused !== refused || found.failed !== failed) {
    return refuse(`The closing counts ${sealed} sealed, ${refused} refused and ${failed} failed ones, not these.`)
  }
  if (outcomesRoot(shown) !== outcomes) return refuse('What is shown is not what came of the calls.')
  return `${sealed} sealed, ${refused} refused, ${failed} failed: as the node closed it.`
}

const envelopeFault = (
  { claim, signature }: SealedCall,
  { inputs_digest, nodes }: { readonly inputs_digest: string; readonly nodes: readonly string[] },
): string | undefined => {
  if (claim.inputs_digest !== inputs_digest) return 'its envelope is of other inputs'
  if (!nodes.includes(claim.node) || nodeOfLog(claim.log) !== claim.node) return 'its envelope is of another node'
  if (tokenIdOf(claim.log, claim.index) !== claim.token_id) return 'its token is not that of its place in the log'
  return verifyClaim(publicKeyOf(claim.node), claim, signature) ? undefined : 'its claim is not signed'
}

const checkEnvelopes = ({ opening: { opening }, closing, calls }: BatchFile): string => {
  const nodes = [opening.node, ...(closing === undefined ? [] : [closing.closing.node])]
  const tokens = new Set<string>()
  for (const [i, { sealed, call }] of calls.entries()) {
    if (sealed === undefined) continue
    const why = envelopeFault(sealed, { ...call, nodes })
    if (why !== undefined) return refuse(`Call ${i}: ${why}.`)
    if (tokens.has(sealed.claim.token_id)) return refuse(`Call ${i}: its envelope is that of an earlier call.`)
    tokens.add(sealed.claim.token_id)
  }
  return `${tokens.size} envelopes, each of the inputs of its call, signed by the node.`
}

const checkOrder = (file: BatchFile): string => {
  const { opening } = file.opening
  const closing = file.closing?.closing
  for (const [i, { sealed }] of file.calls.entries()) {
    if (sealed === undefined) continue
    const { log, index } = sealed.claim
    if (log === opening.log && index <= opening.index)
      return refuse(`Call ${i} was sealed before the batch was opened.`)
    if (log === closing?.log && index >= closing.index)
      return refuse(`Call ${i} was sealed after the batch was closed.`)
  }
  if (closing?.log === opening.log && closing.index <= opening.index)
    return refuse('It was closed before it was opened.')
  return `Opened as leaf ${opening.index}, before its first envelope.`
}

/** One of the two leaves, and where it is said to stand. */
interface Stated {
  readonly what: 'opening' | 'closing'
  readonly log: string
  readonly index: number
  readonly leaf: () => Uint8Array
  readonly proof: string | null
}

/** The steps about the log of one of the two leaves. */
const leafChecks = ({ what, log, index, leaf, proof }: Stated, trust: LogTrust) => {
  const parsed = () =>
    proof === null ? unable(`The ${what} is promised: no proof that a checkpoint holds it.`) : parseTlogProof(proof)
  const proved = (check: () => string) => (): string => {
    parsed()
    return check()
  }
  const inLog = () => ({ head_index: index, checkpoint: proof === null ? `${log}\n` : parsed().checkpoint })
  const checks = logChecks(inLog, () => trust, trust.policy)
  const fault = ({ size, root }: Checkpoint): string | undefined => {
    const { index: at, path } = parsed()
    if (at !== index) return `The proof is of leaf ${at}, the ${what} is leaf ${index}.`
    const included = verifyInclusion({ leafHash: leafHash(leaf()), index, path, size, root })
    return included ? undefined : `The ${what} is not in that tree.`
  }
  return {
    key: (): string =>
      inLog().checkpoint.startsWith(`${log}\n`) ? checks.key() : refuse(`The proof of the ${what} is of another log.`),
    checkpoint: proved(checks.checkpoint),
    inclusion: proved(() => checks.found(fault, what)),
    quorum: checks.quorum,
  }
}

/** The last word of two checks, both of which must hold. */
const both = (first: () => string, second: (() => string) | undefined) => (): string => {
  const said = first()
  return second === undefined ? said : `${said} ${second()}`
}

const bothKeys = (last: () => string, first: () => string) => (): string => {
  last()
  return first()
}

type Check = readonly [BatchStepName, () => string]

const checksOf = (file: BatchFile, trust: LogTrust): readonly Check[] => {
  const { opening, closing, proofs } = file
  const first = leafChecks(
    { ...opening.opening, what: 'opening', leaf: () => openLeaf(opening), proof: proofs.opening },
    trust,
  )
  const last =
    closing &&
    leafChecks({ ...closing.closing, what: 'closing', leaf: () => closeLeaf(closing), proof: proofs.closing }, trust)
  const { quorum } = first
  return [
    ['key', last === undefined ? first.key : bothKeys(last.key, first.key)],
    ['signature', () => checkSignature(file, trust)],
    ['calls', () => checkCalls(file)],
    ['outcomes', () => checkOutcomes(file)],
    ['envelopes', () => checkEnvelopes(file)],
    ['order', () => checkOrder(file)],
    ['checkpoint', both(first.checkpoint, last?.checkpoint)],
    ['inclusion', both(first.inclusion, last?.inclusion)],
    ...(quorum === undefined ? [] : [['quorum', both(quorum, last?.quorum)] as const]),
  ]
}

/**
 * Verifies the lines of a batch offline, step by step, and stops at the first that does not hold: that all calls which
 * the node opened are there, that each ended as it counted when it closed the batch, and that every envelope is of the
 * inputs of its call. Never throws on bad lines or a bad key.
 *
 * @param bytes NDJSON, as the node answered it or as `proofLine` keeps it.
 */
export const verifyBatchLines = (bytes: Uint8Array, trust: LogTrust = {}): BatchVerification => {
  let file: BatchFile | undefined
  const form = (): string => {
    file = batchFileOf(bytes)
    return 'A batch, version 1.'
  }
  const read = takeSteps<BatchStepName>([['form', form]])
  if (file === undefined) return read
  const batch: BatchFile = file
  return { ...takeSteps([['form', () => 'A batch, version 1.'], ...checksOf(batch, trust)]), batch }
}
