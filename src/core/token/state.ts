import Type, { type Static } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { nodeOfLog, patterns } from '#core/ids.ts'
import { type Signer, signValueWith, verifyByNode } from '#core/keys.ts'
import { closed, count, credits, meshTick, oneOf, orNull, signature, text, tokenId, zid } from '#core/schema.ts'
import { SPEND_SEQ_MAX } from './list.ts'

/** Tokens of one question about states. */
export const STATE_TOKENS_MAX = 1_024

/** Form of a lock as it is shown: one at a time. */
export const lockSchema = closed({
  kind: oneOf(['vote', 'bond', 'bearer', 'withheld'], { description: 'What it is for; `withheld` is final.' }),
  ref: text(256, { minLength: 1, description: 'Which vote, bond, package or ruling.' }),
  until: orNull(meshTick(), { description: 'Mesh tick from which it is void; null for none.' }),
})
/** What ties a token (value.md, Moving envelopes). */
export type TokenLock = Static<typeof lockSchema>

/** Form of what a home says of tokens of one owner. What is not that owner's is left out. */
export const tokenStateSchema = closed(
  {
    home: Type.String({ pattern: patterns.logName }),
    log: Type.String({
      pattern: patterns.logName,
      description: "The log of the key that signs: the home's, or its successor's.",
    }),
    zid: zid({ description: 'Whose tokens they are.' }),
    mesh_tick: meshTick(),
    tokens: Type.Array(
      closed({
        token_id: tokenId(),
        spend_seq: count({ maximum: SPEND_SEQ_MAX }),
        face: credits(),
        soulbound: Type.Boolean(),
        lock: orNull(lockSchema),
      }),
      { maxItems: STATE_TOKENS_MAX },
    ),
  },
  { title: 'TokenState' },
)
/** The state of some tokens of one owner at a mesh tick, by their home. */
export type TokenState = Static<typeof tokenStateSchema>

/** Form of a state with its signature. */
export const signedStateSchema = closed({ state: tokenStateSchema, signature: signature() })
export type SignedState = Static<typeof signedStateSchema>

/** Signs a state; 128 hex digits. */
export const signStateWith = (signer: Signer, state: TokenState): Promise<string> =>
  signValueWith(signer, purposes.tokenState, state as unknown as Json)

/** Whether the node whose log it names signed the state. */
export const verifyState = ({ state, signature: signed }: SignedState): boolean =>
  verifyByNode(nodeOfLog(state.log), purposes.tokenState, state as unknown as Json, signed)

/** The lock that ties a token at a mesh tick: one whose `until` has passed is void, without leaf or op. */
export const lockAt = <L extends { readonly until: number | null }>(lock: L | null, meshTick: number): L | null =>
  lock === null || (lock.until !== null && lock.until <= meshTick) ? null : lock
