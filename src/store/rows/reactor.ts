import { type KeptStep, trajectoryWalk } from '#core/reactor.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey, under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { EnvelopeRows } from './envelope.ts'
import type { MachineRows } from './machine.ts'

/** Why a reactor takes no more steps. A refusal is that of the step it would have taken next, for good. */
export interface ReactorEnd {
  readonly kind: 'complete' | 'condition' | 'refused'
  /** A sentence. */
  readonly why: string
  /** Code and details of a refusal. */
  readonly code: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** A stateful loop over one solver, and where it stands. */
export interface ReactorRow {
  readonly v: 1
  /** 32 hex digits. */
  readonly id: string
  /** Order in which reactors were made on this node. */
  readonly number: number
  /** Whose it is: an account, a demo key, a machine's key. */
  readonly owner: string
  /** The machine whose chain holds its entries; null where the caller can have none. */
  readonly slug: string | null
  readonly id_hash: string | null
  /** The solver's name, and with its revision: another one computes other bits. */
  readonly kind: string
  readonly solver: string
  /** Digest of the transition contract. */
  readonly contract: string
  readonly terms: {
    readonly steps: number
    readonly seal: boolean
    readonly stops: readonly { readonly of: string; readonly op: '<' | '<=' | '>' | '>='; readonly than: number }[]
    readonly observers: readonly string[]
  }
  /** A state is kept of every so many steps, beside the newest. */
  readonly every: number
  readonly created_tick: number
  /** Node tick of the newest step, or of the creation. */
  readonly moved_tick: number
  /** Steps taken. */
  readonly step: number
  /** Digest of the newest state. */
  readonly state: string
  /** Errors of all steps added up, in percent. */
  readonly error_sum: number
  readonly value: number | null
  readonly unit: string
  /** Credits of one step; 0 where steps are not sealed. */
  readonly price: number
  readonly ended: ReactorEnd | null
}

/** One state of a reactor and how it came to be; step 0 is the beginning. */
export interface ReactorStepRow {
  readonly step: number
  readonly tick: number
  readonly state: string
  readonly previous: string | null
  readonly inputs_digest: string
  readonly result_digest: string | null
  /** Of this step alone, and of all since step 0, in percent. */
  readonly error_pct: number
  readonly error_sum: number
  readonly value: number | null
  readonly token_id: string | null
  /** Its entry in the machine's chain. */
  readonly seq: number | null
  /** Time of the computation, in milliseconds. */
  readonly took_ms: number
  /** Units of work, about 1e6 floating-point operations each. */
  readonly work: number
  /** Secondary figures of the check: what is conserved, by how much it is not. */
  readonly figures: Readonly<Record<string, number>>
  readonly observed: Readonly<Record<string, number | null>>
}

export interface ReactorRows {
  readonly reactor: ReactorRow
  readonly reactorStep: ReactorStepRow
  readonly reactorState: Uint8Array
}

/** A step as a walk along the trajectory takes it. */
export const keptOf = (row: ReactorStepRow): KeptStep => ({
  step: row.step,
  previous: row.previous,
  inputs_digest: row.inputs_digest,
  result_digest: row.result_digest,
  state: row.state,
  errorPct: row.error_pct,
  errorSum: row.error_sum,
})

/** Whether the state after a step is kept: the first, the newest, and every so many in between. */
export const keepsState = ({ every, step: newest }: Pick<ReactorRow, 'every' | 'step'>, step: number): boolean =>
  step === newest || step % every === 0

/** Entries and envelopes that steps name stand in other tables. */
type ReactorNeeds = ReactorRows & Pick<MachineRows, 'machine' | 'machineEntry'> & Pick<EnvelopeRows, 'envelope'>

const demand = (
  holds: boolean,
  { table, key }: { table: 'reactor' | 'reactorStep' | 'reactorState'; key: string },
  what: string,
) => {
  if (!holds) throw new CorruptRow(table, key, what)
}

/** A step's entry and envelope are where it says. */
const checkStep = ({ database }: Fsck<ReactorNeeds>, { id, slug }: ReactorRow, row: ReactorStepRow): void => {
  const at = { table: 'reactorStep', key: keyOf(id, seqKey(row.step)) } as const
  demand((slug === null) === (row.seq === null), at, 'it has an entry without a machine, or the other way round')
  if (slug !== null && row.seq !== null) {
    const body = database.peek('machineEntry', keyOf(slug, seqKey(row.seq)))?.entry.body
    const said = (body ?? {}) as { readonly reactor?: unknown; readonly state?: unknown }
    demand(said.reactor === id && said.state === row.state, at, 'its entry in the chain says something else')
  }
  if (row.token_id !== null)
    demand(database.peek('envelope', row.token_id) !== undefined, at, 'its envelope is missing')
}

const checkReactor = async (
  fsck: Fsck<ReactorNeeds>,
  row: ReactorRow,
): Promise<{ readonly steps: number; readonly states: number }> => {
  const { database, step } = fsck
  const { id, slug, id_hash } = row
  const at = { table: 'reactor', key: id } as const
  demand(slug === null || database.peek('machine', slug)?.id_hash === id_hash, at, 'its machine is another one')
  const walk = trajectoryWalk(row.contract)
  const rows: ReactorStepRow[] = []
  for await (const [key, it] of database.range('reactorStep', under(id))) {
    step('machines')
    demand(key === keyOf(id, seqKey(it.step)), { table: 'reactorStep', key }, 'it is of another step')
    if (!walk.step(keptOf(it))) throw new CorruptRow('reactorStep', key, walk.verdict().broken?.why ?? '')
    checkStep(fsck, row, it)
    rows.push(it)
  }
  const newest = rows.at(-1)
  const stands = rows.length === row.step + 1 && newest?.state === row.state && newest.error_sum === row.error_sum
  demand(stands, at, 'it does not say where its steps end')
  let states = 0
  for (const it of rows) {
    if (!keepsState(row, it.step)) continue
    const key = keyOf(id, seqKey(it.step))
    demand(database.peek('reactorState', key) !== undefined, { table: 'reactorState', key }, 'the row is missing')
    states += 1
  }
  return { steps: rows.length, states }
}

/**
 * Reactors: each trajectory walked again from its beginning, its entries and envelopes where the steps say, a state for
 * every step that keeps one, and nothing beside. What a state holds is bound by the digest that the next step checks.
 */
const checkReactors = async (fsck: Fsck<ReactorNeeds>): Promise<void> => {
  const { database } = fsck
  let [steps, states] = [0, 0]
  for await (const [id, row] of database.range('reactor')) {
    demand(row.id === id, { table: 'reactor', key: id }, 'it has another id')
    const found = await checkReactor(fsck, row)
    steps += found.steps
    states += found.states
  }
  for await (const _ of database.range('reactorStep')) steps -= 1
  demand(steps === 0, { table: 'reactorStep', key: '' }, 'there are steps of no reactor')
  for await (const _ of database.range('reactorState')) states -= 1
  demand(states === 0, { table: 'reactorState', key: '' }, 'there are states of no step')
}

/** Stateful loops over solvers. */
export const reactor = rowKind<ReactorRows, ReactorNeeds>({
  tables: {
    reactor: { prefix: 'r', form: 'json', key: 'reactor id' },
    reactorStep: { prefix: 'rt', form: 'json', key: 'reactor id / step' },
    reactorState: { prefix: 'rs', form: 'bytes', key: 'reactor id / step: JSON of the full inputs that take up there' },
  },
  since: { schema: 2, note: 'it came later and changed no other row: a store of before has none' },
  check: checkReactors,
})
