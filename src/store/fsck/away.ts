import { fromUtf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import type { Bundle } from '#core/claim.ts'
import { nodeOfLog } from '#core/ids.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import { verifyTokenProof } from '#core/token/evidence.ts'
import { countOf, findIn, placesOf, tokensRoot } from '#core/token/list.ts'
import { opDigest } from '#core/token/op.ts'
import { verifyState } from '#core/token/state.ts'
import { verifyBundle } from '#core/verify.ts'
import {
  type AwayNeeds,
  type AwayRows,
  type AwayTokenRow,
  assertIncluded,
  assertReceipted,
  awayKey,
  concernedBy,
  factsOf,
  homePart,
  lotKey,
  TOKEN_EVIDENCE_PLACES,
} from '#store/away.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { folderPart, keyOf, seqKey } from '#store/key-parts.ts'
import { listReader } from './op-lists.ts'
import type { Fsck } from './report.ts'

type Away = Fsck<AwayNeeds>
type Table = keyof AwayRows

const refuse = (table: Table, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Runs a check whose fault accuses the row. */
const holds = (table: Table, key: string, check: () => void): void => {
  try {
    check()
  } catch (cause) {
    if (cause instanceof CorruptRow) throw cause
    refuse(table, key, cause instanceof Error ? cause.message : String(cause))
  }
}

type ListOf = ReturnType<typeof listReader>

const checkBundle = ({ database }: Away, key: string, row: AwayTokenRow): void => {
  const { bundle: name, token_id, facts } = row
  const bytes = database.peek('blob', name) ?? refuse('awayToken', key, 'its bundle is missing')
  if (bytes.length !== row.bytes) refuse('awayToken', key, 'its bundle has another length')
  holds('awayToken', key, () => {
    const bundle = JSON.parse(fromUtf8(bytes)) as Bundle
    const { outcome, failing } = verifyBundle({ bundle, trusted: nodeOfLog(facts.home) })
    if (outcome === 'failed') refuse('awayToken', key, `its bundle does not verify: ${failing}`)
    const same = canonical(factsOf(bundle) as unknown as Json) === canonical(facts as unknown as Json)
    if (!same || bundle.envelope.claim.token_id !== token_id) refuse('awayToken', key, 'its bundle says something else')
  })
}

/** Lock and count of a token are what its home signed. */
const checkStated = ({ database }: Away, row: AwayTokenRow): void => {
  const lot = lotKey(row.owner, row.facts.home, row.serial)
  const stated = database.peek('awayState', lot)?.state.tokens.find((it) => it.token_id === row.token_id)
  const same =
    stated?.spend_seq === row.spend_seq &&
    stated.soulbound === row.soulbound &&
    canonical(stated.lock as Json) === canonical(row.lock as Json)
  if (!same) refuse('awayState', lot, `it does not say what is kept of token ${row.token_id}`)
}

const checkTokens = async (fsck: Away, listOf: ListOf): Promise<void> => {
  const { database, step } = fsck
  const [folders, sizes] = [new Map<string, number>(), new Map<string, number>()]
  let count = 0
  for await (const [key, row] of database.range('awayToken')) {
    step('envelopes')
    count += 1
    const { owner, serial, folder, token_id, brought_by } = row
    if (awayKey(owner, serial) !== key) refuse('awayToken', key, 'it stands in another place')
    if (database.peek('awayByToken', token_id) !== key) refuse('awayByToken', token_id, 'it does not lead to the token')
    const filed = keyOf(owner, folderPart(folder), seqKey(serial))
    if (database.peek('awayByFolder', filed) !== token_id) refuse('awayByFolder', filed, 'it does not name the token')
    const counted = keyOf(owner, folderPart(folder))
    folders.set(counted, (folders.get(counted) ?? 0) + 1)
    sizes.set(owner, (sizes.get(owner) ?? 0) + row.bytes)
    const move = database.peek('awayMove', brought_by)
    const gave = move !== undefined && 'to' in move.op && move.op.to === owner && move.op.home === row.facts.home
    if (!gave || findIn(await listOf(brought_by), token_id) === undefined) {
      refuse('awayToken', key, 'no op brought it')
    }
    if (serial >= (database.peek('awaySerial', owner) ?? 0)) refuse('awaySerial', owner, 'it counts too little')
    checkBundle(fsck, key, row)
    checkStated(fsck, row)
  }
  for (const table of ['awayByToken', 'awayByFolder'] as const) {
    const found = await database.count(table)
    if (found !== count) refuse(table, '', `there are ${found} rows for ${count} tokens`)
  }
  await checkSums(fsck, 'awayFolder', folders)
  await checkSums(fsck, 'awayBytes', sizes)
}

/** Rows of a table of sums are those that tokens give. */
const checkSums = async ({ database }: Away, table: 'awayFolder' | 'awayBytes', sums: Map<string, number>) => {
  for await (const [key, found] of database.range(table)) {
    if (sums.get(key) !== found) refuse(table, key, `it counts ${found}`)
    sums.delete(key)
  }
  for (const key of sums.keys()) refuse(table, key, 'the row is missing')
}

/** Lists are those of ops that are here or on their way. */
const checkLists = async (fsck: Away, listOf: ListOf): Promise<void> => {
  const { database, step } = fsck
  let last = ''
  for await (const [key] of database.range('awayList')) {
    step('logs')
    const [digest = ''] = key.split('/')
    if (digest === last) continue
    last = digest
    const op = (database.peek('awayMove', digest) ?? database.peek('awayPending', digest))?.op
    if (op === undefined) return refuse('awayList', key, 'its op is missing')
    if (database.peek('awayArrival', digest)?.listed === false) continue
    const list = await listOf(digest)
    if (countOf(list) !== op.count || tokensRoot(list) !== op.tokens_root) {
      refuse('awayList', digest, 'the list does not have the root that its op names')
    }
  }
}

/** Evidence proves itself, and each place of what could be given up names some. */
const checkEvidence = async ({ database }: Away): Promise<void> => {
  for await (const [key, evidence] of database.range('awayEvidence')) {
    holds('awayEvidence', key, () => {
      if (homePart(verifyTokenProof(evidence).home) !== key) refuse('awayEvidence', key, 'of another home')
    })
  }
  const isPlace = (it: number): boolean => Number.isInteger(it) && it >= 0 && it < TOKEN_EVIDENCE_PLACES
  for await (const [place, home] of database.range('awayEvidenceSlot')) {
    const names = isPlace(Number(place)) && database.peek('awayEvidence', home) !== undefined
    if (!names) refuse('awayEvidenceSlot', place, 'it names no evidence')
  }
  for await (const [key, next] of database.range('awayEvidenceNext')) {
    if (!isPlace(next)) refuse('awayEvidenceNext', key, 'there is no such place')
  }
}

const checkMoves = async (fsck: Away): Promise<void> => {
  const { database, step } = fsck
  const successions: ProvenSuccession[] = []
  for await (const [, { claims }] of database.range('successor')) successions.push(...claims)
  let places = 0
  for await (const [digest, row] of database.range('awayMove')) {
    step('logs')
    if (opDigest(row.op) !== digest || row.digest !== digest) refuse('awayMove', digest, 'it is of another op')
    holds('awayMove', digest, () => {
      assertReceipted(row, successions)
      if (row.proof !== null) assertIncluded(row.proof, row)
    })
    if (row.received && row.proof === null) refuse('awayMove', digest, 'it is received without a proof')
    // Whoever came here later has no place for it.
    const named = concernedBy(row).filter(
      (zid) => database.peek('awayMoveByZid', keyOf(zid, seqKey(row.place))) === digest,
    )
    if (named.length === 0) refuse('awayMove', digest, 'nobody here has it among his moves')
    places += named.length
    if (row.place >= (database.peek('awayPlace', 'all') ?? 0)) refuse('awayPlace', 'all', 'it counts too little')
  }
  const found = await database.count('awayMoveByZid')
  if (found !== places) refuse('awayMoveByZid', '', `there are ${found} rows, and ops give ${places}`)
}

const checkWays = async (fsck: Away, listOf: ListOf): Promise<void> => {
  const { database, step } = fsck
  for await (const [key, digest] of database.range('awayOfToken')) {
    step('logs')
    const known = database.peek('awayMove', digest) !== undefined
    const [token = '', seq = ''] = key.split('/')
    const before = known ? findIn(await listOf(digest), token)?.spend_seq : undefined
    if (before === undefined || seqKey(before + 1) !== seq) refuse('awayOfToken', key, 'that op did not change it')
  }
  for await (const [digest, { done, listed }] of database.range('awayArrival')) {
    const op = database.peek('awayMove', digest)?.op
    if (op === undefined || done > op.count || (done > 0 && !listed)) refuse('awayArrival', digest, 'its op is missing')
  }
  for await (const [digest, { op }] of database.range('awayPending')) {
    if (opDigest(op) !== digest) refuse('awayPending', digest, 'it is of another op')
    const places = [...placesOf(await listOf(digest))]
    if (places.length !== op.count) refuse('awayPending', digest, 'its list is missing')
  }
  for await (const [key, signed] of database.range('awayState')) {
    step('logs')
    if (!verifyState(signed)) refuse('awayState', key, 'its home did not sign it')
  }
}

/** What other homes signed verifies, and every row of tokens of theirs follows from it. */
export const checkAway = async (fsck: Away): Promise<void> => {
  const listOf = listReader(fsck.database, 'awayList')
  await checkTokens(fsck, listOf)
  await checkLists(fsck, listOf)
  await checkEvidence(fsck)
  await checkMoves(fsck)
  await checkWays(fsck, listOf)
}
