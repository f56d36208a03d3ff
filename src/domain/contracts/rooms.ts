import { Fault } from '#core/fault.ts'
import { recent } from '#core/recent.ts'
import { under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'

/** Contracts of one machine, frozen ones included: none ever goes. */
export const CONTRACTS_PER_MACHINE_MAX = 1_000
/** Contracts of a node. */
export const CONTRACTS_MAX = 1_000_000
/** Machines whose contracts are counted in memory. */
const MACHINES_KEPT = 10_000

/** Places for contracts, those of calls that are under way among them. */
export interface Rooms {
  /** Counts the contracts of a machine, so that a plan can ask at once. */
  look(slug: string): Promise<void>
  /** Takes a place for a contract, once however often its plan runs. @throws Fault CAPACITY_EXCEEDED */
  take(slug: string, id: string, number: number): void
  /** Ends a taking: the contract stands there, or does not. */
  settle(slug: string, id: string, stands: boolean): void
}

const full = (limit: number, of: string): Fault =>
  new Fault('CAPACITY_EXCEEDED', `A ${of} has at most ${limit} contracts.`, { limit })

/** Nothing is counted yet. */
export const createRooms = (store: Pick<Store, 'range'>): Rooms => {
  const counts = recent<string, number>(MACHINES_KEPT)
  const taken = new Map<string, Set<string>>()
  const count = async (slug: string): Promise<number> => {
    let found = 0
    for await (const _ of store.range('contractOf', { ...under(slug), limit: CONTRACTS_PER_MACHINE_MAX })) found += 1
    return found
  }
  return {
    look: async (slug) => {
      if (counts.get(slug) !== undefined) return
      const found = await count(slug)
      if (counts.get(slug) === undefined) counts.set(slug, found)
    },
    take: (slug, id, number) => {
      if (number >= CONTRACTS_MAX) throw full(CONTRACTS_MAX, 'node')
      const pending = taken.get(slug) ?? new Set()
      const others = pending.size - (pending.has(id) ? 1 : 0)
      if ((counts.get(slug) ?? 0) + others >= CONTRACTS_PER_MACHINE_MAX)
        throw full(CONTRACTS_PER_MACHINE_MAX, 'machine')
      taken.set(slug, pending.add(id))
    },
    settle: (slug, id, stands) => {
      const pending = taken.get(slug)
      if (pending?.delete(id) !== true) return
      if (pending.size === 0) taken.delete(slug)
      const known = counts.get(slug)
      if (stands && known !== undefined) counts.set(slug, known + 1)
    },
  }
}
