// What a package of this program is: the sources, what set-up makes of them, and the sources without their types. Plain
// JavaScript for Node 20.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD, NODE_MAJOR, ROOT } from './setup-seen.mjs'

/** The folder of the program as an address, with a slash at its end. */
export const ROOT_URL = new URL('..', import.meta.url).href
/** Where a package has the sources without their types. */
export const PLAIN = `${BUILD}/plain`
/** npm puts the lock file of a clone into no package; there its place is taken by the shrinkwrap. */
export const SHRINKWRAP = 'npm-shrinkwrap.json'

/** Whether this is an installed package, in which all is made and nothing is set up; else it is a clone. */
export const isPacked = () => !existsSync(`${ROOT}/package-lock.json`)

/** What Node is to be told before the program's file, so that it reads a package's sources. */
export const plainFlag = () => `--import=${new URL('plain.mjs', import.meta.url).href}`

/** Where what was compiled for one command is kept for the next: a package may lie where its user cannot write. */
export const compiledFolder = () =>
  isPacked()
    ? join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tickmesh', 'compiled')
    : `${ROOT}/${BUILD}/compiled`

/** The Node that came with the dependencies, wherever npm put it; undefined where the registry has none. */
export const nodeOfDependencies = () => {
  try {
    const require = createRequire(import.meta.url)
    const it = require.resolve(`node-${process.platform}-${process.arch}/package.json`)
    return join(dirname(it), 'bin', 'node')
  } catch {
    return undefined
  }
}

/** Whether this very Node runs the sources. */
export const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= NODE_MAJOR

/** The file that is run. */
export const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
