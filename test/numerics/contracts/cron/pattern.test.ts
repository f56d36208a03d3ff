// Goal: a pattern says what it means, and every fault of one is told with its field and its reason. Method: patterns by
// hand, each kind of fault once, alone and together; what a field says against another spelling of the same.
import assert from 'node:assert/strict'
import { readCron } from '#numerics/contracts/cron/cron.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'

const test = suite('numerics/contracts/cron/pattern')
const random = seeded()

const faultsOf = (pattern: string): readonly string[] =>
  readCron(pattern).faults.map(({ field, reason }) => `${field}: ${reason}`)

const setsOf = (pattern: string) => {
  const { cron, faults } = readCron(pattern)
  assert(cron !== undefined, `${pattern}: ${JSON.stringify(faults)}`)
  const { minutesLow, minutesHigh, hours, days, months, weekdays } = cron
  return [minutesLow, minutesHigh, hours, days, months, weekdays]
}

test('two spellings of one pattern are the same sets', () => {
  const same: readonly (readonly [string, string])[] = [
    ['*/20 * * * *', '0,20,40 * * * *'],
    ['1-59/29 */12 * * *', '1,30,59 0,12 * * *'],
    ['0 0 */10 JAN-mar sun', '0 0 1,11,21,31 1,2,3 7'],
    ['0 0 * * FRI-SUN', '0 0 * * 5,6,0'],
    ['0 0 * * SUN-TUE', '0 0 * * 0-2'],
    ['0 0 * * SUN-SUN', '0 0 * * 7'],
    ['0 0 * * 0-7', '0 0 * * *'],
    ['00 09 01 */11 *', '0 9 1 1,12 *'],
    ['\t0   0 1 1 * ', '0 0 1 1 *'],
    ['0 0 * * */2', '0 0 * * 0,2,4,6'],
  ]
  for (const [a, b] of same) assert.deepEqual(setsOf(a), setsOf(b), a)
  assert.deepEqual(setsOf('29,30 23 31 12 6'), [2 ** 29, 1, 2 ** 23, 2 ** 30, 2 ** 11, 2 ** 6])
})

test('every fault has its field and its reason, all of them at once', () => {
  assert.deepEqual(faultsOf('60,-1 24 0-32 13 8'), [
    'minute: 60 is not from 0 to 59',
    'minute: -1 is no value, range or step: numbers and , - * /',
    'hour: 24 is not from 0 to 23',
    'day: 0 is not from 1 to 31',
    'month: 13 is not from 1 to 12',
    'weekday: 8 is not from 0 to 7',
  ])
  assert.deepEqual(faultsOf('5/15 */0 L JULY MON#2'), [
    'minute: a step follows * or a range: 5-59/15, not 5/15',
    'hour: a step is from 1 to 24, not 0',
    'day: L is no value, range or step: there is no L here, only numbers and , - * /',
    'month: JULY is none of JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC',
    'weekday: MON#2 is no value, range or step: there is no # here, only numbers, names such as MON and , - * /',
  ])
  assert.deepEqual(faultsOf('30-10 1, LW * SAT-MON'), [
    'minute: 30-10 runs backwards: two ranges, or a list, say what is meant',
    'hour: a value is missing beside a comma',
    'day: LW is no value, range or step: there is no LW here, only numbers and , - * /',
    'weekday: SAT-MON runs backwards: two ranges, or a list, say what is meant',
  ])
  assert.deepEqual(faultsOf('JUL- x 15W ? 5L'), [
    'minute: JUL- is no value, range or step: numbers and , - * /',
    'hour: x is no number',
    'day: 15W is no value, range or step: there is no W here, only numbers and , - * /',
    'month: ? is no value, range or step: there is no ? here, only numbers, names such as FEB and , - * /',
    'weekday: 5L is no value, range or step: there is no L here, only numbers, names such as MON and , - * /',
  ])
  assert.deepEqual(faultsOf('*/61 */25 */32 */13 */8'), [
    'minute: a step is from 1 to 60, not 61',
    'hour: a step is from 1 to 24, not 25',
    'day: a step is from 1 to 31, not 32',
    'month: a step is from 1 to 12, not 13',
    'weekday: a step is from 1 to 7, not 8',
  ])
})

test('a pattern that is none as a whole is told so', () => {
  const fields = 'pattern: a pattern has 5 fields, minute hour day month weekday, not'
  assert.deepEqual(faultsOf(''), [`${fields} 0`])
  assert.deepEqual(faultsOf('0 * * * * *'), [`${fields} 6`])
  assert.deepEqual(faultsOf('@daily'), [`${fields} 1, and no names such as @daily`])
  assert.deepEqual(faultsOf('0\n0 * * *'), [`${fields} 4`])
  assert.deepEqual(faultsOf(`${'0,'.repeat(130)}0 0 1 1 *`), ['pattern: a pattern has at most 256 characters'])
  const minutes = Array.from({ length: 60 }, (_, i) => i).join(',')
  assert.deepEqual(faultsOf(`${minutes} * * * *`), [])
})

test('a pattern that no year has a day for never fires, and is refused', () => {
  const never = ['day: never fires: no month that it names has such a day']
  for (const day of ['30 2', '31 2', '31 APR', '31 4,6,9,11', '30-31 FEB']) {
    assert.deepEqual(faultsOf(`0 0 ${day} *`), never, day)
    assert.deepEqual(faultsOf(`0 0 ${day} */2`), never, day)
    assert.deepEqual(faultsOf(`0 0 ${day} MON`), [], `${day} or a Monday`)
  }
  for (const day of ['29 2', '29-31 2', '30 4', '31 3', '31 2-3', '*/30 2'])
    assert.deepEqual(faultsOf(`0 0 ${day} *`), [], day)
})

test('any text is read or refused, and soon', () => {
  const letters = '0123456789*,-/ LW#?@ abcSUNJAN\t\u0000é'
  for (let i = 0; i < 20_000; i++) {
    const pattern = Array.from({ length: random.integer(0, 40) }, () => random.pick([...letters])).join('')
    const { cron, faults } = readCron(pattern)
    assert.equal(cron === undefined, faults.length > 0, pattern)
  }
})

test.run()
