import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create } from 'tar'
import type { Client } from '#gateway/client.ts'
import { type TableName, tables } from '#store/layout.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { logNames } from '#store/rows/log.ts'
import type { SealLog } from '#store/seal-log.ts'
import { type TestNode, testNode } from '../test/kit/node.ts'
import { until } from '../test/kit/until.ts'
import { loseLeaves, meet, nowOf, openLast, openWitness, rotate } from './fixture/mesh.ts'

/*
 * Makes the fixture of the present schema: a small store in which every table of the layout has a row, packed as
 * `store.tar.gz` with the bundles it gave out, and what must still be true of it after any later migration, as
 * `expected.json`. All rows come about as they do for people: by HTTP, by other nodes (fixture/mesh.ts), and by the
 * doors that rotate a key and begin a new log. Fixtures of schemas that were released are never made anew.
 */

const HOME = fileURLToPath(new URL('../test/fixtures/stores', import.meta.url))
/** LevelDB's own talk and locks are no data. */
const NOT_DATA = /^(LOG|LOG\.old|LOCK)$/
const KEY_FILE = /\.(key|secret)$/
const CREDITS = 500
const TIME_MS = 300_000

/** What a part of the story leaves for the next: who plays in it. */
interface People {
  readonly keys: Readonly<Record<'owner' | 'user' | 'guest', string>>
  readonly zid: string
  readonly guestZid: string
}

interface Cast extends People {
  readonly owner: Client
  readonly user: Client
  readonly guest: Client
}

/** The same people, at a node that was started again. */
const castAt = (it: TestNode, { keys, zid, guestZid }: People): Cast => {
  const { owner, user, guest } = keys
  return { keys, zid, guestZid, owner: it.as(owner), user: it.as(user), guest: it.as(guest) }
}

const signUp = async (it: TestNode) => {
  const { zid, api_key: key } = await it.client.call('identity.sign-up', {})
  return { zid, key, client: it.as(key) }
}

/** Accounts of all three kinds, keys good, lapsing and revoked, credits and demo keys. */
const people = async (it: TestNode): Promise<Cast> => {
  const ownerKey = readFileSync(join(it.directory, 'owner.key'), 'utf8').trim()
  const owner = it.as(ownerKey)
  const user = await signUp(it)
  const guest = await signUp(it)
  await owner.call('economy.grant', { zid: user.zid, credits: CREDITS, reason: 'fixture' })
  await user.client.call('identity.create-key', { name: 'lapses', expires_in_seconds: 86_400 })
  const { id } = await user.client.call('identity.create-key', { name: 'revoked' })
  await user.client.call('identity.revoke-key', { id })
  await user.client.call('economy.set-publish-default', { publish: true })
  const demo = await it.client.call('economy.mint-demo-key', {})
  await it.as(demo.key).call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass: 5.972e24 } })
  const shared = await it.client.call('economy.demo-key', {})
  await it.as(shared.key).call('compute.multibody', {})
  const keys = { owner: ownerKey, user: user.key, guest: guest.key }
  return castAt(it, { keys, zid: user.zid, guestZid: guest.zid })
}

/** Envelopes of every solver and of operators, free and paid, filed and published, with a stored answer and a job. */
const envelopes = async (it: TestNode, { user, guest }: Cast, signal: AbortSignal): Promise<void> => {
  await user.call('compute.heat', { nx: 32, ny: 32, steps: 4 }, { idempotencyKey: 'fixture-heat' })
  await user.call('compute.multibody', {})
  await user.call('compute.sat', {})
  await user.call('compute.quant', {})
  await user.call('compute.schrodinger', {})
  await it.advanceTicks(1)
  for (const mass of [1e30, 2e30, 3e30]) {
    await user.call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass } })
    await it.advanceTicks(1)
  }
  await guest.call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass: 7.3e22 } })
  await user.call('economy.file', { folder: 'kept & filed/ä', count: 2 })
  const job = await user.send('POST', '/api/svc/heat', { nx: 32, ny: 32, steps: 8 }, { prefer: 'respond-async' })
  const { id } = job.body as { id?: string }
  if (id === undefined) throw new Error('the job of the fixture was not taken')
  const ended = ['done', 'completed', 'failed']
  await until(async () => ended.includes(((await user.call('compute.job', { id })) as { state: string }).state), signal)
}

/** Two machines with entries of every type, members, keys, a share in use, anchors, an audit that was read. */
const machines = async (it: TestNode, { user, guest, guestZid }: Cast): Promise<void> => {
  const slug = 'pump-7'
  await user.call('machines.create', { slug, is_public: true, display_name: 'Pump 7' })
  await user.call('machines.create', { slug: 'hidden-1', is_public: false })
  await user.call('machines.event', { slug, type: 'reading', payload: { pressure_Pa: 101_325 } })
  await user.call('machines.record-state', { slug, state_hash: 'a'.repeat(64) })
  await it.advanceTicks(1)
  await user.call('machines.file', { slug, hash: '1'.repeat(64), bytes: 1287, media_type: 'text/csv' })
  await user.call('machines.connection', { slug, direction: 'inbound', address: '192.0.2.7' })
  await user.call('machines.settings', { slug, display_name: 'Pump seven' })
  await user.call('machines.status', { slug, status: 'paused' })
  await it.advanceTicks(1)
  await user.call('machines.status', { slug, status: 'active' })
  await user.call('machines.rejection-log', { slug, code: 'PRECISION_NOT_MET' })
  await user.call('identity.machine-add-admin', { slug, zid: guestZid, role: 'viewer' })
  await user.call('identity.machine-change-admin', { slug, zid: guestZid, role: 'operator' })
  const made = await user.call('identity.machine-make-key', { slug, name: 'pipeline', scope: 'write' })
  const gone = await user.call('identity.machine-make-key', { slug, name: 'revoked', scope: 'read' })
  await user.call('identity.machine-revoke-key', { slug, id: gone.id })
  await it.as(made.api_key).call('machines.event', { slug, type: 'reading', payload: { by: 'a machine key' } })
  const share = await user.call('machines.share', { slug: 'hidden-1' })
  await guest.call('machines.unlock', { slug: 'hidden-1', token: share.share_token })
  await user.call('machines.set-anchor-config', { slug, accepts: 'anyone' })
  await it.advanceTicks(1)
  await user.call('machines.anchor', { motherSlug: slug, slug: 'hidden-1' })
  await user.call('machines.rotate-anchor-key', { slug: 'hidden-1' })
  await user.call('vault.audit-decrypt', { slug, from: 0, to: 3 })
  await user.call('compute.reactor', { machine: slug, steps: 3 })
  await user.call('compute.reactor-step', {})
  await it.client.call('messaging.contact', { subject: 'A question', message: 'Is this kept?', name: 'Fixture' })
}

/** The bundles of all envelopes; one that was given out before stays as it was given. */
const bundlesOf = async (
  { node, client }: TestNode,
  { owner, user, guest }: Cast,
  before: Readonly<Record<string, unknown>> = {},
) => {
  const bundles: Record<string, unknown> = { ...before }
  for await (const [token] of node.store.range('envelope')) {
    if (token in bundles) continue
    const asked = [user, guest, owner, client]
    const answers = await Promise.allSettled(asked.map((it) => it.call('compute.bundle', { token_id: token })))
    const found = answers.find((it) => it.status === 'fulfilled')
    if (found === undefined) throw new Error(`nobody may have the bundle of ${token}`)
    bundles[token] = found.value
  }
  return bundles
}

const rowsOf = async ({ node }: TestNode, table: TableName): Promise<Record<string, unknown>> => {
  const rows: Record<string, unknown> = {}
  for await (const [key, row] of node.store.range(table)) rows[key] = row
  return rows
}

const logOf = ({ size, root, origin, checkpoint }: SealLog) => {
  return { size, root, origin, note: checkpoint?.note ?? null, signed: checkpoint?.size ?? 0 }
}

/** What other nodes signed, and keys that came before. */
const meshOf = async (it: TestNode) => {
  const { store } = it.node
  const eras = store.eras.map(({ node, log, events, succession }) => {
    return { node, logs: { seal: logOf(log), events: logOf(events) }, succession: succession ?? null }
  })
  const foreign = Object.values(await rowsOf(it, 'foreignLog'))
  const cosignatures = await rowsOf(it, 'cosignature')
  const evidence = await rowsOf(it, 'evidence')
  const successors = Object.keys(await rowsOf(it, 'successor'))
  return { eras, foreign, cosignatures, evidence, successors }
}

/** What must be true of this store for ever. */
const expectationOf = async (it: TestNode, { zid, keys }: Cast) => {
  const { store, nodeId } = it.node
  const logs = { seal: store.log, events: store.events }
  return {
    schema: SCHEMA,
    node: nodeId,
    genesis_mesh_tick: store.genesisMeshTick,
    stopped_ns: String(store.now().instant),
    logs: Object.fromEntries(logNames.map((name) => [name, logOf(logs[name])])),
    balances: await rowsOf(it, 'balance'),
    heads: await rowsOf(it, 'machineHead'),
    due: Object.keys(await rowsOf(it, 'due')).length,
    mesh: await meshOf(it),
    tables: await tablesOf(it),
    user: { zid, key: keys.user },
  }
}

/** How many rows each table has. @throws Error for one that has none: whatever is stored must rest here. */
const tablesOf = async (it: TestNode): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of Object.keys(tables) as TableName[]) counts[table] = Object.keys(await rowsOf(it, table)).length
  const empty = Object.keys(counts).filter((table) => counts[table] === 0)
  if (empty.length > 0) throw new Error(`the fixture has no row of ${empty.join(', ')}`)
  return counts
}

const pack = async (directory: string, file: string): Promise<void> => {
  const keys = readdirSync(directory).filter((name) => KEY_FILE.test(name))
  const database = readdirSync(join(directory, 'db')).filter((name) => !NOT_DATA.test(name))
  const names = [...keys, 'bundles.json', ...database.map((name) => `db/${name}`)].sort()
  await create({ file, cwd: directory, gzip: { level: 9 }, portable: true, mtime: new Date(0) }, names)
}

/** The part that needs nobody else: people, envelopes, machines. */
const alone = async (directory: string, signal: AbortSignal) => {
  await using it = await testNode({ directory })
  await it.advanceTicks(1)
  const cast = await people(it)
  await envelopes(it, cast, signal)
  await machines(it, cast)
  await it.advanceTicks(2)
  return { cast, bundles: await bundlesOf(it, cast) }
}

/** One more envelope and one more entry, in a tick of an era of its own. */
const goOn = async (it: TestNode, people: People): Promise<void> => {
  const { user } = castAt(it, people)
  const mass = 4e30 + it.node.store.eras.length * 1e29
  await user.call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass } })
  await user.call('machines.event', { slug: 'pump-7', type: 'reading', payload: { era: it.node.store.eras.length } })
  await it.advanceTicks(1)
}

/** The whole life of the store in a directory: alone, among others, under a second key, after leaves were lost. */
const live = async (directory: string) => {
  await using opened = new AsyncDisposableStack()
  const signal = AbortSignal.timeout(TIME_MS)
  const { cast: people, bundles } = await alone(directory, signal)
  const witness = await openWitness(opened, signal)
  await meet(directory, witness, signal)
  await witness.advanceTicks(2)
  await rotate(directory, nowOf(witness))
  await witness.advanceTicks(2)
  {
    await using it = await testNode({ directory, start: nowOf(witness) })
    await goOn(it, people)
    await witness.advanceTicks(2)
  }
  await loseLeaves(directory, witness, signal)
  await witness.advanceTicks(2)
  const it = await openLast(opened, { directory, witness }, signal)
  await goOn(it, people)
  await it.advanceTicks(1)
  const cast = castAt(it, people)
  const all = await bundlesOf(it, cast, bundles)
  // The tick that is open when the node ends leaves a head of a machine that the next start must put into the log.
  await cast.user.call('machines.event', { slug: 'pump-7', type: 'reading', payload: { last: true } })
  return { expected: await expectationOf(it, cast), bundles: all }
}

const directory = mkdtempSync(join(tmpdir(), 'tickmesh-fixture-'))
const target = join(process.argv[2] ?? HOME, `schema-${SCHEMA}`)
try {
  const { expected, bundles } = await live(directory)
  writeFileSync(join(directory, 'bundles.json'), JSON.stringify(bundles))
  mkdirSync(target, { recursive: true })
  await pack(directory, join(target, 'store.tar.gz'))
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`)
  console.log(`${target}: rows ${JSON.stringify(expected.tables)}`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
