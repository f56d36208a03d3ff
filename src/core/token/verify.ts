import { fromHex } from '#core/bytes.ts'
import type { Checkpoint } from '#core/checkpoint.ts'
import { nodeOfLog } from '#core/ids.ts'
import { zidOf } from '#core/keys.ts'
import { type LogTrust, type LogVerification, logChecks, refuse, takeSteps, unable } from '#core/log-trust.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { fitting } from '#core/schema.ts'
import { standsBehind } from '#core/succession.ts'
import { parseTlogProof, type TlogProof } from '#core/tlog-proof.ts'
import { assertList, countOf, packList, type TokenList, tokensRoot } from './list.ts'
import { assertSignedOp, assertTimely, moveLeaf } from './op.ts'
import { receiptFault, receiptFileSchema, type TokenReceiptFile, verifyReceipt } from './receipt.ts'

/** The steps of a verification, in the order in which they are taken; the last one only where there is a policy. */
export type TokenStepName =
  | 'form'
  | 'op'
  | 'list'
  | 'applied'
  | 'signature'
  | 'home'
  | 'key'
  | 'checkpoint'
  | 'inclusion'
  | 'quorum'

/** Whom a verifier trusts, and the list where it is too long for the file. */
export interface TokenTrust extends LogTrust {
  readonly list?: TokenList
}

/** What a verification found, in the terms of that of a bundle. */
export interface TokenVerification extends LogVerification<TokenStepName> {
  /** What was read; absent when the form does not hold. */
  readonly token?: TokenReceiptFile
}

/** Whether a JSON value calls itself a token receipt; whether it is one is for {@link verifyTokenReceipt}. */
export const isTokenReceipt = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'token-receipt'

const tokens = (count: number): string => (count === 1 ? '1 token' : `${count} tokens`)

const checkOp = (file: TokenReceiptFile): string => {
  assertSignedOp(file)
  const { op, public_key } = file
  const signer = op.op === 'redeem' ? `the package's key ${public_key}` : zidOf(fromHex(public_key))
  return `${op.op} of ${tokens(op.count)}, signed by ${signer}.`
}

const checkList = ({ op, list }: TokenReceiptFile, beside: TokenList | undefined): string => {
  const packed = list === undefined ? beside : packList(list)
  if (packed === undefined) return unable('The file has no list: which tokens they are is not shown.')
  assertList(packed)
  if (countOf(packed) !== op.count) return refuse(`The list has ${tokens(countOf(packed))}, the op ${op.count}.`)
  const root = tokensRoot(packed)
  return root === op.tokens_root ? `The list has the root ${root}.` : refuse('The list has another root than the op.')
}

const checkApplied = ({ op, receipt }: TokenReceiptFile): string => {
  const why = receiptFault(op, receipt)
  if (why !== undefined) return refuse(why)
  assertTimely(op, receipt.mesh_tick)
  return `It is of op ${receipt.op_digest}, applied at mesh tick ${receipt.mesh_tick}.`
}

const checkSignature = ({ receipt, receipt_signature }: TokenReceiptFile): string => {
  const node = nodeOfLog(receipt.log)
  if (!verifyReceipt(receipt, receipt_signature)) return refuse(`The receipt is not signed by ${node}.`)
  return `Signed by ${node}, by whose word they weigh ${receipt.weight}.`
}

const checkHome = ({ receipt: { home, log } }: TokenReceiptFile, { successions = [] }: LogTrust): string => {
  const [homeNode, node] = [nodeOfLog(home), nodeOfLog(log)]
  if (node === homeNode) return `The node is the home of the tokens, ${home}.`
  if (standsBehind(successions, node, homeNode)) return `The node succeeded ${homeNode}, the home of the tokens.`
  return refuse(`The home of the tokens is ${homeNode}, and no succession that is known leads from it to ${node}.`)
}

const inclusionFault = (file: TokenReceiptFile, { index, path }: TlogProof, tree: Checkpoint): string | undefined => {
  const { size, root } = tree
  if (index !== file.receipt.index) return `The proof is of leaf ${index}, the receipt of leaf ${file.receipt.index}.`
  const leaf = { leafHash: leafHash(moveLeaf(file)), index, path, size, root }
  return verifyInclusion(leaf) ? undefined : 'The op is not in the tree of the checkpoint.'
}

type Check = readonly [TokenStepName, () => string]

const provisional = (): string =>
  unable('The receipt is provisional: it has no proof that a checkpoint of its log holds the op.')

/** The steps about the log, which need the proof that the step of the form has read. */
const logSteps = (file: TokenReceiptFile, trust: LogTrust, proof: () => TlogProof | undefined): readonly Check[] => {
  const inLog = () => {
    const { index, log } = file.receipt
    // Without a proof the log that the receipt names is the one that must be trusted.
    return { head_index: index, checkpoint: proof()?.checkpoint ?? `${log}\n` }
  }
  const log = logChecks(inLog, () => trust, trust.policy)
  const key = (): string => {
    const named = inLog().checkpoint.startsWith(`${file.receipt.log}\n`)
    return named ? log.key() : refuse('The proof is of another log than the receipt.')
  }
  const inclusion = (): string => {
    const read = proof()
    return read === undefined ? provisional() : log.found((tree) => inclusionFault(file, read, tree), 'op')
  }
  const proved = (check: () => string) => (): string => (proof() === undefined ? provisional() : check())
  return [
    ['key', key],
    ['checkpoint', proved(log.checkpoint)],
    ['inclusion', inclusion],
    ...(log.quorum === undefined ? [] : [['quorum', proved(log.quorum)] as const]),
  ]
}

/**
 * Verifies a receipt of an op offline, step by step, and stops at the first that does not hold: that an owner signed
 * the op over that list, that the home of the tokens, or the key that succeeded it, signed that it applied it, and that
 * its log holds it. A provisional receipt leaves the last unchecked. What the tokens weigh is the home's word. Never
 * throws on a bad file or key.
 *
 * @param file whatever came (wire/token.md, Receipt file).
 */
export const verifyTokenReceipt = (file: unknown, trust: TokenTrust = {}): TokenVerification => {
  let proof: TlogProof | undefined
  const form = (): string => {
    const { proof: text, op } = fitting(receiptFileSchema, file)
    proof = text === null ? undefined : parseTlogProof(text)
    return `A receipt of a ${op.op}, version 1.`
  }
  const token = file as TokenReceiptFile // No step behind the form is taken unless it holds.
  const found = takeSteps<TokenStepName>([
    ['form', form],
    ['op', () => checkOp(token)],
    ['list', () => checkList(token, trust.list)],
    ['applied', () => checkApplied(token)],
    ['signature', () => checkSignature(token)],
    ['home', () => checkHome(token, trust)],
    ...logSteps(token, trust, () => proof),
  ])
  return found.failing === 'form' ? found : { ...found, token }
}
