/**
 * Goal: whole nodes cosign each other's logs over libp2p and HTTP, prove and show it, keep evidence against a node that
 * shows two histories, also where neither note was seen, and seal nothing once their own key signed what they lost.
 * Method: real nodes on loopback with clocks that stand until moved; an equivocating node is made of two copies of one
 * data directory; requests over HTTP are plain, as another implementation would send them.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { addCheckpointBody } from '#core/add-checkpoint.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import type { Bundle } from '#core/claim.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { encodeVkey, openNote, parseNote, parseVkey, takeSignatureLines, verifierOf } from '#core/note.ts'
import { parsePolicy } from '#core/policy.ts'
import { TICK_NS } from '#core/tick.ts'
import { verifyBundle } from '#core/verify.ts'
import { readStatement, statementBytes } from '#core/witness-key.ts'
import { sha256 } from '#crypto'
import { originHash } from '#domain/network/witness/evidence.ts'
import { askExchange } from '#mesh/exchange.ts'
import { readAnswer, witnessExchange } from '#mesh/protocols/witness.ts'
import { makeLog } from '../domain/network/log-kit.ts'
import { START } from '../kit/clock.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { stranger } from './party.ts'

const test = suite('mesh: witnesses')
const random = seeded()
const MS = 60_000

const status = (it: TestNode) => it.client.call('network.mesh-status', {})
const witnessOf = (it: TestNode) => it.node.services.witness.status()
/** A start so many ticks after the first one: a clock does not go back. */
const after = (ticks: number): bigint => START + BigInt(ticks) * TICK_NS

const keys = new WeakMap<TestNode, string>()
const keyOf = async (it: TestNode): Promise<string> => {
  const key = keys.get(it) ?? (await it.client.call('economy.mint-demo-key', {})).key
  keys.set(it, key)
  return key
}
const seal = async (it: TestNode): Promise<string> => {
  const answer = await it.as(await keyOf(it)).call('compute.compute', { operators: ['GR37'], inputs: { mass: 1 } })
  return answer.envelope?.token_id ?? ''
}

/** Starts a node that joins those given. */
const joining = async (others: readonly TestNode[], more: Parameters<typeof testNode>[0] = {}): Promise<TestNode> => {
  const addresses = await Promise.all(others.map(async (it) => (await status(it)).addresses[0] ?? ''))
  const settings = { 'p2p.enabled': true, bootstrap: addresses.join(','), ...more.settings }
  return testNode({ ...more, settings })
}

const isJoined = async (it: TestNode, other: TestNode): Promise<boolean> =>
  (await status(it)).peers.some(({ node, connected }) => node === other.node.nodeId && connected)

/** Lets ticks pass until something holds. */
const ticking = async <T>(
  nodes: readonly TestNode[],
  probe: () => Promise<T | undefined | false>,
  signal: AbortSignal,
) =>
  until(async () => {
    for (const it of nodes) await it.advanceTicks(1)
    return probe()
  }, signal)

const scrape = async ({ url }: TestNode): Promise<string> => (await fetch(new URL('/metrics', url))).text()

test(
  'two nodes cosign each other; note, bundle, envelope and metrics say so, and it lasts',
  async (signal) => {
    using dir = tempDir()
    let tokenId = ''
    let vkey = ''
    let bundle: Bundle | undefined
    {
      await using a = await testNode({ directory: dir.path, settings: { 'p2p.enabled': true } })
      await using b = await joining([a])
      await until(() => isJoined(a, b), signal)
      tokenId = await seal(a)
      const early = (await a.client.call('identity.node', {})).vkeys.witness
      vkey = (await b.client.call('identity.node', {})).vkeys.witness
      assert.notEqual(early, vkey)
      const cosigned = await ticking(
        [a, b],
        async () => (await witnessOf(a)).logs.find(({ witnessed }) => witnessed > 0),
        signal,
      )
      assert.equal(cosigned.size, cosigned.quorum_size)
      assert.deepEqual(cosigned.witnesses, [{ name: `tickmesh.witness/${b.node.nodeId}`, size: cosigned.size }])

      const { checkpoint } = await a.client.call('economy.consensus', {})
      assert.equal(checkpoint?.witnessed, 1)
      const log = parseVkey((await a.client.call('identity.node', {})).vkeys.log)
      const { signatures, text } = openNote(checkpoint?.note ?? '', [log, parseVkey(vkey)])
      assert.equal(signatures.length, 2)
      assert.equal(text.split('\n')[0], log.name)
      assert.equal(a.node.store.log.checkpoint?.note, checkpoint?.note.split('\n').slice(0, 5).join('\n').concat('\n'))

      const text1 = await scrape(a)
      assert.match(text1, /tickmesh_cosignature_requests_total\{result="cosigned"\} [1-9]/)
      assert.match(text1, /tickmesh_cosignatures\{log="seal"\} 1/)
      assert.match(text1, /tickmesh_quorum_size\{log="seal"\} [1-9]/)
      assert.match(text1, /tickmesh_log_held 0/)
      const text2 = await scrape(b)
      assert.match(text2, /tickmesh_witness_requests_total\{result="200"\} [1-9]/)
      assert.match(text2, /tickmesh_witnessed_logs 1/)

      const key = await keyOf(a)
      const { envelope } = await a.as(key).call('compute.compute', { operators: ['GR37'], inputs: { mass: 2 } })
      const id = envelope?.token_id ?? ''
      assert.equal(envelope?.witnessed, 0)
      await ticking(
        [a, b],
        async () => (await a.as(key).call('economy.envelope', { token_id: id })).witnessed === 1,
        signal,
      )
      bundle = (await a.as(key).call('compute.bundle', { token_id: id })) as unknown as Bundle
    }
    const policy = parsePolicy(utf8(`log ${encodeVkey(logOf(bundle))}\nwitness b ${vkey}\nquorum b\n`))
    const judged = verifyBundle({ bundle, policy, schemas: () => ({ input: {}, output: {} }) })
    assert.equal(judged.failing, undefined, JSON.stringify(judged.steps))
    assert.equal(judged.steps.find(({ step }) => step === 'quorum')?.state, 'ok')
    assert.equal(judged.cosigners?.length, 1)
    const other = encodeVkey(verifierOf('tickmesh.witness/x', publicKeyOfSeed(random.bytes(32)), 4))
    const strict = parsePolicy(
      utf8(`log ${encodeVkey(logOf(bundle))}\nwitness b ${vkey}\nwitness c ${other}\ngroup g all b c\nquorum g\n`),
    )
    assert.equal(verifyBundle({ bundle, policy: strict }).failing, 'quorum')
    const elsewhere = parsePolicy(
      utf8(`log ${encodeVkey(verifierOf('example.com/l', publicKeyOfSeed(random.bytes(32))))}\nquorum none\n`),
    )
    assert.equal(verifyBundle({ bundle, policy: elsewhere }).failing, 'key')
    const broken = { ...bundle, proof: bundle.proof.replace(/(tickmesh\.witness\/\S+ \S{40})./, '$1A') }
    assert.equal(verifyBundle({ bundle: broken, policy }).failing, 'quorum', 'a bad line of a known witness')
    assert.notEqual(tokenId, '')

    await using again = await testNode({ directory: dir.path, start: after(400) })
    assert.equal((await witnessOf(again)).logs[0]?.witnessed, 1, 'cosignatures outlive the process')
  },
  MS,
)

/** The log of a bundle, by the node id in its claim. */
const logOf = ({ envelope: { claim } }: Bundle) => verifierOf(claim.log, fromHex(keyHexOf(claim.node)))
const keyHexOf = (node: string): string => {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const value = [...node].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n)
  return value.toString(16).slice(-64)
}

test('the HTTP entrance speaks tlog-witness to anybody: a log of the policy, no credential, bounds', async () => {
  const log = makeLog(random, 5)
  using dir = tempDir()
  const file = join(dir.path, 'policy.txt')
  const line = `log ${encodeVkey(verifierOf(log.origin, publicKeyOfSeed(log.seed)))}`
  writeFileSync(file, `${line}\nquorum none\n`)
  await using it = await testNode({ settings: { 'mesh.policy': file } })
  const url = new URL('/witness/add-checkpoint', it.url)
  const post = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body: body as BodyInit, headers })
  const first = await post(log.push(0))
  assert.equal(first.status, 200)
  const { vkeys, witness_key: statement, node } = await it.client.call('identity.node', {})
  const verifier = readStatement(statementBytes(statement), node)
  assert.equal(encodeVkey(verifier), vkeys.witness)
  assert.equal(takeSignatureLines(parseNote(log.note()).text, await first.text(), [verifier]).length, 1)
  log.grow(3)
  const conflict = await post(log.push(0))
  assert.deepEqual(
    [conflict.status, conflict.headers.get('content-type'), await conflict.text()],
    [409, 'text/x.tlog.size', '5\n'],
  )
  assert.equal((await post(log.push(5))).status, 200)
  assert.equal((await post(makeLog(random, 2).push(0))).status, 404)
  assert.equal((await post('old 8\n')).status, 400)
  assert.equal((await post('')).status, 400)
  assert.equal((await post(new Uint8Array(200_000).fill(65))).status, 413)
  assert.equal((await post(log.push(8), { 'content-encoding': 'gzip' })).status, 415)
  assert.equal((await fetch(url)).status, 405)
  const shown = await fetch(new URL(`/witness/${toHex(sha256(utf8(log.origin)))}/checkpoint`, it.url))
  assert.equal(shown.status, 200)
  assert.ok((await shown.text()).startsWith(log.note()))
  for (const path of [`${'0'.repeat(64)}/checkpoint`, `${'0'.repeat(63)}/checkpoint`, 'x', '']) {
    assert.equal((await fetch(new URL(`/witness/${path}`, it.url))).status, 404, path)
  }
  const { witness } = await status(it)
  assert.equal(witness.quorum, 'none')
  assert.equal(it.node.services.witness.standingOf(log.origin).because, 'policy')
  assert.equal(it.node.services.witness.standingOf(it.node.store.log.origin).because, 'outside_policy')
})

test('one address gets 240 requests a minute, and the rest of the node answers on', async () => {
  await using it = await testNode()
  const url = new URL('/witness/add-checkpoint', it.url)
  const statuses = await Promise.all(
    Array.from({ length: 260 }, async () => (await fetch(url, { method: 'POST', body: 'x' })).status),
  )
  assert.deepEqual([statuses.filter((it) => it === 400).length, statuses.filter((it) => it === 429).length], [240, 20])
  assert.equal((await fetch(new URL('/healthz', it.url))).status, 200)
})

/** Two copies of one data directory: one key, two histories. Removed by whoever made them. */
const copies = (from: string): readonly [string, string] => {
  const [one, two] = [mkdtempSync(`${from}-`), mkdtempSync(`${from}-`)]
  for (const to of [one, two]) cpSync(from, to, { recursive: true })
  return [one, two]
}

test(
  'a node that runs twice: gossip shows two roots of one size, all learn it and keep it, and both twins stop',
  async (signal) => {
    using dir = tempDir()
    {
      await using seedling = await testNode({ directory: dir.path })
      await seal(seedling)
      await seedling.advanceTicks(1)
    }
    const twins = copies(dir.path)
    const [one, two] = twins
    using cDir = tempDir()
    try {
      for (const directory of twins) {
        await using alone = await testNode({ directory, start: after(10) })
        await seal(alone)
        await alone.advanceTicks(1)
      }
      await using b = await testNode({ start: after(20), settings: { 'p2p.enabled': true } })
      const proved = await (async () => {
        await using c = await joining([b], { directory: cDir.path, start: after(20) })
        await until(() => isJoined(b, c), signal)
        {
          await using first = await joining([b], { directory: one, start: after(20) })
          await until(() => isJoined(b, first), signal)
          await ticking([b, c, first], async () => (await witnessOf(first)).logs[0]?.witnessed, signal)
          assert.equal((await witnessOf(first)).state, 'growing')
        }
        await using second = await joining([b], { directory: two, start: after(40) })
        await until(() => isJoined(b, second), signal)
        const all = [b, c, second]
        const found = await ticking(all, async () => (await witnessOf(b)).evidence[0], signal)
        const { origin } = second.node.store.log
        assert.deepEqual([found.origin, found.node, found.prefix], [origin, second.node.nodeId, null])
        assert.deepEqual(await ticking(all, async () => (await witnessOf(c)).evidence[0], signal), found)
        const standing = { counts: true, up_to: found.size, because: 'evidence' }
        for (const it of [b, c]) assert.deepEqual(it.node.services.witness.standingOf(origin), standing)
        const head = (await status(b)).heads.find((it) => it.origin === origin)
        assert.deepEqual(head?.standing, standing)
        assert.match(await scrape(b), /tickmesh_evidence_total 1/)
        await ticking(all, async () => (await witnessOf(second)).state === 'rolled_back', signal)
        await assert.rejects(seal(second), { code: 'LOG_ROLLED_BACK' })
        return found
      })()
      {
        await using again = await testNode({ directory: cDir.path, start: after(400) })
        assert.deepEqual((await witnessOf(again)).evidence, [proved], 'evidence survives a restart')
      }
      // The other twin holds what the witness cosigned; it learns by the evidence that it is not the only one.
      await using first = await joining([b], { directory: one, start: after(60) })
      await until(() => isJoined(b, first), signal)
      await ticking([b, first], async () => (await witnessOf(first)).state === 'rolled_back', signal)
      assert.equal((await witnessOf(first)).lost?.from, 'evidence')
    } finally {
      for (const path of twins) rmSync(path, { recursive: true, force: true })
    }
  },
  2 * MS,
)

test(
  'two histories of an event log, of unequal sizes: whoever syncs both has the proof',
  async (signal) => {
    using dir = tempDir()
    {
      await using seedling = await testNode({ directory: dir.path })
      await seedling.client.call('identity.sign-up', {})
      await seedling.advanceTicks(1)
    }
    const twins = copies(dir.path)
    try {
      for (const [i, directory] of twins.entries()) {
        await using alone = await testNode({ directory, start: after(10) })
        for (let more = 0; more <= i; more++) await alone.client.call('identity.sign-up', {})
        await alone.advanceTicks(1)
      }
      await using b = await testNode({ start: after(20), settings: { 'p2p.enabled': true } })
      const held = async (size: number) => (await status(b)).sources.some((it) => it.size === size)
      const sizes: number[] = []
      for (const [i, directory] of twins.entries()) {
        await using twin = await joining([b], { directory, start: after(20 + 20 * i) })
        await until(() => isJoined(b, twin), signal)
        const { origin, size } = twin.node.store.events
        sizes.push(size)
        if (i === 0) await ticking([b, twin], () => held(size), signal)
        else {
          const proof = await ticking([b, twin], async () => (await witnessOf(b)).evidence[0], signal)
          assert.deepEqual([proof.origin, proof.size, proof.larger], [origin, ...sizes])
          assert.notEqual(proof.prefix, null)
          assert.equal(b.node.services.witness.standingOf(origin).up_to, sizes[0])
        }
      }
    } finally {
      for (const path of twins) rmSync(path, { recursive: true, force: true })
    }
  },
  MS,
)

test(
  'a node that pushes two histories: the witness proves it by the path it was given, a third node takes the proof',
  async (signal) => {
    await using b = await testNode({ settings: { 'p2p.enabled': true } })
    await using c = await joining([b])
    await until(() => isJoined(b, c), signal)
    await using liar = await stranger(random)
    const [address = ''] = (await status(b)).addresses
    await liar.join(address, signal)
    await until(async () => (await status(b)).peers.some(({ node }) => node === liar.node), signal)
    const push = async (body: Uint8Array): Promise<number> => {
      const asking = { node: b.node.nodeId, question: body, signal }
      return readAnswer(await askExchange(liar.host, witnessExchange, asking)).status
    }
    const log = makeLog(random, 6, liar.seed)
    assert.equal(await push(log.push(0)), 200)
    const other = log.fork(3)
    other.grow(8)
    assert.equal(await push(other.push(6)), 422)
    log.grow(1)
    assert.equal(await push(log.push(6)), 200, 'the rules stay what they are: the first history may grow')
    const found = await ticking([b, c], async () => (await witnessOf(b)).evidence[0], signal)
    assert.deepEqual([found.origin, found.size, found.larger], [log.origin, 6, 11])
    assert.notEqual(found.prefix, null)
    assert.deepEqual(await ticking([b, c], async () => (await witnessOf(c)).evidence[0], signal), found)
    assert.equal(c.node.services.witness.standingOf(log.origin).up_to, 6)
    const heard = (await status(c)).heads.some(({ origin }) => origin === log.origin)
    assert.equal(heard, false, 'c saw neither note')
  },
  MS,
)

test(
  'data put back: the witness shows a larger note of our own key, nothing is sealed; newer data go on',
  async (signal) => {
    using dir = tempDir()
    using old = tempDir()
    await using b = await testNode({ settings: { 'p2p.enabled': true } })
    const grow = async (it: TestNode): Promise<void> => {
      await until(() => isJoined(b, it), signal)
      await ticking([it, b], () => seal(it).catch(() => undefined), signal)
      const { size } = it.node.store.log
      await ticking([it, b], async () => ((await witnessOf(it)).logs[0]?.quorum_size ?? 0) > size - 1, signal)
    }
    {
      await using a = await joining([b], { directory: dir.path })
      await grow(a)
    }
    cpSync(dir.path, old.path, { recursive: true })
    {
      await using a = await joining([b], { directory: dir.path, start: after(60) })
      await grow(a)
    }
    {
      await using back = await joining([b], { directory: old.path, start: after(120) })
      assert.equal((await witnessOf(back)).state === 'growing', false, 'it waits for a word of its witnesses')
      await ticking([back, b], async () => (await witnessOf(back)).state === 'rolled_back', signal)
      await assert.rejects(seal(back), { code: 'LOG_ROLLED_BACK', status: 503 })
      const { lost } = await witnessOf(back)
      assert.equal(lost?.from, b.node.nodeId)
      assert.ok((lost?.signed ?? 0) > (lost?.size ?? 0))
      const size = back.node.store.log.size
      await back.advanceTicks(3)
      assert.deepEqual([back.node.store.log.size, back.node.store.log.checkpoint?.size], [size, size])
      assert.match(await scrape(back), /tickmesh_log_held 1/)
    }
    {
      // Alone it remembers what it was shown.
      await using alone = await testNode({ directory: old.path, start: after(180) })
      await assert.rejects(seal(alone), { code: 'LOG_ROLLED_BACK' })
    }
    // Newer data: the log holds what was signed, and goes on.
    await using fine = await joining([b], { directory: dir.path, start: after(240) })
    await grow(fine)
    assert.equal((await witnessOf(fine)).state, 'growing')
  },
  2 * MS,
)

test(
  'a start without its witnesses waits a few ticks and goes on; without libp2p it does not wait at all',
  async (signal) => {
    using dir = tempDir()
    {
      await using a = await testNode({ directory: dir.path, settings: { 'p2p.enabled': true } })
      await using b = await joining([a])
      await until(() => isJoined(a, b), signal)
      await seal(a)
      await ticking([a, b], async () => (await witnessOf(a)).logs[0]?.witnessed, signal)
    }
    {
      await using off = await testNode({ directory: dir.path, start: after(60) })
      assert.notEqual(await seal(off), '')
      await off.advanceTicks(1)
    }
    await using alone = await testNode({
      directory: dir.path,
      start: after(120),
      settings: { 'p2p.enabled': true },
    })
    await assert.rejects(seal(alone), { code: 'LOG_UNCONFIRMED' })
    await alone.advanceTicks(8)
    assert.notEqual(await seal(alone), '')
  },
  MS,
)

test(
  'a witness that lies about a size stops nobody; one outside is asked only if the policy names it',
  async (signal) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      request.resume()
      if (request.method === 'GET') response.writeHead(404).end()
      else response.writeHead(409, { 'Content-Type': 'text/x.tlog.size' }).end('999999\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as { port: number }
      using dir = tempDir()
      const file = join(dir.path, 'policy.txt')
      const liar = encodeVkey(verifierOf('liar.example/w', publicKeyOfSeed(random.bytes(32)), 4))
      writeFileSync(file, `witness liar ${liar} http://127.0.0.1:${port}/prefix\nquorum liar\n`)
      await using it = await testNode({ settings: { 'mesh.policy': file } })
      await seal(it)
      await it.advanceTicks(1)
      await until(() => asked.filter((line) => line.startsWith('POST')).length >= 1, signal)
      assert.deepEqual([...new Set(asked)].sort(), [
        `GET /prefix/${originHash(it.node.store.log.origin)}/checkpoint`,
        'POST /prefix/add-checkpoint',
      ])
      await until(() => it.lines.some(({ event }) => event === 'witness_ahead'), signal)
      const before = asked.length
      for (let i = 0; i < 20; i++) {
        assert.notEqual(await seal(it), '')
        await it.advanceTicks(64)
      }
      assert.equal(asked.length, before, 'not again before 1,287 ticks are over')
      await it.advanceTicks(64)
      await until(() => asked.length > before, signal)
      assert.equal((await witnessOf(it)).state, 'growing')
      assert.equal((await witnessOf(it)).quorum, 'asked')
      assert.equal((await witnessOf(it)).logs[0]?.quorum_size, null)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  },
  MS,
)

test(
  'add-checkpoint over libp2p is what HTTP is: the same body, the same rules',
  async (signal) => {
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    await using b = await joining([a])
    await until(() => isJoined(a, b), signal)
    const ask = async (body: Uint8Array) => {
      const asking = { node: b.node.nodeId, question: body, signal }
      return readAnswer((await a.node.mesh?.ask(witnessExchange, asking)) ?? [])
    }
    const log = makeLog(random, 3)
    assert.equal((await ask(log.push(0))).status, 404, 'a log of nobody that is connected')
    assert.equal((await ask(utf8('old 1'))).status, 400)
    assert.equal((await ask(new Uint8Array(0))).status, 400)
    await assert.rejects(ask(new Uint8Array(200_000)), 'longer than any body')
    const { log: own } = a.node.store
    await seal(a)
    await a.advanceTicks(1)
    const note = own.checkpoint?.note ?? ''
    const first = await ask(utf8(addCheckpointBody(0, [], note)))
    assert.ok(first.status === 200 || first.status === 409, String(first.status))
    const again = await ask(utf8(addCheckpointBody(own.size, [], note)))
    assert.equal(again.status, 200)
  },
  MS,
)

test.run()
