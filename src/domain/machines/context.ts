import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { isoOf } from '#core/iso.ts'
import { transitionIdOf } from '#core/machine.ts'
import { meshTickStart } from '#core/tick.ts'
import type { MakeKeyOnce } from '#domain/credentials/shown-once.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { SecretSealer } from '#ports/sealing.node.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Hub } from './hub.ts'
import type { ListedMachines } from './listed.ts'
import type { BlockRow } from './views.ts'

/** What machines stand on. */
export interface MachineContext {
  readonly store: Store
  readonly economy: Pick<Economy, 'idempotent'>
  readonly nodeId: string
  /** Seals what rests in the database: data keys and anchor keys. */
  readonly vault: SecretSealer
  readonly hub: Hub
  readonly listed: ListedMachines
  /** Makes keys, each once for an Idempotency-Key. */
  readonly makeKeyOnce: MakeKeyOnce
}

/** A caller's words: which machine, and under which Idempotency-Key, if any. */
export interface MachineRequest {
  readonly caller: Caller
  readonly slug: string
}

/** A call that changes something, and how a repeat of it is known. */
export interface IdempotentWrite {
  readonly caller: Caller
  /** What the key is one within. */
  readonly scope: string
  readonly key: string | undefined
  readonly input: Json
}

/** An answer, and whether it is the stored one of an earlier call. */
export interface Replayable<T> {
  readonly answer: T
  readonly replayed: boolean
}

/** Runs a plan once per Idempotency-Key. @throws Fault IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, the plan's. */
export const once = async <T>(
  { store, economy }: Pick<MachineContext, 'store' | 'economy'>,
  { caller, scope, key, input }: IdempotentWrite,
  plan: (tx: Transaction) => T,
): Promise<Replayable<T>> => {
  if (key === undefined) return { answer: await store.commit(plan), replayed: false }
  const it = await economy.idempotent(caller, scope, key, digest(purposes.request, input))
  if (it.kind === 'replay') return { answer: it.answer as T, replayed: true }
  try {
    const answer = await store.commit((tx) => {
      const made = plan(tx)
      it.keep(tx, () => made as Json)
      return made
    })
    return { answer, replayed: false }
  } finally {
    it.release()
  }
}

/** The time at which a node tick began, ISO 8601. */
export const timeOf = ({ store }: Pick<MachineContext, 'store'>, tick: number): string =>
  isoOf(meshTickStart(store.genesisMeshTick + tick))

/** Where a machine comes from, and its name there. */
export const originOf = ({ parent_origin, slug }: MachineRow): string => `${parent_origin}:${slug}`

/** Shows an entry. `stateHash` is the entry's hash, which is what the chain links. */
export const blockRow = (
  context: Pick<MachineContext, 'store'>,
  machine: MachineRow,
  row: MachineEntryRow,
): BlockRow => {
  const { entry, hash } = row
  return {
    id: `${machine.slug}:${entry.seq}`,
    originId: originOf(machine),
    seq: entry.seq,
    tickNumber: entry.tick,
    stateHash: hash,
    prevHash: entry.previous,
    transitionType: entry.type,
    transitionId: transitionIdOf(hash),
    createdAt: timeOf(context, entry.tick),
    body: entry.body,
  }
}
