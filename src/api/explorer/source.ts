import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { closed } from '#core/schema.ts'

/** The source of what runs here: who can read it can check what a receipt is worth. */
const common = {
  domain: 'explorer-platform',
  tier: 'computation',
  access: { credential: 'none' },
  input: closed({}),
  example: {},
} as const

const ARCHIVE = '/api/download/source'

const source = endpoint({
  ...common,
  limits: { callsPerMinute: 12 },
  id: 'explorer.source',
  route: `GET ${ARCHIVE}`,
  summary: 'The source of the running release, as a tar.gz whose first file lists all others with their SHA-256.',
  result: Type.String({ description: 'A gzipped tar; equal sources give equal bytes.' }),
  faults: [],
  produces: ['application/gzip'],
  sends: ['Content-Disposition', 'X-Source-Digest', 'Cache-Control', 'ETag'],
  async handle({ explorer }) {
    const { bytes, name, digest } = await explorer.source()
    const headers = {
      'Content-Disposition': `attachment; filename="${name}.tar.gz"`,
      'X-Source-Digest': `sha256:${digest}`,
      'Cache-Control': 'no-cache',
      ETag: `"${digest}"`,
    }
    return answer<string>({ body: bytes, type: 'application/gzip', headers })
  },
})

const zip = endpoint({
  ...common,
  id: 'explorer.source-zip',
  route: 'GET /api/download/source.zip',
  summary: 'Retired: the source is a tar.gz.',
  result: Type.Never({ description: 'There is no answer but the refusal.' }),
  faults: ['GONE'],
  handle() {
    throw new Fault('GONE', `The zip was retired; the source is at ${ARCHIVE}.`, { successor: ARCHIVE })
  },
})

export const sourceEndpoints = [source, zip] as const
