import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey, seqOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'

/** Events that are found by what they name, at most: of more the oldest entries go. */
export const INDEXED_MAX = 262_144

/** What events are found by: an id of that kind, or the id of a node. */
export const lookupKinds = ['bond', 'node', 'proposal', 'work'] as const
export interface LookupName {
  readonly kind: (typeof lookupKinds)[number]
  readonly name: string
}

/** A name that an event is found by, and whether it is of the event itself: such events come first. */
export interface IndexedName extends LookupName {
  readonly isIt: boolean
}

export interface IndexedRows {
  /** Its place in the ring. */
  readonly eventBy: number
  /** Key of what stands in this place. */
  readonly eventBySlot: string
  /** The number of the next entry; its place is what remains of it. */
  readonly eventByNext: number
}

/** Key of an entry. @param source of the event log, as its rows are named. */
export const indexedKey = ({ kind, name, isIt }: IndexedName, source: string, seq: number): string =>
  keyOf(kind, name, isIt ? '0' : '1', source, seqKey(seq))

/** Where the event of an entry stands. */
export const placeIn = (key: string): { readonly source: string; readonly seq: number } => {
  const [, , , source = '', seq = ''] = key.split('/')
  return { source, seq: seqOf(seq) }
}

const refuse = (table: keyof IndexedRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Each entry stands in its place, and each place has its entry. */
const checkIndexed = async ({ database, step }: Fsck<IndexedRows>): Promise<void> => {
  let [entries, slots] = [0, 0]
  for await (const [key, slot] of database.range('eventBy')) {
    step('accounts')
    entries += 1
    if (database.peek('eventBySlot', seqKey(slot)) !== key) refuse('eventBy', key, 'another one stands in its place')
  }
  for await (const [slot, key] of database.range('eventBySlot')) {
    slots += 1
    if (database.peek('eventBy', key) !== seqOf(slot)) refuse('eventBySlot', slot, 'its entry is missing')
  }
  const next = database.peek('eventByNext', 'next') ?? 0
  if (slots !== Math.min(next, INDEXED_MAX) || slots !== entries) {
    refuse('eventByNext', 'next', 'as many were not added')
  }
}

/** Events by what they name, for whoever asks about that. */
export const indexed = rowKind<IndexedRows>({
  tables: {
    eventBy: {
      prefix: 'vx',
      form: 'json',
      key: 'kind / what is named / 0 for the event of that name, else 1 / source / index in its event log',
    },
    eventBySlot: { prefix: 'vy', form: 'json', key: 'place in the ring: the key of its entry' },
    eventByNext: { prefix: 'vz', form: 'json', key: 'the word `next`: how many were ever added' },
  },
  since: { schema: 3, note: 'a store of before has none: what it kept until then is found by sync alone' },
  check: checkIndexed,
})
