import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { anything, closed, hex64, oneOf, preset, text } from '#core/schema.ts'
import {
  siteListing,
  siteMediaTypes,
  sitePublishKey,
  sitePublishKeyMade,
  siteUploaded,
} from '#domain/machines/views/site.ts'
import { changing, guarded, limit, seen, slug, writing } from './schemas.ts'

const PATH_CHARS_MAX = 256
/** Base64 of a page's 2,097,152 bytes; with room for the other members and for the escapes of a text. */
const CONTENT_CHARS_MAX = 2_796_204
const BODY_BYTES_MAX = 3_145_728
/** Names that begin with no dot, joined by slashes: none of them climbs. */
const PATH_PATTERN = '^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$'

/**
 * What a browser makes of a hosted page: an origin of its own, in which nothing runs, loads or is sent. Anybody may
 * have written it, and it comes from the address that the owner's session is for.
 */
const PAGE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"

const control = { domain: 'state-machines', tier: 'machine-control' } as const
const keepers = { credential: 'bearer', reach: { to: 'machine', role: 'admin' } } as const
const readers = { credential: 'optional', reach: { to: 'machine', role: 'none' } } as const
const noStore = { 'Cache-Control': 'no-store' } as const

const path = (description: string) => text(PATH_CHARS_MAX, { minLength: 1, pattern: PATH_PATTERN, description })

const readKey = endpoint({
  ...control,
  id: 'machines.publish-key',
  route: 'GET /api/chain/{slug}/site/publish-key',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'operator' } },
  summary: 'Whether a publish key is out, which, and since when; never its value.',
  input: closed({ slug: slug() }),
  result: answered(sitePublishKey),
  faults: guarded,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => machines.publishKey({ caller, slug: input.slug }),
})

const issueKey = endpoint({
  ...control,
  id: 'machines.issue-publish-key',
  route: 'POST /api/chain/{slug}/site/publish-key',
  access: keepers,
  idempotent: true,
  summary: 'A fresh publish key, shown once: it puts pages up, and does nothing else. An earlier one falls.',
  audit: { event: 'publish_key_created', input: ['slug'], result: ['id'] },
  input: closed({ slug: slug() }),
  result: answered(sitePublishKeyMade),
  status: 201,
  faults: changing,
  example: { slug: 'pump-7' },
  async handle({ machines }, { input, caller, once }) {
    const made = await once((repeat) => machines.issuePublishKey({ caller, slug: input.slug }, repeat))
    return answer({ headers: noStore, body: made })
  },
})

const revokeKey = endpoint({
  ...control,
  id: 'machines.revoke-publish-key',
  route: 'DELETE /api/chain/{slug}/site/publish-key',
  access: keepers,
  summary: 'Revokes the publish key, at once and for good. The pages stay.',
  audit: { event: 'publish_key_revoked', input: ['slug'] },
  input: closed({ slug: slug() }),
  result: answered(sitePublishKey),
  faults: changing,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => machines.revokePublishKey({ caller, slug: input.slug }),
})

const upload = endpoint({
  ...control,
  id: 'machines.site-upload',
  route: 'POST /api/chain/{slug}/site/upload',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'operator', publisher: true } },
  limits: { bodyBytes: BODY_BYTES_MAX },
  summary: 'Puts one page up, in place of the one at its path, and says so in the chain. A publish key will do.',
  input: closed({
    slug: slug(),
    path: path('Names joined by slashes, none of which begins with a dot.'),
    content_type: oneOf(siteMediaTypes, { description: 'What the bytes are; those of a picture are looked at.' }),
    content: text(CONTENT_CHARS_MAX, { description: 'The page: at most 2,097,152 bytes.' }),
    encoding: preset(oneOf(['text', 'base64'], { default: 'text', description: 'How `content` says its bytes.' })),
  }),
  result: answered(siteUploaded),
  status: 201,
  faults: [...writing, 'INVALID_INPUT'],
  example: { slug: 'pump-7', path: 'index.html', content_type: 'text/html', content: '<h1>Pump 7</h1>' },
  handle({ machines }, { input: { slug: name, ...order }, caller }) {
    return machines.uploadPage({ caller, slug: name }, order)
  },
})

const list = endpoint({
  domain: 'state-machines',
  tier: 'computation',
  access: readers,
  id: 'machines.site-list',
  route: 'GET /api/chain/{slug}/site/list',
  summary: 'The hosted pages of a machine, by path.',
  input: closed({
    slug: slug(),
    limit: limit(),
    after: Type.Optional(path('Where the page begins: next_after of the one before.')),
  }),
  result: answered(siteListing),
  faults: seen,
  example: { slug: 'pump-7' },
  handle({ machines }, { input: { slug: name, ...query }, caller }) {
    return machines.sitePages({ caller, slug: name }, query)
  },
})

const file = endpoint({
  domain: 'state-machines',
  tier: 'computation',
  access: readers,
  id: 'machines.site-file',
  route: 'GET /api/chain/{slug}/site/file/{sha}',
  summary: 'A hosted page by the SHA-256 of its file, in a sandbox of its own: nothing in it runs or is loaded.',
  input: closed({ slug: slug(), sha: hex64({ description: 'SHA-256 of the file.' }) }),
  result: anything({ description: 'The bytes, in their media type.' }),
  produces: siteMediaTypes.filter((it) => it !== 'application/json'),
  sends: ['Cache-Control', 'Content-Security-Policy', 'ETag'],
  faults: seen,
  example: { slug: 'pump-7', sha: '0'.repeat(64) },
  async handle({ machines }, { input, caller }) {
    const { sha, media_type, bytes } = await machines.siteFile({ caller, slug: input.slug }, input.sha)
    const headers = {
      // It is asked for again each time: who may see a machine changes, and files go.
      'Cache-Control': 'private, no-cache',
      'Content-Security-Policy': PAGE_POLICY,
      ETag: `"${sha}"`,
    }
    return answer<never>({ type: media_type, headers, body: bytes })
  },
})

export const siteEndpoints = [readKey, issueKey, revokeKey, upload, list, file] as const
