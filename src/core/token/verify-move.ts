import { fromHex } from '#core/bytes.ts'
import { nodeOfLog } from '#core/ids.ts'
import { zidOf } from '#core/keys.ts'
import { type LogTrust, type LogVerification, logChecks, refuse, takeSteps } from '#core/log-trust.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { standsBehind } from '#core/succession.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { packList, tokensRoot } from './list.ts'
import { assertSignedOp, moveLeaf, opDigest } from './op.ts'
import { type TokenReceiptFile, verifyReceipt } from './receipt.ts'

/** Steps in which a move is verified, in their order. */
export type MoveStep = 'op' | 'list' | 'applied' | 'signature' | 'home' | 'key' | 'checkpoint' | 'inclusion'

type Check = readonly [MoveStep, () => string]

const listSteps = ({ list, op }: TokenReceiptFile): readonly Check[] => {
  if (list === undefined) return []
  const check = (): string => {
    const root = tokensRoot(packList(list))
    if (list.length !== op.count || root !== op.tokens_root) return refuse('The op is over another list of tokens.')
    return `The op is over exactly these ${list.length}.`
  }
  return [['list', check]]
}

const checkApplied = ({ op, receipt }: TokenReceiptFile): string => {
  if (receipt.op_digest !== opDigest(op)) return refuse('The receipt is of another op.')
  const same = (['home', 'op', 'tokens_root', 'count', 'until', 'to', 'ref'] as const).every(
    (name) => (op as Record<string, unknown>)[name] === (receipt as Record<string, unknown>)[name],
  )
  return same ? `It is of op ${receipt.op_digest}.` : refuse('The receipt says something else than the op.')
}

const checkHome = ({ receipt: { home, log } }: TokenReceiptFile, { successions = [] }: LogTrust): string => {
  const [minted, signed] = [nodeOfLog(home), nodeOfLog(log)]
  if (minted !== signed && !standsBehind(successions, signed, minted)) {
    return refuse(`The home of the tokens is ${minted}, and ${signed} is not known to have succeeded it.`)
  }
  return 'The node that signed is the home of the tokens.'
}

const logSteps = (file: TokenReceiptFile, text: string, trust: LogTrust): readonly Check[] => {
  const { receipt } = file
  const proof = () => parseTlogProof(text)
  const log = logChecks(
    () => ({ head_index: receipt.index, checkpoint: proof().checkpoint }),
    () => trust,
    undefined,
  )
  const key = (): string =>
    proof().checkpoint.startsWith(`${receipt.log}\n`) ? log.key() : refuse('The proof is of another log.')
  const inclusion = (): string => {
    const { index, path } = proof()
    log.found(({ size, root }) => {
      const leaf = { leafHash: leafHash(moveLeaf(file)), index, path, size, root }
      return index === receipt.index && verifyInclusion(leaf) ? undefined : 'The op is not at its place in the tree.'
    })
    return `The op is leaf ${index} of that log.`
  }
  return [
    ['key', key],
    ['checkpoint', log.checkpoint],
    ['inclusion', inclusion],
  ]
}

/**
 * Verifies a move that a node told: the owner's signature under the op, the home's under the receipt, and the op's leaf
 * under a checkpoint of the log that is trusted. Without a proof it is provisional: `inclusion` stays unchecked.
 */
export const verifyMove = (file: TokenReceiptFile, trust: LogTrust): LogVerification<MoveStep> => {
  const { op, public_key, receipt, receipt_signature: signature, proof } = file
  const signed = (): string => {
    assertSignedOp(file)
    return `Signed by ${op.op === 'redeem' ? `the package's key` : zidOf(fromHex(public_key))}.`
  }
  const answered = (): string =>
    verifyReceipt(receipt, signature) ? 'The home signed the receipt.' : refuse('The home did not sign this receipt.')
  const found = takeSteps<MoveStep>([
    ['op', signed],
    ...listSteps(file),
    ['applied', () => checkApplied(file)],
    ['signature', answered],
    ['home', () => checkHome(file, trust)],
    ...(proof === null ? [] : logSteps(file, proof, trust)),
  ])
  if (proof !== null || found.outcome === 'failed') return found
  const provisional = { step: 'inclusion', state: 'skipped', detail: 'No checkpoint holds it yet.' } as const
  return { outcome: 'unchecked', unchecked: ['inclusion'], steps: [...found.steps, provisional] }
}
