import Type from 'typebox'
import { nonce } from '#api/economy/envelopes.ts'
import { answer, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { anything, closed, integer, oneOf, preset, tokenId } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import type { Picture, Wanted } from '#domain/compute/types.ts'

/** More than any solver has. */
const PLOTS_MAX = 64

const formats = ['svg', 'png', 'csv'] as const
const index = preset(
  integer({
    minimum: 0,
    maximum: PLOTS_MAX,
    default: 0,
    title: 'PlotIndex',
    description: 'Which of the plots of its solver; the most telling one is 0.',
  }),
)

/** Media types of pictures. */
export const pictureTypes = ['image/svg+xml', 'image/png', 'text/csv'] as const

/** How a solver's answer is wanted: as JSON, or as a picture with the receipt in its header. */
export const pictureQuery = closed({
  plot: Type.Optional(
    oneOf(formats, {
      title: 'ResultPlot',
      description: 'Answers with a plot of the sealed result, or with its numbers (csv), not with JSON.',
    }),
  ),
  format: Type.Optional(
    oneOf(formats, { title: 'ResultFormat', description: 'The same as `plot`, by the name of an earlier route.' }),
  ),
  index,
})

/** The media type by either of its names. @throws Fault INVALID_INPUT where they differ */
const formatOf = ({ plot, format }: Pick<View<typeof pictureQuery>, 'plot' | 'format'>) => {
  if (plot === undefined || format === undefined || plot === format) return plot ?? format
  throw new Fault('INVALID_INPUT', `plot=${plot} and format=${format} are two names of one thing; give one.`, {
    path: '/format',
  })
}

/** The picture that a call asks for, or undefined for JSON. */
export const wantedOf = (query: Readonly<Record<string, unknown>>, signal: AbortSignal): Wanted | undefined => {
  const { index: at, ...said } = query as View<typeof pictureQuery>
  const plot = formatOf(said)
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
  access: { credential: 'optional', reach: { to: 'envelope' } },
  summary: 'A plot of a sealed result as SVG or PNG, or its numbers as CSV, for whoever may see the envelope.',
  input: closed({
    token_id: tokenId(),
    plot: Type.Optional(oneOf(formats, { description: 'Media type of the picture, as on a call; svg when left out.' })),
    format: Type.Optional(oneOf(formats, { description: 'The same as `plot`, by its earlier name here.' })),
    index,
    nonce,
  }),
  result: anything(),
  produces: pictureTypes,
  faults: ['INVALID_INPUT', 'NOT_FOUND', 'NODE_BUSY', 'WORKER_LOST'],
  example: { token_id: '0'.repeat(32) },
  async handle({ compute }, { input, caller, signal }) {
    const { token_id: token, index: at, nonce: opened } = input
    const format = formatOf(input) ?? 'svg'
    return pictureAnswer(await compute.storedPicture(token, { caller, nonce: opened }, { format, index: at, signal }))
  },
})
