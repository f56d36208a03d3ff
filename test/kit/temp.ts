import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory of its own for one test, gone with all it holds at the end of the block: `using dir = tempDir()`. */
export const tempDir = (): Disposable & { readonly path: string } => {
  const path = mkdtempSync(join(tmpdir(), 'tickmesh-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
