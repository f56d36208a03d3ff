// Preloaded (`--import`) where the program was installed as a package: Node strips types from no file below a
// `node_modules`, so the package brings each source a second time, as Node leaves it. Lines, columns and
// addresses stay those of the source beside it. Plain JavaScript.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PLAIN, ROOT_URL } from './packed.mjs'

registerHooks({
  load(url, context, next) {
    const path = url.startsWith(ROOT_URL) ? url.slice(ROOT_URL.length) : ''
    if (!path.endsWith('.ts') || path.startsWith('node_modules/')) return next(url, context)
    const source = readFileSync(fileURLToPath(new URL(`${PLAIN}/${path}`, ROOT_URL)))
    return { format: 'module', shortCircuit: true, source }
  },
})
