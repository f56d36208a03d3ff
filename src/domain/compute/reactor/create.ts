import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { stateDigest } from '#core/reactor.ts'
import { randomBytes } from '#crypto'
import { ownerOf } from '#domain/compute/job.ts'
import type { SolverOrders } from '#domain/compute/solver-orders.ts'
import type { ComputePorts, ReactorMachines, RequestContext } from '#domain/compute/types.ts'
import { type Contract, contractDigest, contractOf } from '#numerics/reactor/contract.ts'
import { type Solver, unitOf } from '#numerics/runtime/solver.ts'
import type { ReactorRow, ReactorStepRow } from '#store/rows/reactor.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ReactorStore } from './reactor-store.ts'
import { type ReactorOrder, STATE_BYTES_MAX, STATES_KEPT_MAX } from './types.ts'

const ID_BYTES = 16
/** Characters of a ZID, or of a reactor's id, in the slug of a machine that is made for reactors. */
const SLUG_CHARS = 16
const ZID_PREFIX = 'zid1'

/** Name of the endpoint, for Idempotency-Keys. */
const ENDPOINT = 'compute.reactor'

/** Refuses what is too large to be kept. @throws Fault WORK_LIMIT_EXCEEDED */
export const assertStateFits = (state: string): void => {
  const bytes = state.length
  if (bytes <= STATE_BYTES_MAX) return
  const detail = `A state takes at most ${STATE_BYTES_MAX} bytes of JSON, and this one has ${bytes}.`
  throw new Fault('WORK_LIMIT_EXCEEDED', detail, { measured: bytes, limit: STATE_BYTES_MAX })
}

/** @throws Fault SCOPE_REQUIRED for a key that may only read. */
export const assertMaySpend = (caller: Caller): void => {
  if (caller.kind !== 'machine' || caller.machine.scope !== 'read') return
  throw new Fault('SCOPE_REQUIRED', 'A key that may only read takes no steps.', { scope: 'write' })
}

/** What the entry of a new reactor says. */
const beginningOf = (row: ReactorRow): Readonly<Record<string, Json>> => ({
  reactor: row.id,
  solver: row.solver,
  contract: row.contract,
  step: 0,
  state: row.state,
  steps: row.terms.steps,
  seal: row.terms.seal,
})

interface Collaborators {
  readonly reactorStore: ReactorStore
  readonly solvers: readonly Solver[]
  readonly orders: SolverOrders
  readonly machines: ReactorMachines
}

/** Where entries go: the machine named, the machine of the key, or one of the account that all its reactors share. */
const createChains =
  ({ store }: Pick<ComputePorts, 'store'>, machines: ReactorMachines) =>
  async (caller: Caller, id: string, asked: string | undefined): Promise<string | undefined> => {
    const named = asked ?? (caller.kind === 'machine' ? caller.machine.slug : undefined)
    if (named !== undefined) {
      const { status: machine_status } = machines.admit({ caller, slug: named }, 'operator')
      if (machine_status === 'active') return named
      throw new Fault('MACHINE_NOT_ACTIVE', `The machine is ${machine_status}.`, { machine_status })
    }
    if (caller.kind !== 'account' && caller.kind !== 'owner') return undefined
    const shared = `reactors-${caller.zid.slice(ZID_PREFIX.length, ZID_PREFIX.length + SLUG_CHARS)}`
    const found = store.peek('machine', shared)
    if (found?.owner_zid === caller.zid && found.status === 'active') return shared
    await machines.assertRoom(caller)
    // Whoever has that slug before, or has paused it, keeps it.
    return found === undefined ? shared : `reactor-${id.slice(0, SLUG_CHARS)}`
  }

type Identity = Pick<ReactorRow, 'id' | 'number' | 'owner' | 'slug' | 'id_hash' | 'price'>

/** A reactor at its beginning, and that as its step 0. */
const beginning = (tick: number, contract: Contract, of: Identity) => {
  const { solver, input, terms } = contract
  const inputs_digest = inputsDigest(solver.input, input as object)
  const bound = contractDigest(contract, of.id_hash)
  const place = { step: 0, previous: null, inputs_digest, result_digest: null }
  const state = stateDigest({ contract: bound, ...place })
  const row: ReactorRow = {
    ...{ v: 1, ...of, kind: solver.name, solver: `${solver.name}@${solver.revision}`, contract: bound, terms },
    ...{ every: Math.ceil(terms.steps / STATES_KEPT_MAX), created_tick: tick, moved_tick: tick },
    ...{ step: 0, state, error_sum: 0, value: null, unit: unitOf(solver, input), ended: null },
  }
  const none = { error_pct: 0, error_sum: 0, value: null, token_id: null, seq: null, took_ms: 0, work: 0 }
  const step: ReactorStepRow = { ...place, tick, state, ...none, figures: {}, observed: {} }
  return { row, step }
}

/** Makes reactors. Nothing runs and nothing is charged: the first step does. */
export const createCreation = (
  { store, economy }: Pick<ComputePorts, 'store' | 'economy'>,
  { reactorStore, solvers, orders, machines }: Collaborators,
) => {
  const chainFor = createChains({ store }, machines)

  const make = async (contract: Contract, { caller }: RequestContext, asked: string | undefined) => {
    const id = toHex(randomBytes(ID_BYTES))
    const text = JSON.stringify(contract.input)
    assertStateFits(text)
    const { seal } = contract.terms
    const { price } = orders(contract.solver.name, contract.input, caller)
    const owner = ownerOf(caller)
    const slug = await chainFor(caller, id, asked)
    const slot = reactorStore.reserve(owner)
    const plan = (tx: Transaction): string => {
      reactorStore.remove(tx, slot.gone)
      const where = slug === undefined ? undefined : { caller, slug }
      if (where !== undefined && tx.get('machine', where.slug) === undefined) {
        machines.foundIn(tx, where, 'Steps of reactors.')
      }
      const id_hash = where === undefined ? null : (tx.get('machine', where.slug)?.id_hash ?? null)
      const of = { id, number: reactorStore.nextNumber(), owner, slug: slug ?? null, id_hash, price: seal ? price : 0 }
      const { row, step } = beginning(tx.tick, contract, of)
      const saying = { type: 'reactor', open: beginningOf(row), stateHash: row.state }
      const seq = where === undefined ? null : machines.write(tx, where, saying).entry.seq
      reactorStore.put(tx, row, { ...step, seq }, text)
      return id
    }
    return { plan, release: slot.release }
  }

  /** Makes one in a batch of its own. @param also what belongs into the same batch. */
  const commit = async (
    making: ReturnType<typeof make>,
    also: (tx: Transaction, id: string) => void = () => undefined,
  ): Promise<string> => {
    const { plan, release } = await making
    try {
      return await store.commit((tx) => {
        const id = plan(tx)
        also(tx, id)
        return id
      })
    } finally {
      release()
    }
  }

  return async (
    order: ReactorOrder,
    asking: RequestContext,
  ): Promise<{ readonly id: string; readonly replayed: boolean }> => {
    const { caller, idempotencyKey } = asking
    assertMaySpend(caller)
    const contract = contractOf(solvers, order)
    if (idempotencyKey === undefined) {
      return { id: await commit(make(contract, asking, order.slug)), replayed: false }
    }
    const asked = digest(purposes.request, {
      contract: contractDigest(contract, null),
      slug: order.slug ?? null,
    })
    const it = await economy.idempotent(caller, ENDPOINT, idempotencyKey, asked)
    if (it.kind === 'replay') return { id: (it.answer as { readonly reactor: string }).reactor, replayed: true }
    try {
      const keep = (tx: Transaction, reactor: string): void => it.keep(tx, () => ({ reactor }))
      const id = await commit(make(contract, asking, order.slug), keep)
      return { id, replayed: false }
    } finally {
      it.release()
    }
  }
}
