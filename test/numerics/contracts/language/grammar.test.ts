// Goal: the language of contracts reads what it prints, and of all else says where it is off. Method: random typed
// expressions through print and parse; precedence against hand-made brackets; each bound and foreign sign by hand.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { type ContractExpression, parseExpression, printExpression } from '#numerics/contracts/language/grammar.ts'
import { seed, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { expressionOf } from './generate.ts'

const test = suite('contracts/language grammar')

const ROUNDS = 3_000

/** An expression without its places. */
const bare = (it: ContractExpression): unknown =>
  JSON.parse(JSON.stringify(it, (key, value: unknown) => (key === 'at' ? undefined : value)))

const positionOf = (text: string): number => {
  try {
    parseExpression(text)
  } catch (thrown) {
    assert.ok(thrown instanceof Fault && thrown.code === 'INVALID_INPUT', text)
    return thrown.details['position'] as number
  }
  return assert.fail(`${text} is read`)
}

test('printing and parsing an expression gives it back', () => {
  const random = seeded()
  for (let i = 0; i < ROUNDS; i += 1) {
    const it = expressionOf(random, random.pick(['number', 'boolean', 'text']), 4)
    assert.deepEqual(bare(parseExpression(printExpression(it))), bare(it), printExpression(it))
  }
})

test('every text is read or refused with its position, and what is read prints as itself', () => {
  const sign = fc.constantFrom(
    ...[
      'context',
      '.',
      'n',
      ' ',
      '1',
      '.5',
      'e9',
      '"',
      "'",
      '\\',
      'u0041',
      '\ud800',
      '(',
      ')',
      '[',
      ']',
      ',',
      '?',
      ':',
    ],
    ...['&&', '||', '!', '-', '+', '*', '/', '%', '<', '=', '==', 'in', 'has', 'min', 'true', 'null', '__proto__', '∞'],
  )
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 24 }), (signs) => {
      const text = signs.join('')
      try {
        const it = parseExpression(text)
        assert.deepEqual(bare(parseExpression(printExpression(it))), bare(it))
      } catch (thrown) {
        assert.ok(thrown instanceof Fault && thrown.code === 'INVALID_INPUT', text)
        const position = thrown.details['position'] as number
        assert.ok(position >= 0 && position <= text.length, text)
      }
    }),
    { seed, numRuns: 5_000 },
  )
})

test('signs bind as in CEL', () => {
  for (const [text, brackets] of [
    ['a || b && c', 'a || (b && c)'],
    ['a && b == c', 'a && (b == c)'],
    ['a + b < c * d', '(a + b) < (c * d)'],
    ['a - b - c', '(a - b) - c'],
    ['a / b % c', '(a / b) % c'],
    ['-a.b * c', '(-(a.b)) * c'],
    ['!a.b && c', '(!(a.b)) && c'],
    ['a ? b : c ? d : e', 'a ? b : (c ? d : e)'],
    ['a || b ? c : d', '(a || b) ? c : d'],
    ['a + b in [c]', '(a + b) in [c]'],
    ['a[b + c].d', '(a[(b + c)]).d'],
  ] as const) {
    assert.deepEqual(bare(parseExpression(text)), bare(parseExpression(brackets)), text)
  }
})

test('texts in quotes say what their escapes say', () => {
  for (const [text, value] of [
    [String.raw`"a\"b\\\n\u00fc"`, 'a"b\\\nü'],
    [String.raw`'it\'s "so"'`, `it's "so"`],
    [String.raw`"\ud83d\ude00"`, '\ud83d\ude00'],
  ] as const) {
    assert.deepEqual(bare(parseExpression(text)), { kind: 'literal', value })
  }
})

test('what is no expression is refused where it is off', () => {
  for (const [text, position] of [
    ['', 0],
    ['1 +', 3],
    ['1 2', 2],
    ['(1', 2],
    ['a.', 2],
    ['a.in', 2],
    ['a.b.true', 4],
    ['1..2', 2],
    ['a ? b', 5],
    ['a ? b ? c : d : e', 6],
    ['a = b', 2],
    ['a & b', 2],
    ['a ** b', 3],
    ['nothing(1)', 0],
    ['constructor(1)', 0],
    ['abs()', 0],
    ['abs(1, 2)', 4],
    ['clamp(1, 2)', 0],
    ['has(a)', 4],
    ['has(a[1])', 5],
    ['x.matches("a")', 9],
    ['"\\x41"', 0],
    ['"\\ud800"', 0],
    ['"\ud800"', 0],
    ['"a', 0],
    ['"a\nb"', 0],
    ['9007199254740993', 0],
    ['1e999', 0],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['a'.repeat(33), 0],
    ['∞', 0],
    ['x => x', 2],
    ['`a`', 0],
    ['{}', 0],
  ] as const) {
    assert.equal(positionOf(text), position, text)
  }
})

test('the bounds on length, depth, nodes and items hold, and just below them all is read', () => {
  const good = [
    `${'('.repeat(64)}1${')'.repeat(64)}`,
    Array.from({ length: 256 }, () => 'a').join('+'),
    `[${Array.from({ length: 64 }, () => '1').join(',')}]`,
    `${'!'.repeat(63)}a`,
    ' '.repeat(1_999) + 1,
  ]
  const bad = [
    `${'('.repeat(65)}1${')'.repeat(65)}`,
    Array.from({ length: 257 }, () => 'a').join('+'),
    `[${Array.from({ length: 65 }, () => '1').join(',')}]`,
    `${'!'.repeat(65)}a`,
    `${'-'.repeat(1_999)}1`,
    `${'a?b:'.repeat(65)}c`,
    `${'['.repeat(100)}${']'.repeat(100)}`,
    ' '.repeat(2_000) + 1,
  ]
  for (const text of good) assert.doesNotThrow(() => parseExpression(text), text)
  for (const text of bad) assert.ok(positionOf(text) >= 0, text)
})

test.run()
