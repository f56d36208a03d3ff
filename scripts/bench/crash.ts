import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '#core/bytes.ts'
import { type Client, createClient } from '#gateway/client.ts'
import { createMesh, type Mesh } from '#mesh/host.ts'
import { nodeClock } from '#node/clock.ts'
import { openDatabase } from '#store/database.ts'
import { sourceOf } from '#store/foreign.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'
import { errorsOnly, loopback, openParty, type Party, writeEvents } from './party.ts'

const SEALERS = 6
const RECORDERS = 6
/** The kill falls at random within this time after the sync has begun, or after the longest wait for that. */
const MS_SPAN = 700
const BEGIN_MS_MAX = 5_000
const LOOK_MS = 30
const GRANT = 100_000_000
/**
 * Events that the other node has written while this one was down, at least and at most. Some of them are
 * interpreted, which takes long enough for the kill to fall into the sync.
 */
const EVENTS_MIN = 1_000
const EVENTS_MAX = 3_000
const INTERPRETED_PART = 6
/** Rounds on one directory: fsck reads it whole each time. */
const ROUNDS_EACH = 25
const TICK_MS = 777

/** What a node acknowledged before it was killed. */
interface Acknowledged {
  readonly tokens: string[]
  readonly entries: { readonly slug: string; readonly seq: number; readonly hash: string }[]
}

const clientOf = ({ url, ownerKey }: ChildNode): Client => createClient({ url, key: ownerKey, retriesMax: 0 })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until some leaves of the other node's log have come, so that the kill falls into the sync. */
const syncBegins = async (client: Client): Promise<void> => {
  const from = performance.now()
  const sizeNow = async (): Promise<number> => {
    const { sources } = await client.call('network.mesh-status', {})
    return sources[0]?.size ?? 0
  }
  const before = await sizeNow()
  while (performance.now() - from < BEGIN_MS_MAX && (await sizeNow()) === before) await pause(LOOK_MS)
}

/** Seals, and writes to machines, from many callers at once until the node is gone. Whole answers count. */
const loadUntilKilled = async (node: ChildNode, round: number): Promise<Acknowledged> => {
  const client = clientOf(node)
  const done: Acknowledged = { tokens: [], entries: [] }
  const seal = async (seed: number): Promise<never> => {
    for (let i = 0; ; i++) {
      const input = { operators: ['GR37'], inputs: { mass: 1e30 + seed * 1e26 + i } }
      const { body } = await client.send('POST', '/api/svc/compute', input)
      done.tokens.push((body as { envelope: { token_id: string } }).envelope.token_id)
    }
  }
  const record = async (who: number): Promise<never> => {
    const slug = `m-${round}-${who}`
    await client.send('POST', '/api/chain/state-machines', { slug })
    for (let n = 0; ; n++) {
      const { body } = await client.send('POST', `/api/chain/${slug}/event`, { type: 'load', payload: n })
      const { seq, hash } = body as { readonly seq: number; readonly hash: string }
      done.entries.push({ slug, seq, hash })
    }
  }
  const load = Promise.allSettled([
    ...Array.from({ length: SEALERS }, (_, i) => seal(i + 1)),
    ...Array.from({ length: RECORDERS }, (_, i) => record(i + 1)),
  ])
  await syncBegins(client)
  await pause(randomInt(MS_SPAN))
  await node.end('SIGKILL')
  await load
  return done
}

/** What the directory of a killed node holds. */
interface Found {
  readonly missing: number
  /** Leaves of the other node's event log, and the root they should have there and have. */
  readonly synced: number
  readonly rootsFit: boolean
}

const find = async (directory: string, { tokens, entries }: Acknowledged, { store }: Party): Promise<Found> => {
  await using database = await openDatabase(databaseDirectory(directory), false)
  const noToken = tokens.filter((it) => database.peek('envelope', it) === undefined)
  const noEntry = entries.filter(
    (it) => database.peek('machineEntry', keyOf(it.slug, seqKey(it.seq)))?.hash !== it.hash,
  )
  const row = database.peek('foreignLog', sourceOf(store.events.origin))
  const synced = row?.size ?? 0
  const held = row?.held
  // fsck has hashed the leaves up to the edge and the notes; here the notes are held against the source itself.
  const rootsFit = held == null || toHex(await store.events.rootAt(held.size)) === held.root
  return { missing: noToken.length + noEntry.length, synced, rootsFit }
}

/** The other node: what of one keeps, gossips and syncs events, in this process, on the machine's clock. */
const openSource = async (opened: AsyncDisposableStack): Promise<readonly [Party, Mesh]> => {
  const clock = nodeClock()
  const party = await openParty(opened, clock)
  const { seed, network } = party
  const mesh = opened.use(await createMesh({ seed, config: loopback, network, clock, log: errorsOnly }))
  const ticking = setInterval(() => {
    party.store.closeTick().then(mesh.beat, console.error)
  }, TICK_MS)
  opened.defer(() => clearInterval(ticking))
  return [party, mesh]
}

/** Lets a node take what is still missing, and stops it in order. */
const catchUp = async (directory: string, environment: Readonly<Record<string, string>>, { store }: Party) => {
  const node = await startChildNode(directory, environment)
  for (;;) {
    const { sources } = await clientOf(node).call('network.mesh-status', {})
    const source = sources.find((it) => it.origin === store.events.origin)
    if (source?.size === store.events.size && store.events.checkpoint?.size === source.size) break
    await pause(TICK_MS)
  }
  await node.end('SIGTERM')
}

/** What all rounds come to. */
interface Total {
  tokens: number
  entries: number
  missing: number
  unclean: number
  /** Rounds whose kill fell behind the first range and before the last. */
  mid: number
  /** Rounds after which the roots differed from what the source had signed. */
  apart: number
}

/** Some rounds on one directory, against a source of its own: the backlog of many would be all that is measured. */
const roundsOn = async (
  directory: string,
  { from, to }: { readonly from: number; readonly to: number },
  total: Total,
) => {
  await using opened = new AsyncDisposableStack()
  const [source, mesh] = await openSource(opened)
  const environment = {
    TICKMESH_BOOTSTRAP: mesh.addresses()[0] ?? '',
    TICKMESH_LIMITS_KEY_CALLS_PER_MINUTE: '1000000',
  }
  let before = 0
  let done: Acknowledged = { tokens: [], entries: [] }
  for (let round = from; round <= to; round++) {
    const events = randomInt(EVENTS_MIN, EVENTS_MAX)
    await writeEvents(source, events, Math.ceil(events / INTERPRETED_PART))
    const node = await startChildNode(directory, environment)
    if (round === from) {
      const { zid } = await clientOf(node).call('economy.credits', {})
      await clientOf(node).call('economy.grant', { zid, credits: GRANT })
    }
    done = await loadUntilKilled(node, round)
    const { ok, bad } = await fsck({ directory })
    const found = await find(directory, done, source)
    total.tokens += done.tokens.length
    total.entries += done.entries.length
    total.missing += found.missing
    total.unclean += ok ? 0 : 1
    total.mid += found.synced > before && found.synced < source.store.events.size ? 1 : 0
    total.apart += found.rootsFit ? 0 : 1
    before = found.synced
    const verdict = ok ? 'clean' : `names ${bad?.table} ${bad?.key}: ${bad?.what}`
    const load = `${done.tokens.length} envelopes and ${done.entries.length} entries acknowledged`
    const synced = `${found.synced} of ${source.store.events.size} leaves synced`
    console.log(`round ${round}: ${load}, ${found.missing} lost, ${synced}, fsck ${verdict}`)
    if (found.missing > 0 || !ok || !found.rootsFit) process.exitCode = 1
  }
  await catchUp(directory, environment, source)
  const after = await find(directory, done, source)
  const whole = (await fsck({ directory })).ok && after.rootsFit && after.synced === source.store.events.size
  console.log(`directory of round ${to}: ${whole ? 'caught up, roots equal' : 'NOT CAUGHT UP'}`)
  if (!whole) process.exitCode = 1
}

/** Kills a node under load and in mid-sync again and again; what it acknowledged must be there, and fsck clean. */
export const crash = bench({
  name: 'crash',
  summary: 'rounds of kill -9 during seals, machine writes and sync: nothing acknowledged may be lost [rounds]',
  async run([rounds]) {
    const count = wholeOr(rounds, 50)
    const total: Total = { tokens: 0, entries: 0, missing: 0, unclean: 0, mid: 0, apart: 0 }
    for (let from = 1; from <= count; from += ROUNDS_EACH) {
      const directory = mkdtempSync(join(tmpdir(), 'tickmesh-crash-'))
      try {
        await roundsOn(directory, { from, to: Math.min(count, from + ROUNDS_EACH - 1) }, total)
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    }
    const { tokens, entries, missing, unclean, mid, apart } = total
    console.log(`${count} rounds, ${mid} of them killed with a sync part done`)
    console.log(`${tokens} envelopes and ${entries} entries acknowledged, ${missing} lost`)
    console.log(`${unclean} unclean by fsck, ${apart} with another root than the source`)
  },
})
