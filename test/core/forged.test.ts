// Goal: a forger gets nothing past any of the judges, whatever it may sign itself, and each refusal names the step that
// the forgery breaks. Method: the bundle of a real node, and forgeries of it by a stranger and by that node's own key
// (read from its directory); every one put before core, the command line's file reader and the page's judge.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyFile } from '#cli/evidence.ts'
import { bundleText, parseBundle } from '#core/bundle.ts'
import { fromHex, toBase64, toHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Claim } from '#core/claim.ts'
import { envelopeLeaf, equationsDigest, inputsDigest, receiptDigest, resultDigest, signClaim } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { tokenIdOf } from '#core/ids.ts'
import { nodeIdOf, publicKeyOf, publicKeyOfSeed } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { encodeTlogProof, parseTlogProof } from '#core/tlog-proof.ts'
import { type StepName, type Verification, verifyBundle } from '#core/verify.ts'
import { readKept } from '#domain/compute/load-registry.ts'
import { replayHere } from '#node/offline.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { judge } from '#ui/receipt/verify-file.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('core/forged')

const operators = new URL('../../protocols/operators/', import.meta.url)
const rows = readdirSync(operators)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => readFileSync(new URL(name, operators), 'utf8'))

interface Real {
  readonly bundle: Bundle
  readonly claim: Claim
  readonly seed: Uint8Array
}

/** A sealed computation of a real node, and the seed of its identity key. */
const real = async (): Promise<Real> => {
  await using it = await testNode()
  const { key } = await it.client.call('economy.mint-demo-key', {})
  const computed = await it.as(key).call('compute.compute', { operators: ['GR37'], inputs: { mass: 1.98892e30 } })
  const { token_id } = (computed as { readonly envelope: { readonly token_id: string } }).envelope
  await it.advanceTicks(2)
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${it.url}/api/envelopes/${token_id}/bundle`, { headers })
  assert.equal(answer.status, 200)
  const bundle = parseBundle(new Uint8Array(await answer.arrayBuffer()))
  const seed = fromHex(readFileSync(join(it.directory, 'identity.key'), 'utf8').trim())
  return { bundle, claim: bundle.envelope.claim, seed }
}

/** What a node can make with its own key: a claim of its choice, in a log of one leaf that it signs. */
const selfMade = (
  { bundle, claim, seed }: Real,
  changes: Partial<Claim>,
  more: { readonly envelope?: object; readonly bundle?: object } = {},
): Bundle => {
  const node = nodeIdOf(publicKeyOfSeed(seed))
  const log = claim.log.replace(claim.node, node)
  const signed = { ...claim, node, log, index: 0, token_id: tokenIdOf(log, 0), ...changes } as Claim
  const signature = signClaim(seed, signed)
  const root = leafHash(envelopeLeaf(signed, signature))
  const checkpoint = signCheckpoint({ origin: log, size: 1, root }, publicKeyOf(node), seed)
  const envelope = { ...bundle.envelope, claim: signed, signature, ...more.envelope }
  return { ...bundle, envelope, proof: encodeTlogProof({ index: 0, path: [], checkpoint }), ...more.bundle }
}

const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n

/** The same signature with S + L in place of S: the classic second form. */
const malleated = (signature: string): string => {
  const bytes = fromHex(signature)
  let s = 0n
  for (let i = 31; i >= 0; i--) s = (s << 8n) | BigInt(bytes[32 + i] ?? 0)
  s += ORDER
  for (let i = 0; i < 32; i++, s >>= 8n) bytes[32 + i] = Number(s & 255n)
  return toHex(bytes)
}

/** Stands for arrays nested without end, which no writer of JSON could write. */
const NESTED = 'nested without end'
const LEVELS = 20_000

/** What all judges say alike. */
interface Verdict {
  readonly outcome: Verification['outcome']
  readonly failing?: string
  readonly steps: readonly object[]
}

/** Every judge's verdict on a bundle, with a re-run. */
const verdicts = async (forged: unknown, trusted: string, directory: string): Promise<readonly Verdict[]> => {
  const text = JSON.stringify(forged).replace(`"${NESTED}"`, `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`)
  const bundle = JSON.parse(text) as unknown
  const file = join(directory, 'bundle.json')
  writeFileSync(file, text)
  return [
    verifyBundle({ bundle, trusted, schemas: schemasHere, replay: replayHere }),
    await verifyFile(file, { trusted, replay: true }),
    await judge(
      { evidence: new Blob([text]), trusted, past: [] },
      { rows, kept: async () => readKept() },
      () => undefined,
    ),
  ]
}

const NEUTRAL = `01${'00'.repeat(31)}`

/** Forgeries of a bundle as it is, by anyone. */
const byAnyone = ({ bundle, claim, seed }: Real): readonly (readonly [StepName, string, unknown])[] => {
  const { envelope, proof } = bundle
  const parts = parseTlogProof(proof)
  const stranger = new Uint8Array(32).fill(9)
  const withClaim = (changes: object): unknown => ({
    ...bundle,
    envelope: { ...envelope, claim: { ...claim, ...changes } },
  })
  const withSignature = (signature: string): unknown => ({ ...bundle, envelope: { ...envelope, signature } })
  const withProof = (text: string): unknown => ({ ...bundle, proof: text })
  const unsound = nodeIdOf(fromHex(NEUTRAL))
  const unsoundLog = claim.log.replace(claim.node, unsound)
  return [
    ['key', 'made by a stranger in a log of its own', selfMade({ bundle, claim, seed: stranger }, {})],
    ['key', 'another node named in the same log', withClaim({ node: nodeIdOf(publicKeyOfSeed(stranger)) })],
    [
      'key',
      'a node whose key anybody can sign with',
      {
        ...bundle,
        envelope: {
          ...envelope,
          claim: { ...claim, node: unsound, log: unsoundLog, token_id: tokenIdOf(unsoundLog, claim.index) },
          signature: `01${'00'.repeat(63)}`,
        },
      },
    ],
    ['signature', "a stranger's signature", withSignature(signClaim(stranger, claim))],
    ['signature', 'S + L', withSignature(malleated(envelope.signature))],
    ['form', 'upper-case signature', withSignature(envelope.signature.toUpperCase())],
    ['form', 'a look-alike letter in the log', withClaim({ log: claim.log.replace('e', '\u0435') })],
    ['signature', 'a huge index', withClaim({ index: Number.MAX_SAFE_INTEGER })],
    ['form', 'an index beyond what a number holds', withClaim({ index: 2 ** 53 })],
    ['form', 'a negative error', withClaim({ precisionActual: -1e-300 })],
    ['checkpoint', 'CRLF', withProof(proof.replaceAll('\n', '\r\n'))],
    [
      'checkpoint',
      'CRLF in the note alone',
      withProof(encodeTlogProof({ ...parts, checkpoint: parts.checkpoint.replaceAll('\n', '\r\n') })),
    ],
    ['checkpoint', 'a look-alike origin', withProof(proof.replaceAll('tickmesh.log', 'tickm\u0435sh.log'))],
    ['checkpoint', 'another genesis in the note', withProof(proof.replaceAll(claim.log, `${claim.log}0`))],
    ['checkpoint', 'another size', withProof(proof.replace(`${claim.log}\n`, `${claim.log}\n1`))],
    [
      'checkpoint',
      'an extension line',
      withProof(encodeTlogProof({ ...parts, checkpoint: parts.checkpoint.replace('\n\n', '\nextension\n\n') })),
    ],
    [
      'checkpoint',
      'one signature more than a note has',
      withProof(proof + `— stranger ${toBase64(new Uint8Array(68))}\n`.repeat(32)),
    ],
    ['checkpoint', 'the index twice', withProof(proof.replace(/index \d+\n/, '$&$&'))],
    ['checkpoint', 'the index in another spelling', withProof(proof.replace('index ', 'index 0'))],
    ['checkpoint', 'an index beyond what a number holds', withProof(proof.replace(/index \d+/, `index ${2 ** 53}`))],
    ['inclusion', 'an index beyond the tree', withProof(proof.replace(/index \d+/, 'index 9007199254740991'))],
    ['inclusion', 'no path', withProof(encodeTlogProof({ ...parts, path: [] }))],
    ['inclusion', 'a path of 53 hashes', withProof(encodeTlogProof({ ...parts, path: longPath }))],
    ['inclusion', "the log's own checkpoint of another tree", withProof(selfMade({ bundle, claim, seed }, {}).proof)],
  ]
}

const longPath = Array.from({ length: 53 }, () => new Uint8Array(32))

/** Claims that the trusted node's own key signs, and no rule allows. */
const byTheNode = (it: Real): readonly (readonly [StepName, string, unknown])[] => {
  const { bundle, claim } = it
  const { tick_receipt: receipt, equations } = bundle.envelope
  const inputs = bundle.inputs as { readonly inputs: object }
  const output = bundle.result?.output as object
  const evidence = bundle.result?.evidence_digest ?? null
  const withReceipt = (changes: object, claimed: Partial<Claim> = {}): Bundle => {
    const tick_receipt = { ...receipt, ...changes }
    return selfMade(it, { receipt_digest: receiptDigest(tick_receipt), ...claimed }, { envelope: { tick_receipt } })
  }
  const withInputs = (changed: object): Bundle =>
    selfMade(it, { inputs_digest: inputsDigest({}, changed) }, { bundle: { inputs: changed } })
  const withOutput = (changed: object, claimed: Partial<Claim> = {}): Bundle =>
    selfMade(
      it,
      { result_digest: resultDigest({}, changed, { inputs, evidence }), ...claimed },
      { bundle: { result: { output: changed, evidence_digest: evidence } } },
    )
  return [
    ['token', 'another token id', selfMade(it, { token_id: tokenIdOf(claim.log, 1) })],
    ['agreement', 'a receipt of another value', withReceipt({ tick_averaged: { value: 1, unit: claim.unit } })],
    ['agreement', 'a phase of 1', withReceipt({ phase: 1 }, { phase: 1 })],
    ['precision', 'another error than the measured one', selfMade(it, { precisionActual: 0 })],
    ['precision', 'a wider bound', selfMade(it, { check: { ...claim.check, bound: 1 } })],
    ['price', 'a price of nothing', selfMade(it, { price: 0 })],
    ['price', 'no kernel operator', selfMade(it, { operators: ['GR37', 'GR37'] })],
    ['replay', 'a mass with another result', withInputs({ ...inputs, inputs: { ...inputs.inputs, M: 2e30 } })],
    ['replay', 'inputs that no solver takes', withInputs({ mean: 'something else' })],
    ['replay', 'another result of the same inputs', withOutput({ ...output, value: 1 })],
    ['replay', 'another value everywhere', withValue(it, 1)],
    [
      'replay',
      'other equations',
      selfMade(it, { equations_digest: equationsDigest(null) }, { envelope: { equations: null } }),
    ],
    [
      'replay',
      'operators that took no part, at their price',
      selfMade(it, { operators: ['KO42', 'A', 'B', 'C'], price: 6 }),
    ],
    ['replay', 'another operator', selfMade(it, { operators: ['KO42', 'NM23'] })],
    ['replay', 'another unit', withReceipt({ tick_averaged: { value: claim.value, unit: 'km' } }, { unit: 'km' })],
    ['replay', 'another R_t', withReceipt({ R_t: '1.000999' })],
    ['inputs', 'inputs that hold the digest of an array', withArray(it)],
    ['inputs', 'inputs nested without end', { ...bundle, inputs: { x: NESTED } }],
    ['result', 'an output nested without end', { ...bundle, result: { output: { x: NESTED }, evidence_digest: null } }],
    ['equations', 'equations nested without end', { ...bundle, envelope: { ...bundle.envelope, equations: NESTED } }],
    [
      'signature',
      'the claim of a bundle, its equations swapped',
      selfMade(it, {}, { envelope: { signature: bundle.envelope.signature, equations } }),
    ],
  ]
}

/** One value in claim, receipt and output alike. */
const withValue = (it: Real, value: number): Bundle => {
  const { bundle, claim } = it
  const { tick_receipt: receipt } = bundle.envelope
  const tick_receipt = { ...receipt, tick_averaged: { ...receipt.tick_averaged, value } }
  const output = { ...(bundle.result?.output as object), value }
  const about = { inputs: bundle.inputs as object, evidence: null }
  const claimed = {
    ...{ value, unit: claim.unit },
    receipt_digest: receiptDigest(tick_receipt),
    result_digest: resultDigest({}, output, about),
  }
  const result = { output, evidence_digest: null }
  return selfMade(it, claimed, { envelope: { tick_receipt }, bundle: { result } })
}

/** An array stands in a digest as `$array`: whoever writes that itself names numbers that nobody has. */
const withArray = (it: Real): Bundle => {
  const list = { $array: { type: 'f64', shape: [1], sha256: '0'.repeat(64) } }
  const digest = inputsDigest({ properties: { u: { 'x-shape': [1] } } }, { u: [0] })
  return selfMade(it, { inputs_digest: digest }, { bundle: { inputs: { u: list } } })
}

test('every forgery is refused by every judge, at the step that it breaks', async () => {
  const it = await real()
  using directory = tempDir()
  const trusted = it.claim.node
  for (const found of await verdicts(it.bundle, trusted, directory.path)) {
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
  }
  for (const found of await verdicts(selfMade(it, {}), trusted, directory.path)) {
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
  }
  for (const [step, title, forged] of [...byAnyone(it), ...byTheNode(it)]) {
    const [core, ...readers] = await verdicts(forged, trusted, directory.path)
    assert.equal(core?.failing, step, `core: ${title}: ${JSON.stringify(core?.steps.at(-1))}`)
    // Nesting is refused as soon as a text is read.
    const expected = title.includes('nested') ? 'form' : step
    for (const found of readers) assert.equal(found.failing, expected, title)
  }
}, 60_000)

test('a text that two readers could read differently is no bundle', async () => {
  const { bundle } = await real()
  const text = bundleText(bundle)
  const spelled: readonly (readonly [string, string])[] = [
    ['NaN', text.replace(/"precisionActual":[^,]+/, '"precisionActual":NaN')],
    ['Infinity', text.replace(/"precisionActual":[^,]+/, '"precisionActual":1e999')],
    ['a name twice', text.replace('"funding":', '"funding":"paid","funding":')],
    ['a name twice, once escaped', text.replace('"funding":', '"fund\\u0069ng":"paid","funding":')],
    ['a byte order mark', `\ufeff${text}`],
    ['two bundles', `${text}${text}`],
    ['an integer that a double bends', text.replace(/"price":\d+/, '"price":9007199254740993')],
  ]
  for (const [title, changed] of spelled) {
    assert.notEqual(changed, text, title)
    assert.throws(() => parseBundle(changed), Fault, title)
  }
})

test.run()
