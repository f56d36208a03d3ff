// Goal: what a receiver needs holds for whole fires: each notification is signed by the key that the node shows, comes
// again under its own id when the receiver fails, redirects or breaks off, and is given up after eight attempts, which
// audit and chain say once. Method: a receiver on loopback that knows the node by its JWK set alone (jose) and refuses
// what does not verify or came before; a real node whose clock is moved by hand, restarted on the way.
import assert from 'node:assert/strict'
import { createRemoteJWKSet } from 'jose'
import { TICK_NS } from '#core/tick.ts'
import { ATTEMPTS_MAX, DAY_TICKS } from '#domain/contracts/outward/pacing.ts'
import { seqOf } from '#store/layout.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { bodyOf, served } from '../outward/kit.ts'
import { counting, entriesOf, firesOf, pass, rowsOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, receiver')

/** How far the clocks of the two may be apart, in seconds. */
const TOLERANCE_S = 300

type Answer = number | 'break' | 'redirect'

/** What a receiver is told of a node: where its keys are, and what it says the time is. */
interface Trusted {
  readonly jwks: () => string
  readonly seconds: () => number
}

/** A receiver: it verifies first, and answers what the test says for each id. */
const receiver = async ({ jwks, seconds }: Trusted, answers: (path: string, attempt: number) => Answer) => {
  const attempts = new Map<string, number>()
  const taken: { readonly id: string; readonly body: unknown }[] = []
  const wrong: string[] = []
  const server = await served(async (request, response) => {
    const text = await bodyOf(request)
    const header = (name: string): string => String(request.headers[`webhook-${name}`])
    const [version, signature = ''] = header('signature').split(',')
    const set = createRemoteJWKSet(new URL(jwks()))
    const key = (await set({ alg: 'EdDSA' })) as CryptoKey
    const [id, time] = [header('id'), header('timestamp')]
    const signed = new TextEncoder().encode(`${id}.${time}.${text}`)
    const holds = await crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64'), signed)
    if (!holds || version !== 'v1a' || Math.abs(Number(time) - seconds()) > TOLERANCE_S) wrong.push(id)
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    const answer = answers(request.url ?? '', attempt)
    if (typeof answer === 'number' && answer < 300 && !taken.some((it) => it.id === id)) {
      taken.push({ id, body: JSON.parse(text) })
    }
    if (answer === 'break') request.socket.destroy()
    else if (answer === 'redirect') response.writeHead(302, { location: `${request.url}/elsewhere` }).end()
    else response.writeHead(answer).end()
  })
  return { ...server, attempts, taken, wrong, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const notify = (url: string) => ({ kind: 'notify', url, headers: {}, body: { n: { $: 'context.n' }, text: 'ü' } })

/** Mesh tick of the next attempt of anything; undefined when nothing waits. */
const nextOf = async ({ node: { store } }: TestNode): Promise<number | undefined> => {
  for await (const [key] of store.range('contractOutbox', { limit: 1 })) return seqOf(key.split('/')[0] ?? '')
  return undefined
}

test('a notification is verified by the node’s key set, comes again, and is given up once', async (signal) => {
  using dir = tempDir()
  let it: TestNode | undefined
  const trusted: Trusted = {
    jwks: () => `${it?.url}/api/.well-known/jwks.json`,
    seconds: () => Number((it?.node.store.now().instant ?? 0n) / 1_000_000_000n),
  }
  const moody: readonly Answer[] = [500, 'break', 'redirect', 404, 200]
  await using to = await receiver(trusted, (path, attempt) =>
    path === '/moody' ? (moody[attempt - 1] ?? 200) : path === '/never' ? 503 : 200,
  )
  const settings = { 'contracts.targets': [`127.0.0.1:${to.port}`] }
  const at = await stage({ directory: dir.path, settings })
  it = at.it
  try {
    const trigger = { kind: 'recurring', every_ticks: 1e8 }
    const actions = [
      { kind: 'set', n: { $: 'context.n + 1' } },
      ...['/good', '/moody', '/never'].map((path) => notify(`${to.url}${path}`)),
    ]
    const definition = counting(trigger, { transitions: [{ id: 'tell', from: 'on', to: 'on', trigger, actions }] })
    const { id } = (await at.owner.call('contracts.custom', { slug: 'open', definition })).contract
    await at.owner.call('contracts.fire-now', { slug: 'open', id })
    const [{ fire, mesh_tick: begun } = { fire: '', mesh_tick: 0 }] = await firesOf(it, id)
    const [good, bad, never] = [0, 1, 2].map((index) => `${fire}.${index}`)
    const failures = () => [...(it?.lines ?? [])].filter(({ event }) => event === 'notify_failed').length

    let restarts = 0
    for (let due = await nextOf(it); due !== undefined; due = await nextOf(it)) {
      const [now, sent] = [it.node.store.now().meshTick, [...to.attempts.values()].reduce((sum, n) => sum + n, 0)]
      if (due > now + 1 && restarts === 0) {
        // What waits outlives the node, and comes under the same id from its next start.
        restarts += 1
        await it[Symbol.asyncDispose]()
        it = await testNode({ directory: dir.path, settings, start: BigInt(due) * TICK_NS + 1n })
      }
      await pass(it, Math.max(1, due - it.node.store.now().meshTick), Math.max(1, due - it.node.store.now().meshTick))
      const here = it
      await until(async () => {
        const moved = [...to.attempts.values()].reduce((sum, n) => sum + n, 0) > sent
        const next = await nextOf(here)
        return moved && (next === undefined || next > here.node.store.now().meshTick)
      }, signal)
    }
    assert.ok(restarts === 1 && failures() > 0)
    assert.deepEqual(to.wrong, [])
    assert.deepEqual(
      [good, bad, never].map((name) => to.attempts.get(name ?? '')),
      [1, moody.length, ATTEMPTS_MAX],
    )
    assert.deepEqual(to.taken.map((of) => of.id).toSorted(), [good, bad].toSorted())
    for (const { body } of to.taken) assert.deepEqual(body, { n: 1, text: 'ü' })
    assert.ok(it.node.store.now().meshTick - begun <= DAY_TICKS)

    const said = { fire, index: 2, attempts: ATTEMPTS_MAX, reason: 'status' }
    const rows = (await rowsOf(it, id)).filter((row) => row.outcome === 'changed' && row.what === 'notify_failed')
    assert.deepEqual(
      rows.map((row) => 'details' in row && row.details),
      [said],
    )
    const entries = await entriesOf(it, 'open', 'notify_failed')
    assert.equal(entries.length, 1)
    assert.deepEqual(
      entries.map(({ body }) => ({ ...(body as object) })).map((body) => 'fire' in body && body.fire),
      [fire],
    )
    assert.equal((await it.as(at.key).call('contracts.verify', { slug: 'open', id })).differs, null)
  } finally {
    await it[Symbol.asyncDispose]()
  }
}, 20_000)

test.run()
