/*
 * Goal: the lines of a batch prove that none of its calls is missing, and whatever is left out, put in, exchanged or
 * told otherwise fails, at the step that is about it. Method: lines of a real node, altered in one way at a time.
 */
import assert from 'node:assert/strict'
import { isBatchFile } from '#core/batch/file.ts'
import { proofLine } from '#core/batch/proof-line.ts'
import { type BatchVerification, verifyBatchLines } from '#core/batch/verify.ts'
import { utf8 } from '#core/bytes.ts'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { ask, form, forms } from './asking.ts'

const test = suite('domain/compute: batches verified')

// biome-ignore lint/suspicious/noExplicitAny: what is altered here has the form of the wire, and no other.
type Line = any
type Alter = (lines: Line[], other: Line[]) => unknown

const linesOf = async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const calls = [form(1e30), form(2e30), { route: 'action', input: { stepsPerPeriod: 40 } }, form(2e30), form(3e30)]
  const alone = (await it.as(key).call('compute.compute', forms(3)[2]!.input as never)) as Line
  const me = { url: it.url, key }
  const first = await ask({ calls }, { ...me, idempotencyKey: 'a' })
  const second = await ask({ calls: calls.toReversed() }, { ...me, idempotencyKey: 'b' })
  assert.deepEqual([first.status, second.status], [200, 200])
  await it.advanceTicks(2)
  const read = async (body: object, idempotencyKey: string) =>
    (await ask(body, { ...me, idempotencyKey })).lines.map((line) => JSON.parse(line) as Line)
  return {
    node: (await it.client.call('identity.node', {})).node,
    alone,
    lines: await read({ calls }, 'a'),
    other: await read({ calls: calls.toReversed() }, 'b'),
  }
}

const made = linesOf()
const textOf = (lines: readonly Line[]): Uint8Array => utf8(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
const copy = (lines: readonly Line[]): Line[] => JSON.parse(JSON.stringify(lines)) as Line[]

const failure = ({ outcome, failing, steps }: BatchVerification): string =>
  outcome === 'failed' ? (failing ?? '') : `${outcome}: ${JSON.stringify(steps)}`

test('what the node answered verifies under its key, whole and with the results cut out', async () => {
  const { lines, other, node } = await made
  for (const them of [lines, other, lines.map(proofLine)]) {
    assert(isBatchFile(textOf(them)))
    const found = verifyBatchLines(textOf(them), { trusted: node })
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
    assert.equal(found.batch?.calls.length, 5)
  }
})

test('without a key, a proof or a closing it is unchecked, and accuses nobody', async () => {
  const { lines, node } = await made
  assert.deepEqual(verifyBatchLines(textOf(lines)).unchecked, ['key'])
  const unproved = copy(lines)
  unproved.at(-1).proofs = { opening: null, closing: null }
  assert.deepEqual(verifyBatchLines(textOf(unproved), { trusted: node }).unchecked, ['checkpoint', 'inclusion'])
  const open = verifyBatchLines(textOf(lines.slice(0, -1)), { trusted: node })
  assert.deepEqual([open.outcome, open.unchecked], ['unchecked', ['outcomes', 'checkpoint', 'inclusion']])
})

const renumber = (lines: Line[]): void => {
  for (const [i, line] of lines.slice(1, -1).entries()) line.index = i
}

const alterations: readonly (readonly [what: string, failing: string, alter: Alter])[] = [
  ['a call left out', 'form', (it) => it.splice(2, 1)],
  ['a call left out, the others counted anew', 'calls', (it) => [it.splice(2, 1), renumber(it)]],
  ['the refused one left out', 'calls', (it) => [it.splice(3, 1), renumber(it)]],
  ['the last ones left out', 'calls', (it) => it.splice(4, 2)],
  ['a call put in', 'calls', (it) => [it.splice(2, 0, copy(it)[1]), renumber(it)]],
  ['two exchanged', 'calls', (it) => [it.splice(1, 2, it[2], it[1]), renumber(it)]],
  ['another input', 'calls', (it) => Object.assign(it[1].input.inputs, { mass: 1 })],
  ['another route', 'calls', (it) => Object.assign(it[1], { route: 'POST /api/svc/prove' })],
  ['another digest of the inputs', 'calls', (it) => Object.assign(it[1], { inputs_digest: it[2].inputs_digest })],
  ['an opening of fewer calls', 'signature', (it) => Object.assign(it[0].opening, { calls: 4 })],
  ['another root', 'signature', (it, other) => Object.assign(it[0].opening, { root: other[0].opening.root })],
  ['a smaller price', 'signature', (it) => Object.assign(it[0].opening, { price: 0 })],
  [
    'the opening of another batch',
    'signature',
    (it, other) => Object.assign(it[0], { opening: other[0].opening, signature: other[0].signature }),
  ],
  ['the closing of another batch', 'signature', (it, other) => it.splice(-1, 1, other.at(-1))],
  ['other counts', 'signature', (it) => Object.assign(it.at(-1).closing, { sealed: 5, refused: 0 })],
  ['a refusal told as a failure', 'outcomes', (it) => Object.assign(it[3], { outcome: 'failed' })],
  ['a refusal with another code', 'outcomes', (it) => Object.assign(it[3].problem, { code: 'NODE_BUSY' })],
  [
    'a sealed one told as refused',
    'outcomes',
    (it) => Object.assign(it[2], { outcome: 'refused', problem: it[3].problem }),
  ],
  ['two equal calls with one envelope', 'outcomes', (it) => Object.assign(it[4], { answer: it[2].answer })],
  ['an envelope of the other batch', 'outcomes', (it, other) => Object.assign(it[1], { answer: other[5].answer })],
  ['another value in a claim', 'envelopes', (it) => Object.assign(it[1].answer.claim, { value: 1 })],
  [
    'another digest in a claim',
    'envelopes',
    (it) => Object.assign(it[1].answer.claim, { inputs_digest: it[2].inputs_digest }),
  ],
  [
    'a signature of another claim',
    'envelopes',
    (it) => Object.assign(it[1].answer, { signature: it[2].answer.signature }),
  ],
  [
    'the proof of the other leaf',
    'inclusion',
    (it) => Object.assign(it.at(-1).proofs, { opening: it.at(-1).proofs.closing }),
  ],
  ['a proof that is none', 'key', (it) => Object.assign(it.at(-1).proofs, { closing: 'c2sp.org/tlog-proof@v1\n' })],
  ['an index that is no number', 'form', (it) => Object.assign(it[1], { index: '0' })],
  ['a claim with a member more', 'form', (it) => Object.assign(it[1].answer.claim, { more: 1 })],
  ['an opening with a member more', 'form', (it) => Object.assign(it[0].opening, { more: 1 })],
  ['a line of nothing', 'form', (it) => it.splice(1, 1, null)],
]

for (const [what, failing, alter] of alterations) {
  test(`${what} fails`, async () => {
    const { lines, other, node } = await made
    const altered = copy(lines)
    alter(altered, copy(other))
    assert.equal(failure(verifyBatchLines(textOf(altered), { trusted: node })), failing)
  })
}

test('another key than the node’s fails, and bytes that are no text fail at their form', async () => {
  const { lines, alone } = await made
  const found = verifyBatchLines(textOf(lines), {
    trusted: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  })
  assert.equal(failure(found), 'key')
  assert.equal(failure(verifyBatchLines(Uint8Array.of(0xff, 0x0a, 0xfe))), 'form')
  assert.equal(failure(verifyBatchLines(new Uint8Array())), 'form')
  assert.equal(isBatchFile(utf8(JSON.stringify(alone))), false)
})

test.run()
