import type { LogTrust } from '#core/log-trust.ts'
import { type TokenVerification, verifyTokenReceipt } from '#core/token/verify.ts'
import type { Invocation } from './command.ts'
import { readTrust } from './evidence.ts'
import type { MoveTold } from './moves.ts'

/** Whom the options say to trust; without them the own node, by the key that its data directory has. */
const trustOf = async (options: Invocation['options'], nodeId: string | undefined): Promise<LogTrust> => {
  const trust = await readTrust(options)
  return trust.trusted !== undefined || trust.policy !== undefined || nodeId === undefined
    ? trust
    : { ...trust, trusted: nodeId }
}

/**
 * Verifies moves by what they bring along.
 *
 * @param nodeId of the own node, which is trusted where the options name nobody.
 * @throws CliError (could not check) for a key or a policy that cannot be used.
 */
export const checkMoves = async (
  moves: readonly MoveTold[],
  options: Invocation['options'],
  nodeId: string | undefined,
): Promise<readonly TokenVerification[]> => {
  const trust = await trustOf(options, nodeId)
  return moves.map(({ receipt }) => verifyTokenReceipt(receipt, trust))
}
