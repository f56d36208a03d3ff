import { readFileSync } from 'node:fs'
import type { Credential, Reach } from '#api/access.ts'
import type { Endpoint } from '#api/endpoint.ts'

/**
 * Who may do what: the column `auth` of protocols/endpoints.tsv says whether a credential is asked for, the endpoint's
 * own literal how far it must reach. What each reach means for each credential is written here, from the interface
 * document and not from what the node answers.
 */

/** What one may be to a machine, from the least. */
export const ranks = ['none', 'viewer', 'operator', 'admin', 'owner'] as const
export type Standing = (typeof ranks)[number]

const [, ...lines] = readFileSync(new URL('../../protocols/endpoints.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

const plain = (route: string): string => route.replace(/\{\w+\}/g, '{}')

/** The column `auth` of the document, by route. */
const documented: ReadonlyMap<string, Credential> = new Map(
  lines.map((line) => {
    const [, method = '', path = '', auth = ''] = line.split('\t')
    return [plain(`${method} ${path}`), auth as Credential]
  }),
)

/** The policy of an endpoint. */
export interface Policy {
  /** What the document says of the credential; for paths of this node's own, what the endpoint states. */
  readonly credential: Credential
  readonly reach: Reach
}

/** What the document and the endpoint's literal say of who may use it. */
export const policyOf = ({ route, access: { credential, reach } }: Pick<Endpoint, 'route' | 'access'>): Policy => ({
  credential: documented.get(plain(route)) ?? credential,
  reach: reach ?? { to: 'anyone' },
})

/** Whoever presents a credential, as far as a policy asks. */
export interface Who {
  readonly kind: 'nobody' | 'demo-shared' | 'demo' | 'account' | 'node-owner' | 'machine' | 'channel'
  /** Whether it came with a session of the page that is fresh, and not with a key. */
  readonly session?: true
  /** For a channel's key: whether it is of the channel that is asked about. */
  readonly opens?: 'this' | 'another'
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

const ofMachine = (least: Standing, who: Who, { slug, state }: Target, inPerson = false): Verdict => {
  const at = who.standing[slug] ?? 'none'
  if (state === 'absent' || (state === 'private' && at === 'none')) return 'NOT_FOUND'
  if (inPerson && who.kind === 'machine') return 'SCOPE_REQUIRED'
  return ranks.indexOf(at) < ranks.indexOf(least) ? 'SCOPE_REQUIRED' : 'ok'
}

/** Which envelope is asked about: one of the holder's own key, one that a key of the private machine sealed, none. */
const ofEnvelope = (who: Who, { slug, state }: Target): Verdict => {
  if (state === 'absent') return 'NOT_FOUND'
  if (who.kind === 'node-owner' || (who.holder && who.kind === 'account')) return 'ok'
  const isOfMachine = state === 'private' && who.kind === 'machine' && who.standing[slug] !== undefined
  return isOfMachine && who.scope !== 'read' ? 'ok' : 'NOT_FOUND'
}

/** The owner alone: whoever else is shown it is told that it is another's. */
const ofOwnEnvelope = (who: Who, target: Target): Verdict => {
  const shown = ofEnvelope(who, target)
  return shown !== 'ok' || (who.holder && who.kind === 'account') ? shown : 'SCOPE_REQUIRED'
}

/** The machine of the reactor that is asked about. */
export const REACTOR_MACHINE = 'shut'

/** The channel that is asked about is the holder's, in the chain of the private machine. */
const ofChannel = (may: 'read' | 'tick' | 'owner', who: Who): Verdict => {
  if (who.kind === 'channel') {
    if (who.opens !== 'this') return 'NOT_FOUND'
    return may === 'owner' ? 'SCOPE_REQUIRED' : 'ok'
  }
  if (who.holder && who.kind === 'account') return 'ok'
  const at = who.standing[REACTOR_MACHINE] ?? 'none'
  if (at === 'none') return 'NOT_FOUND'
  if (may === 'read') return 'ok'
  return may === 'tick' && who.kind === 'machine' && who.scope !== 'read' ? 'ok' : 'SCOPE_REQUIRED'
}

const isAccount = ({ kind }: Who): boolean => kind === 'account' || kind === 'node-owner'

/** What a good credential is answered. */
export const judged = ({ credential, reach }: Policy, who: Who, target: Target): Verdict => {
  if (credential === 'handshake') return 'MISSING_HANDSHAKE'
  // Whatever else is presented: neither a signature nor a session stands in the address.
  if (credential === 'signed-link' || credential === 'stream-session') return 'UNAUTHENTICATED'
  // It is refused before it is asked what is there, so that nothing of it is told.
  if (who.kind === 'channel' && reach.to !== 'channel') return 'SCOPE_REQUIRED'
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
    case 'person':
      return who.kind === 'node-owner' && who.session === true ? 'ok' : 'SCOPE_REQUIRED'
    case 'owner-key':
      // Everyone here comes by way of a proxy, so from elsewhere.
      return 'NOT_FOUND'
    case 'own-list':
      return (who.holder && who.kind === 'account') || who.kind === 'node-owner' ? 'ok' : 'NOT_FOUND'
    case 'envelope':
      return ofEnvelope(who, target)
    case 'own-envelope':
      return ofOwnEnvelope(who, target)
    case 'job':
      return who.holder && who.kind === 'account' ? 'ok' : 'NOT_FOUND'
    case 'machine':
      return ofMachine(reach.role, who, target, reach.inPerson)
    case 'reactor':
      return ofMachine(reach.role, who, { slug: REACTOR_MACHINE, state: 'private' })
    case 'signer':
      return target.state === 'absent' ? 'NOT_FOUND' : 'ok'
    case 'channel':
      return ofChannel(reach.may, who)
    case 'share':
      if (!isAccount(who)) return 'SCOPE_REQUIRED'
      return target.state === 'absent' ? 'NOT_FOUND' : 'ok'
  }
}
