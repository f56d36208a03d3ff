/*
 * Goal: a contract takes what a member signed as a fire whose cause is the transaction, in one batch with its entry and
 * its nonce, or not at all; the chain file of such a machine proves it to a stranger; and the oracles of a machine are
 * told as its store has them. Method: a real node over HTTP with a key that the test holds; states, events, false
 * guards and transactions again; a chain file with one signature altered; readings of a public and a private machine.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { toHex } from '#core/bytes.ts'
import { verifyChainFile } from '#core/chain-file.ts'
import { purposes } from '#core/digest.ts'
import { publicKeyOfSeed, signValue } from '#core/keys.ts'
import type { Entry } from '#core/machine.ts'
import { signTx, type TxOrder, txEntryFault } from '#core/tx.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { entriesOf, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('contracts: signed transactions and oracles')

/** A gate that members open and shut; it opens wide at once when its level is high. */
const gate = {
  v: 1,
  name: 'Gate',
  context: { n: { type: 'integer', initial: 0 }, level: { type: 'integer', initial: 0 } },
  events: { level: { data: { v: { type: 'integer' } } }, never: { data: {} } },
  states: { shut: { initial: true }, open: {} },
  transitions: [
    {
      ...{ id: 'wide', from: 'shut', to: 'open', priority: 9, guard: 'context.level > 5' },
      trigger: { kind: 'event', event: 'never' },
    },
    {
      ...{ id: 'set', from: 'shut', to: 'shut', trigger: { kind: 'event', event: 'level' } },
      actions: [{ kind: 'set', level: { $: 'event.data.v' } }],
    },
    {
      id: 'open',
      from: 'shut',
      to: 'open',
      guard: 'context.level >= 1',
      trigger: { kind: 'one_shot', at_tick: 9_000_000_000 },
    },
    { id: 'shut', from: 'open', to: 'shut', trigger: { kind: 'event', event: 'never' } },
  ],
}

const refused = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (refusal) {
    if (refusal instanceof NodeRefusal) return refusal.code
    throw refusal
  }
  return 'ok'
}

/** A member of both machines whose key the test has, and somebody who brings what that member signs. */
const signedBy = async ({ it, owner }: Awaited<ReturnType<typeof stage>>) => {
  const seed = seeded().bytes(32)
  const public_key = toHex(publicKeyOfSeed(seed))
  const mesh_tick = it.node.store.now().meshTick
  const { node } = await it.client.call('explorer.seal', {})
  const signature = signValue(seed, purposes.signUp, { node, public_key, mesh_tick })
  const { zid } = await it.client.call('identity.sign-up', { public_key, mesh_tick, signature })
  for (const slug of ['open', 'shut']) await owner.call('identity.machine-add-admin', { slug, zid, role: 'operator' })
  const bearer = it.as((await it.client.call('identity.sign-up', {})).api_key)
  const submit = async (slug: string, more: Partial<TxOrder>) => {
    const { id_hash: machine } = (await owner.call('machines.read', { slug })).machine
    const order = { machine, nonce: randomBytes(16).toString('hex'), mesh_tick: it.node.store.now().meshTick, ...more }
    return bearer.call('machines.tx-submit', { slug, ...signTx(seed, order) })
  }
  return { zid, submit }
}

test('a contract goes where a member signed that it is to go, and its chain proves it', async () => {
  using dir = tempDir()
  {
    const staged = await stage({ directory: dir.path })
    await using it = staged.it
    const { owner } = staged
    const { zid, submit: submitTo } = await signedBy(staged)
    for (const slug of ['open', 'shut'] as const) {
      const submit = (more: Partial<TxOrder>) => submitTo(slug, more)
      const { contract } = await owner.call('contracts.custom', { slug, definition: gate, start: true })
      const about = { contract: contract.id }
      const before = (await entriesOf(it, slug, 'tx')).length
      assert.equal(await refused(submit({ ...about, to: 'open' })), 'GUARD_FALSE')
      assert.equal(await refused(submit({ ...about, to: 'nowhere' })), 'NO_TRANSITION')
      assert.equal(await refused(submit({ contract: '0'.repeat(32), to: 'open' })), 'NOT_FOUND')
      assert.equal((await entriesOf(it, slug, 'tx')).length, before)
      const set = await submit({ ...about, event: 'level', data: { v: 2 } })
      assert.deepEqual([set.signer, set.outcome], [zid, 'fired'])
      const gone = await submit({ ...about, to: 'open' })
      const fires = await firesOf(it, contract.id)
      const rows = fires.map(({ cause, by, steps, fire, to }) => ({ cause, by, steps, fire, to }))
      assert.deepEqual(rows, [
        { cause: { key: set.tx }, by: zid, steps: ['set'], fire: set.fire, to: 'shut' },
        { cause: { key: gone.tx }, by: zid, steps: ['open'], fire: gone.fire, to: 'open' },
      ])
      const { id_hash } = (await owner.call('machines.read', { slug })).machine
      const entries = await entriesOf(it, slug, 'tx')
      assert.deepEqual(
        entries.map((entry) => txEntryFault(id_hash, entry)),
        [undefined, undefined],
      )
      assert.equal(JSON.stringify(entries).includes('"v":2'), false, 'what is told to a contract stands with its fire')
      const { ok } = await owner.call('contracts.verify', { slug, id: contract.id })
      assert.equal(ok, true)
    }
    await it.advanceTicks(2)
    const rows = (await owner.call('machines.explore', { slug: 'open', limit: 200 })).rows
    const entries = rows.map(
      (row): Entry => ({
        ...{ seq: row.seq, previous: row.prevHash, tick: row.tickNumber, type: row.transitionType },
        body: row.body,
      }),
    )
    const { machine } = await owner.call('machines.read', { slug: 'open' })
    const { proof } = await owner.call('machines.block', { slug: 'open', seq: entries.length - 1 })
    const { path: _, ...head } = proof!
    const file = { format: 'tickmesh-chain-v1', slug: 'open', genesis_hash: machine.genesis_hash, entries, proof: head }
    const { vkey } = await it.client.call('explorer.seal', {})
    assert.equal(verifyChainFile(file, { trusted: vkey }).outcome, 'verified')
    const spoiled = entries.map((entry) => {
      const body = entry.body as Record<string, Record<string, string>>
      return body['tx'] === undefined
        ? entry
        : { ...entry, body: { ...body, tx: { ...body['tx'], nonce: '0'.repeat(32) } } }
    })
    assert.equal(verifyChainFile({ ...file, entries: spoiled as Entry[] }, { trusted: vkey }).failing, 'chain')
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what feeds a machine is told with its newest readings, to a stranger as far as its chain shows', async () => {
  const staged = await stage()
  await using it = staged.it
  const { owner } = staged
  for (const slug of ['open', 'shut'] as const) {
    const level = {
      from: { kind: 'machine', slug, event: 'level', field: 'v' },
      type: 'number',
      unit: 'm',
      max_age: 30,
    }
    const definition = {
      ...{ v: 1, name: 'Reader', context: { n: { type: 'number', initial: 0 } }, events: { look: { data: {} } } },
      oracles: { level, never: { ...level, from: { ...level.from, event: 'never' }, on_stale: 'last' } },
      states: { on: { initial: true } },
      transitions: [
        {
          ...{ id: 'read', from: 'on', to: 'on', trigger: { kind: 'event', event: 'look' } },
          actions: [{ kind: 'set', n: { $: 'oracle.level' } }],
        },
      ],
    }
    const { contract } = await owner.call('contracts.custom', { slug, definition, start: true })
    assert.equal((await owner.call('machines.oracles', { slug })).oracles[0]!.last, null)
    await owner.call('machines.event', { slug, type: 'level', data: { v: 3.5 } })
    await owner.call('machines.event', { slug, type: 'look', data: {} })
    await pass(it, 2)
    const { oracles, next_after } = await owner.call('machines.oracles', { slug })
    assert.equal(next_after, null)
    const [first, second] = oracles
    assert.deepEqual([first!.contract, first!.oracle, first!.unit, first!.stale], [contract.id, 'level', 'm', false])
    assert.deepEqual([first!.last!.value, first!.last!.withheld, first!.last!.basis], [3.5, false, 'node'])
    assert.match(first!.last!.source, new RegExp(`^machine:${slug}/`))
    assert.ok(first!.last!.age_ticks >= 2)
    assert.deepEqual([second!.oracle, second!.last, second!.stale], ['never', null, true])
    const { contracts } = await owner.call('machines.awareness', { slug })
    assert.deepEqual(contracts, { live: 1, paused: 0, frozen: 0 })
  }
  const look = (slug: string) => it.client.call('machines.oracles', { slug })
  assert.equal((await look('open')).oracles[0]!.last!.value, 3.5)
  assert.equal(await refused(look('shut')), 'NOT_FOUND')
  // What was said while the machine was private stays with its members when it is opened.
  await owner.call('machines.settings', { slug: 'shut', is_public: true })
  const [shown] = (await look('shut')).oracles
  assert.deepEqual([shown!.last!.value, shown!.last!.withheld], [null, true])
  await pass(it, 31, 31)
  assert.equal((await look('open')).oracles[0]!.stale, true)
})

test.run()
