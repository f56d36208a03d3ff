import { trajectoryWalk } from '#core/reactor.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import { keepsState, keptOf, type ReactorRow, type ReactorStepRow } from '#store/reactor-rows.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

const demand = (
  holds: boolean,
  { table, key }: { table: 'reactor' | 'reactorStep' | 'reactorState'; key: string },
  what: string,
) => {
  if (!holds) throw new CorruptRow(table, key, what)
}

/** A step's entry and envelope are where it says. */
const checkStep = ({ database }: Fsck, { id, slug }: ReactorRow, row: ReactorStepRow): void => {
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
  fsck: Fsck,
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
export const checkReactors = async (fsck: Fsck): Promise<void> => {
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
