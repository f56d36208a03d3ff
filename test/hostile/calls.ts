import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { machineMember } from '#api/access.ts'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { publicKeyOfSeed, signValue } from '#core/keys.ts'
import { outgoing } from '#core/route.ts'
import { signTx } from '#core/tx.ts'
import { WINDOW_TICKS_DEFAULT } from '#core/vote/documents.ts'
import type { ProposeOrder } from '#domain/network/votes/types.ts'
import { EVENT_STREAM } from '#gateway/sse.ts'
import { type TableName, tables } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import type { TestNode } from '../kit/node.ts'
import type { Guest, Lines, Stage } from './guests.ts'
import { REACTOR_MACHINE, type Target } from './policy.ts'

/** Calls that are good in everything but, perhaps, their credential; and what came of them. */

export const all = endpoints as unknown as readonly Endpoint[]

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, byte by byte. */
  readonly text: () => string
  /** The code of a problem document; `ok` for an answer. */
  readonly code: string
  readonly problem: Readonly<Record<string, unknown>> | undefined
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string | Uint8Array | undefined
  readonly lines?: Lines
  /** From this machine itself, not by way of a proxy. */
  readonly here?: boolean
}

const BODY_MS_MAX = 90_000
const SOCKETS_MAX = 4

const PROBLEM = 'application/problem+json'

/** The document; a HEAD has none. */
const parsed = (text: string): Record<string, unknown> | undefined =>
  text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)

/** A caller whose every call comes from another address, so that no budget of one runs out, unless it is not to. */
export const createCaller = (node: TestNode, forwarded = true) => {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })
  const { hostname, port, host } = new URL(node.url)
  let calls = 0
  const ask = async ({ method, path, body, lines = [], here = !forwarded }: Sent): Promise<Answered> => {
    calls += 1
    const address = `2001:db8:${(calls >> 16).toString(16)}:${(calls & 0xffff).toString(16)}::1`
    const content: Lines =
      body === undefined
        ? []
        : [
            ['Content-Type', 'application/json'],
            ['Content-Length', String(Buffer.byteLength(body))],
          ]
    const from: Lines = here ? [] : [['X-Forwarded-For', address]]
    const headers = [['Host', host] as const, ...from, ...content, ...lines]
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const timeout = BODY_MS_MAX
    const it = request({ agent, hostname, port, method, path, headers: headers.flat(), timeout }, (response) => {
      const { statusCode: status = 0, headers: got } = response
      const chunks: Buffer[] = []
      const done = (): void => {
        // Megabytes of an answer that nobody reads are not made a text.
        const whole = (encoding: 'latin1' | 'utf8'): string => Buffer.concat(chunks).toString(encoding)
        const problem = got['content-type'] === PROBLEM ? parsed(whole('utf8')) : undefined
        const code = problem === undefined ? (status < 400 ? 'ok' : `status ${status}`) : String(problem['code'])
        resolve({ status, headers: got, code, problem, text: () => whole('latin1') })
      }
      if (String(got['content-type']).startsWith(EVENT_STREAM)) {
        it.destroy()
        done()
        return
      }
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('end', done)
      response.on('error', reject)
    })
    it.on('timeout', () => it.destroy(new Error(`${method} ${path}: no answer in ${timeout} ms`)))
    it.on('error', reject)
    it.end(body)
    return promise
  }
  return { ask, [Symbol.dispose]: () => agent.destroy() }
}

export type Caller = ReturnType<typeof createCaller>

/** SHA-256 over every row of every table, but those of tables that are named. */
export const digestOf = async (store: Store, but: readonly TableName[] = []): Promise<string> => {
  const hash = createHash('sha256')
  for (const table of Object.keys(tables) as TableName[]) {
    if (but.includes(table)) continue
    for await (const [key, row] of store.range(table)) {
      hash.update(`${table} ${key} `)
      hash.update(row instanceof Uint8Array ? row : JSON.stringify(row))
    }
  }
  return hash.digest('hex')
}

export interface World {
  readonly node: TestNode
  readonly stage: Stage
  /** The node owner's key. */
  readonly ownerKey: string
  /** An account that is there to be given roles, and to lose them. */
  readonly spare: string
  /** Numbers that are used once. */
  next(): number
}

interface Plan {
  readonly input?: Readonly<Record<string, unknown>>
  /** Puts back what the call changed. */
  readonly after?: () => Promise<unknown>
}

type Planner = (world: World, of: { readonly guest: Guest; readonly target: Target }) => Plan | Promise<Plan>

/** Under what name the guest's own things are made: its own key, where it is an account. */
const ownKey = ({ stage, ownerKey }: World, { who, key }: Guest): string => {
  if (who?.kind === 'node-owner') return ownerKey
  return who?.kind === 'account' && key !== undefined ? key : stage.holder.key
}

const holderOf = ({ node, stage }: World) => node.as(stage.holder.key)

const withSpare: Planner = async (world, { target }) => {
  const zid = world.spare
  if (target.state === 'absent') return { input: { zid } }
  await holderOf(world).call('identity.machine-add-admin', { slug: target.slug, zid, role: 'viewer' })
  return { input: { zid } }
}
const unshare = (world: World, { slug, state }: Target) =>
  state === 'absent' ? Promise.resolve() : holderOf(world).call('machines.unshare', { slug })
const token: Planner = ({ stage }, { target: { state } }) => ({ input: { token_id: stage.tokens[state] } })
const job: Planner = ({ stage }) => ({ input: { id: stage.job } })
const list: Planner = ({ stage }) => ({ input: { zid: stage.holder.zid } })

const reactors = new WeakMap<World, Promise<string>>()

/** A reactor of the holder with more steps than anybody takes, made when it is first asked about. */
const reactor: Planner = async (world) => {
  const make = async (): Promise<string> => {
    const inputs = { dim: 1, nx: 128, steps: 1 }
    const order = { solver: 'heat', inputs, steps: 1_000, machine: REACTOR_MACHINE }
    return (await holderOf(world).call('compute.reactor', order)).reactor.id
  }
  const made = reactors.get(world) ?? make()
  reactors.set(world, made)
  return { input: { reactor: await made } }
}

const channel: Planner = ({ stage }) => ({ input: { id: stage.channel } })

const ended = new WeakMap<World, Promise<string>>()

/** A channel of the holder that may end; a channel's own key, which may not end it, is asked about its own. */
const endingChannel: Planner = async (world, of) => {
  if (of.guest.who?.kind === 'channel') return channel(world, of)
  const make = async (): Promise<string> => {
    const order = { operators: ['GR37'], inputs: { mass: 1e30 }, slug: REACTOR_MACHINE }
    return (await holderOf(world).call('compute.stream-create', order)).stream.id
  }
  const made = ended.get(world) ?? make()
  ended.set(world, made)
  return { input: { id: await made } }
}

/** Ends itself at its instant, which no test waits for; each call about contracts is about one of these. */
const sleeper = {
  v: 1,
  name: 'Sleeper',
  states: { asleep: { initial: true } },
  events: { woken: { data: {} } },
  transitions: [
    { id: 'turn', from: 'asleep', to: 'asleep', trigger: { kind: 'recurring', every_ticks: 100_000_000 } },
    { id: 'wake', from: 'asleep', to: 'asleep', trigger: { kind: 'event', event: 'woken' } },
  ],
} as const

const contracts = new WeakMap<World, Map<string, Promise<string>>>()

/** A contract of the holder on the machine asked about, made when it is first asked about; one of another use. */
const contractOf = async (world: World, { target: { slug, state } }: { readonly target: Target }, use = 'any') => {
  if (state === 'absent') return '0'.repeat(32)
  const made = contracts.get(world) ?? new Map<string, Promise<string>>()
  contracts.set(world, made)
  const make = async (): Promise<string> =>
    (await holderOf(world).call('contracts.custom', { slug, definition: sleeper, start: true })).contract.id
  const id = made.get(`${slug} ${use}`) ?? make()
  made.set(`${slug} ${use}`, id)
  return id
}
const contract: Planner = async (world, of) => ({ input: { id: await contractOf(world, of) } })

/** A draft of whoever calls, where it is an account. */
const proposal: Planner = async (world, { guest }) => {
  const example = all.find((it) => it.id === 'network.propose')?.example
  const { identity, votes } = world.node.node.services
  const caller = identity.callerOf({ authorization: `Bearer ${ownKey(world, guest)}`, bucket: '192.0.2.1' })
  const order = { window_ticks: WINDOW_TICKS_DEFAULT, ...example } as unknown as ProposeOrder
  return { input: { id: (await votes.propose(caller, order)).id } }
}

/** What a member of the machine signed, whoever brings it; of an absent machine, what one of another signed. */
const signedTx: Planner = async (world, { target }) => {
  const slug = target.state === 'absent' ? 'open' : target.slug
  const { identity } = world.node.node.services
  const { meshTick } = world.node.node.store.now()
  const seed = new Uint8Array(randomBytes(32))
  const publicKey = toHex(publicKeyOfSeed(seed))
  const proof = { node: identity.nodeId, public_key: publicKey, mesh_tick: meshTick }
  const signature = signValue(seed, purposes.signUp, proof)
  const { zid } = await identity.signUp({ bucket: publicKey.slice(0, 16), publicKey, meshTick, signature })
  await holderOf(world).call('identity.machine-add-admin', { slug, zid, role: 'operator' })
  const { id_hash: machine } = (await holderOf(world).call('machines.read', { slug })).machine
  const nonce = randomBytes(16).toString('hex')
  return { input: { ...signTx(seed, { machine, event: 'reading', data: { p: 1 }, nonce, mesh_tick: meshTick }) } }
}

/** A page that is up. */
const hostedPage: Planner = async (world, { target: { slug, state } }) => {
  if (state === 'absent') return { input: {} }
  const page = { slug, path: 'index.html', content_type: 'text/html', content: '<h1>Pump</h1>' } as const
  return { input: { sha: (await holderOf(world).call('machines.site-upload', page)).page.sha } }
}

/** What a good call of an endpoint needs beside its example. */
const planners: Readonly<Record<string, Planner>> = {
  'compute.job': job,
  'compute.job-events': job,
  'compute.job-cancel': job,
  'machines.site-file': hostedPage,
  'machines.tx-submit': signedTx,
  'contracts.create': () => ({ input: { template: 'heartbeat' } }),
  'contracts.template-deploy': () => ({ input: { id: 'heartbeat' } }),
  'contracts.import': async (world, of) => {
    const slug = of.target.state === 'absent' ? 'open' : of.target.slug
    const id = await contractOf(world, { target: { ...of.target, slug, state: 'public' } })
    return { input: { contract: (await holderOf(world).call('contracts.export', { slug, id })).contract } }
  },
  'contracts.patch': async (world, of) => ({ input: { id: await contractOf(world, of), definition: sleeper } }),
  'contracts.transition': async (world, of) => ({
    input: { id: await contractOf(world, of), transition: 'turn', event: undefined, data: undefined },
  }),
  'contracts.template': () => ({ input: { id: 'heartbeat' } }),
  'contracts.simulate': () => ({ input: { contract: undefined, definition: sleeper } }),
  'contracts.freeze': async (world, of) => ({ input: { id: await contractOf(world, of, 'to be frozen') } }),
  // An account makes channels in a machine of its own.
  'compute.stream-create': () => ({ input: { slug: undefined } }),
  'compute.stream-tick': channel,
  'compute.stream': channel,
  'compute.stream-patch': channel,
  'compute.stream-latest': channel,
  'compute.stream-link': channel,
  'compute.stream-secure-open': channel,
  'compute.stream-close': endingChannel,
  'compute.reactor-step': reactor,
  'compute.reactor-watch': reactor,
  'compute.reactor-observe': reactor,
  'compute.reactor-state': reactor,
  'compute.reactor-state-post': reactor,
  'compute.reactor-trajectory': reactor,
  'compute.reactor-trajectory-post': reactor,
  'compute.reactor-telemetry': reactor,
  'compute.reactor-telemetry-post': reactor,
  'compute.reactor-next': reactor,
  'compute.reactor-next-post': reactor,
  'compute.bundle': token,
  'compute.picture': token,
  'economy.envelope': token,
  'economy.share': ({ stage }, { target: { state } }) => ({ input: { token_id: stage.tokens[state], on: false } }),
  'economy.history': token,
  'economy.envelopes': list,
  'economy.folders': list,
  'economy.grant': ({ stage }) => ({ input: { zid: stage.holder.zid, credits: 1 } }),
  'identity.open-session': ({ node }) => ({ input: { token: node.node.services.identity.ownerLink() } }),
  'identity.revoke-key': async (world, { guest }) => {
    const made = await world.node.as(ownKey(world, guest)).call('identity.create-key', { name: 'to be revoked' })
    return { input: { id: made.id } }
  },
  'identity.machine-add-admin': ({ spare }) => ({ input: { zid: spare } }),
  'identity.machine-change-admin': withSpare,
  'identity.machine-remove-admin': withSpare,
  'identity.machine-revoke-key': async (world, { target: { slug, state } }) => {
    if (state === 'absent') return {}
    const made = await holderOf(world).call('identity.machine-make-key', { slug, name: 'to be revoked' })
    return { input: { id: made.id } }
  },
  'network.proposal': proposal,
  'network.open-vote': proposal,
  'network.stake': proposal,
  'network.resolve': proposal,
  'network.promote': proposal,
  'machines.create': (world) => ({ input: { slug: `made-${world.next()}` } }),
  'machines.anchor': (_, { target }) => ({ input: { motherSlug: 'mother', slug: target.slug } }),
  'machines.share': (world, { target }) => ({ after: () => unshare(world, target) }),
  'machines.unlock': async (world, { target }) => {
    if (target.state === 'absent') return {}
    const { share_token } = await holderOf(world).call('machines.share', { slug: target.slug })
    return { input: { token: share_token }, after: () => unshare(world, target) }
  },
}

/** A call and what puts its traces away. */
export interface Prepared {
  readonly sent: Sent
  readonly after: () => Promise<unknown>
}

const nothing = (): Promise<unknown> => Promise.resolve()

/** A good call of an endpoint by a guest, about a target. */
export const prepare = async (
  world: World,
  endpoint: Endpoint,
  of: { readonly guest: Guest; readonly target: Target },
): Promise<Prepared> => {
  const isOfContract = endpoint.domain === 'contracts' && 'id' in endpoint.input.properties
  const plan = planners[endpoint.id] ?? (isOfContract ? contract : undefined)
  const { input = {}, after = nothing } = (await plan?.(world, of)) ?? {}
  const name = machineMember(endpoint)
  const slug = name in endpoint.input.properties ? { [name]: of.target.slug } : {}
  const { method, path, body } = outgoing(endpoint.route, { ...(endpoint.example as object), ...slug, ...input })
  const text = body === undefined ? undefined : JSON.stringify(body)
  return { sent: { method, path, body: text, lines: of.guest.lines() }, after }
}
