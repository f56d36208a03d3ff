import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { circleBreaches } from './tidy/circles.ts'
import { importBreaches, layerBreaches } from './tidy/layers.ts'
import { nameBreaches } from './tidy/names.ts'
import { type Breach, type Source, sourceOf } from './tidy/source.ts'
import { deadBreaches, domainBreaches, registryBreaches, topBreaches } from './tidy/tree.ts'
import { wallBreaches } from './tidy/wall.ts'
import {
  commentBreaches,
  pinBreaches,
  placeBreaches,
  routeBreaches,
  sizeBreaches,
  testBreaches,
  wordBreaches,
} from './tidy/words.ts'

// House rules no linter knows, as code. One line per breach; the exit status is the verdict. What Biome knows (default
// exports, length of functions, globals by scope) stands in .biome.jsonc.

const TEXT = /\.(?:tsx?|mjs|json|jsonc|jsonl|md|yml|css|html|grit|tsv|txt)$|^[^.]+$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))

const sources: readonly Source[] = files
  .filter((file) => TEXT.test(file))
  .map((file) => sourceOf(file, readFileSync(file, 'utf8')))

const breaches: readonly Breach[] = [
  ...topBreaches(files),
  ...domainBreaches(files),
  ...layerBreaches(sources),
  ...importBreaches(sources),
  ...registryBreaches(sources),
  ...wallBreaches(sources),
  ...deadBreaches(sources),
  ...circleBreaches(sources),
  ...nameBreaches(sources),
  ...wordBreaches(sources),
  ...routeBreaches(sources),
  ...sizeBreaches(sources),
  ...commentBreaches(sources),
  ...testBreaches(sources),
  ...placeBreaches(sources),
  ...pinBreaches(sources),
]

for (const line of breaches) console.error(line)
console.error(breaches.length === 0 ? `tidy: ${sources.length} files` : `tidy: ${breaches.length} breaches`)
process.exitCode = breaches.length > 0 ? 1 : 0
