import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { closed } from '#core/schema.ts'
import type { Conformance } from '#domain/explorer/explorer.ts'

const HEIGHT = 20
const CHAR_WIDTH = 6.5
const PADDING = 12

/** A badge of two fields; every text in it is made of numbers and words of ours. */
const draw = ({ rows, vectors }: Conformance): string => {
  const label = 'conformance'
  const said = `${rows.passed}/${rows.total} rows · ${vectors.passed}/${vectors.total} vectors`
  const widthOf = (text: string): number => Math.ceil(text.length * CHAR_WIDTH) + PADDING
  const [left, right] = [widthOf(label), widthOf(said)]
  const colour = vectors.passed < vectors.total ? '#b3261e' : rows.passed < rows.total ? '#1f5f99' : '#1e6b33'
  const text = (x: number, it: string): string => `<text x="${x}" y="14" text-anchor="middle">${it}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img"`,
    ` aria-label="${label}: ${said}"><title>${label}: ${said}</title>`,
    `<rect width="${left}" height="${HEIGHT}" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    `${text(left / 2, label)}${text(left + right / 2, said)}</g></svg>`,
  ].join('')
}

const badge = endpoint({
  id: 'explorer.badge',
  route: 'GET /api/conformance/badge.svg',
  domain: 'explorer-platform',
  tier: 'computation',
  access: { credential: 'none' },
  summary: 'Interface rows standing and golden vectors passed, measured by the running node, as a picture.',
  input: closed({}),
  result: Type.String({ description: 'SVG.' }),
  faults: [],
  example: {},
  produces: ['image/svg+xml'],
  sends: ['Cache-Control'],
  async handle({ explorer }) {
    const headers = { 'Cache-Control': 'no-cache' }
    return answer<string>({ body: draw(await explorer.conformance()), type: 'image/svg+xml', headers })
  },
})

export const badgeEndpoints = [badge] as const
