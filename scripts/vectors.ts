import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { makers } from './vectors/makers.ts'

/**
 * Writes the golden vectors of every byte form to protocols/vectors. With `--check` it writes nothing and fails when
 * one would change: a byte form never changes once landed, so a difference is a bug, or a new version with new files.
 */
const folder = new URL('../protocols/vectors/', import.meta.url)
const check = process.argv.includes('--check')
mkdirSync(folder, { recursive: true })

const existing = (file: URL): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

let changed = 0
for (const [name, make] of Object.entries(makers)) {
  const file = new URL(`${name}.json`, folder)
  const text = `${JSON.stringify(make(), undefined, 2)}\n`
  if (existing(file) === text) continue
  changed++
  console.log(`${check ? 'would change' : 'written'}: protocols/vectors/${name}.json`)
  if (!check) writeFileSync(file, text)
}
console.log(changed === 0 ? `${Object.keys(makers).length} files of vectors stand` : `${changed} differ`)
if (check && changed > 0) process.exitCode = 1
