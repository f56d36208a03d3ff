import type { Context } from 'koa'
import { Fault } from '#core/fault.ts'
import type { Identity } from '#domain/identity/identity.ts'
import type { Audit } from './audit.ts'
import { type Presented, sessionLine } from './authenticate.ts'
import { admitOwner } from './control.ts'
import { stateOf } from './observe.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'

/** Where the command line of this machine fetches a fresh link. It is no row of the interface. */
export const OWNER_LINK_PATH = '/control/owner-link'

/** Where a link leads, with its token behind it. */
export const OWNER_PATH = '/owner'

/** Path of a link. @param token one-time, of the identity. */
export const ownerPath = (token: string): string => `${OWNER_PATH}?token=${token}`

/** Where the page reads that it was opened as the owner: it cannot see the cookie, which is for HTTP alone. */
const OWNER_PAGE = '/#owner'

/** For a person whose link opens nothing any more; nothing of the request stands in it. */
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

/** A browser asks for a page before anything else; every other caller gets the problem document. */
const wantsPage = (ctx: Context): boolean => ctx.accepts(PROBLEM_TYPE, 'application/json', 'text/html') === 'text/html'

interface Redeeming {
  readonly identity: Pick<Identity, 'openSession'>
  readonly audit: Audit
  readonly secure: boolean
}

/**
 * `/owner?token=…` turns the one-time link into a session and leads to the page without the token in its address. A
 * link that opens nothing is told to a person in words.
 *
 * @throws Fault INVALID_INPUT, UNAUTHENTICATED
 */
export const redeemOwnerLink = (ctx: Context, { identity, audit, secure }: Redeeming): void => {
  const { token } = ctx.query
  ctx.set('Cache-Control', 'no-store')
  try {
    if (typeof token !== 'string') throw new Fault('INVALID_INPUT', 'The owner link has one token.')
    const session = identity.openSession(token)
    audit.told('owner_link_used', stateOf(ctx))
    ctx.set('Set-Cookie', sessionLine(session.token, { maxAgeSeconds: session.maxAgeSeconds, secure }))
    ctx.redirect(OWNER_PAGE)
    ctx.status = 303
  } catch (refusal) {
    if (!(refusal instanceof Fault) || !wantsPage(ctx)) throw refusal
    const { id, bucket } = stateOf(ctx)
    audit.refused(refusal.code, { id, bucket, endpoint: 'owner' })
    const { problem, headers } = toProblem(refusal, id)
    ctx.set(headers)
    ctx.status = problem.status
    ctx.body = REFUSED
    ctx.type = 'text/html; charset=utf-8'
  }
}

interface Issuing {
  readonly identity: Pick<Identity, 'callerOf' | 'ownerLink'>
  readonly audit: Audit
  readonly presented: Presented
}

/**
 * Answers the owner's key, on this machine, with the path of a fresh link that works once.
 *
 * @throws Fault NOT_FOUND, UNAUTHENTICATED, SCOPE_REQUIRED
 */
export const issueOwnerLink = (ctx: Context, { identity, audit, presented }: Issuing): void => {
  admitOwner(ctx, identity, presented)
  audit.told('owner_link_made', stateOf(ctx))
  ctx.set('Cache-Control', 'no-store')
  ctx.status = 200
  ctx.body = { path: ownerPath(identity.ownerLink()) }
}
