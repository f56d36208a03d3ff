// Goal: a sentence is read the same way every time, as people label it: to its template, to none where none fits, with
// its numbers, times, addresses and names where they belong. No text, however hostile, does anything else.
// Method: the labelled sentences, a tenth of them held out by their digest; tables of times, amounts and slips; texts
// drawn at random.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { loadTemplates, templateById } from '#domain/contracts/templates/load.ts'
import { parameterValue, ticksOf } from '#routing/contracts/parameter.ts'
import { rankTemplates, shelfOf } from '#routing/contracts/rank.ts'
import { scheduleOf, timesOf } from '#routing/contracts/schedule.ts'
import { readSentence } from '#routing/contracts/sentence.ts'
import { spansOf } from '#routing/contracts/spans.ts'
import { readSentences, routedShare, sentences, wholeShare } from '../../../scripts/bench/contracts-router.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('routing/contracts')
const shelf = shelfOf(loadTemplates())

const valuesOf = (sentence: string, id?: string): Readonly<Record<string, unknown>> => {
  const { binding } = readSentence(shelf, sentence, id === undefined ? undefined : templateById(id))
  return Object.fromEntries(binding.bound.map(({ name, value }) => [name, value]))
}

test('200 labelled sentences and more: every template, some that fit none, each once; labels are values', () => {
  const all = sentences()
  assert(all.length >= 200)
  assert.equal(new Set(all.map(({ sentence }) => sentence)).size, all.length)
  const labels = new Set(all.map(({ template }) => template))
  for (const { id } of loadTemplates()) assert(labels.has(id), `${id} has sentences`)
  assert(all.filter(({ template }) => template === null).length >= 20)
  for (const { sentence, template, values = {} } of all) {
    for (const [name, value] of Object.entries(values)) {
      const parameter = templateById(template ?? '').parameters[name]
      assert(parameter !== undefined && 'value' in parameterValue(parameter, value), `${sentence}: ${name}`)
    }
  }
})

test('read as labelled: of those tuned on and of those held out; the same twice', () => {
  const reads = readSentences(sentences())
  const [tuned, held] = [reads.filter((it) => !it.held), reads.filter((it) => it.held)]
  assert(held.length >= reads.length / 20 && held.length <= reads.length / 6, `${held.length} are held out`)
  assert(routedShare(tuned) >= 0.95, `tuned on: ${routedShare(tuned)}`)
  assert(routedShare(held) >= 0.85, `held out: ${routedShare(held)}`)
  assert(wholeShare(tuned) >= 0.9, `values, tuned on: ${wholeShare(tuned)}`)
  assert(wholeShare(held) >= 0.7, `values, held out: ${wholeShare(held)}`)
  const again = readSentences(sentences().toReversed()).toReversed()
  assert.deepEqual(
    again.map(({ reading }) => reading),
    reads.map(({ reading }) => reading),
  )
})

test('what fits none is asked about, and binds nothing', () => {
  for (const { labelled, reading } of readSentences(sentences()).filter((it) => !it.held)) {
    if (labelled.template !== null) continue
    assert.equal(reading.template, undefined, labelled.sentence)
    assert.deepEqual(reading.binding, { bound: [], unread: [] })
  }
})

test('times of the day and of the calendar, as fields of cron', () => {
  const standing = '0 2 * * *'
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['at 6:30', '30 6 * * *'],
    ['at 6 pm', '0 18 * * *'],
    ['at 12 am', '0 0 * * *'],
    ['at noon', '0 12 * * *'],
    ['at midnight', '0 0 * * *'],
    ['every weekday at 9:05', '5 9 * * 1-5'],
    ['on Mondays and Fridays at 8:00', '0 8 * * 1,5'],
    ['every night', standing],
    ['each morning', '0 7 * * *'],
    ['monthly', '0 2 1 * *'],
    ['on the 15th at 10:00', '0 10 15 * *'],
    ['on the first of every month', '0 2 1 * *'],
    ['quarterly', '0 2 1 1,4,7,10 *'],
    ['every 15 minutes', '*/15 * * * *'],
    ['every 6 hours', '0 */6 * * *'],
    ['every hour', '0 * * * *'],
    ['every 7 minutes', undefined],
    ['sometimes', undefined],
    ['at 25:00', undefined],
  ]
  for (const [said, cron] of cases) {
    const { times, rest } = timesOf(said)
    assert.equal(scheduleOf(rest, times[0], standing), cron, said)
  }
})

test('amounts find their places by unit, by the words beside them, and only within their bounds', () => {
  const pump = 'when pump 12 drifts by more than 0.5 bar from 4 bar for the last half an hour'
  assert.deepEqual(valuesOf(pump, 'pump-drift'), { subject: 'pump 12', band: 50, nominal: 400, window: ticksOf(1_800) })
  assert.deepEqual(valuesOf('on below 18 degrees Celsius, off above 70 °F', 'thermostat'), {
    on_below: 18,
    off_above: 21.1111111111,
  })
  assert.deepEqual(valuesOf('trip at 170 %', 'tank-level-interlock'), {})
  const { binding } = readSentence(shelf, 'low at 20 %, and 5 kg of sugar', templateById('battery-charge'))
  assert.deepEqual([binding.bound.map(({ name }) => name), binding.unread], [['low'], ['5 kg']])
})

test('addresses, people, identities, quotes and zones are what their form says, wherever they stand', () => {
  const zid = `zid1${'ab'.repeat(16)}`
  const said = `tell "the team" (ann.b+c@example.org) at https://example.org/a?b=1, or ${zid}; Europe/Paris.`
  const { spans, rest } = spansOf(said)
  assert.deepEqual(
    spans.map(({ kind, text }) => [kind, text]),
    [
      ['quoted', 'the team'],
      ['contact', 'ann.b+c@example.org'],
      ['url', 'https://example.org/a?b=1'],
      ['identity', zid],
      ['zone', 'Europe/Paris'],
    ],
  )
  assert.equal(rest.length, said.length)
  assert(!rest.includes('example') && !rest.includes('zid1') && !rest.includes('Paris'))
})

test('slips of the keys are corrected to the words of templates, and told; addresses are left alone', () => {
  const { template, corrections, binding } = readSentence(
    shelf,
    'alert me when the vibraton of fan 3 is above 9 mm/s, call https://exmaple.org/vibraton',
  )
  assert.equal(template?.id, 'vibration-trend')
  assert.deepEqual(corrections, [{ from: 'vibraton', to: 'vibration' }])
  const url = binding.bound.find(({ name }) => name === 'url')
  assert.equal(url?.value, 'https://exmaple.org/vibraton')
})

test('templates that speak equally are in the order of their ids, and none is taken', () => {
  const two = shelfOf(['b', 'a'].map((id) => ({ ...templateById('heartbeat'), id })))
  const ranked = rankTemplates(two, 'a heartbeat')
  assert.deepEqual(
    ranked.map(({ template }) => template.id),
    ['a', 'b'],
  )
  assert.equal(readSentence(two, 'a heartbeat').template, undefined)
})

test('no text does anything but become values of its template, in bounded time', () => {
  const words = loadTemplates().flatMap(({ words }) => [...words.sure, ...words.likely])
  const piece = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom(
      '5 kPa',
      '10 %',
      'every 3 minutes',
      '6:30',
      'https://example.org/x',
      '"',
      '${a}',
      '{{b}}',
      '°C',
      '-3',
    ),
    fc.string({ maxLength: 12 }),
  )
  const sentence = fc.array(piece, { maxLength: 24 }).map((it) => it.join(' ').slice(0, 500))
  const holds = fc.property(sentence, (it) => {
    const { template, confidence, binding } = readSentence(shelf, it)
    assert(confidence >= 0 && confidence <= 1)
    for (const { name, value } of binding.bound) {
      const parameter = template?.parameters[name]
      assert(parameter !== undefined && 'value' in parameterValue(parameter, value))
    }
  })
  fc.assert(holds, { seed, numRuns: 300 })
}, 60_000)

test.run()
