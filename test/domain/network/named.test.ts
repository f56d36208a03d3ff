/**
 * Goal: what strangers can make for nothing (keys, logs, evidence, successions) never takes the place of a log that the
 * policy names, nor fills the own event log; and a peer that is slow on purpose does not keep a log from its source.
 * Method: real stores with small bounds or counters set near their ends, strangers made by the dozen, and streams in
 * memory.
 */
import assert from 'node:assert/strict'
import { addCheckpointBody } from '#core/add-checkpoint.ts'
import { utf8 } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { EquivocationProof } from '#core/equivocation.ts'
import { eventsLogName } from '#core/ids.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { encodeVkey, verifierOf } from '#core/note.ts'
import { parsePolicy } from '#core/policy.ts'
import { noMeter } from '#core/telemetry.ts'
import { createHeads } from '#domain/network/heads.ts'
import { namedLogs } from '#domain/network/standing.ts'
import { helloFrame, readHello } from '#domain/network/sync/frames.ts'
import { type Bounds, defaultBounds } from '#domain/network/sync/limits.ts'
import type { Equivocation } from '#domain/network/views.ts'
import { createAccuser } from '#domain/network/witness/accuser.ts'
import { LOGS_MAX } from '#domain/network/witness/admission.ts'
import { EVIDENCE_PLACES, evidenceOf, keepEvidence } from '#domain/network/witness/evidence.ts'
import { createWitness } from '#domain/network/witness/service.ts'
import { silentLog } from '#node/log.ts'
import { createSigner } from '#ports/signer.node.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { openStore } from '#store/open.ts'
import { fixedClock } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { foreignRow, type Keeper, keeper, stream, syncBetween } from './keeper.ts'
import { makeLog, type ToyLog } from './log-kit.ts'
import { GENESIS } from './party.ts'
import { openAdmission } from './witness-kit.ts'

const test = suite('domain/network: places of the policy')
const random = seeded()

const policyOf = (...logs: readonly Pick<ToyLog, 'origin' | 'seed'>[]) => {
  const lines = logs.map(({ origin, seed }) => `log ${encodeVkey(verifierOf(origin, publicKeyOfSeed(seed)))}`)
  return parsePolicy(utf8(`${lines.join('\n')}\nquorum none\n`))
}

/** Two notes of one size, signed by one log. */
const proofAgainst = (log: ToyLog, size: number): EquivocationProof => {
  const forked = log.fork(1)
  forked.grow(size - 1)
  return { origin: log.origin, notes: [log.note(size), forked.note(size)], prefix: null }
}

const small: Bounds = { ...defaultBounds, sourcesMax: 3, silentTicks: 1_000 }

test('a source that the policy names finds a place among strangers, and none of them takes it', async () => {
  using dir = tempDir()
  {
    await using stack = new AsyncDisposableStack()
    const own = async (): Promise<Keeper> => stack.use(await keeper(random))
    const named = await own()
    const asker = stack.use(
      await keeper(random, {
        ...{ directory: dir.path, bounds: { ...small, silentTicks: 10 } },
        named: new Set([named.store.events.origin]),
      }),
    )
    const strangers = [await own(), await own(), await own(), await own(), await own()]
    for (const it of [named, ...strangers]) await it.write(10)
    for (const it of strangers.slice(0, 3)) assert.ok((await syncBetween(asker, it)).own.ok)
    const { own: outcome } = await syncBetween(asker, named)
    assert.equal(foreignRow(asker, named)?.size, 11, 'although all places were taken')
    assert.equal(foreignRow(asker, strangers[0]!), undefined, 'the one silent for longest gave way')
    // It was still on offer in this sync, which says so and blames nobody.
    assert.partialDeepStrictEqual(outcome, {
      ok: false,
      reason: 'own',
      detail: 'What was offered is not kept any more.',
    })
    asker.clock.advanceTicks(50)
    for (const it of strangers) await syncBetween(asker, it)
    assert.equal(foreignRow(asker, named)?.size, 11, 'silence takes no place from it')
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test('strangers beyond the places end no sync: what stands behind them comes', async () => {
  await using stack = new AsyncDisposableStack()
  const own = async (): Promise<Keeper> => stack.use(await keeper(random))
  const asker = stack.use(await keeper(random, { bounds: small }))
  const sources = [await own(), await own(), await own(), await own(), await own(), await own()]
  const byOrigin = sources.toSorted((a, b) => (a.store.events.origin < b.store.events.origin ? -1 : 1))
  for (const it of byOrigin) await it.write(5)
  const last = byOrigin.at(-1)!
  assert.ok((await syncBetween(asker, last)).own.ok)
  await last.write(5)
  for (const it of byOrigin.slice(0, -2)) assert.ok((await syncBetween(byOrigin[4]!, it)).own.ok)
  assert.ok((await syncBetween(byOrigin[4]!, last)).own.ok)
  assert.ok((await syncBetween(asker, byOrigin[4]!)).own.ok)
  assert.equal(foreignRow(asker, last)?.size, 12)
})

test('heads: a named log is heard among any number of strangers, and keeps its place', () => {
  const named = makeLog(random, 1)
  const heads = createHeads(new Set([named.origin]))
  const stranger = (tick: number) => {
    const log = makeLog(random, 1)
    return heads.take(log.note(), log.node, tick).verdict
  }
  for (let i = 0; i < 1_024; i++) assert.equal(stranger(0), 'newer')
  assert.equal(stranger(1), 'full')
  assert.equal(heads.take(named.note(), named.node, 1).verdict, 'newer')
  assert.equal(stranger(1), 'full')
  for (let i = 0; i < 1_100; i++) stranger(5_000)
  assert.ok(heads.list().some((it) => it.origin === named.origin))
})

test('the newest size of a named log is noted after any number of strangers', async () => {
  await using source = await keeper(random)
  await using asker = await keeper(random, { named: new Set([source.store.events.origin]) })
  for (let i = 0; i < 1_100; i++) asker.sync.noted(eventsLogName(makeLog(random).node, GENESIS), 1)
  asker.sync.noted(source.store.events.origin, 5)
  for (let i = 0; i < 1_100; i++) asker.sync.noted(eventsLogName(makeLog(random).node, GENESIS), 1)
  const views = asker.sync.sources()
  assert.equal(views.length, 1_024)
  assert.equal(views.find((it) => it.node === source.node)?.noted, 5)
})

test('the witness has places for both logs of a named node', async () => {
  using dir = tempDir()
  const log = makeLog(random, 3)
  await using it = await openAdmission(dir.path, fixedClock(), policyOf(log))
  await it.store.commit((tx) => tx.put('witnessPlaces', 'all', { taken: LOGS_MAX }))
  assert.equal((await it.admission.add(log.push(0))).status, 200)
  const origin = eventsLogName(log.node, Number(log.origin.split('/').at(-1)))
  const note = signCheckpoint({ origin, size: 3, root: log.root() }, publicKeyOfSeed(log.seed), log.seed)
  assert.equal((await it.admission.add(utf8(addCheckpointBody(0, [], note)))).status, 200, 'its events with it')
  const stranger = makeLog(random, 1)
  it.peers.add(stranger.node)
  assert.equal((await it.admission.add(stranger.push(0))).status, 404)
})

const network = () => ({ peers: () => [], heads: () => [], equivocations: () => [], sync: undefined })

test('evidence against a log of the policy stays, before that log ever asked to be witnessed', async () => {
  using dir = tempDir()
  const log = makeLog(random, 9)
  {
    const seed = random.bytes(32)
    await using store = await openStore({ directory: dir.path, clock: fixedClock(), signer: createSigner(seed) })
    await using witness = await createWitness({
      ...{
        store,
        signer: createSigner(seed),
        policy: policyOf(log),
        policyName: 'a policy',
        reaches: false,
        restored: false,
      },
      key: { publicKey: publicKeyOfSeed(seed), seed },
      network: { ...network(), record: () => Promise.reject(new Error('nothing is recorded')) },
      ...{ log: silentLog, meter: noMeter },
    })
    await store.commit((tx) => keepEvidence(tx, proofAgainst(log, 4)))
    for (let i = 0; i < EVIDENCE_PLACES + 5; i++) {
      await store.commit((tx) => keepEvidence(tx, proofAgainst(makeLog(random, 3), 2)))
    }
    assert.equal(evidenceOf(store, log.origin)?.size, 4)
    assert.equal(witness.standingOf(log.origin).because, 'evidence')
    assert.equal(witness.admission.checkpoint('0'.repeat(64)), undefined)
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
}, 30_000)

test('a log that signs ever smaller pairs is told of a few times, and judged by the smallest', async () => {
  using dir = tempDir()
  const log = makeLog(random, 40)
  await using it = await openAdmission(dir.path, fixedClock())
  it.peers.add(log.node)
  assert.equal((await it.admission.add(log.push(0))).status, 200, 'a stranger takes a place as a peer')
  let leaves = 0
  const accuser = createAccuser({
    store: it.store,
    network: {
      ...network(),
      record: async (_, payload) => {
        leaves += 1
        await it.store.commit((tx) => keepEvidence(tx, payload as unknown as EquivocationProof))
        return {} as never
      },
    },
    log: silentLog,
    meter: noMeter,
  })
  for (let size = 40; size >= 2; size--) {
    accuser.accuse(proofAgainst(log, size))
    await accuser.record()
  }
  assert.equal(evidenceOf(it.store, log.origin)?.size, 2)
  assert.equal(leaves, 5, 'at 40, 20, 10, 5, 2')
})

test('a flood of pairs is judged a few at a time, those of logs that are known here first', async () => {
  using dir = tempDir()
  const log = makeLog(random, 3)
  await using it = await openAdmission(dir.path, fixedClock())
  it.peers.add(log.node)
  assert.equal((await it.admission.add(log.push(0))).status, 200)
  const pairOf = (of: ToyLog): Equivocation => {
    const [first = '', second = ''] = proofAgainst(of, 2).notes
    return { origin: of.origin, size: 2, notes: [first, second], seen: 0 }
  }
  const pairs = [...Array.from({ length: 40 }, () => pairOf(makeLog(random, 3))), pairOf(log)]
  const recorded: string[] = []
  const accuser = createAccuser({
    store: it.store,
    network: {
      ...network(),
      equivocations: () => pairs,
      record: async (_, payload) => {
        recorded.push((payload as unknown as EquivocationProof).origin)
        return {} as never
      },
    },
    ...{ log: silentLog, meter: noMeter },
  })
  const counts: number[] = []
  for (let beat = 0; beat < 4; beat++) {
    accuser.look()
    await accuser.record()
    counts.push(recorded.length)
  }
  assert.equal(recorded[0], log.origin)
  assert.deepEqual(counts, [16, 32, 41, 41])
})

test('a peer that brings a log as slowly as it may does not keep it from its source', async () => {
  await using source = await keeper(random)
  await using asker = await keeper(random)
  await source.write(30)
  const slow = makeLog(random)
  const [mine, theirs] = stream()
  const outcome = asker.sync.run(slow.node, theirs, true)
  const { origin, checkpoint } = source.store.events
  await mine.send(new Uint8Array(0))
  await mine.send(helloFrame({ v: 1, node: slow.node, mesh_tick: 0, logs: { [origin]: [0, checkpoint?.note ?? ''] } }))
  const frames = mine.frames[Symbol.asyncIterator]()
  await frames.next()
  assert.ok(readHello((await frames.next()).value as Uint8Array))
  await frames.next()
  assert.deepEqual((await syncBetween(asker, source)).own, { ok: true, leaves: 31 })
  theirs.expire()
  assert.equal((await outcome).ok, false)
  assert.equal(foreignRow(asker, source)?.size, 31)
})

test('a peer that holds more of the own event log than is here stops the node', async () => {
  using dir = tempDir()
  const seed = random.bytes(32)
  await using peer = await keeper(random)
  {
    await using newer = await keeper(random, { seed })
    await newer.write(20)
    assert.ok((await syncBetween(peer, newer)).own.ok)
  }
  await using older = await keeper(random, { seed, directory: dir.path })
  await older.write(3)
  await using witness = await createWitness({
    ...{ store: older.store, signer: createSigner(seed), network: older.network, reaches: false, restored: false },
    ...{ policy: undefined, policyName: 'open', key: { publicKey: publicKeyOfSeed(seed), seed } },
    ...{ log: silentLog, meter: noMeter },
  })
  await syncBetween(older, peer)
  await older.store.commit(() => undefined)
  assert.partialDeepStrictEqual(witness.lost(), { log: 'events', signed: 21, from: peer.node })
  assert.equal(older.store.held?.code, 'LOG_ROLLED_BACK')
})

test('the logs of a policy: under the key that their name holds, the event log with the seal log', () => {
  const [log, other] = [makeLog(random), makeLog(random)]
  const foreign = { origin: other.origin, seed: log.seed }
  const twin = log.origin.replace('tickmesh.log/', 'tickmesh.events/')
  assert.deepEqual([...namedLogs(policyOf(log))], [log.origin, twin])
  assert.deepEqual([...namedLogs(policyOf(foreign))], [])
  assert.deepEqual([...namedLogs(undefined)], [])
})

test.run()
