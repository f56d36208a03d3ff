import { logVerifierOf } from '#core/equivocation.ts'
import { sameKey, type Verifier } from '#core/note.ts'
import type { Policy } from '#core/policy.ts'
import type { Store } from '#store/store.ts'
import { supersededUpTo } from './succession.ts'
import type { PeerStanding } from './views.ts'
import { evidenceOf } from './witness/evidence.ts'

/**
 * Asks how far a log counts, by its origin. The answer is of this moment: evidence may come at any time.
 *
 * @param under the policy that the offer, bond or proposal in hand names, or that its node shows.
 */
export type StandingOf = (origin: string, under?: string) => PeerStanding

/** Whether a line of the policy gives the log of a node the key of that node: its name contains it. */
const isOwnKey = (log: Verifier): boolean => {
  try {
    return sameKey(log, logVerifierOf(log.name))
  } catch {
    return false
  }
}

/**
 * The logs of nodes that a policy names, under their own keys: each seal log, and the event log of the same genesis.
 * They have a place here whatever strangers fill the tables with.
 */
export const namedLogs = (policy: Policy | undefined): ReadonlySet<string> =>
  new Set(
    policy?.logs.filter(isOwnKey).flatMap(({ name }) => [name, name.replace('tickmesh.log/', 'tickmesh.events/')]),
  )

/** @param policy undefined for the open one. @param policyName `open`, or the SHA-256 of the policy's file. */
export const createStanding = (
  store: Pick<Store, 'peek'>,
  policy: Policy | undefined,
  policyName: string,
): StandingOf => {
  const named = namedLogs(policy)
  return (origin, under = policyName) => {
    if (under !== policyName) return { counts: false, up_to: 0, because: 'other_policy' }
    if (policy !== undefined && !named.has(origin)) return { counts: false, up_to: 0, because: 'outside_policy' }
    const proved = evidenceOf(store, origin)
    const passedOn = supersededUpTo(store, origin)
    if (proved !== undefined) {
      const upTo = Math.min(proved.size, passedOn ?? proved.size)
      return { counts: upTo > 0, up_to: upTo, because: 'evidence' }
    }
    if (passedOn !== undefined) return { counts: passedOn > 0, up_to: passedOn, because: 'superseded' }
    return { counts: true, up_to: null, because: policy === undefined ? 'open' : 'policy' }
  }
}
