import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pictureFaults } from './documents/picture.ts'
import { renderLibrary } from './documents/render.ts'

// The repository's documents as pages: `setup-documents.ts <folder>` writes each as the HTML that stands below its
// title, the pictures of solvers, the colours of the node's page, and `contents.json`, which lists the
// documents. A fault of one is no reason for a node not to start: a test refuses it (test/scripts/documents.test.ts).
const [folder = ''] = process.argv.slice(2)
const PICTURES = 'protocols/solvers/pictures'
const STYLE = 'src/ui/style/base.css'

const { documents } = renderLibrary('.')
for (const { shelf, name, html } of documents) {
  mkdirSync(join(folder, shelf), { recursive: true })
  writeFileSync(join(folder, shelf, `${name}.html`), html)
}
const contents = documents.map(({ html: _, ...rest }) => rest)
writeFileSync(join(folder, 'contents.json'), JSON.stringify(contents))
if (existsSync(PICTURES)) {
  mkdirSync(join(folder, 'solvers/pictures'), { recursive: true })
  for (const name of readdirSync(PICTURES).filter((it) => it.endsWith('.svg'))) {
    const path = join(PICTURES, name)
    if (pictureFaults(readFileSync(path, 'utf8')).length === 0)
      copyFileSync(path, join(folder, 'solvers/pictures', name))
  }
}
// One table of colours for the node's page and its documents.
const colours = [...readFileSync(STYLE, 'utf8').matchAll(/^:root[^{]*\{[^}]*\}\n/gm)].join('')
writeFileSync(join(folder, 'colours.css'), colours)
copyFileSync('src/ui/icon.svg', join(folder, 'icon.svg'))
