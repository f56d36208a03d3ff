import type { SignedClosing, SignedOpening } from '#core/batch/forms.ts'
import { type Json, parseCanonical } from '#core/canonical.ts'
import type { Claim } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { claimPurpose, type LedgerEntry } from '#core/envelope.ts'
import { HOUSE, isZid, tokenIdOf } from '#core/ids.ts'
import { publicKeyOf, verifyValue } from '#core/keys.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { folderPart, keyOf, seqKey, under } from '#store/key-parts.ts'
import type { Rows, TableName } from '#store/layout.ts'
import { classOf } from '#store/ledger.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import { checkKept, checkKeptLeft } from './kept.ts'
import type { LeafContext } from './leaf-context.ts'
import { issueName, type Movements, moneyOf } from './ledger.ts'
import type { CheckedLeaf } from './logs.ts'
import { takeHead } from './machines.ts'
import type { Fsck } from './report.ts'

/** What a leaf of a batch holds. */
type BatchLeaf = { readonly signature: string } & Partial<
  Pick<SignedOpening, 'opening'> & Pick<SignedClosing, 'closing'>
>

const refuse = (table: TableName, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Value and unit are those of the claim, or both left to it. */
const isFound = (row: EnvelopeRow, claim: Claim): boolean =>
  (row.value === undefined && row.unit === undefined) || (row.value === claim.value && row.unit === claim.unit)

/** The record of an envelope says what its signed claim says. */
const checkRow = (row: EnvelopeRow, claim: Claim, { token, base }: { token: string; base: number }): void => {
  const fits =
    row.token_id === token &&
    row.index === base + claim.index &&
    row.kind === claim.kind &&
    row.operators.join() === claim.operators.join() &&
    row.tick === claim.tick &&
    row.phase === claim.phase &&
    row.face === claim.price &&
    row.funding === claim.funding &&
    row.issued_to === claim.zid &&
    row.precision_actual === claim.precisionActual &&
    isFound(row, claim) &&
    row.soulbound === (claim.funding === 'free') &&
    (row.shared === undefined || row.shared === true) &&
    row.backs === (claim.funding === 'free' ? HOUSE : null)
  if (!fits) refuse('envelope', token, 'the record does not say what its claim says')
}

/** A row that is to be shown to a machine's keys names one of them, and a machine of the envelope's owner. */
const checkSealer = (
  { database }: Fsck<Rows>,
  { token_id: token, sealed_by: by, listed_under: owner }: EnvelopeRow,
): void => {
  if (by === undefined || by.slug === null) return
  const isKey = database.peek('machineKeyOf', keyOf(by.slug, by.key)) !== undefined
  const isOwners = database.peek('machine', by.slug)?.owner_zid === owner
  if (!isKey || !isOwners) refuse('envelope', token, "it names a machine's key that its owner has not")
}

/** Burn and coin of an envelope are what its claim says was charged. */
const checkMoney = async (movements: Movements, claim: Claim): Promise<void> => {
  const { token_id: token, price, funding, zid } = claim
  const money = await movements.takeMoney(token)
  if (money === undefined) return refuse('envelope', token, 'no coin was minted or nothing burned')
  const keeper = funding === 'paid' ? zid : HOUSE
  const coin = { asset: 'coin', amount: price, credit: keeper }
  const burn = { asset: funding, amount: price, credit: 'burned:compute' }
  if (money !== moneyOf(coin, burn)) refuse('envelope', token, 'coin or burn do not fit the claim')
}

/** Who keeps the coin of an envelope: its owner, or the house where nobody could send it (value.md, Economy). */
const keeperOf = ({ soulbound, listed_under: owner }: EnvelopeRow): string =>
  soulbound || !isZid(owner) ? HOUSE : owner

/** Coins and envelopes of each account are of one sum. */
const checkCoins = async ({ database, step }: Fsck<Rows>, coins: Map<string, number>): Promise<void> => {
  for await (const [key, balance] of database.range('balance', under('coin'))) {
    step('ledger')
    const account = key.slice(key.indexOf('/') + 1)
    if (classOf(account) !== 'ordinary') continue
    const weight = coins.get(account) ?? 0
    if (balance !== weight)
      refuse('balance', key, `it is ${balance}, and the envelopes of this account weigh ${weight}`)
    coins.delete(account)
  }
  for (const [account, weight] of coins) {
    if (weight !== 0) refuse('balance', keyOf('coin', account), `its envelopes weigh ${weight}, and it has no coins`)
  }
}

/** Until when a lock ties an envelope that may move otherwise: null for none, undefined where it may not move. */
const tieOf = ({ soulbound, lock }: EnvelopeRow): number | null | undefined => {
  if (soulbound) return undefined
  if (lock === null) return null
  return lock.until ?? undefined
}

const checkIndexes = ({ fsck, folders, movable, timed }: LeafContext, row: EnvelopeRow): void => {
  const { token_id: token, index, listed_under: list, folder, published } = row
  const tied = tieOf(row)
  const places: readonly (readonly [TableName, string])[] = [
    ['envelopeByOwner', keyOf(list, seqKey(index))],
    ['envelopeByFolder', keyOf(list, folderPart(folder), seqKey(index))],
    ...(published ? ([['envelopePublished', seqKey(index)]] as const) : []),
    ...(tied === undefined ? [] : ([['envelopeMovable', keyOf(list, seqKey(index))]] as const)),
    ...(tied == null ? [] : ([['envelopeTimed', keyOf(list, seqKey(tied), seqKey(index))]] as const)),
  ]
  if (tied !== undefined) movable.set(list, (movable.get(list) ?? 0) + 1)
  if (tied != null) timed.count += 1
  for (const [table, key] of places) {
    if (fsck.database.peek(table, key) !== token) refuse(table, key, `it does not name envelope ${token}`)
  }
  const counted = [keyOf(list, folderPart(folder)), ...(published ? [keyOf('published', '')] : [])]
  for (const key of counted) folders.set(key, (folders.get(key) ?? 0) + 1)
}

const checkEnvelope = async (context: LeafContext, leaf: CheckedLeaf, body: Json): Promise<number> => {
  const { fsck, signed, movements } = context
  const { claim, signature } = body as unknown as { claim: Claim; signature: string }
  const { node, origin, base } = signed
  const token = tokenIdOf(origin, leaf.index)
  const ours = claim.node === node && claim.log === origin
  if (claim.index !== leaf.index || claim.token_id !== token || !ours) {
    refuse('leaf', leaf.key, 'the claim was made for another place')
  }
  context.signatures.add({
    ...{ publicKey: publicKeyOf(node), purpose: claimPurpose(claim), value: claim as unknown as Json, signature },
    refuse: () => refuse('leaf', leaf.key, 'the signature does not verify'),
  })
  const row = fsck.database.peek('envelope', token)
  if (row === undefined) return refuse('envelope', token, 'the row is missing')
  checkRow(row, claim, { token, base })
  checkSealer(fsck, row)
  await checkMoney(movements, claim)
  await context.moves.row(row, claim.zid === HOUSE ? row.listed_under : claim.zid)
  checkIndexes(context, row)
  checkKept(fsck, context.kept, { row, claim })
  const keeper = keeperOf(row)
  // The coin of one that was withheld left its keeper.
  const coin = row.lock?.kind === 'withheld' ? 0 : row.face
  context.coins.set(keeper, (context.coins.get(keeper) ?? 0) + coin)
  fsck.counts.envelopes += 1
  return claim.tick
}

const checkLedgerLeaf = async ({ signed, movements }: LeafContext, leaf: CheckedLeaf, body: Json): Promise<number> => {
  const { entry, signature } = body as unknown as { entry: LedgerEntry; signature: string }
  const value = entry as unknown as Json
  const ours = entry.node === signed.node && entry.log === signed.origin
  if (entry.index !== leaf.index || !ours) refuse('leaf', leaf.key, 'the entry was made for another place')
  if (!verifyValue(publicKeyOf(signed.node), purposes.ledgerEntry, value, signature)) {
    refuse('leaf', leaf.key, 'the signature does not verify')
  }
  if (!(await movements.takeIssue(issueName(entry)))) refuse('leaf', leaf.key, 'no transfer fits this ledger leaf')
  return entry.tick
}

/** A batch's opening or closing was made for its place, and signed by the node. */
const checkBatchLeaf = ({ signed }: LeafContext, leaf: CheckedLeaf, { signature, ...body }: BatchLeaf): number => {
  const opens = leaf.kind === purposes.batchOpen
  const said = opens ? body.opening : body.closing
  const purpose = opens ? purposes.batchOpening : purposes.batchClosing
  if (said?.index !== leaf.index || said.node !== signed.node || said.log !== signed.origin) {
    return refuse('leaf', leaf.key, 'the document was made for another place')
  }
  if (!verifyValue(publicKeyOf(signed.node), purpose, said as unknown as Json, signature)) {
    refuse('leaf', leaf.key, 'the signature does not verify')
  }
  return said.tick
}

/** Holds a leaf of the seal log against everything that its batch wrote beside it. Returns the tick it carries. */
export const checkSealLeaf = async (context: LeafContext, leaf: CheckedLeaf): Promise<number | undefined> => {
  if (leaf.kind === purposes.head) return takeHead(context.heads, leaf.key, leaf.data)
  const body = (): Json => parseCanonical(leaf.data.subarray(leaf.kind.length + 1))
  if (leaf.kind === purposes.tokenMove) return context.moves.leaf(context, leaf, body())
  if (leaf.kind === purposes.envelope) return checkEnvelope(context, leaf, body())
  if (leaf.kind === purposes.batchOpen || leaf.kind === purposes.batchClose) {
    return checkBatchLeaf(context, leaf, body() as unknown as BatchLeaf)
  }
  return leaf.kind === purposes.ledger ? checkLedgerLeaf(context, leaf, body()) : undefined
}

/** What no leaf stands behind, of so many in the seal logs: records, index rows, coins, issues, folder counts. */
export const checkLeftovers = async (
  { fsck, movements, folders, movable, timed, kept, coins, moves }: Omit<LeafContext, 'signed' | 'signatures'>,
  leaves: number,
): Promise<void> => {
  const { database, counts, step } = fsck
  let published = 0
  for await (const [token, row] of database.range('envelope')) {
    step('envelopes')
    // The logs were walked: they have every leaf below their size, and no other.
    const hasLeaf = Number.isSafeInteger(row.index) && row.index >= 0 && row.index < leaves
    if (row.token_id !== token || !hasLeaf) refuse('envelope', token, 'no leaf stands behind it')
    published += row.published ? 1 : 0
  }
  const expected: readonly (readonly [TableName, number])[] = [
    ['envelope', counts.envelopes],
    ['envelopeByOwner', counts.envelopes],
    ['envelopeByFolder', counts.envelopes],
    ['envelopePublished', published],
    ['envelopeMovable', [...movable.values()].reduce((sum, it) => sum + it, 0)],
    ['envelopeTimed', timed.count],
  ]
  for (const [table, count] of expected) {
    const found = await database.count(table)
    if (found !== count) refuse(table, '', `there are ${found} rows for ${count} envelopes`)
  }
  await checkKeptLeft(fsck, kept)
  for await (const [key, count] of database.range('folder')) {
    if (folders.get(key) !== count) refuse('folder', key, `it counts ${count}, and ${folders.get(key) ?? 0} are there`)
    folders.delete(key)
  }
  for (const key of folders.keys()) refuse('folder', key, 'the row is missing')
  for await (const [list, count] of database.range('movable')) {
    if (movable.get(list) !== count)
      refuse('movable', list, `it counts ${count}, and ${movable.get(list) ?? 0} may move`)
    movable.delete(list)
  }
  for (const list of movable.keys()) refuse('movable', list, 'the row is missing')
  await moves.leftOvers(coins)
  const left = await movements.leftOver()
  if (left !== undefined) {
    if ('token' in left) refuse('envelope', left.token, 'a coin or a burn without an envelope')
    else if ('op' in left) refuse('move', left.op, 'coins moved without the op')
    else refuse('transfer', left.issue, 'an issue without its ledger leaf')
  }
  await checkCoins(fsck, coins)
}
