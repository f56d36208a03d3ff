import Type, { type Static } from 'typebox'
import { nonce } from '#api/economy/envelopes.ts'
import { answer, endpoint } from '#api/endpoint.ts'
import { anything, closed, integer, oneOf, tokenId } from '#core/schema.ts'
import type { Picture, Wanted } from '#domain/compute/pictures.ts'

/** More than any solver has. */
const PLOTS_MAX = 64

const formats = ['svg', 'png', 'csv'] as const
const index = Type.Optional(
  integer({
    minimum: 0,
    maximum: PLOTS_MAX,
    default: 0,
    description: 'Which of the plots of its solver; the most telling one is 0.',
  }),
)

/** Media types of pictures. */
export const pictureTypes = ['image/svg+xml', 'image/png', 'text/csv'] as const

/** How a solver's answer is wanted: as JSON, or as a picture with the receipt in its header. */
export const pictureQuery = closed({
  plot: Type.Optional(
    oneOf(formats, {
      description: 'Answers with a plot of the sealed result, or with its numbers (csv), not with JSON.',
    }),
  ),
  index,
})

/** The picture that a call asks for, or undefined for JSON. */
export const wantedOf = (query: Readonly<Record<string, unknown>>, signal: AbortSignal): Wanted | undefined => {
  const { plot, index: at = 0 } = query as Static<typeof pictureQuery>
  return plot === undefined ? undefined : { format: plot, index: at, signal }
}

/** A picture as an answer. SVG may not be run as a page of this origin. */
export const pictureAnswer = ({ type, bytes }: Picture, headers: Readonly<Record<string, string>> = {}) =>
  answer<never>({
    body: bytes,
    type,
    headers: { ...headers, 'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'" },
  })

/** A stored result, drawn. */
export const picture = endpoint({
  domain: 'compute',
  tier: 'computation',
  id: 'compute.picture',
  route: 'GET /api/envelopes/{token_id}/plot',
  auth: 'optional',
  summary: 'A plot of a sealed result as SVG or PNG, or its numbers as CSV, for whoever may see the envelope.',
  input: closed({
    token_id: tokenId(),
    format: Type.Optional(oneOf(formats, { default: 'svg', description: 'Media type of the picture.' })),
    index,
    nonce,
  }),
  result: anything(),
  produces: pictureTypes,
  faults: ['NOT_FOUND', 'NODE_BUSY', 'WORKER_LOST'],
  example: { token_id: '0'.repeat(32) },
  async handle({ compute }, { input, caller, signal }) {
    const { token_id: token, format = 'svg', index: at = 0, nonce: opened } = input
    return pictureAnswer(await compute.storedPicture(token, { caller, nonce: opened }, { format, index: at, signal }))
  },
})
