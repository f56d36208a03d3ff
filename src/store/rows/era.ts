import { toHex } from '#core/bytes.ts'
import { leafHash } from '#core/merkle.ts'
import { type ProvenSuccession, successionLeaf, verifySuccession } from '#core/succession.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { rowKind } from '#store/row-kind.ts'
import type { LogName, LogState } from './log.ts'

/**
 * A time of this node that is over: its logs are complete, stay where they are and are only read. The first era's rows
 * stand under the names of the logs alone, so that a node without successions has nothing of all this.
 */
export interface EraRow {
  /** Node id of the key that signed in it. */
  readonly node: string
  /** The number in the names of its logs. */
  readonly founded: number
  readonly logs: Readonly<Record<LogName, LogState>>
  /** Mesh tick in which it ended. */
  readonly ended_mesh_tick: number
  /** What passed it on; null for one that was left behind because the world has seen more of its log. */
  readonly succession: ProvenSuccession | null
}

/** What is known of a key of another node that was superseded. */
export interface SuccessorRow {
  /**
   * Nearly always one. Two that differ are a key in two hands: then nobody is its successor. In order of their leaves.
   */
  readonly claims: readonly ProvenSuccession[]
  /** Events of the old key's own event log that count; the smallest that is claimed. */
  readonly events: number
}

/** Claims kept of one old key: the second proves that it is in two hands, and no third says more. */
const CLAIMS_MAX = 2

const nameOf = ({ succession }: ProvenSuccession): string => toHex(leafHash(successionLeaf(succession)))

/** Known claims and one more, in the order of their leaves: the same, whatever order they come in. */
export const withClaim = (before: SuccessorRow | undefined, claim: ProvenSuccession, events: number): SuccessorRow => {
  const all = new Map([...(before?.claims ?? []), claim].map((it) => [nameOf(it), it]))
  const claims = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it)
  return { claims: claims.slice(0, CLAIMS_MAX), events: Math.min(before?.events ?? events, events) }
}

/** Old keys whose successors are known; beyond this a new one is not taken in. */
export const SUCCESSORS_MAX = 16_384

export interface EraRows {
  readonly era: EraRow
  readonly successor: SuccessorRow
  readonly successorCount: number
}

/** @throws CorruptRow when a succession does not prove itself. */
export const assertProven = (table: keyof EraRows, key: string, proven: ProvenSuccession): void => {
  try {
    verifySuccession(proven)
  } catch (cause) {
    throw new CorruptRow(table, key, cause instanceof Error ? cause.message : 'the succession does not verify')
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const refuse = (table: keyof EraRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** What is known of other nodes' superseded keys proves itself, and is counted. */
const checkSuccessors = async ({ database, step }: Fsck<EraRows>): Promise<void> => {
  let count = 0
  for await (const [key, { claims }] of database.range('successor')) {
    step('accounts')
    count += 1
    const leaves = claims.map(({ succession }) => toHex(leafHash(successionLeaf(succession))))
    if (claims.length < 1 || claims.length > 2 || !same(leaves, [...new Set(leaves)].sort())) {
      refuse('successor', key, 'its claims are not one, or two in order')
    }
    for (const proven of claims) {
      if (proven.succession.old_node !== key) refuse('successor', key, 'a claim is of another key')
      assertProven('successor', key, proven)
    }
  }
  if (count !== (database.peek('successorCount', 'all') ?? 0)) refuse('successorCount', 'all', `there are ${count}`)
}

/** What succession leaves behind, here and elsewhere; eras themselves are part of the walk over the logs. */
export const era = rowKind<EraRows>({
  tables: {
    era: { prefix: 'be', form: 'json', key: 'number of the era that is over, from 0' },
    successor: { prefix: 'bs', form: 'json', key: 'node id of the old key' },
    successorCount: { prefix: 'bt', form: 'json', key: 'the word `all`' },
  },
  since: { schema: 2, note: 'a store of before has none' },
  check: checkSuccessors,
})
