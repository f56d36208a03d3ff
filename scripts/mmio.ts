import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { madeFiles } from './mmio/files.ts'

/**
 * Writes what follows from the table of registers, `protocols/mmio.json`: the C header, the Python module and the
 * tables of `wire/mmio.md`. With `--check` it writes nothing and fails when a file would change.
 */
const check = process.argv.includes('--check')

let changed = 0
const files = madeFiles()
for (const { name, url, text } of files) {
  if (existsSync(url) && readFileSync(url, 'utf8') === text) continue
  changed++
  console.log(`${check ? 'would change' : 'written'}: ${name}`)
  if (check) continue
  mkdirSync(new URL('.', url), { recursive: true })
  writeFileSync(url, text)
}
console.log(changed === 0 ? `${files.length} files stand` : `${changed} differ`)
if (check && changed > 0) process.exitCode = 1
