import type { Json } from '#core/canonical.ts'
import type { FireReading, FireRow } from '#core/contract/fire-row.ts'
import { reaches } from '#domain/credentials/standing.ts'
import type { Awareness, OracleListing, OracleView } from '#domain/machines/views/facts.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import { type ContractRow, numberedKey } from '#store/rows/contract.ts'
import type { MachineContext, MachineRequest } from './context.ts'
import { ACTIVE_TICKS } from './reads.ts'
import { admitted } from './roles.ts'

/** Newest rows of a contract that are looked through for what its oracles gave. */
const ORACLE_ROWS_MAX = 64
/** Contracts that a page of oracles looks at before it gives up finding more that have some. */
const ORACLE_CONTRACTS_MAX = 200

/** What of a definition says where values come from. */
interface OracleSource {
  readonly from: { readonly kind: string } & Readonly<Record<string, Json>>
  readonly type: string
  readonly unit?: string
  readonly max_age: number
  readonly on_stale: string
}

/** A reading, and the row of the audit that has it. */
interface FoundReading {
  readonly reading: FireReading
  readonly row: Extract<FireRow, { readonly readings: unknown }>
}

/** A source without what is for the contract's owner alone: the name of a secret. */
const sourceOf = ({ from }: OracleSource): Json => {
  const { secret: _, ...shown } = from
  return shown
}

/** What each oracle of a contract reads, and gave last. */
const createOracleReader = ({ store }: Pick<MachineContext, 'store'>) => {
  /** The newest reading of each oracle of a contract. */
  const readingsOf = async (id: string, names: readonly string[]): Promise<ReadonlyMap<string, FoundReading>> => {
    const found = new Map<string, FoundReading>()
    for await (const [, row] of store.range('contractFire', { ...under(id), reverse: true, limit: ORACLE_ROWS_MAX })) {
      if (!('readings' in row)) continue
      for (const reading of row.readings) {
        if (names.includes(reading.oracle) && !found.has(reading.oracle)) found.set(reading.oracle, { reading, row })
      }
      if (found.size === names.length) break
    }
    return found
  }

  /** Whether the chain says the values of a fire to everyone. */
  const isOpen = (slug: string, seq: number | null): boolean => {
    const entry = seq === null ? undefined : store.peek('machineEntry', keyOf(slug, seqKey(seq)))?.entry
    const body = entry?.body as { readonly values?: unknown } | undefined
    return body?.values !== undefined
  }

  const lastOf = (slug: string, found: FoundReading | undefined, member: boolean): OracleView['last'] => {
    if (found === undefined) return null
    const { value, tick, source, basis } = found.reading
    const { no, seq } = found.row
    const shown = member || isOpen(slug, seq)
    const age_ticks = Math.max(0, store.now().meshTick - tick)
    return {
      value: shown ? value : null,
      withheld: !shown,
      mesh_tick: tick,
      age_ticks,
      source,
      basis,
      fire_no: no,
      seq,
    }
  }

  return async (row: ContractRow, member: boolean): Promise<readonly OracleView[]> => {
    const version = store.peek('contractVersion', numberedKey(row.id, row.version_no))
    const { oracles = {} } = (version?.definition ?? {}) as {
      readonly oracles?: Readonly<Record<string, OracleSource>>
    }
    const names = Object.keys(oracles)
    if (names.length === 0) return []
    const readings = await readingsOf(row.id, names)
    return Object.entries(oracles).map(([oracle, it]): OracleView => {
      const last = lastOf(row.slug, readings.get(oracle), member)
      return {
        ...{ contract: row.id, contract_name: row.name, contract_status: row.status, oracle },
        ...{ from: sourceOf(it), type: it.type, unit: it.unit ?? null, max_age: it.max_age, on_stale: it.on_stale },
        ...{ last, stale: last === null || last.age_ticks > it.max_age },
      }
    })
  }
}

/** What stands in the store about a machine: what feeds it, whether it still writes. Nothing is asked elsewhere. */
export const createFacts = (context: MachineContext) => {
  const { store } = context
  const reader = { get: store.peek }
  const oraclesOf = createOracleReader(context)

  return {
    /**
     * The oracles of a machine's contracts with what each gave last, contract by contract. Strangers of a public
     * machine see the values that its chain shows.
     *
     * @throws Fault NOT_FOUND
     */
    oracles: async (
      { caller, slug }: MachineRequest,
      { limit, after }: { readonly limit: number; readonly after?: string | undefined },
    ): Promise<OracleListing> => {
      const { standing } = admitted(reader, { slug, caller, needed: 'none' })
      const member = reaches(standing, 'viewer')
      const oracles: OracleView[] = []
      const { gte, lt } = under(slug)
      const bounds = after === undefined ? { gte, lt } : { gt: keyOf(slug, after), lt }
      let [looked, last] = [0, '']
      for await (const [, id] of store.range('contractOf', { ...bounds, limit: ORACLE_CONTRACTS_MAX })) {
        const row = store.peek('contract', id)
        looked += 1
        last = id
        if (row !== undefined) oracles.push(...(await oraclesOf(row, member)))
        if (oracles.length >= limit) break
      }
      const more = looked === ORACLE_CONTRACTS_MAX || oracles.length >= limit
      return { slug, tick: store.now().tick, oracles, next_after: more ? last : null }
    },

    /** Whether a machine still writes, and what of it is alive. @throws Fault NOT_FOUND */
    awareness: async ({ caller, slug }: MachineRequest): Promise<Awareness> => {
      const { machine } = admitted(reader, { slug, caller, needed: 'none' })
      const head = store.peek('machineHead', slug)
      if (head === undefined) throw new Error('a machine has a head')
      const contracts = { live: 0, paused: 0, frozen: 0 }
      let next: number | null = null
      for await (const [, id] of store.range('contractOf', under(slug))) {
        const row = store.peek('contract', id)
        if (row === undefined) continue
        contracts[row.status] += 1
        if (row.status === 'live' && row.next !== null) next = Math.min(next ?? row.next, row.next)
      }
      const silent_ticks = store.now().tick - head.tick
      const aware = machine.status === 'active' && silent_ticks < ACTIVE_TICKS
      return {
        ...{ slug, status: machine.status, aware, last_tick: head.tick, silent_ticks, window_ticks: ACTIVE_TICKS },
        head: { seq: head.size - 1, hash: head.hash },
        contracts,
        next_due_mesh_tick: next,
        pages: store.peek('site', slug)?.pages ?? 0,
      }
    },
  }
}
