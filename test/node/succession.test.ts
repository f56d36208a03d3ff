// Goal: after a succession the node is another one, and everything of the old one stands: envelopes, proofs, accounts,
// keys, machines, money; what was given out before verifies and replays offline, and fsck finds every era clean.
// Method: a real node with all kinds of data is stopped, its key rotated (twice, and by others' rules refused), and
// started again.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseBundle } from '#core/bundle.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, publicKeyOf, publicKeyOfSeed } from '#core/keys.ts'
import { verifyConsistency } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { type ProvenSuccession, successionsOf } from '#core/succession.ts'
import { type Instant, TICK_NS } from '#core/tick.ts'
import { verifyBundle } from '#core/verify.ts'
import { KeyFileRefused } from '#domain/identity/node-keys.ts'
import { beginNewLog, NEXT_KEY_FILE, rotateIdentity, viewRotation } from '#domain/identity/succession.ts'
import { replayHere } from '#node/offline.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { DirectoryInUse } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'
import { openRooms } from '../domain/house.ts'
import { START } from '../kit/clock.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('node/succession')

const order = (mass: number) => ({ operators: ['GR37'], inputs: { mass } })
const tokenOf = (answer: { readonly envelope?: unknown }): string => (answer.envelope as { token_id: string }).token_id
const at = (ticks: number): Instant => START + BigInt(ticks) * TICK_NS

/** A clock and a wait that moves it: a rotation waits for the end of the open tick. */
const standing = (start: Instant) => {
  let now = start
  const sleep = async (ms: number): Promise<void> => {
    now += BigInt(Math.ceil(ms)) * 1_000_000n
  }
  return { clock: { now: () => now }, sleep, signal: new AbortController().signal }
}
const rotate = (directory: string, ticks: number, more: { seed?: Uint8Array; reason?: string } = {}) =>
  rotateIdentity({ directory, reason: 'planned', ...standing(at(ticks)), ...more })

interface Cast {
  readonly node: string
  readonly userKey: string
  readonly zid: string
  readonly ownerKey: string
  readonly tokens: readonly string[]
  readonly bundles: readonly string[]
}

const bundleText = async (it: TestNode, key: string, token: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${key}` }
  const answer = await fetch(new URL(`/api/envelopes/${token}/bundle`, it.url), { headers })
  assert.equal(answer.status, 200)
  return answer.text()
}

/** Fills a new node: two accounts, envelopes in three ticks, a machine that moves, a published record. */
const populate = async (directory: string): Promise<Cast> => {
  await using it = await testNode({ directory })
  const user = await it.client.call('identity.sign-up', {})
  const ownerKey = readFileSync(join(directory, 'owner.key'), 'utf8').trim()
  const tokens: string[] = []
  const mine = it.as(user.api_key)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  for (let i = 1; i <= 3; i++) {
    tokens.push(tokenOf(await mine.call('compute.compute', { ...order(i * 1e30), publish: true })))
    await mine.call('machines.event', { slug: 'pump', type: 'reading', payload: { i } })
    await it.advanceTicks(1)
  }
  await it.as(ownerKey).call('compute.compute', order(7e30))
  await it.as(ownerKey).call('machines.create', { slug: 'own', is_public: false })
  const bundles = await Promise.all(tokens.map((token) => bundleText(it, user.api_key, token)))
  // The last tick stays open: the rotation must close it.
  return { node: it.node.nodeId, userKey: user.api_key, zid: user.zid, ownerKey, tokens, bundles }
}

const clean = async (directory: string): Promise<void> => {
  const report = await fsck({ directory })
  assert.deepEqual(report.bad, null)
}

/** Accounts, credits, keys; envelopes in lists, by search, with states and bundles, verified as before. */
const stands = async (it: TestNode, cast: Cast, proven: ProvenSuccession): Promise<void> => {
  const { succession } = proven
  const mine = it.as(cast.userKey)
  assert.equal((await mine.call('economy.credits', {})).free, 1287 - 9)
  const owner = it.as(cast.ownerKey)
  assert.equal((await owner.call('economy.credits', {})).free, 1287 - 3)
  assert.equal(readFileSync(join(it.directory, 'owner.key'), 'utf8').trim(), cast.ownerKey)

  // Envelopes: lists, search by hash and token, states, bundles under the old key, verified as before and by the node.
  const listed = await mine.call('economy.envelopes', { zid: cast.zid })
  assert.equal(listed.total, 3)
  for (const [i, token] of cast.tokens.entries()) {
    const item = await mine.call('economy.envelope', { token_id: token })
    assert.deepEqual([item.log, item.state], [succession.origin, 'final'])
    const found = await mine.call('economy.envelopes', { zid: cast.zid, q: item.hash })
    assert.equal(found.total, 1)
    const now = await bundleText(it, cast.userKey, token)
    for (const text of [cast.bundles[i] as string, now]) {
      const bundle = parseBundle(text)
      const evidence = { bundle, schemas: schemasHere, replay: replayHere }
      assert.equal(verifyBundle({ ...evidence, trusted: cast.node }).outcome, 'verified')
    }
    const known = { bundle: parseBundle(now), schemas: schemasHere, successions: [proven] }
    assert.equal(verifyBundle({ ...known, trusted: cast.node }).outcome, 'verified')
    assert.equal(verifyBundle({ ...known, trusted: succession.new_node }).outcome, 'verified')
    const verdict = await it.client.call('compute.verify', { bundle: JSON.parse(now) })
    assert.deepEqual([verdict.ok, verdict.outcome], [true, 'verified'])
  }
  const record = await it.client.call('economy.record', {})
  assert.deepEqual(
    record.records.map((row) => row.token_id),
    cast.tokens.toReversed(),
  )
}

/** New seals, and machines whose chains go on: their heads go into the new log. */
const goesOn = async (it: TestNode, cast: Cast, proven: ProvenSuccession): Promise<void> => {
  const { succession } = proven
  const mine = it.as(cast.userKey)
  const answer = await mine.call('compute.compute', order(5e30))
  const token = tokenOf(answer)
  await mine.call('machines.event', { slug: 'pump', type: 'reading', payload: { i: 4 } })
  await it.advanceTicks(2)
  const item = await mine.call('economy.envelope', { token_id: token })
  assert.deepEqual([item.log, item.index], [it.node.store.log.origin, 0])
  const bundle = parseBundle(await bundleText(it, cast.userKey, token))
  assert.equal(verifyBundle({ bundle, schemas: schemasHere, trusted: succession.new_node }).outcome, 'verified')
  assert.equal(verifyBundle({ bundle, schemas: schemasHere, trusted: cast.node }).failing, 'key')
  assert.deepEqual(
    (await mine.call('economy.envelopes', { zid: cast.zid })).envelopes.map((row) => row.token_id),
    [token, ...cast.tokens.toReversed()],
  )
  for (const seq of [1, 4]) {
    const block = await it.client.call('machines.block', { slug: 'pump', seq })
    assert.ok(block.proof, `entry ${seq} is proved`)
    const node = seq === 1 ? cast.node : succession.new_node
    const origin = `tickmesh.log/${node}/2310000000`
    const { checkpoint } = block.proof as { readonly checkpoint: string }
    assert.equal(openCheckpoint(checkpoint, verifierOf(origin, publicKeyOf(node))).checkpoint.origin, origin)
  }
  assert.equal((await it.as(cast.ownerKey).call('machines.read', { slug: 'own' })).machine.slug, 'own')
  const { lines, total } = await it.client.call('economy.transparency', {})
  assert.equal(lines.length, total)
}

test('a rotated node is another one, and all of the old one stands and is proved', async () => {
  using dir = tempDir()
  const cast = await populate(dir.path)
  const before = await viewRotation({ directory: dir.path, clock: { now: () => at(9) } })
  assert.deepEqual([before.old_node, before.new_node, before.earlier], [cast.node, null, 0])
  const proven = await rotate(dir.path, 9)
  const { succession } = proven
  assert.deepEqual([succession.old_node, succession.mesh_tick], [cast.node, 2_310_000_009])
  assert.equal(existsSync(join(dir.path, NEXT_KEY_FILE)), false)
  assert.equal(statSync(join(dir.path, 'identity.key')).mode & 0o777, 0o600)
  await clean(dir.path)

  await using it = await testNode({ directory: dir.path, start: at(12) })
  const identity = await it.client.call('identity.node', {})
  assert.equal(identity.node, succession.new_node)
  assert.deepEqual(identity.key_supersessions, [proven])
  assert.deepEqual(successionsOf(JSON.parse(JSON.stringify(identity))), [proven])
  assert.equal(identity.genesisTick, 2_310_000_000, 'node ticks count on')
  assert.equal(it.node.store.log.origin, `tickmesh.log/${succession.new_node}/2310000000`)
  assert.deepEqual([it.node.store.log.size, it.node.store.events.size], [0, 1])
  await stands(it, cast, proven)
  await goesOn(it, cast, proven)
  await it[Symbol.asyncDispose]()
  await clean(dir.path)
})

test('the old log is proved to its last leaf: consistency, inclusion, leaves', async () => {
  using dir = tempDir()
  const cast = await populate(dir.path)
  const { succession, note } = await rotate(dir.path, 9)
  await using it = await testNode({ directory: dir.path, start: at(12) })
  const [era] = it.node.store.eras
  assert.ok(era !== undefined)
  assert.deepEqual([era.node, era.log.ended, era.log.size], [cast.node, true, succession.size + 1])
  assert.equal(era.log.checkpoint?.note, note)
  const last = { size: era.log.size, root: fromHex(era.log.root) }
  for (let size = 1; size < era.log.size; size++) {
    const first = { size, root: await era.log.rootAt(size) }
    const path = await era.log.consistency(size, last.size)
    const sizes = { oldSize: first.size, newSize: last.size, oldRoot: first.root, newRoot: last.root }
    assert.ok(verifyConsistency({ ...sizes, path }), `from ${size}`)
  }
  assert.equal(toHex(await era.log.rootAt(succession.size)), succession.root)
  assert.equal(it.node.store.leafAt(era.log.size).log, it.node.store.log)
  assert.equal(it.node.store.leafAt(era.log.size - 1).log, era.log)
})

test('two rotations in a row, the second before the node ever ran; given keys, and none comes back', async () => {
  using dir = tempDir()
  const cast = await populate(dir.path)
  const oldSeed = fromHex(readFileSync(join(dir.path, 'identity.key'), 'utf8').trim())
  const given = new Uint8Array(32).fill(9)
  const first = await rotate(dir.path, 9, { seed: given, reason: 'ø' })
  assert.equal(first.succession.new_node, nodeIdOf(publicKeyOfSeed(given)))
  await clean(dir.path)
  await assert.rejects(rotate(dir.path, 9, { seed: oldSeed }), KeyFileRefused)
  await assert.rejects(rotate(dir.path, 9, { seed: given }), KeyFileRefused)
  const second = await rotate(dir.path, 9)
  assert.deepEqual([second.succession.old_node, second.succession.size], [first.succession.new_node, 0])
  await clean(dir.path)
  await using it = await testNode({ directory: dir.path, start: at(14) })
  const { key_supersessions, zid, node } = await it.client.call('identity.node', {})
  assert.deepEqual(key_supersessions, [first, second])
  assert.equal(node, second.succession.new_node)
  assert.equal(zid, (await it.as(cast.ownerKey).call('identity.account', {})).zid)
  const now = parseBundle(await bundleText(it, cast.userKey, cast.tokens[0] as string))
  const found = verifyBundle({
    bundle: now,
    schemas: schemasHere,
    trusted: node,
    successions: successionsOf(key_supersessions),
  })
  assert.equal(found.outcome, 'verified')
  const answer = await it.as(cast.userKey).call('compute.compute', order(6e30))
  await it.advanceTicks(1)
  const token = tokenOf(answer)
  assert.equal((await it.as(cast.userKey).call('economy.envelope', { token_id: token })).state, 'sealed')
})

test('cut off between the batch and the key file, the next start is the new node', async () => {
  using dir = tempDir()
  const cast = await populate(dir.path)
  const [identity, next] = [join(dir.path, 'identity.key'), join(dir.path, NEXT_KEY_FILE)]
  const old = readFileSync(identity, 'utf8')
  const { succession } = await rotate(dir.path, 9)
  renameSync(identity, next)
  writeFileSync(identity, old, { mode: 0o600 })
  // Whoever looks at the data before that changes nothing.
  await clean(dir.path)
  {
    await using it = await testNode({ directory: dir.path, start: at(12) })
    assert.equal(it.node.nodeId, succession.new_node)
    assert.equal(existsSync(next), false)
    await it.as(cast.userKey).call('compute.compute', order(2e30))
  }
  // Without the new key nobody is this node any more, and the old key opens nothing.
  writeFileSync(identity, old, { mode: 0o600 })
  await assert.rejects(testNode({ directory: dir.path, start: at(13) }), StoreRefused)
})

test('what cannot be rotated is refused and stays as it was', async () => {
  using dir = tempDir()
  await assert.rejects(rotate(dir.path, 1), StoreRefused)
  assert.equal(existsSync(join(dir.path, 'identity.key')), false, 'nothing is founded by the way')
  const cast = await populate(dir.path)
  {
    await using it = await testNode({ directory: dir.path, start: at(9) })
    await assert.rejects(rotate(dir.path, 9), DirectoryInUse)
    assert.equal((await it.client.call('identity.node', {})).node, cast.node)
  }
  await assert.rejects(rotate(dir.path, 9, { reason: 'x'.repeat(257) }), Fault)
  await assert.rejects(rotate(dir.path, -2), Fault)
  const stopped = { ...standing(at(9)), signal: AbortSignal.abort(new Error('enough')) }
  await assert.rejects(rotateIdentity({ directory: dir.path, reason: '', ...stopped }), /enough/)
  await clean(dir.path)
  await using it = await testNode({ directory: dir.path, start: at(10) })
  const { node, key_supersessions } = await it.client.call('identity.node', {})
  assert.deepEqual([node, key_supersessions], [cast.node, []])
})

test('a log that was rolled back is left behind, and the same key begins another', async () => {
  using dir = tempDir()
  const cast = await populate(dir.path)
  const { clock } = standing(at(9))
  await assert.rejects(beginNewLog({ directory: dir.path, clock }), StoreRefused)
  {
    // Still in the tick that is open: it must not end in the old log.
    await using rooms = await openRooms(dir.path, standing(at(3)).clock)
    await rooms.store.commit((tx) => tx.put('ownNote', 'seal', { note: 'a note of more leaves', from: 'test' }))
  }
  await assert.rejects(rotate(dir.path, 9), StoreRefused)
  const begun = await beginNewLog({ directory: dir.path, clock })
  assert.deepEqual([begun.node, begun.left], [cast.node, `tickmesh.log/${cast.node}/2310000000`])
  assert.equal(begun.origin, `tickmesh.log/${cast.node}/2310000009`)
  await clean(dir.path)
  await assert.rejects(beginNewLog({ directory: dir.path, clock }), StoreRefused)
  {
    await using it = await testNode({ directory: dir.path, start: at(12) })
    const { vkeys, genesisTick, key_supersessions } = await it.client.call('identity.node', {})
    assert.ok(vkeys.log.startsWith(begun.origin))
    assert.deepEqual([genesisTick, key_supersessions], [2_310_000_000, []])
    const mine = it.as(cast.userKey)
    const token = tokenOf(await mine.call('compute.compute', order(5e30)))
    await mine.call('machines.event', { slug: 'pump', type: 'reading', payload: { i: 4 } })
    await it.advanceTicks(2)
    assert.equal((await mine.call('economy.envelope', { token_id: token })).log, begun.origin)
    for (const [id, text] of [
      [token, undefined],
      [cast.tokens[0] as string, cast.bundles[0]],
    ] as const) {
      const bundle = parseBundle(text ?? (await bundleText(it, cast.userKey, id)))
      assert.equal(verifyBundle({ bundle, schemas: schemasHere, trusted: cast.node }).outcome, 'verified')
    }
    // What waited for the end of the tick that the old log never ended stands in the new one.
    const own = it.as(cast.ownerKey)
    const block = await own.call('machines.block', { slug: 'own', seq: 0 })
    assert.ok((block.proof as { readonly checkpoint: string }).checkpoint.startsWith(begun.origin))
  }
  await clean(dir.path)
  // A succession may follow: the new log ends, the old one was left.
  const { succession } = await rotate(dir.path, 15)
  assert.deepEqual([succession.origin, succession.old_node], [begun.origin, cast.node])
  await clean(dir.path)
  await using it = await testNode({ directory: dir.path, start: at(18) })
  assert.equal(it.node.store.log.origin, `tickmesh.log/${succession.new_node}/2310000000`)
  assert.equal((await it.as(cast.userKey).call('economy.envelopes', { zid: cast.zid })).total, 4)
})

test('of two rotations at once one is refused, and one succession stands', async () => {
  using dir = tempDir()
  await populate(dir.path)
  const ended = await Promise.allSettled([rotate(dir.path, 9), rotate(dir.path, 9), rotate(dir.path, 9)])
  const refused = ended.filter((it) => it.status === 'rejected')
  assert.equal(refused.length, 2)
  for (const { reason } of refused) assert.ok(reason instanceof DirectoryInUse, String(reason))
  await clean(dir.path)
  await using it = await testNode({ directory: dir.path, start: at(12) })
  assert.equal((await it.client.call('identity.node', {})).key_supersessions.length, 1)
})

test('a key that waits beside data it does not own is put away, and one that is no key refuses the start', async () => {
  using dir = tempDir()
  const cast = await populate(dir.path)
  const next = join(dir.path, NEXT_KEY_FILE)
  writeFileSync(next, `${'07'.repeat(32)}\n`, { mode: 0o600 })
  {
    await using it = await testNode({ directory: dir.path, start: at(9) })
    assert.equal(it.node.nodeId, cast.node)
  }
  assert.equal(existsSync(next), false)
  writeFileSync(next, 'no key\n', { mode: 0o600 })
  await assert.rejects(testNode({ directory: dir.path, start: at(10) }), KeyFileRefused)
})

test.run()
