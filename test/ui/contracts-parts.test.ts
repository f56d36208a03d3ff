// Goal: what the editor of contracts says stands where it says: faults at their lines and signs, pictures of whatever
// a definition is, comparisons that lose no line, due instants by two clocks. Method: tables of cases, seeded garbage,
// the house's own linter and simulation, without a browser.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { examples, writtenOut } from '#ui/contracts/examples.ts'
import { givenContract } from '#ui/contracts/given-definition.ts'
import { choicesOf, readHappening, rowsOfTrace, sampleData } from '#ui/contracts/happenings.ts'
import { isWrong, type JsonMap, mapJson, type WrongAt, withinString } from '#ui/contracts/json-map.ts'
import { judgeText } from '#ui/contracts/judge.ts'
import { ARROWS_MAX, arrowCount, layOut } from '#ui/contracts/layout.ts'
import { folded, lineDiff } from '#ui/contracts/line-diff.ts'
import { modelOf } from '#ui/contracts/model.ts'
import { placeIn, titleOf } from '#ui/contracts/place.ts'
import { lookAhead, simulateHere } from '#ui/contracts/plan.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/contracts-parts')

/** 2027-03-27T12:00:00Z: the night after, the clock of Berlin leaps over an hour. */
const BEFORE_GAP = 1_806_148_800

const soundOf = (definition: object) => {
  const { contract } = judgeText(writtenOut(definition), BEFORE_GAP)
  assert(contract !== undefined)
  return contract
}

test('a text is read as JSON.parse reads it, and each value stands where the map says', () => {
  const values = fc.jsonValue({ depthSize: 'small', maxDepth: 6 })
  fc.assert(
    fc.property(values, fc.constantFrom(0, 1, 3), (value, spaces) => {
      const text = JSON.stringify(value, undefined, spaces)
      const map = mapJson(text) as JsonMap
      assert.deepEqual(map.value, JSON.parse(text))
      for (const [path, { from, to }] of map.spans) {
        const names = path.split('/').slice(1)
        const at: unknown = names.reduce<unknown>(
          (it, name) => (it as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
          map.value,
        )
        assert.deepEqual(JSON.parse(text.slice(from, to)), at, path)
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('what JSON.parse refuses is refused here, and nothing else but a name that stands twice', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '"\\u00e9"',
    '1',
    '-0.5e3',
    '01',
    'true',
    'nul',
    ' ',
    '\n',
    '"',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (all) => {
      const text = all.join('')
      const found = mapJson(text)
      let good = true
      try {
        JSON.parse(text)
      } catch {
        good = false
      }
      if (!good) assert(isWrong(found), text)
      else assert(!isWrong(found) || found.reason.includes('stands twice'), text)
    }),
    { seed, numRuns: 2_000 },
  )
})

test('a text that is no JSON is wrong at the sign that is wrong', () => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ['{"a": 1,, "b": 2}', 8, /a name in quotes/],
    ['{"a": 1 "b": 2}', 8, /a comma or }/],
    ['{"a" 1}', 5, /a colon/],
    ['[1, 2', 4, /a comma or \]/],
    ['{"a": 1, "a": 2}', 9, /stands twice/],
    ['{"a": tru}', 6, /a value/],
    ['{"a": "b', 6, /not closed/],
    ['1 2', 2, /behind the value/],
    ['['.repeat(100_000), 33, /nesting is deeper/],
  ]
  for (const [text, at, reason] of cases) {
    const wrong = mapJson(text) as WrongAt
    assert.match(wrong.reason, reason, text.slice(0, 40))
    assert.equal(wrong.at, at, text.slice(0, 40))
  }
})

test('a sign of an expression is found behind escapes', () => {
  const text = JSON.stringify('a"\\\u0000b\n> c')
  const value = JSON.parse(text) as string
  for (let i = 0; i < value.length; i += 1) {
    const at = withinString(text, 0, i)
    const piece = text.slice(at, withinString(text, 0, i + 1))
    assert.equal(JSON.parse(`"${piece}"`), value[i], `${i}`)
  }
})

test('faults stand at their lines, those inside expressions at their signs', () => {
  const text = writtenOut(examples[0]?.definition ?? {})
    .replace('window.mean > 300', 'window.mean > context.peek')
    .replace('"to": "alert"', '"to": "alarm"')
  const { faults, contract, lines } = judgeText(text, BEFORE_GAP)
  assert.equal(contract, undefined)
  const marked = faults.map(({ line, span, path }) => [path, line, text.slice(span?.from, span?.to)])
  const lineOf = (piece: string) => text.slice(0, text.indexOf(piece)).split('\n').length
  assert.deepEqual(marked, [
    ['/transitions/1/to', lineOf('"alarm"'), '"alarm"'],
    ['/transitions/1/guard', lineOf('context.peek'), 'peek'],
  ])
  assert(lines.has('/states/normal') && lines.has('/transitions/2'))
})

test('a member that is missing is told at what it is missing from; the earlier shape has no lines', () => {
  const { faults } = judgeText(
    '{"v": 1, "name": "x",\n "states": {"a": {"initial": true}},\n "transitions": [\n' +
      '  {"id": "t", "from": "a", "to": "a"}]}',
    BEFORE_GAP,
  )
  assert.deepEqual(
    faults.map(({ path, line }) => [path, line]),
    [['/transitions/0/trigger', 4]],
  )
  const earlier = judgeText(
    '{"version": "1", "name": "x", "states": ["a"], "transitions": [{"from": "a", "to": "b", "condition": "1 +"}]}',
    BEFORE_GAP,
  )
  assert.equal(earlier.earlier, true)
  assert(earlier.faults.length > 0 && earlier.faults.every(({ line }) => line === undefined))
})

test('every example is sound, is looked at, and goes a day in a simulation', () => {
  for (const { name, definition } of examples) {
    const contract = soundOf(definition)
    const { cost, next, findings } = lookAhead({ ...contract, now: BEFORE_GAP })
    assert(
      findings.every(({ severity }) => severity !== 'fault'),
      name,
    )
    assert(cost.credits !== undefined, name)
    for (const { dues } of next) assert(dues.length > 0 && dues.length <= 10, name)
    const rows = choicesOf(contract.definition).map((what, i) => ({
      ...{ after: String(i * 10), what, data: sampleData(contract.definition, what) },
    }))
    const happenings = rows.map(readHappening).flatMap((it) => (typeof it === 'string' ? [] : [it]))
    assert.equal(happenings.length, rows.length, name)
    const played = simulateHere({ ...contract, now: BEFORE_GAP, ticks: 111_197, happenings })
    assert.equal(played.stopped, 'until', name)
    assert(played.timeline.length > 0, name)
  }
})

test('due instants by two clocks: a minute that the clock leaps over is due at the end of the gap', () => {
  const nightly = examples.find(({ name }) => name === 'Every night')
  const { next } = lookAhead({ ...soundOf(nightly?.definition ?? {}), now: BEFORE_GAP })
  const [first, second] = next[0]?.dues ?? []
  assert.deepEqual(
    [first?.zoned, first?.note, first?.zone],
    ['Sun 2027-03-28 03:00 +02:00', 'gap: the clock leaps over 2027-03-28 02:30', 'Europe/Berlin'],
  )
  assert.deepEqual([second?.zoned, second?.note], ['Mon 2027-03-29 02:30 +02:00', ''])
})

test('a claim that breaks is refuted, and the way there breaks it in the simulation', () => {
  const definition = {
    ...{ v: 1, name: 'counter', context: { n: { type: 'integer', initial: 0 } }, events: { up: { data: {} } } },
    states: { on: { initial: true } },
    transitions: [
      {
        ...{ id: 'up', from: 'on', to: 'on', trigger: { kind: 'event', event: 'up' } },
        actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
      },
    ],
    claims: [{ never: 'context.n > 2' }],
  }
  const contract = soundOf(definition)
  const { findings } = lookAhead({ ...contract, now: BEFORE_GAP })
  const claim = findings.find(({ rule }) => rule === 'claim')
  assert.equal(claim?.answer, 'refuted')
  assert(claim !== undefined)
  const happenings = rowsOfTrace(claim)
    .map((it) => readHappening(it))
    .flatMap((it) => (typeof it === 'string' ? [] : [it]))
  const { broken } = simulateHere({ ...contract, now: BEFORE_GAP, ticks: 4_633, happenings })
  assert.deepEqual(
    broken.map(({ claim: no, never }) => [no, never]),
    [[0, 'context.n > 2']],
  )
})

test('rows of what happens: each wrong one says why', () => {
  const cases: readonly (readonly [string, string, string, RegExp])[] = [
    ['', 'now', '', /whole number/],
    ['-1', 'now', '', /whole number/],
    ['1.5', 'now', '', /whole number/],
    ['1', 'event e', '{', /no JSON/],
    ['1', 'event e', '[]', /object/],
    ['1', 'reading o', '{}', /one value/],
  ]
  for (const [after, what, data, why] of cases) assert.match(String(readHappening({ after, what, data })), why)
})

test('a picture comes of anything: states that are only named are strange, nothing throws', () => {
  const model = modelOf({
    states: { a: { initial: true } },
    transitions: [{ id: 't', from: ['a', 'a'], to: 'b' }, 7, null],
  })
  assert.deepEqual(
    model?.states.map(({ name, known }) => [name, known]),
    [
      ['a', true],
      ['b', false],
    ],
  )
  const keys = fc.constantFrom(
    'states',
    'transitions',
    'from',
    'to',
    'id',
    'trigger',
    'kind',
    'a',
    'b',
    '__proto__',
    'constructor',
  )
  const anything = fc.letrec<{ it: unknown }>((tie) => ({
    it: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('a', 'b', 1, true, null),
      fc.array(tie('it'), { maxLength: 3 }),
      fc.dictionary(keys, tie('it'), { maxKeys: 4 }),
    ),
  })).it
  fc.assert(
    fc.property(anything, anything, (states, transitions) => {
      const found = modelOf({ states, transitions })
      if (found !== undefined) assert(layOut(found) !== undefined)
    }),
    { seed, numRuns: 200 },
  )
})

test('64 states are laid out within the picture, and too many arrows are none', () => {
  const names = Array.from({ length: 64 }, (_, i) => `s${i}`)
  const states = Object.fromEntries(names.map((name, i) => [name, { initial: i === 0 }]))
  const ring = names.map((from, i) => ({ id: `t${i}`, from, to: names[(i + 1) % 64], trigger: { kind: 'always' } }))
  const model = modelOf({ states, transitions: ring })
  assert(model !== undefined)
  const drawing = layOut(model)
  assert(drawing !== undefined)
  assert.equal(drawing.nodes.length, 64)
  for (const { x, y, width, height } of drawing.nodes) {
    assert(x - width / 2 >= 0 && x + width / 2 <= drawing.width)
    assert(y - height / 2 >= 0 && y + height / 2 <= drawing.height)
  }
  const all = modelOf({ states, transitions: names.map((to, i) => ({ id: `t${i}`, from: names, to })) })
  assert(all !== undefined && arrowCount(all) > ARROWS_MAX)
  assert.equal(layOut(all), undefined)
})

test('a comparison has every line of both, and folds what stays', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 }).map((it) => it.join('\n'))
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = lineDiff(before, after)
      const of = (kind: 'gone' | 'new'): string =>
        diff
          .filter((it) => it.kind !== kind)
          .map(({ text }) => text)
          .join('\n')
      assert.equal(of('new'), before)
      assert.equal(of('gone'), after)
    }),
    { seed, numRuns: 500 },
  )
  const long = Array.from({ length: 100 }, (_, i) => `line ${i}`)
  const shown = folded(lineDiff(long.join('\n'), long.with(50, 'another').join('\n')))
  assert.equal(shown.filter((it) => it === undefined).length, 1)
  assert.deepEqual(folded(lineDiff('a', 'a')), [])
})

test('a file is a saved contract, an export by its newest version, or a definition; all else says why not', () => {
  const [{ definition } = { definition: {} }] = examples
  const versions = [{ definition: { v: 1 } }, { definition }]
  const cases = [
    ['file', { format: 'tickmesh/contract-file/1', definition }],
    ['export', { format: 'tickmesh/contract-export/1', versions }],
    ['definition', definition],
  ] as const
  for (const [kind, file] of cases) {
    const given = givenContract(JSON.stringify(file))
    assert.deepEqual(given, { kind, definition, file })
  }
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{', /no JSON/],
    ['[]', /no contract/],
    ['null', /no contract/],
    ['{"format": "tickmesh-chain-v1", "states": {}}', /no contract/],
    ['{"format": "tickmesh/contract-file/1", "definition": 7}', /no definition/],
    ['{"format": "tickmesh/contract-export/1", "versions": []}', /no definition/],
    ['{"format": "tickmesh/contract-export/1"}', /no definition/],
  ]
  for (const [text, why] of wrong) assert.throws(() => givenContract(text), why, text)
})

test('places of contracts in the address', () => {
  const id = '0123456789abcdef0123456789abcdef'
  assert.deepEqual(placeIn(`contract/pump-7/${id}/audit`), { kind: 'one', slug: 'pump-7', id, tab: 'audit' })
  assert.deepEqual(placeIn('contracts/template/pump-drift'), { kind: 'templates', id: 'pump-drift' })
  assert.deepEqual([placeIn('contracts'), placeIn('contracts/editor')], [{ kind: 'all' }, { kind: 'editor' }])
  for (const strange of ['contract/pump-7', 'contracts/none', `contract/Pump/${id}`, `contract/pump-7/${id}/a/b`])
    assert.equal(titleOf(strange), undefined, strange)
})

test.run()
