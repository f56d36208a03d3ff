import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { closed } from '#core/schema.ts'

const ARCHIVE = 'application/octet-stream'

export const snapshot = endpoint({
  id: 'explorer.snapshot',
  route: 'POST /control/snapshot',
  domain: 'explorer-platform',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'owner-key' } },
  summary: 'All rows of the database in one moment, as an archive without key files: what a backup is made of.',
  audit: { event: 'snapshot_taken' },
  // Its reader keeps what is overwritten on disk meanwhile.
  limits: { atOnce: 1 },
  input: closed({}),
  result: Type.String({ description: 'An archive: protocols/wire/backup.md.' }),
  faults: ['SCOPE_REQUIRED'],
  example: {},
  produces: [ARCHIVE],
  handle: ({ explorer }, { caller, signal }) =>
    answer<never>({ body: explorer.snapshot(caller, signal), type: ARCHIVE }),
})
