import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { openapi } from '#gateway/openapi.ts'
import { type Description, goldensOf } from './openapi/goldens.ts'

// Writes the golden interface description anew. Its test compares it with what the endpoints say, so that a change of
// the interface is always a change of these files, to be read in the diff.

const FOLDER = 'protocols/openapi'

const document = openapi(endpoints as unknown as readonly Endpoint[])
const files = goldensOf(JSON.parse(JSON.stringify(document)) as Description)
rmSync(FOLDER, { recursive: true, force: true })
let lines = 0
for (const [name, text] of files) {
  mkdirSync(dirname(join(FOLDER, name)), { recursive: true })
  writeFileSync(join(FOLDER, name), text)
  lines += text.split('\n').length - 1
}
const bytes = Buffer.byteLength(JSON.stringify(document))
console.log(`${FOLDER}: ${files.size} files, ${lines} lines; served ${bytes} bytes`)
