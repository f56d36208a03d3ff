import { parseVkey, type VerifiedSignature } from '#core/note.ts'
import { type Policy, quorumMet } from '#core/policy.ts'
import { none } from '#store/cosigned.ts'
import { checkpointKey, type LogPlace } from '#store/rows/log.ts'
import type { Cosignature, CosignedRow } from '#store/rows/witness.ts'
import type { Transaction } from '#store/transaction.ts'

/** Checkpoints of a log whose cosignatures are kept: a later one covers all the leaves of those before it. */
export const COSIGNED_KEPT = 64
/** Cosignatures of one checkpoint: a note has at most 32 lines, and witnesses may change while it is the newest. */
const LINES_MAX = 24
/** Witnesses of a log that are remembered, and so the most that can be counted. */
const WITNESSES_KEPT = 64

/** A cosignature that was verified against the checkpoint's own text. */
export interface Gained extends Cosignature {
  readonly size: number
}

const meets = (policy: Policy | undefined, cosignatures: readonly Cosignature[]): boolean => {
  const signatures = cosignatures.map(({ vkey, seconds }): VerifiedSignature => {
    return { verifier: parseVkey(vkey), timestamp: seconds }
  })
  return policy === undefined || policy.quorum === null ? signatures.length > 0 : quorumMet(policy, signatures)
}

/** The largest sizes, of the witnesses that signed last if there are too many. */
const remember = (witnesses: CosignedRow['witnesses'], vkey: string, size: number): CosignedRow['witnesses'] => {
  const all = Object.entries({ ...witnesses, [vkey]: Math.max(size, witnesses[vkey] ?? 0) })
  return Object.fromEntries(all.sort(([, a], [, b]) => b - a).slice(0, WITNESSES_KEPT))
}

/** Keeps a cosignature of a checkpoint, and gives up those of the oldest checkpoints. */
export const keepCosignature = (
  tx: Transaction,
  log: LogPlace,
  { size, ...cosignature }: Gained,
  { policy, policyName }: { readonly policy: Policy | undefined; readonly policyName: string },
): void => {
  const key = checkpointKey(log, size)
  // A checkpoint that is not stored here cannot have been cosigned for this log.
  if (tx.get('checkpoint', key) === undefined) return
  const others = (tx.get('cosignature', key)?.cosignatures ?? []).filter(({ vkey }) => vkey !== cosignature.vkey)
  const cosignatures = [...others, cosignature].slice(-LINES_MAX)
  const before = tx.get('cosigned', log) ?? none
  const isNewer = before.best === null || before.best.size < size || before.best.policy !== policyName
  const best = isNewer && meets(policy, cosignatures) ? { size, policy: policyName } : before.best
  const sizes = [...new Set([...before.sizes, size])].sort((a, b) => a - b)
  const excess = sizes.length - COSIGNED_KEPT
  const given = sizes.filter((it, i) => i < excess && it !== best?.size)
  for (const old of given) tx.del('cosignature', checkpointKey(log, old))
  const kept = sizes.filter((it) => !given.includes(it))
  if (kept.includes(size)) tx.put('cosignature', key, { cosignatures })
  tx.put('cosigned', log, { sizes: kept, best, witnesses: remember(before.witnesses, cosignature.vkey, size) })
}
