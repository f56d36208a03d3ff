// What `npm pack` needs beside what set-up makes: the sources without their types, and the lock file under the name
// that npm puts into packages. `--sweep` takes the latter away again. Plain JavaScript for Node 24, which strips.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname } from 'node:path'
import { PLAIN, SHRINKWRAP } from './packed.mjs'
import { filesUnder } from './setup-files.mjs'
import { BUILD, ROOT } from './setup-seen.mjs'

/** What a node or a command loads: neither what is compiled to a page nor what is compiled to kernels. */
const loaded = () =>
  [...filesUnder(['src']), `${BUILD}/kernels.ts`].filter(
    (file) => file.endsWith('.ts') && !file.startsWith('src/ui/') && !file.includes('/kernels/'),
  )

const writePlain = () => {
  rmSync(PLAIN, { recursive: true, force: true })
  for (const file of loaded()) {
    mkdirSync(dirname(`${PLAIN}/${file}`), { recursive: true })
    writeFileSync(`${PLAIN}/${file}`, stripTypeScriptTypes(readFileSync(file, 'utf8')))
  }
}

process.chdir(ROOT)
if (process.argv.includes('--sweep')) rmSync(SHRINKWRAP, { force: true })
else {
  writePlain()
  copyFileSync('package-lock.json', SHRINKWRAP)
}
