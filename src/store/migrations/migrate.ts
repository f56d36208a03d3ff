import { assert } from '#core/assert.ts'
import type { Change, Database } from '#store/database.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { steps as allSteps } from './index.ts'
import type { Migration } from './step.ts'

/** How far a migration is. */
export interface MigrationProgress {
  readonly from: number
  readonly to: number
  readonly why: string
  /** Rows written by this step so far. */
  readonly rows: number
  /** Whether the step is over. */
  readonly done: boolean
}

export interface MigrateOptions {
  /** The node whose data these must be. Another's stay as they are, for the caller to refuse. */
  readonly node?: string
  /** Called once, before the first step writes anything: the place of an archive of the data as they were. */
  readonly before?: () => Promise<void>
  /** Told at the beginning and the end of each step, and after each batch. */
  readonly onProgress?: (progress: MigrationProgress) => void
  /** The steps there are; tests bring their own. */
  readonly steps?: readonly Migration[]
}

/** The steps from a schema to the newest, in order. Empty for the newest itself. */
export const stepsFrom = (schema: number, steps: readonly Migration[] = allSteps): readonly Migration[] => {
  const found: Migration[] = []
  let at = schema
  for (const step of steps) {
    if (step.from !== at) continue
    found.push(step)
    at = step.to
  }
  return found
}

const runStep = async (
  database: Database,
  { run, from, to, why }: Migration,
  onProgress: MigrateOptions['onProgress'],
) => {
  let rows = 0
  let last: readonly Change[] = []
  onProgress?.({ from, to, why, rows, done: false })
  for await (const batch of run(database)) {
    if (last.length > 0) await database.write(last)
    rows += last.length
    if (last.length > 0) onProgress?.({ from, to, why, rows, done: false })
    last = batch
  }
  // The version moves with the last rows or not at all.
  await database.write([...last, { table: 'schema', key: 'version', row: to }])
  onProgress?.({ from, to, why, rows: rows + last.length, done: true })
}

/**
 * Brings a database up to this release's schema, step by step; one that was cut off is taken up where it stands. Does
 * nothing to a new database, to one that is up to date, and to those that the caller refuses: of a newer release, or
 * of another node.
 *
 * @returns the schema that the data had; undefined for a new database.
 */
export const migrate = async (database: Database, options: MigrateOptions = {}): Promise<number | undefined> => {
  const { before, node, onProgress, steps } = options
  const schema = await database.get('schema', 'version')
  if (schema === undefined || schema >= SCHEMA) return schema
  const genesis = await database.get('genesis', 'genesis')
  if (genesis === undefined || (node !== undefined && genesis.node !== node)) return schema
  const due = stepsFrom(schema, steps)
  assert(due.at(-1)?.to === SCHEMA, 'the steps lead from every old schema to the present one')
  await before?.()
  for (const step of due) await runStep(database, step, onProgress)
  return schema
}
