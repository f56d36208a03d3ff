import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isoOf } from '#core/iso.ts'
import { START } from '../kit/clock.ts'
import type { TestNode } from '../kit/node.ts'
import { nobody, REACTOR_MACHINE, type Target, type Who } from './policy.ts'

/** Header lines as they are sent, one after the other. */
export type Lines = readonly (readonly [string, string])[]

/** Someone at the door with a credential, or with what looks like one. */
export interface Guest {
  readonly name: string
  /** Undefined: the credential itself is refused wherever one is read. */
  readonly who: Who | undefined
  /** What it presents. A function, for a session may have to be opened anew. */
  lines(): Lines
  /** The key itself, where it is one that a client can hold. */
  readonly key?: string
  /** With a session: whether the page's own origin is shown. Without one: undefined. */
  readonly origin?: 'own' | 'none' | 'foreign'
}

/** What stands on the test's node, and who comes to it. */
export interface Stage {
  readonly guests: readonly Guest[]
  /** The account that owns machines, envelopes and jobs. */
  readonly holder: { readonly key: string; readonly zid: string }
  /** An account that is nothing to the holder's machines. */
  readonly stranger: { readonly key: string; readonly zid: string }
  /** Envelopes of the holder: by the account's key, by a key of `shut`, and one that nobody made. */
  readonly tokens: Readonly<Record<Target['state'], string>>
  /** A job of the holder. */
  readonly job: string
  /** A channel of the holder in the chain of the private machine. */
  readonly channel: string
}

/** More than an hour: what was made to end has ended, and 12 hours: so has a session. */
const TICKS_OVER = 60_000
const NS_PER_HOUR = 3_600_000_000_000n

const bearer = (key: string): Lines => [['Authorization', `Bearer ${key}`]]

const key = (name: string, value: string, who: Who | undefined): Guest => ({
  name,
  who,
  key: value,
  lines: () => bearer(value),
})
const shown = (name: string, who: Who | undefined, lines: Lines): Guest => ({ name, who, lines: () => lines })

const OTHER = 'svc_ak_0000000000000000000000000000000000000000000'

/** What no door may take for a key, made of one that it would take. */
const wrong = (good: string): readonly Guest[] => {
  const line = (value: string) => ['Authorization', value] as const
  const refused = (name: string, ...values: readonly string[]) => shown(name, undefined, values.map(line))
  return [
    refused('wrong: no scheme', 'hello'),
    refused('wrong: the key without its scheme', good),
    refused('wrong: the scheme alone', 'Bearer'),
    refused('wrong: not a key', 'Bearer hello'),
    refused('wrong: Basic', `Basic ${btoa(`user:${good}`)}`),
    refused('wrong: another scheme', `Token ${good}`),
    refused('wrong: account key of nobody', `Bearer ${OTHER}`),
    refused('wrong: machine key of nobody', `Bearer zsm_${'0'.repeat(43)}`),
    refused('wrong: demo key of nobody', `Bearer svc_demo_${'0'.repeat(43)}`),
    refused('wrong: channel key of nobody', `Bearer sck_${'0'.repeat(43)}`),
    refused('wrong: cut short', `Bearer ${good.slice(0, -1)}`),
    refused('wrong: one letter more', `Bearer ${good}0`),
    refused('wrong: another case', `Bearer ${good.toUpperCase()}`),
    refused('wrong: quoted', `Bearer "${good}"`),
    refused('wrong: two keys in one line', `Bearer ${good}, Bearer ${good}`),
    refused('wrong: two lines, the first one good', `Bearer ${good}`, `Bearer ${OTHER}`),
    refused('wrong: two lines, the second one good', `Bearer ${OTHER}`, `Bearer ${good}`),
    refused('wrong: 8 KiB', `Bearer ${good}${'x'.repeat(8192)}`),
  ]
}

interface Page {
  readonly name: string
  readonly origin: NonNullable<Guest['origin']>
}

/** The owner's session in a browser. */
const session = (node: TestNode, { name, origin }: Page, owner: Who): Guest => {
  const { identity } = node.node.services
  const shownOrigin = { own: node.url, foreign: 'https://evil.example', none: undefined }[origin]
  return {
    name,
    who: { ...owner, session: true },
    origin,
    lines: () => [
      ['Cookie', `tickmesh=${identity.openSession(identity.ownerLink()).token}`],
      ...(shownOrigin === undefined ? [] : [['Origin', shownOrigin] as const]),
    ],
  }
}

const COMPUTE = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }

/** Envelopes of an account, by its own key and by one of its machine's, and a job of it that is done. */
const possessions = async (node: TestNode, of: string) => {
  const client = node.as(of)
  // Of a solver, so that there is something to draw.
  const sealed = async (by: typeof client): Promise<string> => {
    const { envelope } = await by.call('compute.heat', { dim: 1 }, { prefer: 'wait=60' })
    if (envelope === null || envelope === undefined) throw new Error('the node did not seal')
    return envelope.token_id
  }
  const { api_key } = await client.call('identity.machine-make-key', { slug: 'shut', name: 'sealer', scope: 'write' })
  const tokens = { public: await sealed(client), private: await sealed(node.as(api_key)), absent: '0'.repeat(32) }
  const job = await client.send('POST', '/api/svc/compute', COMPUTE, { prefer: 'respond-async' })
  if (job.status !== 202) throw new Error('the node made no job')
  return { tokens, job: (job.body as { id: string }).id }
}

interface Account {
  readonly key: string
  readonly zid: string
}

/** Keys and a session that are over: made in time, and then the time passes. */
const endings = async (node: TestNode, holder: Account) => {
  const mine = node.as(holder.key)
  const soon = await mine.call('identity.create-key', { name: 'soon', expires_in_seconds: 60 })
  const ending = { name: 'soon', scope: 'admin', expires_at: isoOf(START + NS_PER_HOUR) } as const
  const machine = await mine.call('identity.machine-make-key', { slug: 'shut', ...ending })
  const { identity } = node.node.services
  const session = identity.openSession(identity.ownerLink()).token
  await node.advanceTicks(TICKS_OVER)
  const taken = await mine.call('identity.create-key', { name: 'taken' })
  await mine.call('identity.revoke-key', { id: taken.id })
  const fallen = await mine.call('identity.machine-make-key', { slug: 'shut', name: 'fallen', scope: 'admin' })
  await mine.call('identity.machine-revoke-key', { slug: 'shut', id: fallen.id })
  const cookie: Lines = [
    ['Cookie', `tickmesh=${session}`],
    ['Origin', node.url],
  ]
  const guessed: Lines = [
    ['Cookie', `a=b; tickmesh=${'A'.repeat(43)}`],
    ['Origin', node.url],
  ]
  const guests: readonly Guest[] = [
    key('expired: account', soon.api_key, undefined),
    key('expired: machine', machine.api_key, undefined),
    key('revoked: account', taken.api_key, undefined),
    key('revoked: machine', fallen.api_key, undefined),
    { ...shown('session: expired', undefined, cookie), origin: 'own' },
    { ...shown('session: guessed', undefined, guessed), origin: 'own' },
  ]
  return guests
}

/** The owner of the node: by the key in its file, and in a browser. */
const nodeOwners = (node: TestNode): readonly Guest[] => {
  const owner: Who = { kind: 'node-owner', holder: false, standing: {} }
  const { identity } = node.node.services
  return [
    key('node owner', readFileSync(join(node.directory, 'owner.key'), 'utf8').trim(), owner),
    session(node, { name: "session: the page's own", origin: 'own' }, owner),
    session(node, { name: 'session: no Origin', origin: 'none' }, owner),
    session(node, { name: 'session: a foreign Origin', origin: 'foreign' }, owner),
    shown('bad key beside a good session', undefined, [
      ['Authorization', `Bearer ${OTHER}`],
      ['Cookie', `tickmesh=${identity.openSession(identity.ownerLink()).token}`],
    ]),
  ]
}

const person: Who = { kind: 'account', holder: false, standing: {} }

interface Inside {
  readonly holder: Account
  /** Who becomes viewer, operator and admin. */
  readonly accounts: readonly Account[]
  /** A key of a machine of somebody else. */
  readonly foreign: string
}

/** Everyone with a role in `shut`, by an account or by a key of a machine. */
const members = async (node: TestNode, { holder, accounts, foreign }: Inside): Promise<readonly Guest[]> => {
  const mine = node.as(holder.key)
  const made: Guest[] = []
  for (const [i, role] of (['viewer', 'operator', 'admin'] as const).entries()) {
    const { zid, key: value } = accounts[i]!
    await mine.call('identity.machine-add-admin', { slug: 'shut', zid, role })
    made.push(key(`account: ${role}`, value, { ...person, standing: { shut: role } }))
  }
  const keyOf = async (slug: string, scope: 'read' | 'write' | 'admin', by = mine) =>
    (await by.call('identity.machine-make-key', { slug, name: scope, scope })).api_key
  const machine = (scope: 'read' | 'write' | 'admin', slug = 'shut'): Who => {
    const at = ({ read: 'viewer', write: 'operator', admin: 'admin' } as const)[scope]
    return { kind: 'machine', scope, holder: slug !== 'elsewhere', standing: { [slug]: at } }
  }
  for (const scope of ['read', 'write', 'admin'] as const) {
    made.push(key(`machine: ${scope}`, await keyOf('shut', scope), machine(scope)))
  }
  const byAdmin = await keyOf('shut', 'admin', node.as(accounts[2]!.key))
  return [
    ...made,
    key('machine: admin, made by an admin', byAdmin, machine('admin')),
    key('machine: admin of another one', await keyOf('another', 'admin'), machine('admin', 'another')),
    key("machine: admin of a stranger's", foreign, machine('admin', 'elsewhere')),
  ]
}

/** Two channels of the holder, and the keys that were shown when they were made. */
const channelsOf = async (node: TestNode, { key: of }: Account) => {
  const client = node.as(of)
  const made = async (opens: 'this' | 'another') => {
    const { stream, key: own } = await client.call('compute.stream-create', { ...COMPUTE, slug: REACTOR_MACHINE })
    await client.call('compute.stream-tick', { id: stream.id })
    const guest = key(`channel: key of ${opens}`, own, { ...nobody, kind: 'channel', opens })
    return { id: stream.id, guest }
  }
  const [asked, beside] = [await made('this'), await made('another')]
  return { channel: asked.id, keys: [asked.guest, beside.guest] }
}

/** Two machines of one account, `open` to all and `shut`, others beside them; and everyone who might call. */
export const stage = async (node: TestNode): Promise<Stage> => {
  const account = async (): Promise<Account> => {
    const { api_key, zid } = await node.client.call('identity.sign-up', {})
    return { key: api_key, zid }
  }
  const [holder, stranger, third] = [await account(), await account(), await account()]
  const mine = node.as(holder.key)
  const theirs = node.as(stranger.key)
  for (const slug of ['open', 'shut']) await mine.call('machines.create', { slug, is_public: slug === 'open' })
  await mine.call('machines.create', { slug: 'another' })
  await theirs.call('machines.create', { slug: 'mother', is_public: true })
  await theirs.call('machines.set-anchor-config', { slug: 'mother', accepts: 'anyone' })
  const foreign = await theirs.call('machines.create', { slug: 'elsewhere' })
  const over = await endings(node, holder)
  const things = await possessions(node, holder.key)
  const { channel, keys } = await channelsOf(node, holder)
  await node.advanceTicks(2)
  const accounts = [await account(), await account(), third]
  const owner: Who = { ...person, holder: true, standing: { open: 'owner', shut: 'owner', another: 'owner' } }
  const shared = (await node.client.call('economy.demo-key', {})).key
  const demo = (await node.client.call('economy.mint-demo-key', {})).key
  const guests: readonly Guest[] = [
    shown('none', nobody, []),
    ...wrong(holder.key),
    key('demo: shared', shared, { ...nobody, kind: 'demo-shared' }),
    key('demo: minted', demo, { ...nobody, kind: 'demo' }),
    key('account: the holder', holder.key, owner),
    shown('account: the holder, scheme in lower case', owner, [['Authorization', `bearer ${holder.key}`]]),
    shown('account: the holder, scheme in upper case', owner, [['authorization', `BEARER  ${holder.key} `]]),
    key('account: another one', stranger.key, { ...person, standing: { elsewhere: 'owner', mother: 'owner' } }),
    ...(await members(node, { holder, accounts, foreign: foreign.api_key })),
    ...keys,
    ...over,
    ...nodeOwners(node),
  ]
  return { guests, holder, stranger, channel, ...things }
}
