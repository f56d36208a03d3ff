// Goal: what a claim binds of a reading is what decides the computation and nothing that may vary; a reading fits the
// inputs that it leads to and no others; what is shown as answered is the question only where that was confirmed.
// Method: the question of the golden vectors, altered in one place each; sentences written out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AskedClaim, Question } from '#core/claim.ts'
import { askedDigest, questionFault, readingDigest, readingFits, sealedReading } from '#core/question.ts'
import { answersLine, readBack } from '#core/read-back.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/question')

const file = new URL('../../protocols/vectors/claim-2.json', import.meta.url)
const golden = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly claim: AskedClaim
  readonly bundle: { readonly question: Question; readonly inputs: { readonly n: number } }
}
const { claim } = golden
const { question, inputs } = golden.bundle
const { reading } = question

test('what else a reading shows is not bound, and every member that is bound counts', () => {
  const shown = {
    ...{ ...reading, title: 'Sample', because: ['sample'], unread: [], alternatives: [] },
    bound: reading.bound.map((it) => ({ ...it, later: 1 })),
  }
  assert.deepEqual(sealedReading(shown), reading)
  const other: Readonly<Record<string, unknown>> = {
    ...{ kind: 'operators', route: 'POST /x', solver: null, operators: ['KO42', 'NM21'], bound: [], settings: [] },
    ...{ defaults: { a: 1 }, corrections: [], input: {} },
  }
  assert.deepEqual(Object.keys(other).sort(), Object.keys(reading).sort())
  const good = { sealed: askedDigest(claim.nonce, question), shown: readingDigest(question) }
  assert.equal(good.sealed, claim.asked.reading)
  assert.notEqual(askedDigest('f'.repeat(32), question), good.sealed, 'the nonce hides equal questions')
  for (const [name, value] of Object.entries(other)) {
    const changed = { ...question, reading: { ...reading, [name]: value } } as Question
    assert.notEqual(askedDigest(claim.nonce, changed), good.sealed, name)
    assert.notEqual(readingDigest(changed), good.shown, name)
    assert.match(questionFault(claim, changed) ?? '', /not those of the claim/, name)
  }
  assert.equal(questionFault(claim, question, inputs), undefined)
  assert.match(questionFault(claim, { ...question, query: '\ud800' }) ?? '', /has no digest/)
})

test('a reading of a solver fits inputs that have each of its values at its place, lists as a whole', () => {
  const of = (change: Partial<typeof reading>) => ({ ...reading, bound: [], settings: [], input: {}, ...change })
  const deep = { a: { b: [1, 2], c: null }, d: 'x' }
  const fitting: readonly (readonly [Partial<typeof reading>, boolean])[] = [
    [{}, true],
    [{ input: { a: { b: [1, 2] } } }, true],
    [{ input: { a: { b: [1] } } }, false],
    [{ input: { a: { b: { 0: 1, 1: 2 } } } }, false],
    [{ input: { a: { b: [1, 3] } } }, false],
    [{ input: { a: { c: 0 } } }, false],
    [{ input: { e: 1 } }, false],
    [{ input: { toString: 1 } }, false],
    [{ settings: [{ input: 'd', value: 'x', because: 'x' }] }, true],
    [{ settings: [{ input: 'd', value: 'y', because: 'y' }] }, false],
    [{ settings: [{ input: 'a.c', value: null, because: 'none' }] }, true],
    [{ bound: [{ input: 'a.e', from: 'query', given: '1', value: 1, unit: '1' }] }, false],
    [{ defaults: { 'a.c': null, 'f.g': 3 } }, true],
    [{ defaults: { d: 'y' } }, false],
  ]
  for (const [change, fits] of fitting) assert.equal(readingFits(of(change), deep), fits, JSON.stringify(change))
})

test('a reading of operators fits a bound order that has its numbers under their symbols', () => {
  const of = (input: string, value: number | string) => ({
    ...{ ...reading, kind: 'operators', solver: null, settings: [], input: {} },
    bound: [{ input, from: 'query', given: 'x', value, unit: 'kg' }],
  })
  const order = { operators: ['KO42', 'NM21'], inputs: { 'NM21.m1': 5, r: 2 }, solve_for: null, bracket: null }
  const fitting: readonly (readonly [ReturnType<typeof of>, boolean])[] = [
    [of('m1', 5) as never, true],
    [of('NM21.m1', 5) as never, true],
    [of('r', 2) as never, true],
    [of('r', 3) as never, false],
    [of('q', 2) as never, false],
    [of('q', 'a text that is no number of the order') as never, true],
  ]
  for (const [it, fits] of fitting) assert.equal(readingFits(it as never, order), fits, JSON.stringify(it))
  assert.equal(readingFits(of('r', 2) as never, {}), false)
})

test('it is said what was read, and the question is answered only where that was confirmed', () => {
  assert.equal(
    readBack(reading),
    'I read: solver sample, with n = 2 (“2 cells”), kappa = 9460000000000000 m (“9.46e15 m”), steps = 7 (“7 steps”), ' +
      'taking “smaple” for “sample”.',
  )
  const bare = { ...reading, solver: null, operators: ['KO42', 'NM21', 'NM23'], bound: [], settings: [] }
  const left = { ...bare, corrections: [], defaults: { a: 1 } }
  assert.equal(readBack(left), 'I read: operators NM21, NM23, and 1 other input at the default.')
  const long = { input: 'x', value: 'y'.repeat(200), because: 'y' }
  assert.ok(readBack({ ...left, settings: [long] }).includes(`${'y'.repeat(80)}… (“y”)`))
  const line = (confirmed: boolean, of?: Question) => answersLine({ asked: { reading: '', confirmed } }, of)
  assert.match(line(true, question), /^Answers the question “a smaple .*” by the reading confirmed .* I read: solver/)
  assert.match(
    line(false, question),
    /^Answers the reading of “a smaple .*”, not confirmed .* and not the question\. I/,
  )
  assert.match(line(true), /confirmed by the caller; neither is in the bundle/)
  assert.match(line(false), /not confirmed; neither is in the bundle/)
})

test.run()
