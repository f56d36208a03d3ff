import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { HOUSE } from '#core/ids.ts'
import { cosignedOf, witnessedAt } from '#store/cosigned.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { LeafState, SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { BundlePath, ItemPlace, ShowEnvelope } from './economy.ts'
import { tiesOf } from './moving/ties.ts'
import { readLeaf } from './record.ts'
import { isOpen } from './sight.ts'
import type { EnvelopeItem } from './views.ts'

/** Envelopes as those see them who may: their rows, with what the log says of their leaves. */

const missing = (): never => {
  throw new Fault('NOT_FOUND')
}

/** An envelope whose home is here, with its ties: out as a package, or not. */
const standingOf = (row: EnvelopeRow, meshTick: number) => {
  const ties = tiesOf(row, meshTick)
  return { where: ties.lock?.kind === 'bearer' ? ('bearer' as const) : ('here' as const), ...ties }
}

/**
 * @param bundlePath of whoever has the routes.
 * @param meshTick the present one: locks end by the clock.
 */
export const createShow =
  (bundlePath: BundlePath, meshTick: () => number): ShowEnvelope =>
  (row, { log, index, hash, state, late, witnessed, value, unit, nonce }) => ({
    token_id: row.token_id,
    hash,
    log,
    index,
    kind: row.kind,
    operators: row.operators,
    value,
    unit,
    face_value: row.face,
    tick: row.tick,
    phase: row.phase,
    funding: row.funding,
    issued_to: row.issued_to,
    owner: row.listed_under,
    soulbound: row.soulbound,
    backs: row.backs,
    state,
    late,
    witnessed,
    folder: row.folder,
    home: log,
    ...{ arrival: null, counted: true, uncounted: null },
    ...standingOf(row, meshTick()),
    published: row.published,
    shared: isOpen(row),
    precisionActual: row.precision_actual,
    bundle: bundlePath(row.token_id, row.listed_under === HOUSE ? nonce : undefined),
  })

/** Envelopes whose leaves stand in one log. */
interface InLog {
  readonly log: SealLog
  readonly rows: readonly EnvelopeRow[]
}

/** Rows in the order of the list, in runs that each stand in one log. */
const byLog = (store: Store, rows: readonly EnvelopeRow[]): readonly InLog[] => {
  const runs: { log: SealLog; rows: EnvelopeRow[] }[] = []
  for (const row of rows) {
    const { log } = store.leafAt(row.index)
    const run = runs.at(-1)
    if (run?.log === log) run.rows.push(row)
    else runs.push({ log, rows: [row] })
  }
  return runs
}

/** What an item says of the claim. */
type Said = Pick<ItemPlace, 'value' | 'unit'>

/** What the row says of it; undefined for rows of earlier releases. */
const saidIn = ({ value, unit }: EnvelopeRow): Said | undefined =>
  value === undefined || unit === undefined ? undefined : { value, unit }

const saidByLeaf = async (log: SealLog, row: EnvelopeRow): Promise<Said> => {
  const { value, unit } = readLeaf((await log.leaf(row.index - log.base)) ?? missing()).claim
  return { value, unit }
}

/** What the claims of envelopes say, by their serial numbers: leaves are read where the rows do not have it. */
const saidByLeaves = async ({ log, rows }: InLog): Promise<ReadonlyMap<number, Said>> => {
  const silent = rows.filter((row) => saidIn(row) === undefined)
  if (silent.length === 0) return new Map()
  const said = await Promise.all(silent.map((row) => saidByLeaf(log, row)))
  return new Map(silent.map((row, i) => [row.index, said[i] as Said]))
}

const itemsIn = async (store: Store, show: ShowEnvelope, run: InLog): Promise<readonly EnvelopeItem[]> => {
  const { log, rows } = run
  const { origin, base, name } = log
  const indices = rows.map((it) => it.index - base)
  const [hashes, states, leaves] = await Promise.all([
    log.leafHashes(indices),
    log.statesOf(indices),
    saidByLeaves(run),
  ])
  const cosigned = cosignedOf(store, name)
  return rows.map((row, i) => {
    const index = indices[i] as number
    const { value, unit } = saidIn(row) ?? leaves.get(row.index) ?? missing()
    const { state, late } = states[i] as LeafState
    const hash = toHex(hashes[i] ?? missing())
    return show(row, { log: origin, index, hash, state, late, witnessed: witnessedAt(cosigned, index), value, unit })
  })
}

/**
 * Shows envelopes in the order given, with one read of each kind for all of them.
 *
 * @throws Fault NOT_FOUND for one whose leaf is not there.
 */
export const itemsOf = async (
  store: Store,
  show: ShowEnvelope,
  rows: readonly EnvelopeRow[],
): Promise<readonly EnvelopeItem[]> => {
  const runs = byLog(store, rows)
  if (runs.length === 1) return itemsIn(store, show, runs[0] as InLog)
  return (await Promise.all(runs.map((run) => itemsIn(store, show, run)))).flat()
}

/** One of them. */
export const itemOf = async (store: Store, show: ShowEnvelope, row: EnvelopeRow): Promise<EnvelopeItem> => {
  const { log, index } = store.leafAt(row.index)
  const [[hash], { state, late }] = await Promise.all([log.leafHashes([index]), log.stateOf(index)])
  const { value, unit } = saidIn(row) ?? (await saidByLeaf(log, row))
  const witnessed = witnessedAt(cosignedOf(store, log.name), index)
  return show(row, { log: log.origin, index, hash: toHex(hash ?? missing()), state, late, witnessed, value, unit })
}
