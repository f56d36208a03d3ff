// Goal: a bundle with any one thing altered is refused, and the step that refuses it is named; what cannot be checked
// is told from what fails. Method: the bundle of the golden vectors, every leaf value of it altered in several ways;
// then claims that a dishonest node signed itself, with its own key and its own log.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { bundleText, parseBundle } from '#core/bundle.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Claim } from '#core/claim.ts'
import { envelopeLeaf, signClaim } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { tokenIdOf } from '#core/ids.ts'
import { nodeIdOf, publicKeyOf, publicKeyOfSeed } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { encodeTlogProof, parseTlogProof } from '#core/tlog-proof.ts'
import {
  compareReplay,
  type Replayed,
  type StepName,
  stepNames,
  type Verification,
  verifyBundle,
} from '#core/verify.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/verify')

interface Golden {
  readonly trusted: readonly [string, string, string]
  readonly seed: string
  readonly schemas: { readonly input: object; readonly output: object }
  readonly bundle: Bundle
}
const file = new URL('../../protocols/vectors/bundle.json', import.meta.url)
const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden
const [vkey, publicKey, nodeId] = golden.trusted
const seed = fromHex(golden.seed)
const { claim } = golden.bundle.envelope

const verify = (bundle: unknown, trusted: string | undefined = vkey): Verification =>
  verifyBundle({ bundle, ...(trusted === undefined ? {} : { trusted }), schemas: () => golden.schemas })

const stateOf = (found: Verification, step: StepName): string | undefined =>
  found.steps.find((it) => it.step === step)?.state

test('the golden bundle verifies under each form of the trusted key', () => {
  for (const trusted of golden.trusted) {
    const found = verify(golden.bundle, trusted)
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
    assert.deepEqual(
      found.steps.map((it) => it.step),
      [...stepNames],
    )
    assert.equal(stateOf(found, 'replay'), 'skipped')
    assert.equal(found.checkpoint?.size, 4)
  }
  assert.equal(verify(parseBundle(bundleText(golden.bundle))).outcome, 'verified')
  assert.equal(verify(parseBundle(JSON.stringify(golden.bundle, undefined, 4))).outcome, 'verified')
})

type Path = readonly (string | number)[]

/** Every leaf value of a JSON value with its path, and every name. */
const leavesOf = (value: unknown, path: Path = []): (readonly [Path, unknown])[] => {
  if (value === null || typeof value !== 'object') return [[path, value]]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([name, part]) => leavesOf(part, [...path, name]))
}

const replaced = (value: unknown, path: Path, change: (old: unknown) => unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return change(value)
  if (Array.isArray(value)) return value.map((part, i) => (i === name ? replaced(part, rest, change) : part))
  const record = value as Record<string, unknown>
  return { ...record, [name]: replaced(record[name], rest, change) }
}

const otherDigit = (digit: string): string => (digit === '7' ? '8' : '7')

/** Other values of the same kind, and one of another kind. */
const alterations = (old: unknown): unknown[] => {
  if (typeof old === 'number') return [old + 1, old * (1 + 2 ** -52) + 5e-324, -old - 1, String(old), null]
  if (typeof old === 'boolean') return [!old, null]
  if (old === null) return [0, {}, 'null']
  const text = String(old)
  const middle = text.length >> 1
  const swapped = `${text.slice(0, middle)}${otherDigit(text.charAt(middle))}${text.slice(middle + 1)}`
  return [`${text}x`, ` ${text}`, text.slice(1), swapped, `${text.slice(0, -1)}${otherDigit(text.slice(-1))}`, 1]
}

/** The step that must refuse an altered member, by where it stands; form may always refuse first. */
const expectedStep = (path: Path): readonly StepName[] => {
  const [first, second, third] = path
  if (first === 'v') return []
  if (first === 'inputs') return ['inputs']
  if (first === 'result') return ['result']
  if (first === 'proof') return ['checkpoint', 'inclusion']
  if (second === 'tick_receipt') return ['receipt']
  if (second === 'equations') return ['equations']
  if (second === 'claim' && (third === 'node' || third === 'log')) return ['key']
  return ['signature']
}

test('every single value of a bundle, altered in any way, is refused by the step that it belongs to', () => {
  let count = 0
  for (const [path, old] of leavesOf(golden.bundle)) {
    for (const change of alterations(old)) {
      if (JSON.stringify(change) === JSON.stringify(old)) continue
      const found = verify(replaced(golden.bundle, path, () => change))
      const where = `${path.join('.')} = ${JSON.stringify(change)}`
      assert.equal(found.outcome, 'failed', where)
      assert.ok(found.failing !== undefined && ['form', ...expectedStep(path)].includes(found.failing), where)
      assert.equal(stateOf(found, found.failing), 'failed', where)
      assert.equal(found.steps.filter((it) => it.state === 'failed').length, 1, where)
      count++
    }
  }
  assert.ok(count > 300, `${count} alterations were tried`)
})

test('every member left out, added or exchanged is refused', () => {
  const objects: Path[] = [[], ['envelope'], ['envelope', 'claim'], ['envelope', 'tick_receipt'], ['result']]
  for (const path of objects) {
    const added = replaced(golden.bundle, path, (it) => ({ ...(it as object), more: 1 }))
    assert.equal(verify(added).failing, 'form', `${path.join('.')} more`)
    const here = path.reduce<unknown>((it, name) => (it as Record<string, unknown>)[name], golden.bundle) as object
    for (const name of Object.keys(here)) {
      const without = replaced(golden.bundle, path, (it) =>
        Object.fromEntries(Object.entries(it as object).filter(([key]) => key !== name)),
      )
      const found = verify(without)
      const optional = path.length === 0 && (name === 'inputs' || name === 'result')
      assert.equal(found.outcome, optional ? 'unchecked' : 'failed', `${path.join('.')} without ${name}`)
    }
  }
  for (const [step, x] of [
    ['signature', claim.code.math],
    ['form', 'y'],
  ]) {
    const place = ['envelope', 'claim', 'code', 'kernels']
    const kernels = replaced(golden.bundle, place, (it) => ({ ...(it as object), x }))
    assert.equal(verify(kernels).failing, step)
  }
  const longer = replaced(golden.bundle, ['result', 'output', 'u'], (it) => [...(it as number[]), 0])
  assert.equal(verify(longer).failing, 'result')
  const swapped = replaced(golden.bundle, ['result', 'output', 'u'], (it) => (it as number[]).toReversed())
  assert.equal(verify(swapped).failing, 'result')
  for (const nothing of [null, 1, 'text', [], {}]) assert.equal(verify(nothing).failing, 'form')
})

test('every line of the proof, altered, dropped or doubled, is refused', () => {
  const lines = golden.bundle.proof.split('\n')
  const proofs = lines.flatMap((line, i) => {
    const put = (...instead: readonly string[]): string =>
      [...lines.slice(0, i), ...instead, ...lines.slice(i + 1)].join('\n')
    return [put(`${line}A`), put(line.slice(0, -1)), put(), put(line, line), put(line.toLowerCase())]
  })
  for (const proof of new Set(proofs)) {
    if (proof === golden.bundle.proof) continue
    const found = verify({ ...golden.bundle, proof })
    // A signature line of the log standing twice is one more valid signature: the note is still the log's.
    const signedTwice = proof.split('\n— ').length === 3
    assert.equal(found.outcome, signedTwice ? 'verified' : 'failed', proof)
  }
  const withExtra = encodeTlogProof({ ...parseTlogProof(golden.bundle.proof), extra: Uint8Array.of(1) })
  assert.equal(verify({ ...golden.bundle, proof: withExtra }).failing, 'checkpoint')
})

test('another key than the trusted one is named, whatever form it has', () => {
  const stranger = publicKeyOfSeed(new Uint8Array(32).fill(9))
  const others = [
    toHex(stranger),
    nodeIdOf(stranger),
    encodeVkey(verifierOf(claim.log, stranger)),
    encodeVkey(verifierOf(`${claim.log}1`, publicKeyOf(nodeId))),
  ]
  for (const trusted of others) assert.equal(verify(golden.bundle, trusted).failing, 'key')
})

test('what cannot be checked is told from what fails', () => {
  const found = verifyBundle({ bundle: golden.bundle, schemas: () => golden.schemas })
  assert.equal(found.outcome, 'unchecked')
  assert.deepEqual(found.unchecked, ['key'])
  const unusable = [
    '',
    'not a key',
    '00'.repeat(32),
    `${publicKey}00`,
    encodeVkey(verifierOf(claim.log, publicKeyOf(nodeId), ED25519_COSIGNATURE)),
  ]
  for (const trusted of unusable) assert.deepEqual(verify(golden.bundle, trusted).unchecked, ['key'], trusted)
  const { inputs: _, ...withoutInputs } = golden.bundle
  // The shape of the result's field is that of the inputs, so without these it has no digest either.
  assert.deepEqual(verify(withoutInputs).unchecked, ['inputs', 'result'])
  const { result: __, ...withoutResult } = golden.bundle
  assert.deepEqual(verify(withoutResult).unchecked, ['result'])
  // Without the solver's schemas the plain inputs still have their digest; the arrays of the result have none.
  assert.deepEqual(verifyBundle({ bundle: golden.bundle, trusted: vkey }).unchecked, ['result'])
  // A broken signature fails even where no key was given.
  const broken = replaced(golden.bundle, ['envelope', 'claim', 'price'], () => 6)
  assert.equal(verifyBundle({ bundle: broken }).failing, 'signature')
})

/** The bundle that a node would make if it signed this claim itself, in a log of one leaf. */
const selfMade = (changes: Partial<Claim>): Bundle => {
  const signed = { ...claim, index: 0, token_id: 'c'.repeat(32), ...changes } as Claim
  const signature = signClaim(seed, signed)
  const root = leafHash(envelopeLeaf(signed, signature))
  const checkpoint = signCheckpoint({ origin: claim.log, size: 1, root }, publicKeyOf(nodeId), seed)
  const envelope = { ...golden.bundle.envelope, claim: signed, signature }
  return { ...golden.bundle, envelope, proof: encodeTlogProof({ index: signed.index, path: [], checkpoint }) }
}

test('a node cannot seal what the rules forbid, even with its own key and log', () => {
  const token_id = tokenIdOf(claim.log, 0)
  const honest = selfMade({ token_id })
  assert.equal(verify(honest).outcome, 'verified')
  const cases: readonly (readonly [StepName, Bundle])[] = [
    ['token', selfMade({})],
    ['receipt', selfMade({ token_id, receipt_digest: '0'.repeat(64) })],
    ['equations', selfMade({ token_id, equations_digest: '0'.repeat(64) })],
    ['agreement', selfMade({ token_id, tick: claim.tick + 1 })],
    ['agreement', selfMade({ token_id, phase: 0.5 })],
    ['agreement', selfMade({ token_id, value: 0.2 })],
    ['agreement', selfMade({ token_id, unit: 'm' })],
    ['precision', selfMade({ token_id, precisionActual: 0.01 })],
    ['precision', selfMade({ token_id, precisionActual: 0.2, check: { ...claim.check, measured: 0.2 } })],
    ['precision', selfMade({ token_id, check: { ...claim.check, bound: 0.2 } })],
    ['price', selfMade({ token_id, price: 3 })],
    ['price', selfMade({ token_id, operators: ['NM21', 'KO42', 'GR37'] })],
    ['inputs', selfMade({ token_id, inputs_digest: '0'.repeat(64) })],
    ['result', selfMade({ token_id, result_digest: '0'.repeat(64) })],
    ['checkpoint', { ...honest, proof: golden.bundle.proof.replace(claim.log, `${claim.log}0`) }],
    ['inclusion', { ...honest, proof: golden.bundle.proof }],
    ['form', selfMade({ token_id, operators: ['KO42'] })],
    ['form', selfMade({ token_id, operators: ['KO42', 'A', 'B', 'C', 'D'] })],
  ]
  for (const [step, bundle] of cases) assert.equal(verify(bundle).failing, step, step)
})

test('a verification has a member only for what it found', () => {
  const altered = replaced(golden.bundle, ['envelope', 'claim', 'price'], () => 6)
  for (const bundle of [golden.bundle, altered, null]) {
    const found = verify(bundle)
    assert.ok(!Object.values(found).includes(undefined), `${found.outcome}: ${Object.keys(found)}`)
  }
})

test('a re-run that gives other bits fails, one that could not run leaves things open', () => {
  const same: Replayed = {
    result_digest: claim.result_digest,
    value: claim.value,
    measured: claim.precisionActual,
    steps: claim.steps,
    R_t: golden.bundle.envelope.tick_receipt.R_t,
    equations_digest: claim.equations_digest,
  }
  const run = (replayed: Replayed, bundle: Bundle = golden.bundle): Verification =>
    verifyBundle({ bundle, trusted: vkey, schemas: () => golden.schemas, replay: () => replayed })
  assert.equal(run(same).outcome, 'verified')
  assert.equal(stateOf(run(same), 'replay'), 'ok')
  const different: readonly Partial<typeof same>[] = [
    { result_digest: '0'.repeat(64) },
    { value: 0.1 + 2 ** -56 },
    { measured: 0 },
    { steps: null },
    { unit: 'm' },
    { operators: ['KO42', 'NM21'] },
    { operators: ['KO42', 'NM21,GR37'] },
    { R_t: '1.000999' },
    { equations_digest: '0'.repeat(64) },
  ]
  for (const change of different) {
    const found = run({ ...same, ...change } as Replayed)
    assert.equal(found.failing, 'replay', JSON.stringify(change))
    // Other bits by other code accuse nobody; the same ones confirm, whatever error its own check measures.
    const by = run({ ...same, ...change, otherCode: 'The claim was made by x@1.' } as Replayed)
    const due = 'measured' in change ? ['verified', []] : ['unchecked', ['replay']]
    assert.deepEqual([by.outcome, by.unchecked], due, JSON.stringify(change))
  }
  const otherCheck = { ...same, measured: 0.05, otherCode: 'The claim was made by x@1.' }
  assert.match(
    run(otherCheck).steps.at(-1)?.detail ?? '',
    /^The same result, by another check: it measures 0.05 %\. The claim/,
  )
  assert.deepEqual(run({ ...otherCheck, value: 0.2 }).unchecked, ['replay'])
  const steps = claim.steps ?? assert.fail('the golden claim has steps')
  for (const change of [{ root: '0'.repeat(64) }, { every: steps.every + 1 }, { count: steps.count + 1 }]) {
    const found = run({ ...same, steps: { ...steps, ...change } })
    assert.equal(found.failing, 'replay', JSON.stringify(change))
  }
  const stepless = selfMade({ token_id: tokenIdOf(claim.log, 0), steps: null })
  assert.equal(run(same, stepless).failing, 'replay', 'a claim that leaves out its steps')
  assert.equal(run({ ...same, steps: null }, stepless).outcome, 'verified')
  assert.equal(run({ ...same, otherCode: 'The claim was made with another kernel.' }).outcome, 'verified')
  assert.deepEqual(run({ unavailable: 'no such solver' }).unchecked, ['replay'])
  const { inputs: _, ...withoutInputs } = golden.bundle
  assert.deepEqual(run(same, withoutInputs).unchecked, ['inputs', 'result', 'replay'])
  assert.equal(compareReplay(golden.bundle, same).state, 'ok')
})

test('a bundle is read from any spelling of JSON but a doubled name', () => {
  const text = bundleText(golden.bundle)
  const doubled = text.replace('{"v":1,', '{"v":1,"v":1,')
  assert.notEqual(doubled, text)
  assert.throws(() => parseBundle(doubled), Fault)
  assert.throws(() => parseBundle('{'), Fault)
  assert.throws(() => parseBundle('{}'), Fault)
})

test.run()
