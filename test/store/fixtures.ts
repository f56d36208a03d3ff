import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extract } from 'tar'
import type { ProvenSuccession } from '#core/succession.ts'
import type { ForeignLogRow } from '#store/rows/event.ts'
import type { CosignatureRow, EvidenceRow } from '#store/rows/witness.ts'

const HOME = fileURLToPath(new URL('../fixtures/stores', import.meta.url))

export interface ExpectedLog {
  readonly size: number
  readonly root: string
  readonly origin: string
  /** The newest note, and the size that it signs. */
  readonly note: string | null
  readonly signed: number
}

/** What other nodes signed for a store, and the keys and logs that it had before. */
export interface ExpectedMesh {
  /** Oldest first; the present one is not among them. */
  readonly eras: readonly {
    readonly node: string
    readonly logs: Readonly<Record<'seal' | 'events', ExpectedLog>>
    readonly succession: ProvenSuccession | null
  }[]
  readonly foreign: readonly ForeignLogRow[]
  readonly cosignatures: Readonly<Record<string, CosignatureRow>>
  readonly evidence: Readonly<Record<string, EvidenceRow>>
  /** Node ids of keys that were superseded. */
  readonly successors: readonly string[]
}

/** What `scripts/store-fixture.ts` wrote down beside a store. */
export interface Expected {
  readonly schema: number
  readonly node: string
  readonly genesis_mesh_tick: number
  readonly stopped_ns: string
  readonly logs: Readonly<Record<'seal' | 'events', ExpectedLog>>
  readonly balances: Readonly<Record<string, number>>
  readonly heads: Readonly<Record<string, { readonly size: number; readonly hash: string; readonly root: string }>>
  /** Leaves that wait for the end of the open tick. */
  readonly due: number
  /** Not known of stores of schema 1, which were alone. */
  readonly mesh?: ExpectedMesh
  /** Rows by table. */
  readonly tables: Readonly<Record<string, number>>
  readonly user: { readonly zid: string; readonly key: string }
}

/** Names of the stores that releases left, one for each schema. */
export const fixtures = (): readonly string[] => readdirSync(HOME).sort()

/** What must be true of a store. */
export const expectedOf = (name: string): Expected =>
  JSON.parse(readFileSync(join(HOME, name, 'expected.json'), 'utf8')) as Expected

/** Puts a store into a directory. @returns the bundles it gave out, by token. */
export const unpack = async (name: string, directory: string): Promise<Readonly<Record<string, unknown>>> => {
  await extract({ file: join(HOME, name, 'store.tar.gz'), cwd: directory })
  return JSON.parse(readFileSync(join(directory, 'bundles.json'), 'utf8')) as Record<string, unknown>
}
