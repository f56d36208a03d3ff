import Type from 'typebox'
import { count, credits, finite, hex64, meshTick, model, oneOf, orNull, tick, tokenId, zid } from '#core/schema.ts'
import { tokenEvidenceSchema } from '#core/token/evidence.ts'
import { tokenOpKinds } from '#core/token/op.ts'
import { receiptFileSchema } from '#core/token/receipt.ts'
import { lockSchema } from '#core/token/state.ts'
import type { View } from '#core/view.ts'

/** What the economy answers: balances, envelopes, the public record, and where credits came from. */

const funding = () => oneOf(['paid', 'free'])
const state = () => oneOf(['promised', 'sealed', 'final'])

const utcDay = (description: string) => Type.String({ description })

/** What the daily claim asks of a caller, and whether it is open. */
const claimStatus = model('ClaimStatus', {
  open: Type.Boolean({ description: 'Whether neither the account nor the machine has claimed in this UTC day.' }),
  worth: credits(),
  balance_max: credits({ description: 'Largest free + paid with which a claim is possible.' }),
  nearly_out: Type.Boolean(),
  claimed_today: Type.Boolean({ description: 'By the account, or by anyone for the machine.' }),
  eligible: Type.Boolean(),
  state: oneOf(['claimable', 'already claimed today', 'unlocks when nearly out', 'for accounts only']),
  day: utcDay('UTC day that is meant, yyyy-mm-dd.'),
  machine: orNull(Type.String(), { description: 'Slug of the machine whose day a claim would spend too.' }),
  unlocks_at: orNull(Type.String(), {
    description: 'ISO 8601: when the next day begins, or the hour in which this address is paid claims again.',
  }),
  unlocks_in_seconds: orNull(count(), { description: 'The same from now, in whole seconds, rounded up.' }),
  ladder: orNull(
    Type.Object({
      claims_this_hour: count({ description: 'Paid to this address.' }),
      claims_max: count(),
      bits: orNull(count(), { description: 'Asked of the next claim; null when none is paid in this hour.' }),
    }),
  ),
  challenge: orNull(
    Type.Object({
      challenge: Type.String(),
      bits: count({ description: 'Leading zero bits that a nonce must give.' }),
      expires_mesh_tick: count({ description: 'Mesh tick after which it is worth nothing.' }),
    }),
    { description: 'Only where a claim is possible.' },
  ),
  prior_claims: count({ description: 'Of this account, ever.' }),
  last_claim_day: orNull(Type.String()),
})
export type ClaimStatus = View<typeof claimStatus>

/** Balances of a caller. */
export const creditStatus = model('CreditStatus', {
  zid: Type.String({ description: 'Whom envelopes are issued to: a ZID, or `house`.' }),
  account: Type.String({ description: 'Ledger account that pays.' }),
  free: credits(),
  paid: credits(),
  held: credits({ description: 'Kept back for calls that are running.' }),
  available: credits({ description: 'free + paid − held.' }),
  coins: credits({ description: 'Face value of the coins owned.' }),
  calls_left_today: orNull(count(), { description: 'Under the shared demo key; null otherwise.' }),
  claim: claimStatus,
})
export type CreditStatus = View<typeof creditStatus>

/** What a payer used this month. */
export const usage = model('Usage', {
  period: Type.String({ description: 'UTC month, yyyy-mm.' }),
  used: credits(),
  envelopes: count(),
  bundle: credits(),
  remaining: credits(),
  overage: credits(),
  enforced: Type.Boolean(),
})
export type Usage = View<typeof usage>

/** Credits that the owner gave. */
export const granted = model('Granted', {
  zid: zid(),
  credits: credits(),
  paid: credits({ description: 'Paid balance afterwards.' }),
  index: count({ description: 'Place of the ledger leaf in the seal log.' }),
  tick: tick(),
})
export type Granted = View<typeof granted>

/** A daily claim that was paid. */
export const claimed = model('Claimed', {
  zid: zid(),
  credits: credits(),
  free: credits({ description: 'Free balance afterwards.' }),
  paid: credits(),
  day: utcDay('UTC day that is spent now, yyyy-mm-dd.'),
  machine: orNull(Type.String(), { description: 'Slug of the machine whose day is spent with it.' }),
  claims: count({ description: 'Of this account, this one counted.' }),
  index: count({ description: 'Place of the ledger leaf in the seal log.' }),
  tick: tick(),
  unlocks_at: Type.String({ description: 'ISO 8601: when the next day begins.' }),
})
export type Claimed = View<typeof claimed>

/** An envelope as its owner sees it. */
export const envelopeItem = model('Envelope', {
  token_id: tokenId(),
  hash: hex64({ description: 'Leaf hash in the seal log.' }),
  log: Type.String({ description: 'Name of the seal log.' }),
  index: count({ description: 'Place of the leaf in the log.' }),
  kind: Type.String({ description: '`compute`, or the solver.' }),
  operators: Type.Array(Type.String()),
  value: orNull(finite(), { description: 'The sealed value; null where the result is no single number.' }),
  unit: Type.String(),
  face_value: credits({ description: 'Credits burned for it.' }),
  tick: tick(),
  phase: finite({ minimum: 0, maximum: 1 }),
  funding: funding(),
  issued_to: Type.String({ description: 'Whom it was minted to: a ZID, or `house`.' }),
  owner: Type.String({ description: 'A ZID; `house`, or a demo key’s list, for what no key owns.' }),
  soulbound: Type.Boolean({ description: 'Free-funded: it never moves.' }),
  backs: orNull(Type.String(), { description: 'Who holds the coin when it is not the owner.' }),
  state: state(),
  late: Type.Boolean({ description: 'Its checkpoint was made later than on the next boundary.' }),
  witnessed: count({ description: 'Witnesses that have cosigned a tree which holds it.' }),
  folder: Type.String({ description: 'Empty: Unfiled.' }),
  home: Type.String({ description: 'The log that minted it, whose node alone orders its moves.' }),
  where: oneOf(['here', 'elsewhere', 'bearer'], {
    description: 'Whether its home is this node or another, or it is out as a bearer package.',
  }),
  movable: Type.Boolean({ description: 'Whether it can be sent now.' }),
  immovable: orNull(oneOf(['soulbound', 'locked', 'unconfirmed']), {
    description: 'Why it cannot be sent; `unconfirmed`: its home, another node, has not been heard of lately.',
  }),
  arrival: orNull(oneOf(['arriving', 'received']), {
    description:
      'Of one whose home is another node: `received` once a checkpoint that the quorum of this node’s mesh policy ' +
      'cosigned holds its move; null for all others.',
  }),
  counted: Type.Boolean({ description: 'False: shown, but its home does not count here.' }),
  uncounted: orNull(oneOf(['outside_policy', 'other_policy', 'superseded', 'evidence']), {
    description: 'Why it is not counted.',
  }),
  lock: orNull(lockSchema, { description: 'What ties it now; null for nothing.' }),
  locked_for_vote: Type.Boolean(),
  bonded: Type.Boolean(),
  spend_seq: count({ description: 'Changes of owner or lock so far.' }),
  published: Type.Boolean({ description: 'Whether it stands in the public record.' }),
  shared: Type.Boolean({ description: 'Whether the nonce of its claim opens it to those who are not its owner.' }),
  precisionActual: finite({ minimum: 0, description: 'Measured error in percent.' }),
  bundle: Type.String({ description: 'Path of the bundle.' }),
})
export type EnvelopeItem = View<typeof envelopeItem>

/** One page of an account's envelopes. */
export const envelopePage = model('EnvelopePage', {
  zid: Type.String(),
  total: count({ description: 'Envelopes that match, on all pages.' }),
  limit: count(),
  offset: count(),
  envelopes: Type.Array(envelopeItem),
  next: orNull(Type.String(), { description: '`before` of the next page; null on the last.' }),
})
export type EnvelopePage = View<typeof envelopePage>

/** One change of tokens, as those see it whose tokens it changed. */
export const move = model('Move', {
  op: oneOf(tokenOpKinds),
  op_digest: hex64({ description: 'Its name.' }),
  direction: oneOf(['in', 'out', 'own'], { description: 'Whether the tokens came, went, or stayed with their owner.' }),
  from: Type.String({ description: 'Their owner before it: a ZID.' }),
  to: orNull(zid(), { description: 'Their owner after it, where that changed.' }),
  ref: orNull(Type.String(), { description: 'The lock that it set or ended.' }),
  until: orNull(meshTick({ description: 'Mesh tick at which that lock is void.' })),
  count: count({ description: 'Tokens.' }),
  weight: credits({ description: 'Sum of their faces.' }),
  tick: tick(),
  mesh_tick: meshTick(),
  home: Type.String({ description: 'The log that minted them.' }),
  log: Type.String({ description: 'The log that holds the leaf.' }),
  index: count({ description: 'Place of the leaf.' }),
  serial: orNull(count(), {
    description: 'Number of the leaf through all logs of this node; null where another node is the home.',
  }),
  state: state(),
  receipt: receiptFileSchema,
})
export type Move = View<typeof move>

/** What sending did. */
export const sent = model('Sent', {
  moved: count({ description: 'Envelopes.' }),
  to: zid(),
  weight: credits({ description: 'Sum of their faces.' }),
  move,
})
export type Sent = View<typeof sent>

/** One page of an account's moves. */
export const movePage = model('MovePage', {
  limit: count(),
  moves: Type.Array(move),
  next: orNull(count(), { description: '`before` of the next page; null on the last.' }),
})
export type MovePage = View<typeof movePage>

/** What became of one envelope since it was minted. */
export const tokenHistory = model('TokenHistory', {
  token_id: tokenId(),
  minted: Type.Object({ to: Type.String(), tick: tick(), face_value: credits() }),
  moves: Type.Array(move, { description: 'Oldest first.' }),
  evidence: orNull(tokenEvidenceSchema, { description: 'Proof that its home, another node, spent a token twice.' }),
})
export type TokenHistory = View<typeof tokenHistory>

/** Folders of an account. */
export const folderList = model('FolderList', {
  zid: Type.String(),
  folders: Type.Array(Type.Object({ folder: Type.String({ description: 'Empty: Unfiled.' }), count: count() })),
})
export type FolderList = View<typeof folderList>

/** What filing did. */
export const filed = model('Filed', { moved: count(), folder: Type.String() })
export type Filed = View<typeof filed>

/** Published computations: digests, never inputs or results. */
export const recordPage = model('RecordPage', {
  total: count(),
  limit: count(),
  offset: count(),
  records: Type.Array(
    Type.Object({
      token_id: tokenId(),
      hash: hex64({ description: 'Leaf hash in the seal log.' }),
      index: count(),
      tick: tick(),
      phase: finite({ minimum: 0, maximum: 1 }),
      kind: Type.String(),
      operators: Type.Array(Type.String()),
      face_value: credits(),
      funding: funding(),
      precisionActual: finite({ minimum: 0 }),
      inputs_digest: hex64({ description: 'HMAC-SHA256 of the digest under the nonce that only the owner has.' }),
      result_digest: hex64({ description: 'As inputs_digest.' }),
      state: state(),
    }),
  ),
})
export type RecordPage = View<typeof recordPage>

/** The seal log as it stands. */
export const consensus = model('Consensus', {
  tick: tick(),
  origin: Type.String(),
  size: count({ description: 'Durable leaves of the seal log.' }),
  root: hex64({ description: 'Root over all of them.' }),
  checkpoint: orNull(
    Type.Object({
      size: count(),
      root: hex64(),
      tick: tick({ description: 'The tick that it closes.' }),
      late: Type.Boolean(),
      note: Type.String({ description: 'C2SP signed note, with the lines of its witnesses.' }),
      witnessed: count({ description: 'Cosignatures on it.' }),
    }),
  ),
  clock_behind: Type.Boolean({ description: 'Sealing waits for the clock.' }),
})
export type Consensus = View<typeof consensus>

const amount = (description: string) => count({ description })

const assetSum = model('AssetSum', {
  asset: Type.String({ description: 'free, paid, coin, or what else the ledger holds.' }),
  issued: amount('Ever brought into being: supply + burned + withheld.'),
  supply: amount('Held by accounts now.'),
  burned: amount('Paid for computations.'),
  withheld: amount('Taken out of use.'),
  sources: Type.Array(
    Type.Object({
      source: Type.String({ description: 'Why: sign-up, claim, grant, demo, donation, …' }),
      amount: amount('How much of it.'),
      leaves: orNull(count(), { description: 'Ledger leaves that state it; null: the leaves of envelopes do.' }),
    }),
  ),
})
/** Where one asset is: issued = supply + burned + withheld. */
export type AssetSum = View<typeof assetSum>

const issueLine = model('IssueLine', {
  log: Type.String({ description: 'Origin of the seal log that holds it: an earlier key had another.' }),
  index: count({ description: 'Place in that log.' }),
  hash: hex64({ description: 'Leaf hash; binds account and cause, which are not shown.' }),
  kind: Type.String(),
  asset: Type.String(),
  amount: count(),
  tick: tick(),
  state: state(),
})
/** One ledger leaf, without its account and its cause. */
export type IssueLine = View<typeof issueLine>

const claimsOfDay = model('ClaimsOfDay', { day: utcDay('yyyy-mm-dd.'), claims: count(), credits: credits() })

/** Where every credit and coin came from and went. */
export const transparency = model('Transparency', {
  log: Type.String({ description: 'Origin of the seal log that new leaves come into.' }),
  tick: tick(),
  assets: Type.Array(assetSum),
  claims: Type.Array(claimsOfDay, { description: 'Daily claims that were paid, newest day first; a month of days.' }),
  total: count({ description: 'Ledger leaves in all.' }),
  limit: count(),
  lines: Type.Array(issueLine),
  next: orNull(count(), { description: '`before` of the next page; null on the last.' }),
})
export type Transparency = View<typeof transparency>
