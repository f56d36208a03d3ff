import type { Json } from '#core/canonical.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { Fault } from '#core/fault.ts'
import { isoOf } from '#core/iso.ts'
import { meshTickStart } from '#core/tick.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { nextDues } from '#numerics/contracts/fire/dues.ts'
import { under } from '#store/layout.ts'
import { type ContractRow, numberedKey } from '#store/rows/contract.ts'
import type { ContractContext } from './context.ts'
import { type ContractRequest, findContract, machineFor, needs } from './finding.ts'
import { CONTRACTS_PER_MACHINE_MAX } from './rooms.ts'
import { secretNames } from './secrets.ts'
import { contractViewOf, summaryOf } from './shown.ts'
import type { ContractPage, ContractView, NextFires, PastContract } from './views.ts'

/** Fires that are told ahead. */
export const NEXT_FIRES_MAX = 100

type Standings = Pick<PastContract, 'state' | 'context'>

/** Where a contract stood after a row of its audit, where the row says so. */
const standingAfter = (row: FireRow): Standings | undefined => {
  if ('to' in row && 'context' in row) {
    const moved = row.outcome === 'fired'
    return { state: moved || row.to !== row.from ? row.to : row.from, context: row.context }
  }
  if (row.outcome !== 'changed') return undefined
  const { state, context } = row.details as Readonly<Record<string, Json | undefined>>
  if (typeof state !== 'string') return undefined
  return { state, context: context as PastContract['context'] }
}

const statusAfter = (row: FireRow): PastContract['status'] | undefined => {
  if (row.outcome !== 'changed') return undefined
  switch (row.what) {
    case 'created':
      return (row.details as { readonly start?: boolean }).start === true ? 'live' : 'paused'
    case 'started':
    case 'resumed':
      return 'live'
    case 'paused':
      return 'paused'
    case 'frozen':
      return 'frozen'
    default:
      return undefined
  }
}

/** Reads contracts as they were, from the rows of their audits. */
const createPast =
  ({ store }: Pick<ContractContext, 'store'>) =>
  /** @returns undefined for a tick before it was made. */
  async (row: ContractRow, tick: number): Promise<PastContract | undefined> => {
    const rowAt = (no: number): FireRow | undefined => store.peek('contractFire', numberedKey(row.id, no))
    let [low, high] = [0, row.rows]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((rowAt(middle)?.tick ?? 0) <= tick) low = middle + 1
      else high = middle
    }
    if (low === 0) return undefined
    let standing: Standings | undefined
    let status: PastContract['status'] | undefined
    let version_no: number | undefined
    let fires = row.fire_count
    for await (const [, it] of store.range('contractFire', { ...under(row.id), reverse: true })) {
      if (it.no >= low) {
        if (it.outcome === 'fired') fires -= 1
        continue
      }
      standing ??= standingAfter(it)
      status ??= statusAfter(it)
      version_no ??= it.outcome === 'changed' ? it.version_no : undefined
      if (standing !== undefined && status !== undefined && version_no !== undefined) break
    }
    const version = store.peek('contractVersion', numberedKey(row.id, version_no ?? 1))
    if (standing === undefined || status === undefined || version === undefined) return undefined
    const definition = version.definition as unknown as Definition
    return {
      ...{
        id: row.id,
        slug: row.slug,
        contract: row.contract,
        tick,
        status,
        ...standing,
        fire_count: fires,
        rows: low,
      },
      ...{ name: definition.name, done: definition.states[standing.state]?.terminal === true },
      ...{ version_no: version.no, version: version.version, definition: version.definition },
    }
  }

/** What the clock moves next, as everyone who may know it is told. */
export const createAhead =
  ({ contracts }: Pick<ContractContext, 'contracts'>) =>
  (row: ContractRow, countMax: number): NextFires => {
    const { id, status, standing, skip } = row
    const ready = contracts.ready(row)
    const clocks = ready.states.get(standing.state)?.triggers.length ?? 0
    const dues = status === 'live' ? nextDues(ready, standing, { armedTick: row.armed_tick, countMax }) : []
    const fires = dues.map(({ trigger, kind, due, tick }) => ({
      ...{ trigger, kind, due, tick, at: isoOf(meshTickStart(tick)) },
      skipped: skip?.trigger === trigger && skip.due === due,
    }))
    return { id, status, state: standing.state, fires, note: noteOf(row, clocks) }
  }

const noteOf = ({ status, done, standing }: ContractRow, clocks: number): string | null => {
  if (done) return `It is over: ${standing.state} is terminal.`
  if (status !== 'live') return `It is ${status}: no clock moves it.`
  if (clocks === 0) return `Events alone, or a call, move it out of ${standing.state}: no time can be told.`
  return null
}

const absentAt = (tick: number): Fault =>
  new Fault('NOT_FOUND', `The contract was not there at tick ${tick}.`, { tick })

/** Reads contracts. */
export const createReads = (context: ContractContext) => {
  const { store, contracts } = context
  const reader = { get: store.peek }
  const past = createPast(context)
  const ahead = createAhead(context)

  return {
    /** The contracts of a machine, newest first, for its members. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    list: async (
      asking: Omit<ContractRequest, 'id'>,
      {
        limit,
        offset,
        status,
      }: { readonly limit: number; readonly offset: number; readonly status?: string | undefined },
    ): Promise<ContractPage> => {
      machineFor(reader, asking, needs.read)
      const rows: ContractRow[] = []
      const range = { ...under(asking.slug), limit: CONTRACTS_PER_MACHINE_MAX }
      for await (const [, id] of store.range('contractOf', range)) {
        const row = contracts.peek(id)
        if (row !== undefined && (status === undefined || row.status === status)) rows.push(row)
      }
      rows.sort((a, b) => b.number - a.number)
      const shown = rows.slice(offset, offset + limit).map(summaryOf)
      return { total: rows.length, limit, offset, contracts: shown }
    },

    /** A contract as it stands. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    read: async (asking: ContractRequest): Promise<ContractView> => {
      const { row } = findContract(reader, asking, needs.read)
      return contractViewOf(row, contracts.version(row.id, row.version_no), await secretNames(store, row.id))
    },

    /** A contract as it was at the end of a node tick. @throws Fault NOT_FOUND, also for a tick before it was made */
    readAt: async (asking: ContractRequest, tick: number): Promise<PastContract> => {
      const { row } = findContract(reader, asking, needs.read)
      const found = await past(row, tick)
      if (found === undefined) throw absentAt(tick)
      return found
    },

    /** For the owner in person. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    nextFires: (asking: ContractRequest, countMax: number): NextFires =>
      ahead(findContract(reader, asking, needs.own).row, countMax),
  }
}
