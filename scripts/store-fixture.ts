import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create } from 'tar'
import type { Client } from '#gateway/client.ts'
import { logNames, SCHEMA, type TableName } from '#store/layout.ts'
import { type TestNode, testNode } from '../test/kit/node.ts'

/*
 * Makes the fixture of the present schema: a small store in which every kind of row stands, packed as `store.tar.gz`
 * with the bundles it gave out, and what must still be true of it after any later migration, as `expected.json`. It
 * speaks to a node over HTTP alone, so the same program runs in the tree of an older release. Fixtures of schemas that
 * were released are never made anew.
 */

const HOME = fileURLToPath(new URL('../test/fixtures/stores', import.meta.url))
/** LevelDB's own talk and locks are no data. */
const NOT_DATA = /^(LOG|LOG\.old|LOCK)$/
const KEY_FILE = /\.(key|secret)$/
const CREDITS = 500

/** What a part of the story leaves for the next. */
interface Cast {
  readonly owner: Client
  readonly user: Client
  readonly guest: Client
  readonly zid: string
  readonly guestZid: string
  readonly userKey: string
}

const signUp = async (it: TestNode) => {
  const { zid, api_key: key } = await it.client.call('identity.sign-up', {})
  return { zid, key, client: it.as(key) }
}

/** Accounts of all three kinds, keys good, lapsing and revoked, credits and demo keys. */
const people = async (it: TestNode): Promise<Cast> => {
  const owner = it.as(readFileSync(join(it.directory, 'owner.key'), 'utf8').trim())
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
  const cast = { owner, user: user.client, guest: guest.client, zid: user.zid, guestZid: guest.zid }
  return { ...cast, userKey: user.key }
}

/** Envelopes of every solver and of operators, free and paid, filed and published, with a stored answer and a job. */
const envelopes = async (it: TestNode, { user, guest }: Cast): Promise<void> => {
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
  if (id === undefined) return
  for (let left = 1000; left > 0; left--) {
    const { state } = (await user.call('compute.job', { id })) as { state: string }
    if (state === 'done' || state === 'completed' || state === 'failed') return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the job of the fixture did not end')
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
  await it.client.call('messaging.contact', { subject: 'A question', message: 'Is this kept?', name: 'Fixture' })
}

const bundlesOf = async ({ node, client }: TestNode, { owner, user, guest }: Cast) => {
  const bundles: Record<string, unknown> = {}
  for await (const [token] of node.store.range('envelope')) {
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

/** What must be true of this store for ever. */
const expectationOf = async (it: TestNode, cast: Cast) => {
  const { store, nodeId } = it.node
  const logs = { seal: store.log, events: store.events }
  return {
    schema: SCHEMA,
    node: nodeId,
    genesis_mesh_tick: store.genesisMeshTick,
    stopped_ns: String(store.now().instant),
    logs: Object.fromEntries(
      logNames.map((name) => {
        const { size, root, origin, checkpoint } = logs[name]
        return [name, { size, root, origin, note: checkpoint?.note ?? null, signed: checkpoint?.size ?? 0 }]
      }),
    ),
    balances: await rowsOf(it, 'balance'),
    heads: await rowsOf(it, 'machineHead'),
    due: Object.keys(await rowsOf(it, 'due')).length,
    tables: await tablesOf(it),
    user: { zid: cast.zid, key: cast.userKey },
  }
}

const tablesOf = async (it: TestNode): Promise<Record<string, number>> => {
  const { tables } = await import('#store/layout.ts')
  const counts: Record<string, number> = {}
  for (const table of Object.keys(tables) as TableName[]) {
    const count = Object.keys(await rowsOf(it, table)).length
    if (count > 0) counts[table] = count
  }
  return counts
}

const pack = async (directory: string, file: string): Promise<void> => {
  const keys = readdirSync(directory).filter((name) => KEY_FILE.test(name))
  const database = readdirSync(join(directory, 'db')).filter((name) => !NOT_DATA.test(name))
  const names = [...keys, 'bundles.json', ...database.map((name) => `db/${name}`)].sort()
  await create({ file, cwd: directory, gzip: { level: 9 }, portable: true, mtime: new Date(0) }, names)
}

const directory = mkdtempSync(join(tmpdir(), 'tickmesh-fixture-'))
const target = join(process.argv[2] ?? HOME, `schema-${SCHEMA}`)
try {
  let expected: Awaited<ReturnType<typeof expectationOf>>
  {
    await using it = await testNode({ directory })
    await it.advanceTicks(1)
    const cast = await people(it)
    await envelopes(it, cast)
    await machines(it, cast)
    await it.advanceTicks(2)
    // The tick that is open when the node ends leaves a head of a machine that the next start must put into the log.
    await cast.user.call('machines.event', { slug: 'pump-7', type: 'reading', payload: { last: true } })
    expected = await expectationOf(it, cast)
    writeFileSync(join(directory, 'bundles.json'), JSON.stringify(await bundlesOf(it, cast)))
  }
  mkdirSync(target, { recursive: true })
  await pack(directory, join(target, 'store.tar.gz'))
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`)
  console.log(`${target}: rows ${JSON.stringify(expected.tables)}`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
