import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { splitRoute } from '#core/route.ts'
import { closed, text } from '#core/schema.ts'
import { ownerLink } from '#domain/identity/views.ts'

const TOKEN_CHARS_MAX = 256
const HTML = 'text/html; charset=utf-8'

/** Where the page reads that it was opened as the owner: it cannot see the cookie, which is for HTTP alone. */
const OWNER_PAGE = '/#owner'

const REFUSED = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>tickmesh: this link opens nothing</title>
  </head>
  <body>
    <h1>This owner link opens nothing any more</h1>
    <p>A link works once, within an hour, and only with the start of the node that gave it.</p>
    <p><code>tickmesh owner-link</code> on its machine gives a fresh one,
      or <a href="/">open the page without it</a>: it then works on a demo key.
      If you opened this link before in this browser, the page still knows you as the owner.</p>
  </body>
</html>
`

const open = endpoint({
  id: 'identity.open-session',
  route: 'GET /owner',
  domain: 'identity-access',
  tier: 'machine-control',
  access: { credential: 'none' },
  summary: 'Turns a one-time owner link into a session, and leads to the page without the token in its address.',
  acts: 'by-link',
  audit: { event: 'owner_link_used' },
  input: closed({ token: text(TOKEN_CHARS_MAX, { description: 'One-time token of a link that this node gave.' }) }),
  result: Type.String({ description: 'Nothing: the answer is 303 to the page, with the cookie of the session.' }),
  faults: ['UNAUTHENTICATED'],
  example: { token: 'token-of-a-link' },
  produces: [HTML],
  status: 303,
  sends: ['Location', 'Set-Cookie'],
  refusalPage: REFUSED,
  handle({ identity }, { input }) {
    const session = identity.openSession(input.token)
    return answer({ headers: { Location: OWNER_PAGE }, session, body: '', type: HTML })
  },
})

const { path } = splitRoute(open.route)

/** Path of a link. @param token one-time, of the identity. */
export const ownerPath = (token: string): string => `${path}?token=${token}`

const make = endpoint({
  id: 'identity.owner-link',
  route: 'POST /control/owner-link',
  domain: 'identity-access',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'owner-key' } },
  summary: 'A fresh link that opens the page as the owner of the node, once, within an hour.',
  audit: { event: 'owner_link_made' },
  input: closed({}),
  result: ownerLink,
  faults: ['SCOPE_REQUIRED'],
  example: {},
  handle: ({ identity }, { caller }) => ({ path: ownerPath(identity.ownerLink(caller)) }),
})

export const linkEndpoints = [open, make] as const
