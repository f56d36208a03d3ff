import { signedStakeSchema } from '#core/vote/documents.ts'
import { stakeFault } from '#core/vote/stake.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { keepStake } from '#domain/network/votes/keep.ts'

/**
 * A ZID puts the weight of locked tokens on a side. It proves itself but for what a policy asks and for when it came,
 * which each node finds out for itself, so it is kept whoever says it and whether or not its proposal is known yet.
 */
export const stake = lastingType({
  type: 'stake',
  payload: signedStakeSchema,
  atOnce: false,
  pushed: true,
  names: (_, { stake: { proposal } }) => [{ kind: 'proposal', name: proposal, isIt: false }],
  check: (_, payload) => stakeFault(payload),
  apply: (tx, event, payload) => keepStake(tx, event, payload),
})
