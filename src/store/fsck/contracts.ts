import { canonical, type Json } from '#core/canonical.ts'
import { contractDigest } from '#core/contract/cause.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { digest, purposes } from '#core/digest.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { keyOf, seqKey, under } from '#store/key-parts.ts'
import type { EnvelopeRows } from '#store/rows/envelope.ts'
import type { MachineRows } from '#store/rows/machine.ts'
import type { Fsck } from './report.ts'

/** What of a contract is held against other rows; its own file has it whole. */
interface ContractRow {
  readonly id: string
  readonly number: number
  readonly slug: string
  readonly contract: string
  readonly status: string
  readonly done: boolean
  readonly version_no: number
  readonly version: string
  readonly zones?: Readonly<Record<string, string>>
  readonly standing: Pick<ContractStanding, 'state' | 'context'>
  readonly next: number | null
  readonly firing: string | null
  readonly fire_count: number
  readonly rows: number
}

/** The rows that are checked. */
export interface CheckedContractRows {
  readonly contract: ContractRow
  readonly contractOf: string
  readonly contractByNumber: string
  readonly contractVersion: {
    readonly no: number
    readonly version: string
    readonly definition: Json
    readonly zones: Readonly<Record<string, string>>
  }
  readonly contractZone: { readonly table: Json }
  readonly contractDue: string
  readonly contractWatch: string
  readonly contractMark: number
  readonly contractFire: FireRow
  readonly contractFireNo: number
  readonly contractIntent: { readonly fire: string }
  readonly contractOutbox: { readonly id: string; readonly fire: string }
  readonly contractCall: { readonly contract: string }
}

type Rows = CheckedContractRows & EnvelopeRows & MachineRows
type Decided = Extract<FireRow, { readonly outcome: 'fired' | 'refused' | 'failed' }>

const refuse = (table: keyof CheckedContractRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

const demand = (holds: boolean, table: keyof CheckedContractRows, key: string, what: string): void => {
  if (!holds) refuse(table, key, what)
}

const same = (a: unknown, b: unknown): boolean => canonical(a as Json) === canonical(b as Json)

/** How many rows there must be for the contracts that were walked. */
interface Expected {
  contracts: number
  versions: number
  dues: number
  watches: number
  rows: number
  fires: number
  entries: number
  intents: number
}

/** The events that a definition goes by: `slug/event`, as the index of watchers has them. */
const watchedBy = (slug: string, definition: Json): ReadonlySet<string> => {
  const { transitions, windows } = definition as unknown as {
    readonly transitions: readonly { readonly trigger: { kind: string; event?: string; from?: string } }[]
    readonly windows: Readonly<Record<string, { readonly event: string }>>
  }
  const triggered = transitions.flatMap(({ trigger: { kind, event = '', from = slug } }) =>
    kind === 'event' ? [keyOf(from, event)] : [],
  )
  return new Set([...triggered, ...Object.values(windows).map(({ event }) => keyOf(slug, event))])
}

const checkVersions = ({ database }: Fsck<Rows>, row: ContractRow, expected: Expected): void => {
  for (let no = 1; no <= row.version_no; no++) {
    const key = keyOf(row.id, seqKey(no))
    const version = database.peek('contractVersion', key)
    if (version === undefined) return refuse('contractVersion', key, 'the row is missing')
    const named = digest(purposes.contract, version.definition)
    demand(version.no === no && version.version === named, 'contractVersion', key, 'its digest is another one')
    const present = no === row.version_no ? row.zones : undefined
    for (const zone of Object.values({ ...version.zones, ...present })) {
      demand(database.peek('contractZone', zone) !== undefined, 'contractZone', zone, 'the table of a zone is missing')
    }
    expected.versions += 1
  }
}

const checkIndexes = ({ database }: Fsck<Rows>, row: ContractRow, expected: Expected): void => {
  const { id, slug, number, next, status, done, version_no } = row
  const [of, byNumber] = [keyOf(slug, id), seqKey(number)]
  demand(database.peek('contractOf', of) === id, 'contractOf', of, 'the row is missing')
  demand(database.peek('contractByNumber', byNumber) === id, 'contractByNumber', byNumber, 'it names another contract')
  if (next !== null) {
    const due = keyOf(seqKey(next), id)
    demand(database.peek('contractDue', due) === id, 'contractDue', due, 'the row is missing')
    expected.dues += 1
  }
  if (status !== 'live' || done) return
  const version = database.peek('contractVersion', keyOf(id, seqKey(version_no)))
  for (const place of watchedBy(slug, version?.definition ?? {})) {
    const key = keyOf(place, id)
    demand(database.peek('contractWatch', key) === id, 'contractWatch', key, 'the row is missing')
    expected.watches += 1
  }
}

/** A fire that its machine's chain tells of says there what its row says, and its envelopes are there. */
const checkFire = ({ database }: Fsck<Rows>, { id, slug, contract }: ContractRow, row: Decided, key: string): void => {
  for (const { token_id } of row.computations) {
    const there = token_id !== null && database.peek('envelope', token_id) !== undefined
    demand(there, 'contractFire', key, 'an envelope of it is missing')
  }
  if (row.seq === null) {
    demand(
      row.outcome !== 'fired' && row.from === row.to,
      'contractFire',
      key,
      'it moved its contract without an entry',
    )
    return
  }
  const entry = database.peek('machineEntry', keyOf(slug, seqKey(row.seq)))?.entry
  if (entry?.type !== 'contract_fire') return refuse('contractFire', key, `its entry in the chain of ${id} is missing`)
  const { before, after, fire, version, outcome, from, to, steps, cause } = row
  const said = entry.body as Readonly<Record<string, Json>>
  const computations = row.computations.map(({ bound: _, ...it }) => it)
  const fits =
    same(
      { contract, context: { before, after }, fire, version, outcome, from, to, steps, cause, computations },
      Object.fromEntries(
        ['contract', 'context', 'fire', 'version', 'outcome', 'from', 'to', 'steps', 'cause', 'computations'].map(
          (name) => [name, said[name] ?? null],
        ),
      ),
    ) && entry.tick === row.tick
  demand(fits, 'contractFire', key, 'its entry in the chain says something else')
}

const isDecided = (row: FireRow): row is Decided =>
  row.outcome === 'fired' || row.outcome === 'refused' || row.outcome === 'failed'

/** Where a contract stands after a row that says so. */
const placeAfter = (row: FireRow): { readonly state: Json; readonly context: Json } | undefined => {
  if (isDecided(row))
    return { state: row.outcome === 'fired' || row.to !== row.from ? row.to : row.from, context: row.context }
  if (row.outcome !== 'changed') return undefined
  const { state, context } = row.details as Readonly<Record<string, Json | undefined>>
  return state === undefined || context === undefined ? undefined : { state, context }
}

/** The audit of a contract: no number is left out, no fire has two outcomes, and the last says where it stands. */
const checkAudit = async (fsck: Fsck<Rows>, row: ContractRow, expected: Expected): Promise<void> => {
  const { database, step } = fsck
  let [no, fired] = [0, 0]
  let place: ReturnType<typeof placeAfter>
  // A fire that ends beside a change by hand leaves the state as that change has it, where it is another.
  let [byHand, beside]: [Json | undefined, ReturnType<typeof placeAfter>] = [undefined, undefined]
  for await (const [key, it] of database.range('contractFire', under(row.id))) {
    step('machines')
    demand(it.no === no && key === keyOf(row.id, seqKey(no)), 'contractFire', key, 'a row before it is missing')
    no += 1
    if ('fire' in it) {
      const at = keyOf(row.id, it.fire)
      demand(database.peek('contractFireNo', at) === it.no, 'contractFireNo', at, 'its fire has no outcome, or two')
      expected.fires += 1
    }
    if (isDecided(it)) {
      checkFire(fsck, row, it, key)
      fired += it.outcome === 'fired' ? 1 : 0
      expected.entries += it.seq === null ? 0 : 1
    }
    const after = placeAfter(it)
    if (after === undefined) continue
    place = after
    beside = isDecided(it) && byHand !== undefined ? { ...after, state: byHand } : undefined
    byHand = isDecided(it) ? undefined : after.state
  }
  expected.rows += no
  demand(no === row.rows && fired === row.fire_count, 'contract', row.id, 'it counts more or fewer rows than there are')
  const { state, context } = row.standing
  const stands = place === undefined || [place, beside].some((it) => it && same(it, { state, context }))
  demand(stands, 'contract', row.id, 'it does not stand where its last row left it')
}

const checkContract = async (fsck: Fsck<Rows>, row: ContractRow, expected: Expected): Promise<void> => {
  const { database } = fsck
  const { id, slug, contract, firing } = row
  const machine = database.peek('machine', slug)
  const named = machine !== undefined && contractDigest(machine.id_hash, id) === contract
  demand(named, 'contract', id, 'its machine is missing, or its digest is another one')
  checkVersions(fsck, row, expected)
  const { version } = database.peek('contractVersion', keyOf(id, seqKey(row.version_no))) ?? {}
  demand(version === row.version, 'contract', id, 'it names another version than its number has')
  checkIndexes(fsck, row, expected)
  const intent = database.peek('contractIntent', id)
  demand((intent?.fire ?? null) === firing, 'contractIntent', id, 'it is not of the fire under way')
  expected.intents += firing === null ? 0 : 1
  await checkAudit(fsck, row, expected)
}

const checkCounts = async ({ database }: Fsck<Rows>, expected: Expected): Promise<void> => {
  const counts: readonly (readonly [keyof CheckedContractRows, number])[] = [
    ['contractOf', expected.contracts],
    ['contractByNumber', expected.contracts],
    ['contractVersion', expected.versions],
    ['contractDue', expected.dues],
    ['contractWatch', expected.watches],
    ['contractFire', expected.rows],
    ['contractFireNo', expected.fires],
    ['contractIntent', expected.intents],
  ]
  for (const [table, count] of counts) {
    const found = await database.count(table)
    demand(found === count, table, '', `there are ${found} rows, and ${count} belong there`)
  }
}

/** Marks and what waits to be sent or answered are of machines and contracts that are there. */
const checkLoose = async ({ database }: Fsck<Rows>): Promise<void> => {
  for await (const [slug, mark] of database.range('contractMark')) {
    const size = database.peek('machineHead', slug)?.size ?? 0
    demand(mark <= size, 'contractMark', slug, 'it lies beyond the end of the chain')
  }
  for await (const [key, { id, fire }] of database.range('contractOutbox')) {
    demand(database.peek('contractFireNo', keyOf(id, fire)) !== undefined, 'contractOutbox', key, 'its fire is missing')
  }
  for await (const [key, { contract }] of database.range('contractCall')) {
    demand(
      database.peek('contract', contract) !== undefined,
      'contractCall',
      key,
      'the contract that it calls is missing',
    )
  }
}

/**
 * Holds contracts against their versions, indexes and audits, and their audits against the chains: every fire has one
 * outcome, and every entry that tells of a fire has its row.
 *
 * @throws CorruptRow
 */
export const checkContracts = async (fsck: Fsck<Rows>): Promise<void> => {
  const { database } = fsck
  const expected = { contracts: 0, versions: 0, dues: 0, watches: 0, rows: 0, fires: 0, entries: 0, intents: 0 }
  for await (const [id, row] of database.range('contract')) {
    demand(row.id === id, 'contract', id, 'it has another id')
    await checkContract(fsck, row, expected)
    expected.contracts += 1
  }
  await checkCounts(fsck, expected)
  await checkLoose(fsck)
  let told = 0
  if (expected.contracts > 0) {
    for await (const [, { type }] of database.range('machineFeed')) told += type === 'contract_fire' ? 1 : 0
  }
  demand(told === expected.entries, 'contractFire', '', `chains tell of ${told} fires, and rows of ${expected.entries}`)
}
