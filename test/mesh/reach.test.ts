/**
 * Goal: an op goes to a home that is not connected if it is known where that is, by one attempt that all who ask share;
 * and a home that nobody knows, or that is not there, is said to be away in so many words. Method: real nodes on
 * loopback that have parted, and hosts that count who dials them.
 */
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { createReaching } from '#mesh/reach.ts'
import { author } from '../domain/network/party.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { stranger } from './party.ts'
import { acquainted, again, enrich, listOf, type Member, member, passing, sound } from './token-kit.ts'
import { after, joining } from './witness-kit.ts'

const test = suite('mesh: homes that are dialled')
const random = seeded()
const MS = 60_000

test(
  'a home that is not connected is dialled where it was: the op is applied, without a tick in between',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    const p2p = { 'p2p.enabled': true }
    let [ann, bob] = [{} as Member, {} as Member]
    let tokens: string[] = []
    let [home, port] = ['', 0]
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p })
      home = a.node.nodeId
      port = Number(/\/tcp\/(\d+)\//.exec(a.node.mesh?.addresses()[0] ?? '')?.[1])
      await using b = await joining([a], { directory: bDir.path })
      ;[ann, bob] = [await member(a), await member(b)]
      await acquainted([a, b], [ann, bob], signal)
      tokens = await enrich(a, ann, 2)
      await ann.client.call('economy.send', { to: bob.zid, token_ids: tokens })
      await passing(
        [a, b],
        async () => (await listOf(bob)).filter((it) => it.arrival === 'received').length === 2,
        signal,
      )
    }
    const [one = '', two = ''] = tokens
    {
      // It starts before its home, so that what it looks for at its start is not there.
      await using b = await testNode({ directory: bDir.path, settings: p2p, start: after(1_000) })
      const back = again(b, bob)
      const { moves } = b.node.services.economy
      await assert.rejects(moves.send(back.caller, { to: ann.zid, token_ids: [one] }), {
        code: 'HOME_UNREACHABLE',
        message: /does not answer where it was last/,
      })
      await using a = await testNode({
        directory: aDir.path,
        settings: { ...p2p, 'p2p.port': port },
        start: b.node.store.now().instant,
      })
      // It was cosigned, and waits for its witness before it takes a leaf.
      await a.advanceTicks(8)
      assert.deepEqual(b.node.mesh?.peers(), [])
      const sent = await back.client.call('economy.send', { to: ann.zid, token_ids: [one] })
      assert.equal(sent.moved, 1)
      assert.deepEqual(b.node.mesh?.peers(), [a.node.nodeId])
      assert.ok((await listOf(again(a, ann))).some((it) => it.token_id === one))
    }
    {
      // Nothing is left of where its home is.
      await using b = await testNode({ directory: bDir.path, settings: p2p, start: after(3_000) })
      await b.node.store.commit((tx) => tx.del('peer', home))
      const { moves } = b.node.services.economy
      await assert.rejects(moves.send(again(b, bob).caller, { to: ann.zid, token_ids: [two] }), {
        code: 'HOME_UNREACHABLE',
        message: /no address of it is known/,
      })
    }
    for (const it of [aDir, bDir]) await sound(it.path)
  },
  MS,
)

test(
  'a node is dialled where the settings, its own word or an earlier meeting say it is, and nowhere else',
  async (signal) => {
    await using far = await stranger(random)
    const address = far.host.getMultiaddrs()[0]?.toString() ?? ''
    const plain = address.slice(0, address.indexOf('/p2p/'))
    for (const way of ['settings', 'word', 'meeting'] as const) {
      await using near = await stranger(random)
      const bootstrap = way === 'settings' ? [address] : []
      const known = async (node: string) => (way === 'meeting' && node === far.node ? [plain] : [])
      const it = createReaching(near.host, { config: { host: '127.0.0.1', bootstrap }, known, signal })
      const other = author(random).node
      it.announced(other, [address])
      assert.equal(await it.reach(other), 'unknown', "another node's place is not its own")
      assert.equal(await it.reach(`12D3KooW${'z'.repeat(44)}`), 'unknown', 'a name without a key')
      if (way === 'word') {
        assert.equal(await it.reach(far.node), 'unknown')
        it.announced(far.node, [plain])
      }
      assert.equal(await it.reach(far.node), 'connected', way)
      assert.equal(await it.reach(far.node), 'connected', 'it is there already')
      assert.equal(near.host.getConnections().length, 1)
    }
    await using near = await stranger(random)
    const it = createReaching(near.host, {
      config: { host: '192.0.2.1', bootstrap: [] },
      known: async () => [plain],
      signal,
    })
    assert.equal(await it.reach(far.node), 'unknown', 'what runs beside a node that is open to others is not dialled')
  },
  MS,
)

test(
  'all who ask for one node share an attempt, attempts are bounded, and a node that stops ends them',
  async () => {
    const dialled: Socket[] = []
    // It takes connections and says nothing.
    const mute = createServer((socket) => void dialled.push(socket))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    const stop = new AbortController()
    try {
      await using near = await stranger(random)
      const known = async () => [`/ip4/127.0.0.1/tcp/${port}`]
      const it = createReaching(near.host, {
        config: { host: '127.0.0.1', bootstrap: [] },
        ...{ known, signal: stop.signal },
      })
      const nodes = Array.from({ length: 9 }, () => author(random).node)
      const [first = '', ...others] = nodes
      const one = it.reach(first)
      assert.equal(it.reach(first), one)
      const more = others.map(it.reach)
      assert.equal(await more.at(-1), 'silent', 'as many are dialled as may')
      stop.abort()
      assert.deepEqual(
        await Promise.all([one, ...more]),
        Array.from({ length: 9 }, () => 'silent'),
      )
      assert.equal(await it.reach(first), 'silent', 'nothing is dialled any more')
    } finally {
      for (const it of dialled) it.destroy()
      mute.close()
    }
  },
  MS,
)

test.run()
