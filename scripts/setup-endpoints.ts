import { writeFileSync } from 'node:fs'
import { endpoints } from '#api/index.ts'

// What of every endpoint a caller needs, as JSON: the command line reads it instead of the endpoints themselves, which
// bring the schema library and every solver with them. Set-up names the file.
const [file = ''] = process.argv.slice(2)
const cards = endpoints.map(({ id, route, summary, input }) => ({ id, route, summary, input }))
writeFileSync(file, JSON.stringify(cards))
