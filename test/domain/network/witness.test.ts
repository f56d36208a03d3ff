/**
 * Goal: the witness keeps the rules of C2SP tlog-witness against a real store: which logs it knows, what it answers,
 * one winner of a race, nothing forgotten by a crash; and what it refuses becomes evidence, which a flood cannot turn
 * into a full disk. Method: logs in memory push to a admission on a store of its own; a child process is killed.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { addCheckpointBody } from '#core/add-checkpoint.ts'
import { toBase64, toHex, utf8 } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { verifyEquivocation } from '#core/equivocation.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { cosignatureLine, encodeVkey, signNote, takeSignatureLines, verifierOf } from '#core/note.ts'
import { parsePolicy, policyOfLog } from '#core/policy.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { sha256 } from '#crypto'
import { createStanding } from '#domain/network/standing.ts'
import { LOGS_MAX, LOGS_PER_NODE_MAX } from '#domain/network/witness/admission.ts'
import { chooseWitnesses, WITNESSES_MAX } from '#domain/network/witness/choose.ts'
import { EVIDENCE_PLACES, evidenceOf, keepEvidence, originHash } from '#domain/network/witness/evidence.ts'
import { nodeClock } from '#node/clock.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock, START } from '../../kit/clock.ts'
import { seed, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { makeLog, type ToyLog, textOf } from './log-kit.ts'
import { type DoorHouse, openAdmission, witnessKey, witnessNode } from './witness-kit.ts'

const test = suite('domain/network: witness')
const random = seeded()

/** A log of a node that is connected. */
const peerLog = ({ peers }: DoorHouse, size: number): ToyLog => {
  const log = makeLog(random, size)
  peers.add(log.node)
  return log
}

test('the answers of tlog-witness, and a cosignature that verifies with POSIX seconds', async () => {
  using dir = tempDir()
  await using it = await openAdmission(dir.path, fixedClock())
  const log = peerLog(it, 5)
  const first = await it.admission.add(log.push(0))
  assert.equal(first.status, 200)
  const [line] = takeSignatureLines(textOf(log), first.body, [witnessKey])
  assert.equal(line?.timestamp, Number(START / 1_000_000_000n))
  assert.equal(first.body, line?.line, 'lines and nothing else')

  log.grow(4)
  const conflict = await it.admission.add(log.push(3))
  assert.deepEqual(conflict, { status: 409, type: 'text/x.tlog.size', body: '5\n' })
  assert.deepEqual(await it.admission.add(log.push(0)), conflict, 'old 0 asks for the size')
  assert.equal((await it.admission.add(log.push(5))).status, 200)
  assert.equal((await it.admission.add(log.push(9))).status, 200, 'the same head again')
  assert.equal((await it.admission.add(utf8(addCheckpointBody(10, [], log.note())))).status, 400)
  assert.equal((await it.admission.add(utf8('old 9\n\nnothing'))).status, 400)
  assert.equal((await it.admission.add(utf8(addCheckpointBody(9, log.proof(5), log.note())))).status, 422)
  assert.equal((await it.admission.add(makeLog(random, 3).push(0))).status, 404, 'the log of nobody who is connected')
  const example = makeLog(random, 3)
  const named = signCheckpoint(
    { origin: 'example.com/x', size: 3, root: example.root() },
    publicKeyOfSeed(example.seed),
    example.seed,
  )
  assert.equal((await it.admission.add(utf8(addCheckpointBody(0, [], named)))).status, 404)

  const kept = it.admission.checkpoint(originHash(log.origin))
  assert.ok(kept?.startsWith(log.note()), 'monitors read what was pushed')
  assert.equal(takeSignatureLines(textOf(log), (kept ?? '').slice(log.note().length), [witnessKey]).length, 1)
  assert.equal(it.admission.checkpoint(toHex(sha256(utf8('nobody')))), undefined)
  await it.store[Symbol.asyncDispose]()
  const { ok, bad } = await fsck({ directory: dir.path })
  assert.deepEqual([ok, bad], [true, null])
})

test('403: no signature of the known key, or a bad one; unknown signatures are ignored and not kept', async () => {
  using dir = tempDir()
  await using it = await openAdmission(dir.path, fixedClock())
  const log = peerLog(it, 4)
  const body = (note: string): Uint8Array => utf8(addCheckpointBody(0, [], note))
  const stranger = random.bytes(32)
  const key = publicKeyOfSeed(stranger)
  const root = log.root()
  const foreign = signCheckpoint({ origin: log.origin, size: 4, root }, key, stranger)
  assert.equal((await it.admission.add(body(foreign))).status, 403)
  const lines = log.note().split('\n')
  const altered = log.note().replace('\n4\n', '\n5\n')
  assert.equal((await it.admission.add(body(altered))).status, 403)
  const broken = `${lines.slice(0, -2).join('\n')}\n${lines.at(-2)?.slice(0, -6)}AAAA==\n`
  assert.notEqual((await it.admission.add(body(broken))).status, 200)
  const other = witnessVerifier(makeLog(random).node, key)
  const cosigned = log.note() + cosignatureLine(textOf(log), other, stranger, 1_800_000_000)
  assert.equal((await it.admission.add(body(cosigned))).status, 200)
  assert.equal(it.admission.checkpoint(originHash(log.origin))?.includes(other.name), false)
  const log2 = peerLog(it, 4)
  const own = verifierOf(log2.origin, publicKeyOfSeed(log2.seed))
  const extended = signNote(`${textOf(log2)}more\n`, own, log2.seed)
  assert.equal((await it.admission.add(body(extended))).status, 400, 'our logs have no extension lines')
})

test('a race of two pushes of one size, or of one old size, has one winner; and never a rollback', async () => {
  using dir = tempDir()
  await using it = await openAdmission(dir.path, fixedClock())
  const log = peerLog(it, 6)
  await it.admission.add(log.push(0))
  const forked = log.fork(6)
  log.grow(3)
  forked.grow(3)
  const answers = await Promise.all([log.push(6), forked.push(6)].map((body) => it.admission.add(body)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const winner = answers[0]?.status === 200 ? log : forked
  const bodies: Uint8Array[] = []
  const steps = 24
  for (let i = 0; i < steps; i++) {
    winner.grow(1)
    bodies.push(winner.push(9))
  }
  const statuses = (await Promise.all(bodies.map((body) => it.admission.add(body)))).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 409).length, steps - 1)
  const [, size = ''] = it.admission.checkpoint(originHash(log.origin))?.split('\n') ?? []
  assert.equal(Number(size), 9 + 1 + statuses.indexOf(200))
})

test('what is refused for another history becomes evidence, except where a proof leaves the old root out', async () => {
  for (const [size, more] of [
    [6, 5],
    [7, 1],
    [6, 0],
    [8, 3],
  ] as const) {
    using dir = tempDir()
    await using it = await openAdmission(dir.path, fixedClock())
    const log = peerLog(it, size)
    await it.admission.add(log.push(0))
    const forked = log.fork(3)
    forked.grow(size - 3 + more)
    const answer = await it.admission.add(forked.push(size))
    assert.equal(answer.status, 422)
    const isPower = size === 8
    assert.equal(it.accused.length, isPower ? 0 : 1, `${size} ${more}`)
    for (const proof of it.accused) assert.equal(verifyEquivocation(proof).size, size)
    if (isPower) continue
    // A head of the recorded size is evidence whatever the old size says.
    const equal = log.fork(2)
    equal.grow(size - 2)
    assert.equal((await it.admission.add(equal.push(1))).status, 409)
    assert.equal(it.accused.length, 2)
  }
})

test('1,024 logs and four of a node, the policy first; what was cosigned once is known for ever', async () => {
  using dir = tempDir()
  const named = makeLog(random, 2)
  const vkey = encodeVkey(verifierOf(named.origin, publicKeyOfSeed(named.seed)))
  await using it = await openAdmission(dir.path, fixedClock(), policyOfLog(vkey))
  const base = makeLog(random, 1)
  const { node, seed: nodeSeed } = base
  it.peers.add(node)
  const push = (genesis: number): Promise<{ status: number }> => {
    const origin = `tickmesh.log/${node}/${genesis}`
    const note = signCheckpoint({ origin, size: 1, root: base.root() }, publicKeyOfSeed(nodeSeed), nodeSeed)
    return it.admission.add(utf8(addCheckpointBody(0, [], note)))
  }
  for (let genesis = 1; genesis <= LOGS_PER_NODE_MAX; genesis++) assert.equal((await push(genesis)).status, 200)
  assert.equal((await push(99)).status, 404)
  it.peers.delete(node)
  assert.equal((await push(1)).status, 409, 'it is remembered when the node is away')
  await it.store.commit((tx) => tx.put('witnessPlaces', 'all', { taken: LOGS_MAX - 1 }))
  assert.equal((await it.admission.add(peerLog(it, 2).push(0))).status, 404, 'one place is the policy’s')
  assert.equal((await it.admission.add(named.push(0))).status, 200, 'and it need not be connected')
  const own = makeLog(random, 1)
  const self = `tickmesh.log/${witnessNode}/5`
  it.peers.add(witnessNode)
  const note = signCheckpoint({ origin: self, size: 1, root: own.root() }, publicKeyOfSeed(own.seed), own.seed)
  assert.equal((await it.admission.add(utf8(addCheckpointBody(0, [], note)))).status, 404, 'it is no witness of itself')
})

test('one node may ask 16 times in a tick over libp2p, the others go on', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using it = await openAdmission(dir.path, clock)
  const log = peerLog(it, 1)
  const statuses: number[] = []
  for (let i = 0; i < 18; i++) statuses.push((await it.admission.add(log.push(i === 0 ? 0 : 1), log.node)).status)
  assert.deepEqual(statuses.slice(15), [200, 429, 429])
  const other = peerLog(it, 1)
  assert.equal((await it.admission.add(other.push(0), other.node)).status, 200)
  clock.advanceTicks(1)
  assert.equal((await it.admission.add(log.push(1), log.node)).status, 200)
})

test('kill −9 between write and answer: no acknowledged head is forgotten, and none is rolled back', async (signal) => {
  const child = fileURLToPath(new URL('./witness-child.ts', import.meta.url))
  using dir = tempDir()
  const logSeed = random.integer(1, 1e9)
  let from = 0
  for (let round = 0; round < 5; round++) {
    const process = spawn(globalThis.process.execPath, [child, dir.path, String(logSeed), String(from)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      signal,
    })
    process.on('error', () => undefined)
    const stopAfter = random.integer(2, 12)
    let acknowledged = from
    let seen = 0
    for await (const line of createInterface({ input: process.stdout })) {
      assert.doesNotMatch(line, /refused/)
      if (line === 'ready') continue
      acknowledged = Number(line)
      seen += 1
      if (seen === stopAfter) process.kill('SIGKILL')
    }
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
    await using it = await openAdmission(dir.path, nodeClock())
    const log = makeLog(seeded(logSeed), acknowledged)
    it.peers.add(log.node)
    const [, size = '0'] = it.admission.checkpoint(originHash(log.origin))?.split('\n') ?? []
    assert.ok(Number(size) >= acknowledged, `${size} < ${acknowledged}`)
    const forked = log.fork(Math.max(1, acknowledged - 1))
    forked.grow(3)
    const again = await it.admission.add(forked.push(acknowledged - 1))
    assert.equal(again.status, 409)
    from = Number(size)
  }
}, 60_000)

test('whom a log asks: the policy, else the lowest SHA-256(origin ‖ node id), never itself, at most eight', () => {
  const nodes = Array.from({ length: 40 }, () => makeLog(random).node)
  const self = nodes[0] ?? ''
  const { origin } = makeLog(random)
  const chosen = chooseWitnesses(origin, { policy: undefined, peers: nodes, self }).map(({ node }) => node)
  const expected = nodes
    .filter((node) => node !== self)
    .map((node) => [toHex(sha256(utf8(origin + node))), node] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, WITNESSES_MAX)
    .map(([, node]) => node)
  assert.deepEqual(chosen, expected)
  const lines = nodes.slice(0, 3).map((node, i) => {
    const verifier = witnessVerifier(node, publicKeyOfSeed(random.bytes(32)))
    return `witness w${i} ${encodeVkey(verifier)}${i === 2 ? ' https://witness.example/prefix' : ''}`
  })
  const outside = publicKeyOfSeed(random.bytes(32))
  const policy = parsePolicy(
    utf8(
      [...lines, `witness out ${encodeVkey(verifierOf('witness.example/w', outside, 4))}`, 'quorum none', ''].join(
        '\n',
      ),
    ),
  )
  const asked = chooseWitnesses(origin, { policy, peers: nodes, self })
  assert.deepEqual(asked.map(({ node }) => node ?? 'out').sort(), [nodes[1], nodes[2], 'out'].sort())
  assert.equal(asked.find(({ node }) => node === nodes[2])?.url, 'https://witness.example/prefix')
})

test('standing: open, named, outside, another policy, and evidence up to the smaller size', async () => {
  using dir = tempDir()
  await using it = await openAdmission(dir.path, fixedClock())
  const log = makeLog(random, 9)
  const key = publicKeyOfSeed(log.seed)
  const named = policyOfLog(encodeVkey(verifierOf(log.origin, key)))
  const open = createStanding(it.store, undefined, 'open')
  const strict = createStanding(it.store, named, 'ab')
  assert.deepEqual(open(log.origin), { counts: true, up_to: null, because: 'open' })
  assert.deepEqual(open(log.origin, 'ab'), { counts: false, up_to: 0, because: 'other_policy' })
  assert.deepEqual(strict(log.origin), { counts: true, up_to: null, because: 'policy' })
  assert.deepEqual(strict(log.origin.replace('tickmesh.log', 'tickmesh.events')).because, 'policy')
  assert.deepEqual(strict(makeLog(random).origin), { counts: false, up_to: 0, because: 'outside_policy' })
  const stolen = policyOfLog(encodeVkey(verifierOf(log.origin, publicKeyOfSeed(random.bytes(32)))))
  assert.equal(createStanding(it.store, stolen, 'cd')(log.origin).because, 'outside_policy', 'a name with another key')

  it.peers.add(log.node)
  await it.admission.add(log.push(0))
  const forked = log.fork(4)
  forked.grow(8)
  await it.admission.add(forked.push(9))
  const [proof] = it.accused
  assert.ok(proof)
  await it.store.commit((tx) => keepEvidence(tx, proof))
  assert.deepEqual(open(log.origin), { counts: true, up_to: 9, because: 'evidence' })
  assert.deepEqual(strict(log.origin), { counts: true, up_to: 9, because: 'evidence' })
})

/** Evidence against a log: two notes of the smaller size, or of unequal ones. */
const proofAgainst = (log: ToyLog, size: number) => {
  const forked = log.fork(1)
  forked.grow(size - 1)
  return { origin: log.origin, notes: [log.note(size), forked.note(size)], prefix: null }
}

test('evidence is a union: in whatever order proofs come, the smallest stands, also after a restart', async () => {
  const log = makeLog(random, 20)
  const proofs = [7, 12, 5, 18, 5].map((size) => proofAgainst(log, size))
  const results: unknown[] = []
  for (const order of [proofs, proofs.toReversed()]) {
    using own = tempDir()
    {
      await using it = await openAdmission(own.path, fixedClock())
      for (const proof of order) await it.store.commit((tx) => keepEvidence(tx, proof))
    }
    await using it = await openAdmission(own.path, fixedClock())
    results.push(evidenceOf(it.store, log.origin))
    assert.equal(evidenceOf(it.store, log.origin)?.size, 5)
  }
  assert.deepEqual(results[0], results[1])
})

test('a flood of evidence about logs that nobody knows takes 256 places, and no known log’s', async () => {
  using dir = tempDir()
  await using it = await openAdmission(dir.path, fixedClock())
  const known = peerLog(it, 6)
  await it.admission.add(known.push(0))
  await it.store.commit((tx) => keepEvidence(tx, proofAgainst(known, 6)))
  const later = makeLog(random, 6)
  await it.store.commit((tx) => keepEvidence(tx, proofAgainst(later, 6)))
  it.peers.add(later.node)
  assert.equal((await it.admission.add(later.push(0))).status, 200, 'now it is known')
  for (let i = 0; i < 2 * EVIDENCE_PLACES + 10; i++) {
    const proof = proofAgainst(makeLog(random, 3), 2)
    await it.store.commit((tx) => keepEvidence(tx, proof))
  }
  let rows = 0
  for await (const _ of it.store.range('evidence')) rows += 1
  assert.ok(rows <= EVIDENCE_PLACES + 2, String(rows))
  assert.equal(evidenceOf(it.store, known.origin)?.size, 6)
  assert.equal(evidenceOf(it.store, later.origin)?.size, 6)
  await it.store[Symbol.asyncDispose]()
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
}, 60_000)

test('hostile bodies change nothing', async () => {
  using dir = tempDir()
  await using it = await openAdmission(dir.path, fixedClock())
  const log = peerLog(it, 5)
  await it.admission.add(log.push(0))
  const before = it.admission.checkpoint(originHash(log.origin))
  log.grow(4)
  const good = log.push(5)
  for (let i = 0; i < 1_500; i++) {
    const bytes = Uint8Array.from(good)
    for (let flips = random.integer(1, 3); flips > 0; flips--) {
      bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
    }
    if (toBase64(bytes) === toBase64(good)) continue
    const { status } = await it.admission.add(bytes)
    assert.ok([400, 403, 404, 409, 422].includes(status), `${status} seed ${seed}`)
  }
  assert.equal(it.admission.checkpoint(originHash(log.origin)), before)
  assert.equal((await it.admission.add(good)).status, 200)
})

test.run()
