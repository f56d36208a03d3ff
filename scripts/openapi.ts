import { writeFileSync } from 'node:fs'
import { endpoints } from '#api/index.ts'
import { openapi } from '#gateway/openapi.ts'

// Writes the golden interface description anew. Its test compares it with what the endpoints say, so that a change of
// the interface is always a change of this file, to be read in the diff.

const GOLDEN = 'protocols/openapi.json'

const document = openapi(endpoints)
writeFileSync(GOLDEN, `${JSON.stringify(document, null, 2)}\n`)
console.log(`${GOLDEN}: ${Object.keys(document['paths'] as object).length} paths`)
