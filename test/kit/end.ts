/** Where the process that runs the files (scripts/test-batch.ts) finds what is to be done when all of them are over. */
const KEY = Symbol.for('tickmesh.tests.end')

/** Has something done at the end of the process: what is started once for all its files is ended there. */
export const atEnd = (work: () => Promise<unknown>): void => {
  const place = globalThis as { [KEY]?: (() => Promise<unknown>)[] }
  place[KEY] ??= []
  place[KEY].push(work)
}
