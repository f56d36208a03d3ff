// Goal: the byte forms of batches stay. Method: the golden file, read as another implementation would read it: leaves
// put together from purpose, line feed and RFC 8785 text by hand, trees of three by RFC 6962's own rule.
import assert from 'node:assert/strict'
import {
  type BatchCall,
  type BatchOutcome,
  callLeaf,
  type SignedClosing,
  type SignedOpening,
  verifyClosing,
  verifyOpening,
} from '#core/batch/forms.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { nodeHash } from '#core/merkle.ts'
import { sha256 } from '#crypto'
import { readVector } from '../hostile/vectors.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/batch vectors')

interface Leaf {
  readonly bytes: string
  readonly hash: string
}
const { calls, opening, outcomes, closing } = readVector<{
  readonly calls: readonly (Leaf & { readonly call: BatchCall })[]
  readonly opening: Leaf & SignedOpening & { readonly text: string }
  readonly outcomes: readonly (Leaf & { readonly outcome: BatchOutcome })[]
  readonly closing: Leaf & SignedClosing & { readonly text: string }
}>('batch')

const leaf = (purpose: string, value: unknown): string =>
  toHex(utf8(`tickmesh/${purpose}/1\n${canonical(value as Json)}`))
const hashed = ({ bytes }: Leaf): string => toHex(sha256(Uint8Array.of(0, ...fromHex(bytes))))
const rootOfThree = (leaves: readonly Leaf[]): string => {
  const [a, b, c] = leaves.map(({ hash }) => fromHex(hash)) as [Uint8Array, Uint8Array, Uint8Array]
  return toHex(nodeHash(nodeHash(a, b), c))
}

test('leaves are purpose, line feed and canonical text, and their hashes RFC 6962’s', () => {
  for (const it of calls) assert.equal(leaf('batch-call', it.call), it.bytes)
  for (const it of outcomes) assert.equal(leaf('batch-outcome', it.outcome), it.bytes)
  const { opening: said, closing: told } = { ...opening, ...closing }
  assert.equal(leaf('batch-open', { opening: said, signature: opening.signature }), opening.bytes)
  assert.equal(leaf('batch-close', { closing: told, signature: closing.signature }), closing.bytes)
  for (const it of [...calls, ...outcomes, opening, closing]) assert.equal(hashed(it), it.hash)
  assert.equal(canonical(said as unknown as Json), opening.text)
  assert.equal(canonical(told as unknown as Json), closing.text)
})

test('the documents hold the roots, the counts and each other, and are signed', () => {
  assert.equal(opening.opening.root, rootOfThree(calls))
  assert.equal(closing.closing.outcomes, rootOfThree(outcomes))
  assert.equal(closing.closing.opening, opening.hash)
  const { sealed, refused, failed } = closing.closing
  assert.deepEqual([sealed, refused, failed], [1, 1, 1])
  assert(verifyOpening(opening) && verifyClosing(closing))
})

test('a signature of one is none of the other, nor of anything altered', () => {
  assert.equal(verifyOpening({ ...opening, signature: closing.signature }), false)
  assert.equal(verifyOpening({ ...opening, opening: { ...opening.opening, calls: 2 } }), false)
  assert.equal(verifyClosing({ ...closing, closing: { ...closing.closing, failed: 0 } }), false)
})

test('members that a call has beside its own are not part of its leaf', () => {
  const [{ call, bytes }] = calls as [(typeof calls)[0]]
  assert.equal(toHex(callLeaf({ ...call, index: 3 } as BatchCall)), bytes)
})

test.run()
