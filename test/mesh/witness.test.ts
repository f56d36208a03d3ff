/**
 * Goal: whole nodes cosign each other's logs over libp2p and HTTP, prove and show it, hold bundles against a policy,
 * and believe no witness that lies about a size. Method: real nodes on loopback with clocks that stand until
 * moved; requests over HTTP are plain, as another implementation would send them.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { addCheckpointBody } from '#core/add-checkpoint.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import type { Bundle } from '#core/claim.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { encodeVkey, openNote, parseNote, parseVkey, takeSignatureLines, verifierOf } from '#core/note.ts'
import { parsePolicy } from '#core/policy.ts'
import { verifyBundle } from '#core/verify.ts'
import { readStatement, statementBytes } from '#core/witness-key.ts'
import { sha256 } from '#crypto'
import { originHash } from '#domain/network/witness/evidence.ts'
import { witnessExchange } from '#mesh/protocols/witness.ts'
import { makeLog } from '../domain/network/log-kit.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { after, isJoined, joining, keyOf, scrape, seal, status, ticking, witnessOf } from './witness-kit.ts'

const test = suite('mesh: witnesses')

/** The same line with another letter at one place of its signature. */
const anotherLetter = (_: string, before: string, letter: string): string => `${before}${letter === 'A' ? 'B' : 'A'}`
const random = seeded()
const MS = 60_000

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
      // The seal log, and the event log, whose first leaf says where the ZID of the owner is at home.
      const text2 = await until(async () => {
        const text = await scrape(b)
        return /tickmesh_witnessed_logs 2/.test(text) ? text : undefined
      }, signal)
      assert.match(text2, /tickmesh_witness_requests_total\{result="200"\} [1-9]/)

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
    const verification = verifyBundle({ bundle, policy, schemas: () => ({ input: {}, output: {} }) })
    assert.equal(verification.failing, undefined, JSON.stringify(verification.steps))
    assert.equal(verification.steps.find(({ step }) => step === 'quorum')?.state, 'ok')
    assert.equal(verification.cosigners?.length, 1)
    const other = encodeVkey(verifierOf('tickmesh.witness/x', publicKeyOfSeed(random.bytes(32)), 4))
    const strict = parsePolicy(
      utf8(`log ${encodeVkey(logOf(bundle))}\nwitness b ${vkey}\nwitness c ${other}\ngroup g all b c\nquorum g\n`),
    )
    assert.equal(verifyBundle({ bundle, policy: strict }).failing, 'quorum')
    const elsewhere = parsePolicy(
      utf8(`log ${encodeVkey(verifierOf('example.com/l', publicKeyOfSeed(random.bytes(32))))}\nquorum none\n`),
    )
    assert.equal(verifyBundle({ bundle, policy: elsewhere }).failing, 'key')
    const broken = { ...bundle, proof: bundle.proof.replace(/(tickmesh\.witness\/\S+ \S{40})(.)/, anotherLetter) }
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
      // Of both logs it is asked once more for what its number stands for; a visit is over, and its rest begins, once
      // counted.
      await until(async () => /cosignature_requests_total\{result="ahead"\} 2/.test(await scrape(it)), signal)
      const { log, events } = it.node.store
      assert.deepEqual([...new Set(asked)].sort(), [
        ...[log, events].map(({ origin }) => `GET /prefix/${originHash(origin)}/checkpoint`).sort(),
        'POST /prefix/add-checkpoint',
      ])
      assert.ok(it.lines.some(({ event }) => event === 'witness_ahead'))
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
      return a.node.mesh!.ask(witnessExchange, asking)
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

test(
  'a witness outside the mesh, by HTTP: the quorum of a policy, without libp2p on either side',
  async (signal) => {
    using aDir = tempDir()
    using bDir = tempDir()
    const vkeys = await (async () => {
      await using a = await testNode({ directory: aDir.path })
      return (await a.client.call('identity.node', {})).vkeys
    })()
    const policyFile = (dir: string, ...lines: readonly string[]): string => {
      const file = join(dir, 'policy.txt')
      writeFileSync(file, `${lines.join('\n')}\n`)
      return file
    }
    const known = policyFile(bDir.path, `log ${vkeys.log}`, 'quorum none')
    await using b = await testNode({ directory: bDir.path, settings: { 'mesh.policy': known } })
    const { witness: vkey } = (await b.client.call('identity.node', {})).vkeys
    const asks = policyFile(aDir.path, `witness b ${vkey} ${b.url}/witness`, 'quorum b')
    await using a = await testNode({ directory: aDir.path, start: after(5), settings: { 'mesh.policy': asks } })
    await seal(a)
    await a.advanceTicks(1)
    const cosigned = await until(async () => (await witnessOf(a)).logs.find((it) => it.quorum_size !== null), signal)
    assert.equal(cosigned.quorum_size, a.node.store.log.checkpoint?.size)
    assert.equal((await witnessOf(a)).quorum, 'asked')
    const { checkpoint } = await a.client.call('economy.consensus', {})
    const { signatures } = openNote(checkpoint?.note ?? '', [parseVkey(vkeys.log), parseVkey(vkey)])
    assert.equal(signatures.length, 2)
    const origin = a.node.store.events.origin
    assert.equal(b.node.services.witness.standingOf(origin).because, 'policy', 'a line means the node’s events too')
  },
  MS,
)

test.run()
