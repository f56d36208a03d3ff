import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { signValue } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { encodeVkey, verifierOf } from '#core/note.ts'
import { packSorted, placesOf, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { opDigest, opPurpose } from '#core/token/op.ts'
import type { TokenLock, TokenState } from '#core/token/state.ts'
import { ofTokens } from './core.ts'
import { GENESIS, node, sealLog, user } from './sample.ts'
import { evidenceCases, refusedFiles, twice } from './token-refused.ts'
import {
  APPLIED_AT,
  FACE,
  ids,
  type Ordered,
  opOver,
  ordered,
  package_,
  placesAt,
  sequence,
  signed,
  taker,
  told,
} from './token-sample.ts'

/** Tokens of which token `i` has the number `i` as its id and as its spend_seq: a rule in place of long lists. */
const counted = (count: number): readonly TokenPlace[] =>
  Array.from({ length: count }, (_, i) => ({ token_id: i.toString(16).padStart(32, '0'), spend_seq: i }))

const listRows = () =>
  [1, 2, 3, 5, 4_096, 4_097].map((count) => ({ count, tokens_root: tokensRoot(packSorted(counted(count))) }))

const badLists = [
  ['no token', ''],
  ['a repeated token', ['0'.repeat(40), `${'0'.repeat(32)}00000001`].join('')],
  ['a reordered list', [`${'0'.repeat(31)}2${'0'.repeat(8)}`, `${'0'.repeat(31)}1${'0'.repeat(8)}`].join('')],
  ['half an entry', '0'.repeat(60)],
].map(([why, bytes]) => ({ why, bytes }))

const appliedRow = (ordered_: Ordered, i: number) => {
  const { packed, op } = ordered_
  const { file, leaf } = told(sequence)[i] as ReturnType<typeof told>[number]
  return {
    file,
    list_bytes: toHex(packed),
    purpose: opPurpose(op),
    op_text: canonical(op as unknown as Json),
    op_digest: opDigest(op),
    leaf: toHex(leaf),
    leaf_hash: toHex(leafHash(leaf)),
    receipt_text: canonical(file.receipt as unknown as Json),
  }
}

/** How the tokens stand before an op, as their home knows them. */
const row = (which: number, spend_seq: number, changes: object = {}) => ({
  ...{ token_id: ids[which], owner: taker.zid, soulbound: false, lock: null as TokenLock | null, spend_seq },
  ...changes,
})

const byId = (a: { readonly token_id?: string }, b: { readonly token_id?: string }): number =>
  (a.token_id ?? '') < (b.token_id ?? '') ? -1 : 1

const bearer: TokenLock = { kind: 'bearer', ref: toHex(package_.publicKey), until: null }
const vote: TokenLock = { kind: 'vote', ref: 'proposal-7', until: GENESIS + 1_287 }
const toUser = { op: 'transfer', to: user.zid, until: null } as const
const asked = ({ packed, ...rest }: Ordered) => ({ ...rest, list: [...placesOf(packed)] })
const stale = { ...signed(user, opOver(twice.packed, toUser, { valid_to: APPLIED_AT - 1 })), packed: twice.packed }

/** What a home answers to an op at a mesh tick: the rows after it, or a refusal. */
const decisions = () =>
  [
    {
      why: 'what is current and free moves, and counts on',
      ...{ rows: [row(0, 1), row(3, 1)], order: ordered(taker, placesAt(1, 0, 3), toUser) },
      after: [row(0, 2, { owner: user.zid }), row(3, 2, { owner: user.zid })],
    },
    {
      why: 'a lock whose time has come is void at that tick',
      ...{ rows: [row(0, 2, { lock: { ...vote, until: APPLIED_AT } })], order: ordered(taker, placesAt(2, 0), toUser) },
      after: [row(0, 3, { owner: user.zid })],
    },
    {
      why: 'a stale spend_seq',
      ...{ rows: [row(1, 1, { owner: user.zid }), row(3, 0, { owner: user.zid })], order: twice },
      ...{ code: 'SUPERSEDED', token_id: ids[1] },
    },
    {
      why: 'a spend_seq that is not there yet',
      ...{ rows: [row(0, 1)], order: ordered(taker, placesAt(2, 0), toUser) },
      ...{ code: 'SUPERSEDED', token_id: ids[0] },
    },
    {
      why: 'a lock stands, one tick longer',
      ...{
        rows: [row(0, 2, { lock: { ...vote, until: APPLIED_AT + 1 } })],
        order: ordered(taker, placesAt(2, 0), toUser),
      },
      ...{ code: 'ENVELOPE_LOCKED', token_id: ids[0] },
    },
    {
      why: 'a soulbound token',
      ...{ rows: [row(0, 1, { soulbound: true })], order: ordered(taker, placesAt(1, 0), toUser) },
      ...{ code: 'SOULBOUND', token_id: ids[0] },
    },
    {
      why: 'the package is redeemed',
      ...{ rows: [row(1, 2, { lock: bearer })], order: sequence[5] as Ordered },
      after: [row(1, 3, { owner: user.zid })],
    },
    {
      why: 'who redeems second',
      ...{ rows: [row(1, 2)], order: sequence[5] as Ordered, code: 'SUPERSEDED', token_id: ids[1] },
    },
    {
      why: 'a reclaim after the package was redeemed',
      ...{ rows: [row(2, 2)], order: sequence[6] as Ordered, code: 'SUPERSEDED', token_id: ids[2] },
    },
    {
      why: 'expired: it came after valid_to',
      ...{ rows: [row(1, 0, { owner: user.zid }), row(3, 0, { owner: user.zid })], order: stale },
      ...{ code: 'OP_EXPIRED', token_id: null },
    },
  ].map(({ order, rows, ...rest }) => ({
    ...{ mesh_tick: APPLIED_AT, ...rest, rows: rows.toSorted(byId) },
    ...('after' in rest && { after: rest.after.toSorted(byId) }),
    ...asked(order),
  }))

const state: TokenState = {
  ...{ home: sealLog, log: sealLog, zid: taker.zid, mesh_tick: APPLIED_AT },
  tokens: [
    { token_id: ids[0] as string, spend_seq: 2, face: FACE, soulbound: false, lock: vote },
    { token_id: ids[2] as string, spend_seq: 3, face: FACE, soulbound: false, lock: null },
  ],
}

export const tokenVectors = () => ({
  about:
    'Token ops (wire/token.md). `lists`: roots of lists whose token i has the number i as its id (hex) and as its ' +
    'spend_seq; `bad_lists` are refused. `applied`: one op of each kind, its texts, its leaf and its receipt file, ' +
    'which verifies under each form of `trusted`. `provisional`: the first without its proof, so checkpoint and ' +
    'inclusion stay unchecked. `refused`: files with the step that refuses. `evidence`: two receipts that take one ' +
    'token twice. `decisions`: what a home answers to an op, given the rows of its tokens at a mesh tick. `state`: ' +
    'what a home says of tokens of one owner.',
  digests: ofTokens.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  trusted: [encodeVkey(verifierOf(sealLog, node.publicKey)), toHex(node.publicKey), node.node],
  seeds: {
    node: toHex(node.seed),
    user: toHex(user.seed),
    taker: toHex(taker.seed),
    package: toHex(package_.seed),
  },
  lists: listRows(),
  bad_lists: badLists,
  applied: sequence.map(appliedRow),
  provisional: { ...told(sequence)[0]?.file, proof: null },
  refused: refusedFiles.map(([failing, why, file]) => ({ why, failing, file })),
  evidence: evidenceCases(),
  decisions: decisions(),
  state: { state, signature: signValue(node.seed, purposes.tokenState, state as unknown as Json) },
})
