import { writeFileSync } from 'node:fs'
import { digestOf } from './draws.ts'
import { registry } from './table.ts'

const digests = registry.operators
  .map(({ row }) => row)
  .filter((row) => row.id !== 'KO42')
  .map((row) => [row.id, digestOf(row)])
writeFileSync(new URL('./digests.json', import.meta.url), `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`)
