// Goal: a claim holds what protocols/wire says its members hold and nothing else, whoever signed it. Method: the forms
// of the documents, written down here once more; every member of the golden bundle gets drawn values and near misses,
// signed anew by the trusted key, and the verifier must refuse by the form exactly those that the documents exclude.
// Then every row of the golden refusals, and the forms of earlier builds, which stay good.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { publicKeyOf } from '#core/keys.ts'
import { type StepName, type Verification, verifyBundle } from '#core/verify.ts'
import { type Changes, refusedRows, resealed } from '../../scripts/vectors/refused.ts'
import { bundleVectors } from '../../scripts/vectors/wire.ts'
import { type Path, replaced } from '../kit/alterations.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/claim-form')

const golden = bundleVectors()
const { envelope } = golden.bundle
const [trusted] = golden.trusted
const verify = (bundle: unknown): Verification => verifyBundle({ bundle, trusted, schemas: () => golden.schemas })

/** The bundle with other claims in it, all of whose digests and signatures hold. */
const signed = (changes: Changes): unknown => ({ ...golden.bundle, ...resealed(changes, envelope.equations) })

type Fits = (value: unknown) => boolean

const match =
  (form: RegExp): Fits =>
  (it) =>
    typeof it === 'string' && form.test(it)
const hex = (digits: number): Fits => match(new RegExp(`^[0-9a-f]{${digits}}$`))
const text =
  (most: number, least = 0): Fits =>
  (it) =>
    typeof it === 'string' && [...it].length <= most && [...it].length >= least
const number =
  (least = -Number.MAX_VALUE, most = Number.MAX_VALUE): Fits =>
  (it) =>
    typeof it === 'number' && it >= least && it <= most
const whole =
  (least = 0): Fits =>
  (it) =>
    Number.isSafeInteger(it) && (it as number) >= least
const isRecord = (it: unknown): it is Readonly<Record<string, unknown>> =>
  typeof it === 'object' && it !== null && !Array.isArray(it)
const exactly =
  (members: Readonly<Record<string, Fits>>): Fits =>
  (it) =>
    isRecord(it) &&
    Object.keys(it).length === Object.keys(members).length &&
    Object.entries(members).every(([name, fits]) => Object.hasOwn(it, name) && fits(it[name]))
const named =
  (form: RegExp, fits: Fits): Fits =>
  (it) =>
    isRecord(it) &&
    Object.keys(it).length <= 32 &&
    Object.entries(it).every(([name, value]) => form.test(name) && fits(value))
const orNull =
  (fits: Fits): Fits =>
  (it) =>
    it === null || fits(it)
const oneOf =
  (...values: readonly unknown[]): Fits =>
  (it) =>
    values.includes(it)

const node = match(/^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/)
const solverName = /^[a-z][a-z0-9-]{0,63}$/
const isKey: Fits = (it) => {
  if (!node(it)) return false
  try {
    return publicKeyOf(it as string).length === 32
  } catch {
    return false
  }
}

/** protocols/wire/claim.md, member for member. */
const claimForms: Readonly<Record<string, Fits>> = {
  v: oneOf(1),
  node: isKey,
  log: match(/^tickmesh\.log\/12D3KooW[1-9A-HJ-NP-Za-km-z]{44}\/(0|[1-9][0-9]{0,15})$/),
  index: whole(),
  token_id: hex(32),
  nonce: hex(32),
  kind: match(solverName),
  operators: (it) => Array.isArray(it) && it.length >= 2 && it.length <= 4 && it.every(text(32, 1)),
  zid: match(/^(zid1[a-z2-7]{32}|house)$/),
  worker: orNull(exactly({ node, work: hex(64) })),
  code: exactly({
    release: match(/^([0-9a-f]{64}|[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9})$/),
    registry: match(/^(sha256:)?[0-9a-f]{64}$/),
    constants: hex(64),
    math: hex(64),
    kernels: named(/^[a-z][a-z0-9_-]{0,63}$/, hex(64)),
    solver: match(/^[a-z][a-z0-9-]{0,63}@[1-9][0-9]{0,8}$/),
  }),
  registry_version: match(/^sha256:[0-9a-f]{64}$/),
  kernel_version: text(128),
  inputs_digest: hex(64),
  result_digest: hex(64),
  steps: orNull(exactly({ root: hex(64), every: whole(1), count: whole(1) })),
  value: orNull(number()),
  unit: text(64),
  precisionActual: number(0),
  check: exactly({ against: text(1_024), measured: number(0), bound: number(0) }),
  receipt_digest: hex(64),
  equations_digest: hex(64),
  tick: whole(),
  phase: number(0, 1),
  price: whole(),
  funding: oneOf('paid', 'free'),
}

/** protocols/wire/envelope.md, member for member. */
const receiptForms: Readonly<Record<string, Fits>> = {
  pulse: number(),
  tick: whole(),
  phase: number(0, 1),
  R_t: match(/^[0-9]\.[0-9]{6}$/),
  hmac: hex(64),
  tick_averaged: exactly({ value: orNull(number()), unit: text(64) }),
  fields: named(/^[a-z][a-z0-9_]{0,63}$/, number()),
}

/** Values near another: a character more, less or other, the next numbers, a member gone, one more. */
const near = (old: unknown): fc.Arbitrary<unknown> => {
  if (typeof old === 'string') {
    const at = fc.nat({ max: old.length })
    const put = fc.constantFrom('', 'a', 'A', 'g', '0', '9', '.', ':', '@', ' ', '\n', 'é', '😀')
    const cut = fc.integer({ min: 0, max: 2 })
    const edited = fc.tuple(at, put, cut).map(([i, more, less]) => `${old.slice(0, i)}${more}${old.slice(i + less)}`)
    return fc.oneof(edited, fc.constantFrom(old.toUpperCase(), `sha256:${old}`, old.repeat(2), old.repeat(400), ''))
  }
  if (typeof old === 'number') return fc.constantFrom(-old - 1, old + 1, old + 0.5, 2 ** 53, 1e308, -1e308, `${old}`)
  if (Array.isArray(old)) return fc.constantFrom([], old.slice(1), [...old, ...old], [...old, ''], [...old, null])
  if (!isRecord(old)) return fc.constantFrom(0, '', 'null', [], {})
  const names = Object.keys(old)
  const fewer = names.map((name) => Object.fromEntries(Object.entries(old).filter(([it]) => it !== name)))
  const more = ['x', 'x'.repeat(65), 'a\nb', 'A', '', '1'].map((name) => ({ ...old, [name]: Object.values(old)[0] }))
  return fc.constantFrom(...fewer, ...more, names, null)
}

/** Every value inside a member with its path, the member itself included. */
const placesOf = (value: unknown, path: Path = []): readonly (readonly [Path, unknown])[] => {
  if (value === null || typeof value !== 'object') return [[path, value]]
  const parts = Object.entries(value).flatMap(([name, part]) => placesOf(part, [...path, name]))
  return [[path, value], ...parts]
}

/** The claim of an answer to a question in words has one more member, and another version. */
const asked = { v: 2, asked: { reading: '0'.repeat(64), confirmed: false } }
const askedForms: Readonly<Record<string, Fits>> = {
  ...claimForms,
  v: oneOf(2),
  asked: exactly({ reading: hex(64), confirmed: oneOf(true, false) }),
}

const drawn = (forms: Readonly<Record<string, Fits>>, part: 'claim' | 'tick_receipt', more: object = {}): void => {
  // The sample has no worker; with one its members are tried as well.
  const worker = { node: golden.bundle.envelope.claim.node, work: '0'.repeat(64) }
  const whole = { ...envelope[part], ...(part === 'claim' && { worker }), ...more } as Readonly<Record<string, unknown>>
  assert.deepEqual(Object.keys(forms).sort(), Object.keys(whole).sort(), 'every member has its form')
  let refused = 0
  for (const [path, old] of placesOf(whole)) {
    const [name] = path
    if (name === undefined) continue
    const values = fc.oneof(near(old), near(old), fc.jsonValue({ maxDepth: 1 }))
    fc.assert(
      fc.property(values, (value) => {
        const changed = replaced(whole, path, value) as Readonly<Record<string, unknown>>
        // What has no canonical form cannot be signed at all.
        fc.pre(JSON.stringify(changed).isWellFormed() && !JSON.stringify(changed).includes('__proto__'))
        const fits = forms[name]?.(changed[name]) === true
        const { failing, steps } = verify(signed({ [part]: changed }))
        const found = `${part}.${path.join('.')} = ${JSON.stringify(value)}: ${JSON.stringify(steps[0])}`
        assert.equal(failing === 'form', !fits, found)
        if (!fits) refused += 1
      }),
      { seed, numRuns: 25 },
    )
  }
  assert.ok(refused > 100, `${refused} were refused`)
}

test('of the members of a claim the form refuses exactly what the documents exclude', () => {
  drawn(claimForms, 'claim')
}, 120_000)

test('and of one of version 2, which has one member more; each version alone has its members', () => {
  drawn(askedForms, 'claim', asked)
  for (const [claim, why] of [
    [{ asked: asked.asked }, 'version 1 has no such member'],
    [{ v: 2 }, 'version 2 has that member'],
    [{ ...asked, v: 3 }, 'there is no such version'],
  ] as const) {
    assert.equal(verify(signed({ claim })).failing, 'form', why)
  }
  const question = { query: 'x', constants: {}, reading: {} }
  assert.equal(verify({ ...golden.bundle, question }).failing, 'form', 'nothing of version 1 binds a question')
}, 120_000)

test('of the members of a receipt the form refuses exactly what the documents exclude', () => {
  drawn(receiptForms, 'tick_receipt')
}, 60_000)

test('a text may be as long as the documents say, and no longer', () => {
  const { check } = envelope.claim
  const bounds: readonly (readonly [most: number, claimOf: (text: string) => object])[] = [
    [128, (kernel_version) => ({ kernel_version })],
    [64, (unit) => ({ unit })],
    [32, (id) => ({ operators: ['KO42', id] })],
    [1_024, (against) => ({ check: { ...check, against } })],
  ]
  for (const [most, claimOf] of bounds) {
    const failing = (length: number) => verify(signed({ claim: claimOf('x'.repeat(length)) })).failing
    assert.notEqual(failing(most), 'form', `${most} characters`)
    assert.equal(failing(most + 1), 'form', `${most + 1} characters`)
  }
})

for (const [failing, why, changes] of refusedRows) {
  test(`refused by ${failing}: ${why}`, () => {
    const found = verify(signed(changes))
    assert.equal(found.failing, failing, JSON.stringify(found.steps))
    const detail = found.steps.find(({ step }) => step === failing)?.detail ?? ''
    assert.match(detail, /^[A-Z/].{10,}/, 'it says what does not hold')
    const [member] = Object.keys(changes.claim ?? changes.tick_receipt ?? {})
    if (failing === 'form') assert.ok(detail.includes(`/${member}`), detail)
  })
}

test('there is a refusal for every step that judges the claim itself', () => {
  const steps: readonly StepName[] = [
    ...['form', 'token', 'receipt', 'equations', 'agreement', 'precision', 'price', 'inputs', 'result'],
  ] as readonly StepName[]
  assert.deepEqual([...new Set(refusedRows.map(([step]) => step))], steps)
})

test('what earlier builds wrote stays good, and a solver that nobody knows is refused by no step', () => {
  const { code } = envelope.claim
  const good: readonly object[] = [
    {},
    { release: '0'.repeat(64), registry: `sha256:${code.registry}` },
    { kernels: {} },
    { kernels: Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`kernel-${i}`, code.math])) },
    { solver: 'sample@999999999' },
  ]
  for (const changes of good) {
    assert.equal(
      verify(signed({ claim: { code: { ...code, ...changes } } })).outcome,
      'verified',
      JSON.stringify(changes),
    )
  }
  const unknown = { kind: 'not-invented-yet', code: { ...code, solver: 'not-invented-yet@7' } }
  const bundle = signed({ claim: unknown })
  const found = verifyBundle({ bundle, trusted })
  assert.deepEqual([found.outcome, found.unchecked], ['unchecked', ['result']], JSON.stringify(found.steps))
})

test.run()
