import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, oneOf, orNull, slug as slugSchema } from '#core/schema.ts'
import { anchorConfig, anchoring, anchorPolicies, anchor as anchorView, recorded } from '#domain/machines/views.ts'
import { recordedAnswer, writingOf } from './entries.ts'
import { changing, guarded, limit, seen, slug, writing } from './schemas.ts'

const motherSlug = () => slugSchema({ description: 'Slug of the machine that is anchored in.' })

const readConfig = endpoint({
  id: 'machines.anchor-config',
  route: 'GET /api/chain/state-machines/{slug}/anchor-config',
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'optional', reach: { to: 'machine', role: 'viewer' } },
  summary: 'Where the machine anchors and whom it lets anchor in itself, for members.',
  input: closed({ slug: slug() }),
  result: answered(anchorConfig),
  faults: guarded,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => machines.anchorConfig({ caller, slug: input.slug }),
})

const setConfig = endpoint({
  id: 'machines.set-anchor-config',
  route: 'PUT /api/chain/state-machines/{slug}/anchor-config',
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Says where the machine anchors and whom it lets anchor in itself.',
  input: closed({
    slug: slug(),
    mother: Type.Optional(orNull(slugSchema(), { description: 'Slug of the mother; null for none.' })),
    accepts: Type.Optional(oneOf(anchorPolicies, { description: 'Who may anchor in this machine.' })),
  }),
  result: answered(anchorConfig),
  faults: changing,
  example: { slug: 'pump-7', accepts: 'members' },
  handle({ machines }, { input, caller }) {
    const { slug: name, ...order } = input
    return machines.setAnchorConfig({ caller, slug: name }, order)
  },
})

const rotateKey = endpoint({
  id: 'machines.rotate-anchor-key',
  route: 'POST /api/chain/state-machines/{slug}/anchor-key/rotate',
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'A fresh anchor key: the pseudonyms of the machine are others from now on.',
  audit: { event: 'anchor_key_rotated', input: ['slug'] },
  input: closed({ slug: slug() }),
  result: answered(anchorConfig),
  faults: changing,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => machines.rotateAnchorKey({ caller, slug: input.slug }),
})

const anchor = endpoint({
  id: 'machines.anchor',
  route: 'POST /api/chain/{motherSlug}/anchor',
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'operator' } },
  idempotent: true,
  summary: 'Puts the head of a machine into the chain of its mother, under a pseudonym.',
  input: closed({ motherSlug: motherSlug(), slug: slug() }),
  result: answered(recorded),
  status: 201,
  faults: writing,
  example: { motherSlug: 'mother', slug: 'pump-7' },
  async handle({ machines }, call) {
    const { motherSlug: mother, slug: child } = call.input
    return recordedAnswer(await call.once((repeat) => machines.anchor(writingOf(call, mother, repeat), child)))
  },
})

const pub = {
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'none', reach: { to: 'machine', role: 'none' } },
  faults: seen,
} as const

const anchored = endpoint({
  ...pub,
  id: 'machines.anchored',
  route: 'GET /api/chain/{motherSlug}/anchored',
  summary: 'Who anchors in a public machine, by pseudonym.',
  input: closed({ motherSlug: motherSlug() }),
  result: answered(Type.Object({ slug: Type.String(), machines: Type.Array(anchoring) })),
  example: { motherSlug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    const { motherSlug: name } = input
    return { slug: name, machines: await machines.anchored({ caller, slug: name }) }
  },
})

const anchors = endpoint({
  ...pub,
  id: 'machines.anchors',
  route: 'GET /api/chain/{motherSlug}/anchors',
  summary: 'The newest anchors in a public machine, newest first.',
  input: closed({ motherSlug: motherSlug(), limit: limit() }),
  result: answered(Type.Object({ slug: Type.String(), anchors: Type.Array(anchorView) })),
  example: { motherSlug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    const { motherSlug: name } = input
    return { slug: name, anchors: await machines.anchors({ caller, slug: name }, input.limit) }
  },
})

export const anchorEndpoints = [readConfig, setConfig, rotateKey, anchor, anchored, anchors] as const
