import type { MeshEvent } from '#core/events.ts'
import type { SuccessorRow } from '#store/rows/era.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { agreedSuccession } from './events/succession.ts'

type Reader = Pick<Store, 'peek'>

/** Successions of one key after another that are followed. */
const HEIRS_MAX = 64

/** The node that took a superseded one's place; undefined for a key in use, and for one that named two successors. */
export const successorOf = (store: Reader, node: string): string | undefined =>
  agreedSuccession(store.peek('successor', node))?.new_node

/** A node and those that took its place one after another, as far as they are known; the present one stands last. */
export const heirsOf = ({ get }: Pick<Transaction, 'get'>, node: string): readonly [string, ...string[]] => {
  const heirs: [string, ...string[]] = [node]
  let last: string | undefined = node
  for (let i = 0; i < HEIRS_MAX; i += 1) {
    last = agreedSuccession(get('successor', last))?.new_node
    if (last === undefined) break
    heirs.push(last)
  }
  return heirs
}

/** The node at which a ZID is at home: the one that its key named last, or the one that took its place. */
export const nodeOfZid = (reader: Pick<Transaction, 'get'>, zid: string): string | undefined => {
  const named = reader.get('assertion', zid)?.node
  return named === undefined ? undefined : heirsOf(reader, named).at(-1)
}

/**
 * How many leaves of a log count after its key was superseded; undefined while no succession of it is known. A log that
 * the succession does not name counts for nothing, and of two successions the shorter one is believed.
 */
export const supersededUpTo = (store: Reader, origin: string): number | undefined => {
  const [kind, node = ''] = origin.split('/')
  const row = store.peek('successor', node)
  if (row === undefined) return undefined
  const sealLog = origin.replace('tickmesh.events/', 'tickmesh.log/')
  const sizes = row.claims.map(({ succession: it }) => (it.origin === sealLog ? it.size : 0))
  if (kind === 'tickmesh.log') return Math.min(...sizes)
  // The event that tells of the succession counts, too.
  return row.claims.some(({ succession: it }) => it.origin === sealLog) ? row.events + 1 : 0
}

/** Whether an event was made by a key after it was superseded. The event that says so is none of them. */
export const isTooLate = (row: SuccessorRow | undefined, { type, seq }: Pick<MeshEvent, 'type' | 'seq'>): boolean =>
  row !== undefined && type !== 'succession' && seq >= row.events
