/*
 * Goal: what a window or a draw hangs on is shown to witnesses with the next checkpoint, also to those outside the
 * mesh, one push out of turn in 120 ticks, also after a restart. Method: own logs of a keeper, its asking side, and
 * a witness of another store at the end of a transport in memory.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { logVerifierOf } from '#core/equivocation.ts'
import { encodeVkey } from '#core/note.ts'
import { parsePolicy } from '#core/policy.ts'
import { noMeter } from '#core/telemetry.ts'
import { lastingTypes } from '#domain/network/events/index.ts'
import { createAsker } from '#domain/network/witness/asker.ts'
import { createConfirmation } from '#domain/network/witness/confirmation.ts'
import { createRollback } from '#domain/network/witness/rollback.ts'
import type { WitnessTransport } from '#domain/network/witness/transport.ts'
import { silentLog } from '#node/log.ts'
import { cosignedOf } from '#store/cosigned.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type Keeper, keeper } from './keeper.ts'
import { openAdmission, witnessKey } from './witness-kit.ts'

const test = suite('domain/network: urgent events')
const random = seeded()
const hex64 = (): string => Buffer.from(random.bytes(32)).toString('hex')

/** Records an event that answers a dispute. */
const reveal = ({ network }: Keeper) =>
  network.record('reveal', { of: 'c', challenge: hex64(), value: hex64(), next: null, after: null })

/** The policy of a witness that knows a keeper's logs. */
const knowing = ({ store }: Keeper) =>
  parsePolicy(utf8(`log ${encodeVkey(logVerifierOf(store.log.origin))}\nquorum none\n`))

/** The asking side of a keeper, and what it pushed: the origins, since they were last taken. */
const asking = (it: Keeper, admission: Awaited<ReturnType<typeof openAdmission>>['admission']) => {
  const { store, node, clock } = it
  const pushed: string[] = []
  const unreached = () => Promise.reject(new Error('nobody is connected'))
  const transport: WitnessTransport = {
    push: unreached,
    state: unreached,
    monitor: async () => undefined,
    post: async (_, body) => {
      pushed.push(body.split('\n\n')[1]?.split('\n')[0] ?? '')
      const { status, body: said } = await admission.add(utf8(body))
      return { status, body: said }
    },
  }
  const log = encodeVkey(logVerifierOf(store.log.origin))
  const policy = parsePolicy(
    utf8(`log ${log}\nwitness out ${encodeVkey(witnessKey)} http://out.example/w\nquorum none\n`),
  )
  const rollback = createRollback(store, () => undefined)
  const options = { store, policy, reaches: false, restored: false }
  const confirmation = createConfirmation(options, rollback.lost)
  const asker = createAsker({
    ...{ store, node, policy, policyName: 'p', rollback, confirmation, log: silentLog, meter: noMeter },
    peers: () => [],
    transport: () => transport,
  })
  return {
    /** Lets ticks pass, each with its checkpoint. @returns what was pushed. */
    after: async (ticks: number): Promise<readonly string[]> => {
      for (let i = 0; i < ticks; i++) {
        clock.advanceTicks(1)
        await store.closeTick()
        const visits: Promise<void>[] = []
        asker.beat(new AbortController().signal, (visit) => visits.push(visit))
        await Promise.all(visits)
      }
      return pushed.splice(0)
    },
  }
}

test('types that witnesses are shown at once: what opens or answers a dispute, stakes and bonds', () => {
  const pushed = lastingTypes.filter((it) => it.pushed === true).map((it) => it.type)
  assert.deepEqual(pushed.toSorted(), ['bond', 'challenge', 'reveal', 'ruling', 'stake'])
})

test('a reveal is cosigned outside the mesh a tick later, and no other push is out of turn for 120 ticks', async () => {
  using dir = tempDir()
  using own = tempDir()
  const seed = random.bytes(32)
  const clock = fixedClock()
  {
    await using it = await keeper(random, { directory: own.path, seed, clock })
    const { origin } = it.store.events
    await using witness = await openAdmission(dir.path, clock, knowing(it))
    const { after } = asking(it, witness.admission)
    const cosigned = (): number => Math.max(0, ...Object.values(cosignedOf(it.store, 'events').witnesses))

    await it.write(1)
    assert.deepEqual(await after(1), [origin], 'its turn')
    await it.write(1)
    assert.deepEqual(await after(30), [], 'nothing hangs on these')
    await reveal(it)
    assert.deepEqual(await after(1), [origin])
    assert.equal(cosigned(), it.store.events.size)
    await reveal(it)
    await reveal(it)
    assert.deepEqual(await after(119), [])
    assert.deepEqual(await after(1), [origin], 'one for both')
    assert.equal(cosigned(), it.store.events.size)
    await it.write(1)
    assert.deepEqual(await after(1_287 - 120 - 32), [], 'its rest goes on from the last push')
    assert.deepEqual(await after(200), [origin], 'its turn again')
    // Recorded, and cut off before any witness was shown it.
    await reveal(it)
  }
  {
    await using it = await keeper(random, { directory: own.path, seed, clock })
    await using witness = await openAdmission(dir.path, clock, knowing(it))
    const { after } = asking(it, witness.admission)
    assert.deepEqual(await after(1), [it.store.events.origin], 'after a restart as well')
    assert.deepEqual(await after(300), [], 'and once')
  }
  assert.equal((await fsck({ directory: own.path })).bad, null)
}, 60_000)

test.run()
