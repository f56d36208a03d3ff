import { readFileSync } from 'node:fs'
import type { Endpoint } from '#api/endpoint.ts'

/**
 * Who may do what, written from the interface document and not from what the node answers: the column `auth` of
 * protocols/endpoints.tsv says whether a credential is asked for, the table below how far it must reach.
 */

/** What one may be to a machine, from the least. */
export const ranks = ['none', 'viewer', 'operator', 'admin', 'owner'] as const
export type Standing = (typeof ranks)[number]

/** How far a credential must reach where a good one is there. */
export type Reach =
  /** No further: whoever passes the door is answered. */
  | { readonly to: 'anyone' }
  /** Whoever may spend: a machine's key that may only read spends nothing. */
  | { readonly to: 'payer' }
  /** A person with an account: neither a demo key nor a machine's key is one. */
  | { readonly to: 'account' }
  /** Whoever has a list: an account, or a demo key of its own, whose soulbound envelopes may still be filed. */
  | { readonly to: 'filer' }
  /** A key of one's own: the shared demo key is everyone's. */
  | { readonly to: 'own-key' }
  /** The owner of the node. */
  | { readonly to: 'node-owner' }
  /** A list of one account, which for anyone else is not there. */
  | { readonly to: 'own-list' }
  /** An envelope: its owner, who may spend for that owner, and the node's owner. For anyone else it is not there. */
  | { readonly to: 'envelope' }
  /** A job, which is there for the key that began it alone. */
  | { readonly to: 'job' }
  /** The mesh's own header, whatever else is presented. */
  | { readonly to: 'handshake' }
  /** A role in the machine that this member of the input names; a private machine is not there for a stranger. */
  | { readonly to: 'machine'; readonly role: Standing }
  /** A share token, which an account redeems. */
  | { readonly to: 'share' }
  /** A reactor of the holder whose entries stand in its private machine: there for its members, by their role. */
  | { readonly to: 'reactor'; readonly role: Standing }

const anyone: Reach = { to: 'anyone' }
const payer: Reach = { to: 'payer' }
const account: Reach = { to: 'account' }
const role = (least: Standing): Reach => ({ to: 'machine', role: least })

const reactor = (least: Standing): Reach => ({ to: 'reactor', role: least })

/** By route; the first that fits counts. Whatever asks for no credential needs no line. */
const reaches: readonly (readonly [RegExp, Reach])[] = [
  // A reactor is stepped by whoever may write to its machine, and read by whoever may read there.
  [/^\w+ \/api\/svc\/reactor\/(step|observe)$/, reactor('operator')],
  [/^\w+ \/api\/svc\/reactor\/(state|telemetry|trajectory|next)$/, reactor('viewer')],
  // Computations are paid by whoever asks; sealed ones by a key that may spend.
  [/^POST \/api\/svc\//, payer],
  [/^POST \/api\/quote$/, anyone],
  [/^GET \/api\/(jobs|svc\/reactor)$/, { to: 'own-key' }],
  [/^\w+ \/api\/jobs\/\{id\}(\/events)?$/, { to: 'job' }],
  // Envelopes and money.
  [/^GET \/api\/tally\/envelopes\/\{zid\}(\/folders)?$/, { to: 'own-list' }],
  [/^POST \/api\/tally\/envelopes\/folder$/, { to: 'filer' }],
  [/^GET \/api\/envelopes\/\{token_id\}(\/bundle|\/plot)?$/, { to: 'envelope' }],
  [/^\w+ \/api\/tally\/settings\/publish-default$/, account],
  [/^GET \/api\/credits\/status$/, anyone],
  [/^GET \/api\/compute\/usage$/, anyone],
  [/^POST \/api\/credits\/grant$/, { to: 'node-owner' }],
  [/^GET \/api\/contact$/, { to: 'node-owner' }],
  // The account, its keys and its session.
  [/^DELETE \/api\/auth\/session$/, anyone],
  [/^\w+ \/api\/auth\//, account],
  // Machines. Reads are open where the machine is public; writes need operator, keys and roles admin.
  [/^POST \/api\/chain\/state-machines$/, account],
  [/^GET \/api\/chain\/state-machines$/, anyone],
  [/^GET \/api\/chain\/state-machines\/\{slug\}$/, role('none')],
  [/^GET \/api\/chain\/state-machines\/\{slug\}\/anchor-config$/, role('viewer')],
  [/^\w+ \/api\/chain\/state-machines\/\{slug\}\/(anchor-config|anchor-key\/rotate|share\/\w+)$/, role('admin')],
  [/^POST \/api\/chain\/\{motherSlug\}\/anchor$/, role('operator')],
  [/^POST \/api\/chain\/rejection-log$/, role('operator')],
  [/^POST \/api\/chain\/\{slug\}\/(event|file|state|connection)$/, role('operator')],
  [/^POST \/api\/chain\/\{slug\}\/unlock$/, { to: 'share' }],
  [/^POST \/api\/chain\/\{slug\}\/audit\/decrypt$/, role('owner')],
  [/^GET \/api\/chain\/\{slug\}\/events\/stream$/, role('owner')],
  [/^GET \/api\/chain\/\{slug\}\/events$/, role('viewer')],
  [/^GET \/api\/chain\/\{slug\}\/admins$/, role('viewer')],
  [/^\w+ \/api\/chain\/\{slug\}\/(admins|api-keys|settings|status)(\/\{\w+\})?$/, role('admin')],
  [
    /^GET \/api\/chain\/\{slug\}\/(block|at|explore|explore\/sse|state|stats|analytics|sources|pohc\/validate)$/,
    role('none'),
  ],
  [/^GET \/api\/chain\/\{motherSlug\}\/(anchored|anchors)$/, role('none')],
]

const [, ...lines] = readFileSync(new URL('../../protocols/endpoints.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

const plain = (route: string): string => route.replace(/\{\w+\}/g, '{}')

/** The column `auth` of the document, by route. */
const documented: ReadonlyMap<string, string> = new Map(
  lines.map((line) => {
    const [, method = '', path = '', auth = ''] = line.split('\t')
    return [plain(`${method} ${path}`), auth]
  }),
)

export interface Policy {
  /** What the document says of the credential; for paths of this node's own, what the endpoint declares. */
  readonly auth: 'none' | 'optional' | 'bearer' | 'handshake'
  readonly reach: Reach
}

const machineRoute = /\{(slug|motherSlug)\}/

/** The policy of an endpoint. Undefined: nobody has written down who may use it, and a test must fail for that. */
export const policyOf = ({ route, auth: declared, input }: Endpoint): Policy | undefined => {
  const auth = (documented.get(plain(route)) ?? declared) as Policy['auth']
  if (auth === 'handshake') return { auth, reach: { to: 'handshake' } }
  const reach = reaches.find(([form]) => form.test(route))?.[1]
  if (auth === 'none') return { auth, reach: machineRoute.test(route) ? (reach ?? role('none')) : anyone }
  if (reach === undefined) return undefined
  return reach.to === 'machine' && !('slug' in input.properties || 'motherSlug' in input.properties)
    ? undefined
    : { auth, reach }
}

/** Whoever presents a credential, as far as a policy asks. */
export interface Who {
  readonly kind: 'nobody' | 'demo-shared' | 'demo' | 'account' | 'node-owner' | 'machine'
  /** For a machine's key. */
  readonly scope?: 'read' | 'write' | 'admin'
  /** Whether it is, or spends for, the account that the test's envelopes and lists belong to. */
  readonly holder: boolean
  /** What it is to each machine; nothing to those left out. */
  readonly standing: Readonly<Record<string, Standing>>
}

export const nobody: Who = { kind: 'nobody', holder: false, standing: {} }

/** A machine as the outside sees it. */
export interface Target {
  readonly slug: string
  readonly state: 'public' | 'private' | 'absent'
}

/** `ok`, or the code of the refusal that the document fixes. */
export type Verdict = 'ok' | 'SCOPE_REQUIRED' | 'NOT_FOUND' | 'UNAUTHENTICATED' | 'ORIGIN_REFUSED' | 'MISSING_HANDSHAKE'

const ofMachine = (least: Standing, who: Who, { slug, state }: Target): Verdict => {
  const at = who.standing[slug] ?? 'none'
  if (state === 'absent' || (state === 'private' && at === 'none')) return 'NOT_FOUND'
  return ranks.indexOf(at) < ranks.indexOf(least) ? 'SCOPE_REQUIRED' : 'ok'
}

/** The machine of the reactor that is asked about. */
export const REACTOR_MACHINE = 'shut'

const isAccount = ({ kind }: Who): boolean => kind === 'account' || kind === 'node-owner'

/** What a good credential is answered. */
export const judged = ({ reach }: Policy, who: Who, target: Target): Verdict => {
  switch (reach.to) {
    case 'anyone':
      return 'ok'
    case 'payer':
      return who.kind === 'machine' && who.scope === 'read' ? 'SCOPE_REQUIRED' : 'ok'
    case 'account':
      return isAccount(who) ? 'ok' : 'SCOPE_REQUIRED'
    case 'filer':
      return isAccount(who) || who.kind === 'demo' ? 'ok' : 'SCOPE_REQUIRED'
    case 'own-key':
      return who.kind === 'demo-shared' ? 'SCOPE_REQUIRED' : 'ok'
    case 'node-owner':
      return who.kind === 'node-owner' ? 'ok' : 'SCOPE_REQUIRED'
    case 'own-list':
      return (who.holder && who.kind === 'account') || who.kind === 'node-owner' ? 'ok' : 'NOT_FOUND'
    case 'envelope':
      return (who.holder && who.scope !== 'read') || who.kind === 'node-owner' ? 'ok' : 'NOT_FOUND'
    case 'job':
      return who.holder && who.kind === 'account' ? 'ok' : 'NOT_FOUND'
    case 'handshake':
      return 'MISSING_HANDSHAKE'
    case 'machine':
      return ofMachine(reach.role, who, target)
    case 'reactor':
      return ofMachine(reach.role, who, { slug: REACTOR_MACHINE, state: 'private' })
    case 'share':
      if (!isAccount(who)) return 'SCOPE_REQUIRED'
      return target.state === 'absent' ? 'NOT_FOUND' : 'ok'
  }
}
