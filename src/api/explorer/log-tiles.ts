import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { closed, text } from '#core/schema.ts'
import { logParameter } from './log.ts'

/**
 * C2SP tlog-tiles: the read paths of this node's logs, for any tool of the field. What is public and never changes may
 * be read by every page of every origin, and kept for ever.
 */
const common = { domain: 'explorer-platform', tier: 'computation', access: { credential: 'none' } } as const

/** Requests of one address bucket in a minute: a monitor fetches some hundred tiles of a large log at once. */
const CALLS_PER_MINUTE = 1_200
const PATH_CHARS_MAX = 256

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'
const EVERY_ORIGIN = { 'Access-Control-Allow-Origin': '*' } as const
const FOR_EVER = 'public, max-age=31536000, immutable'

const checkpoint = endpoint({
  ...common,
  id: 'explorer.log-checkpoint',
  route: 'GET /log/{log}/checkpoint',
  summary: 'C2SP tlog-tiles: the newest signed checkpoint of a log, with the lines of its witnesses.',
  limits: { callsPerMinute: CALLS_PER_MINUTE },
  input: closed({ log: logParameter }),
  result: Type.String({ description: 'A C2SP signed note.' }),
  faults: ['NOT_FOUND'],
  example: { log: 'seal' },
  produces: [TEXT],
  sends: ['Access-Control-Allow-Origin', 'Cache-Control'],
  handle({ explorer }, { input }) {
    const headers = { ...EVERY_ORIGIN, 'Cache-Control': 'no-cache' }
    return answer({ body: explorer.logs.checkpoint(input.log), type: TEXT, headers })
  },
})

const tile = endpoint({
  ...common,
  id: 'explorer.log-tile',
  route: 'GET /log/{log}/tile/{tile...}',
  summary: 'C2SP tlog-tiles: 256 hashes of the tree, or up to the edge that is signed; of `events` the entries too.',
  limits: { callsPerMinute: CALLS_PER_MINUTE },
  input: closed({
    log: logParameter,
    tile: text(PATH_CHARS_MAX, {
      description:
        'Level and place with their slashes, `<L>/<N>[.p/<W>]`, e.g. `0/x001/x234/067.p/8`; `entries` for L has the ' +
        'leaves themselves. Any other spelling names no tile.',
    }),
  }),
  result: Type.String({ description: 'Hashes of 32 bytes each, or entries behind their lengths in two bytes.' }),
  faults: ['NOT_FOUND'],
  example: { log: 'seal', tile: '0/000.p/1' },
  produces: [BYTES],
  sends: ['Access-Control-Allow-Origin', 'Cache-Control'],
  async handle({ explorer }, { input }) {
    const headers = { ...EVERY_ORIGIN, 'Cache-Control': FOR_EVER }
    return answer<string>({ body: await explorer.logs.tile(input.log, input.tile), type: BYTES, headers })
  },
})

export const logTileEndpoints = [checkpoint, tile] as const
