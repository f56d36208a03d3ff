/**
 * Goal: tokens that arrive by the hundred come many a stream, each verified; what was kept stays kept, whatever becomes
 * of the rest; a node of before is asked as before; what is kept of strangers has a bound.
 * Method: two real nodes whose streams are in memory, watched, changed and cut; fsck of both afterwards.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { canonicalBytes, parseCanonical } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { createBundleAnswers } from '#domain/economy/abroad/answer-bundles.ts'
import { STRANGE_BYTES_MAX } from '#domain/economy/abroad/fetch.ts'
import { BUNDLES_BYTES_MAX, readAnswer } from '#domain/economy/abroad/forms.ts'
import type { AbroadPorts } from '#domain/economy/abroad/types.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import { suite } from '../kit/suite.ts'
import { enrich, listOf, passing } from './token-kit.ts'
import { arrived, pair } from './token-pair.ts'
import { joinInMemory, type OnFrame } from './token-wire.ts'

const test = suite('mesh: tokens by the hundred')
const MS = 60_000
const TOKENS = 20

/** What a question asks for; undefined for what is none. */
const askOf = (frame: Uint8Array): string | undefined => {
  try {
    return (parseCanonical(frame) as { readonly ask?: string }).ask
  } catch {
    return undefined
  }
}

/** Counts questions by what they ask for. */
const counting = (asked: Map<string, number>, then: OnFrame = (_, frame) => frame): OnFrame => {
  return (from, frame) => {
    const ask = from === 'opener' ? askOf(frame) : undefined
    if (ask !== undefined) asked.set(ask, (asked.get(ask) ?? 0) + 1)
    return then(from, frame)
  }
}

test(
  'tokens of one op come in one stream, and one by one from a node that knows no such question',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann, bob } = await pair(stack, signal)
    const tokens = await enrich(a, ann, TOKENS)
    const [some, others] = [tokens.slice(0, TOKENS / 2), tokens.slice(TOKENS / 2)]
    const asked = new Map<string, number>()
    joinInMemory(b, [a], () => counting(asked))
    await ann.client.call('economy.send', { to: bob.zid, token_ids: some })
    await arrived([a, b], bob, some, signal)
    assert.deepEqual([asked.get('bundles'), asked.get('bundle')], [1, undefined])

    asked.clear()
    // A question that a node does not know is one that it cannot read.
    const before: OnFrame = (from, frame) =>
      from === 'opener' && askOf(frame) === 'bundles' ? canonicalBytes({ v: 1, ask: 'bundels' }) : frame
    joinInMemory(b, [a], () => counting(asked, before))
    await ann.client.call('economy.send', { to: bob.zid, token_ids: others })
    await arrived([a, b], bob, others, signal)
    assert.deepEqual([asked.get('bundles'), asked.get('bundle')], [1, others.length])
    for (const it of await listOf(bob)) {
      const bundle = await b.node.services.economy.awayBundle(it.token_id, bob.caller)
      assert.equal((JSON.parse(Buffer.from(bundle ?? []).toString()) as Bundle).envelope.claim.token_id, it.token_id)
    }
  },
  MS,
)

interface Bundle {
  readonly envelope: { readonly claim: { readonly token_id: string } }
}

test(
  'a bundle that does not verify holds up those behind it, and none before it',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann, bob } = await pair(stack, signal)
    const tokens = (await enrich(a, ann, TOKENS)).toSorted()
    const bad = tokens[12] ?? ''
    let lying = true
    const { compute } = a.node.services
    const bundle: AbroadPorts['bundle'] = async (token, caller) => {
      const whole = await compute.bundle(token, caller)
      if (!lying || token !== bad) return whole
      return { ...whole, envelope: { ...whole.envelope, signature: '0'.repeat(128) } }
    }
    joinInMemory(a, [b], undefined, { bundle })
    const asked = new Map<string, number>()
    joinInMemory(b, [a], () => counting(asked))
    await ann.client.call('economy.send', { to: bob.zid, token_ids: tokens })
    const held = async (): Promise<readonly string[]> => (await listOf(bob)).map((it) => it.token_id).toSorted()
    await passing([a, b], async () => (asked.get('bundles') ?? 0) >= 3, signal)
    assert.deepEqual(await held(), tokens.slice(0, 12))
    lying = false
    await arrived([a, b], bob, tokens, signal)
    assert.deepEqual(await held(), tokens)
  },
  MS,
)

test(
  'what was kept is not asked for again, though the home gives few at once and a stream is cut',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann, bob } = await pair(stack, signal)
    const tokens = (await enrich(a, ann, TOKENS)).toSorted()
    const { compute } = a.node.services
    const wanted: (readonly string[])[] = []
    // Six more with each question: what follows is not sealed yet.
    const bundle: AbroadPorts['bundle'] = async (token, caller) => {
      if (tokens.indexOf(token) >= 6 * wanted.length) throw new Fault('NOT_SEALED_YET')
      return compute.bundle(token, caller)
    }
    joinInMemory(a, [b], undefined, { bundle })
    joinInMemory(b, [a], () => {
      let said = 0
      let ofBundles = false
      return (from, frame) => {
        if (from === 'opener' && askOf(frame) === 'bundles') {
          wanted.push((parseCanonical(frame) as unknown as { token_ids: readonly string[] }).token_ids)
          ofBundles = true
        }
        if (from === 'answerer') said += 1
        // The second one breaks off behind the sizes.
        return ofBundles && wanted.length === 2 && from === 'answerer' && said === 2 ? undefined : frame
      }
    })
    await ann.client.call('economy.send', { to: bob.zid, token_ids: tokens })
    await arrived([a, b], bob, tokens, signal)
    assert.deepEqual(
      wanted.map((it) => it[0]),
      [0, 6, 6, 18].map((at) => tokens[at]),
    )
    assert.deepEqual((await listOf(bob)).map((it) => it.token_id).toSorted(), tokens)
  },
  MS,
)

test('a home gives as many bundles as come at once, one at least, and stops before what it cannot give', async () => {
  const zid = 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  const sizes = new Map<string, number>()
  const ports = { bundle: async (token: string) => 'x'.repeat(sizes.get(token) ?? assert.fail()) }
  const row = (token: string) => ({ listed_under: token.startsWith('f') ? 'zid1other' : zid }) as EnvelopeRow
  const { bundlesOf } = createBundleAnswers({ ports: () => ports as unknown as AbroadPorts }, row)
  const idOf = (i: number, from = '0'): string => `${from}${toHex(Uint8Array.of(i))}`.padEnd(32, '0')
  const given = async (all: readonly (number | undefined)[]): Promise<readonly number[]> => {
    sizes.clear()
    // Two bytes more are the quotes; what has no size is somebody else's.
    const token_ids = all.map((size, i) => (size === undefined ? idOf(i, 'f') : idOf(i)))
    for (const [i, size] of all.entries()) if (size !== undefined && size >= 0) sizes.set(idOf(i), size - 2)
    const { frame, pieces } = await bundlesOf({ v: 1, ask: 'bundles', zid, proof: null, token_ids })
    const { sizes: told } = readAnswer('bundles', frame)
    assert.equal(
      pieces?.length,
      told.reduce((sum, it) => sum + it, 0),
    )
    return told
  }
  const third = BUNDLES_BYTES_MAX / 4
  assert.deepEqual(await given([10, undefined, 20]), [10, 0, 20])
  assert.deepEqual(await given([third, third, third, third, 2]), [third, third, third, third])
  assert.deepEqual(await given([BUNDLES_BYTES_MAX + 1, 2]), [BUNDLES_BYTES_MAX + 1])
  assert.deepEqual(await given([5, BUNDLES_BYTES_MAX + 1, 7]), [5])
  assert.deepEqual(await given([5, 6, -1, 7]), [5, 6])
  await assert.rejects(given([-1, 7]))
})

test(
  'a ZID for which enough of strangers is kept takes no more, loses nothing, and goes on when some of it went',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann, bob } = await pair(stack, signal)
    const [first = '', second = '', third = ''] = await enrich(a, ann, 3)
    await ann.client.call('economy.send', { to: bob.zid, token_ids: [first] })
    await arrived([a, b], bob, [first], signal)
    const { store } = b.node
    const kept = store.peek('awayBytes', bob.zid) ?? 0
    const name = store.peek('awayToken', store.peek('awayByToken', first) ?? '')?.bundle ?? ''
    assert.equal(store.peek('blob', name)?.length, kept)

    await store.commit((tx) => tx.put('awayBytes', bob.zid, STRANGE_BYTES_MAX))
    const refused = await sending({ a, b, ann, bob }, second, signal)
    assert.equal(refused, 'NODE_BUSY')
    assert.deepEqual(
      (await listOf(bob)).map((it) => it.token_id),
      [first],
    )
    await store.commit((tx) => tx.put('awayBytes', bob.zid, kept))
    await arrived([a, b], bob, [first, second], signal)

    // In the middle of an arrival: what is on its way waits.
    joinInMemory(b, [])
    await ann.client.call('economy.send', { to: bob.zid, token_ids: [third] })
    await passing([a, b], async () => (await openOf(b)) === 1, signal)
    const whole = store.peek('awayBytes', bob.zid) ?? 0
    await store.commit((tx) => tx.put('awayBytes', bob.zid, STRANGE_BYTES_MAX))
    joinInMemory(b, [a])
    for (let i = 0; i < 20; i += 1) for (const it of [a, b]) await it.advanceTicks(1)
    assert.equal((await listOf(bob)).length, 2)
    await store.commit((tx) => tx.put('awayBytes', bob.zid, whole))
    await arrived([a, b], bob, [first, second, third], signal)

    await bob.client.call('economy.send', { to: ann.zid, token_ids: [first] })
    assert.equal(store.peek('blob', name), undefined, 'the bundle goes with its token')
    assert.ok((store.peek('awayBytes', bob.zid) ?? 0) < whole + kept)
  },
  MS,
)

type Pair = Awaited<ReturnType<typeof pair>>

/** Arrivals under way. */
const openOf = async ({ node: { store } }: Pair['b']): Promise<number> => {
  let open = 0
  for await (const _ of store.range('awayArrival')) open += 1
  return open
}

/** Sends a token that the other node refuses to take. @returns the code that it says */
const sending = async ({ a, b, ann, bob }: Pair, token: string, signal: AbortSignal): Promise<string | undefined> => {
  let code: string | undefined
  joinInMemory(a, [b], () => (from, frame) => {
    if (from === 'answerer') code ??= (parseCanonical(frame) as { readonly code?: string }).code
    return frame
  })
  await ann.client.call('economy.send', { to: bob.zid, token_ids: [token] })
  await passing([a, b], async () => code, signal)
  joinInMemory(a, [b])
  return code
}

test.run()
