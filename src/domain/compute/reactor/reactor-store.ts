import { fromUtf8, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { ownerOf } from '#domain/compute/job.ts'
import type { ComputePorts, ReactorMachines } from '#domain/compute/types.ts'
import { reaches } from '#domain/credentials/standing.ts'
import { createHub, type Hub } from '#domain/machines/hub.ts'
import { standingOf } from '#domain/machines/roles.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { keepsState, type ReactorRow, type ReactorStepRow } from '#store/rows/reactor.ts'
import type { Transaction } from '#store/transaction.ts'
import { IDLE_TICKS, REACTORS_MAX, REACTORS_PER_OWNER_MAX } from './types.ts'

/** How far a caller must reach: to take steps, to read states, or to follow what the chain shows anyhow. */
export type Need = 'step' | 'read' | 'follow'

const roles = { step: 'operator', read: 'viewer', follow: 'none' } as const

const absent = (): Fault => new Fault('NOT_FOUND', 'No such reactor, or none this caller may see.')

const stepKey = (id: string, step: number): string => keyOf(id, seqKey(step))

/** A place for a new reactor: who gives it, and the way to give it back once the reactor stands there or does not. */
export interface ReactorSlot {
  readonly gone: readonly ReactorRow[]
  release(): void
}

/** Where reactors are kept: their rows in memory and in the store, steps and states in the store alone. */
export interface ReactorStore {
  readonly size: number
  readonly hub: Hub
  /** Reactors of which a step is under way. */
  readonly busy: Set<string>
  load(): Promise<void>
  /** The reactor of an id, or the caller's newest. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
  find(id: string | undefined, caller: Caller, need: Need): ReactorRow
  /** The reactors of an owner, the newest first. */
  ofOwner(owner: string): readonly ReactorRow[]
  /** The newest row of a reactor that was found. @throws Fault NOT_FOUND when it has given its place away since. */
  newest(id: string): ReactorRow
  peek(id: string): ReactorRow | undefined
  stepAt(id: string, step: number): ReactorStepRow | undefined
  steps(id: string, from: number, to: number): AsyncGenerator<ReactorStepRow>
  /** JSON text of the state after a step, if it is kept. */
  stateAt(id: string, step: number): Promise<string | undefined>
  /**
   * Takes a place for one more of an owner, at once, so that n parallel calls need n places.
   *
   * @throws Fault RATE_LIMITED, NODE_BUSY
   */
  reserve(owner: string): ReactorSlot
  nextNumber(): number
  remove(tx: Transaction, rows: readonly ReactorRow[]): void
  /** Puts a reactor down after a step (0: its beginning), with the state that it left. */
  put(tx: Transaction, row: ReactorRow, step: ReactorStepRow, state: string): void
  /** Says that no more steps come. */
  end(id: string, ended: NonNullable<ReactorRow['ended']>): Promise<void>
}

/** Reactors by how long they have not moved, of those that may give their place away. */
const idleFirst = (rows: readonly ReactorRow[], mayGo: (row: ReactorRow) => boolean): readonly ReactorRow[] =>
  rows.filter(mayGo).sort((a, b) => a.moved_tick - b.moved_tick || a.number - b.number)

type Ports = Pick<ComputePorts, 'store'> & { readonly machines: ReactorMachines }

const createFinding = (
  { store, machines }: Ports,
  { rows, ofOwner }: { readonly rows: ReadonlyMap<string, ReactorRow> } & Pick<ReactorStore, 'ofOwner'>,
): ReactorStore['find'] => {
  const newestOf = (owner: string): ReactorRow => {
    const [newest] = ofOwner(owner)
    if (newest === undefined) throw new Fault('NOT_FOUND', 'This caller has no reactor yet; make one first.')
    return newest
  }
  return (id, caller, need) => {
    const owner = ownerOf(caller)
    if (id === undefined) return newestOf(owner)
    const row = rows.get(id)
    if (row === undefined) throw absent()
    if (row.owner === owner) return row
    const machine = row.slug === null ? undefined : store.peek('machine', row.slug)
    if (machine === undefined || row.slug === null) throw absent()
    const standing = standingOf({ get: store.peek }, machine, caller)
    if (!machine.is_public && !reaches(standing, 'viewer')) throw absent()
    machines.admit({ caller, slug: row.slug }, roles[need])
    return row
  }
}

/** Places of reactors, those of calls that are under way among them. */
const createReserve = (
  { store }: Ports,
  rows: ReadonlyMap<string, ReactorRow>,
  busy: ReadonlySet<string>,
): ReactorStore['reserve'] => {
  const pending: string[] = []
  const leaving = new Set<string>()
  return (owner) => {
    const now = store.now().tick
    const stays = [...rows.values()].filter((it) => !leaving.has(it.id))
    const free = stays.filter((it) => !busy.has(it.id))
    const idle = (it: ReactorRow): boolean => now - it.moved_tick > IDLE_TICKS
    const gone: ReactorRow[] = []
    const own = stays.filter((it) => it.owner === owner).length + pending.filter((it) => it === owner).length
    if (own >= REACTORS_PER_OWNER_MAX) {
      const [first] = idleFirst(free, (it) => it.owner === owner && (it.ended !== null || idle(it)))
      if (first === undefined) {
        const detail = `An account has at most ${REACTORS_PER_OWNER_MAX} reactors that are not over.`
        throw new Fault('RATE_LIMITED', detail, { limit: REACTORS_PER_OWNER_MAX })
      }
      gone.push(first)
    }
    if (stays.length + pending.length - gone.length >= REACTORS_MAX) {
      const [first] = idleFirst(free, idle)
      if (first === undefined) throw new Fault('NODE_BUSY', `This node keeps ${REACTORS_MAX} reactors.`)
      gone.push(first)
    }
    pending.push(owner)
    for (const { id } of gone) leaving.add(id)
    return {
      gone,
      release: () => {
        pending.splice(pending.indexOf(owner), 1)
        for (const { id } of gone) leaving.delete(id)
      },
    }
  }
}

/** The reactors of one node, empty until it is loaded. */
export const createReactorStore = (ports: Ports): ReactorStore => {
  const { store } = ports
  const rows = new Map<string, ReactorRow>()
  const hub = createHub()
  const busy = new Set<string>()
  let number = 0

  const ofOwner: ReactorStore['ofOwner'] = (owner) =>
    [...rows.values()].filter((it) => it.owner === owner).sort((a, b) => b.number - a.number)

  const set = (row: ReactorRow): void => {
    rows.set(row.id, row)
    hub.wake(row.id)
  }

  return {
    get size() {
      return rows.size
    },
    hub,
    busy,
    load: async () => {
      for await (const [id, row] of store.range('reactor')) {
        rows.set(id, row)
        number = Math.max(number, row.number + 1)
      }
    },
    find: createFinding(ports, { rows, ofOwner }),
    ofOwner,
    peek: (id) => rows.get(id),
    newest: (id) => {
      const row = rows.get(id)
      if (row === undefined) throw absent()
      return row
    },
    stepAt: (id, step) => store.peek('reactorStep', stepKey(id, step)),
    steps: async function* (id, from, to) {
      const range = { gte: stepKey(id, from), lt: stepKey(id, to) }
      for await (const [, row] of store.range('reactorStep', range)) yield row
    },
    stateAt: async (id, step) => {
      const bytes = await store.get('reactorState', stepKey(id, step))
      return bytes === undefined ? undefined : fromUtf8(bytes)
    },
    reserve: createReserve(ports, rows, busy),
    nextNumber: () => number++,
    remove: (tx, gone) => {
      for (const row of gone) {
        tx.del('reactor', row.id)
        for (let step = 0; step <= row.step; step++) {
          tx.del('reactorStep', stepKey(row.id, step))
          if (keepsState(row, step)) tx.del('reactorState', stepKey(row.id, step))
        }
        tx.onDurable(() => {
          rows.delete(row.id)
          hub.wake(row.id)
        })
      }
    },
    put: (tx, row, step, state) => {
      const before = { ...row, step: row.step - 1 }
      if (row.step > 0 && !keepsState(row, before.step)) tx.del('reactorState', stepKey(row.id, before.step))
      tx.put('reactor', row.id, row)
      tx.put('reactorStep', stepKey(row.id, step.step), step)
      tx.put('reactorState', stepKey(row.id, step.step), utf8(state))
      tx.onDurable(() => set(row))
    },
    end: async (id, ended) => {
      const next = await store.commit((tx) => {
        const row = tx.get('reactor', id)
        if (row === undefined || row.ended !== null) return undefined
        const over: ReactorRow = { ...row, ended }
        tx.put('reactor', id, over)
        return over
      })
      if (next !== undefined) set(next)
    },
  }
}
