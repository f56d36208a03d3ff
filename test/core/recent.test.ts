// Goal: a bounded map holds the newest entries and no more, whatever is put in, put again and taken out. Method: drawn
// courses against a list that is cut at its bound.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { recent, recentByWeight } from '#core/recent.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/recent')

test('it is the list of the last entries by their first arrival', () => {
  const step = fc.record({ key: fc.nat(9), value: fc.option(fc.nat(99), { nil: undefined }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (countMax, steps) => {
      const map = recent<number, number>(countMax)
      let list: (readonly [number, number])[] = []
      for (const { key, value } of steps) {
        if (value === undefined) {
          map.delete(key)
          list = list.filter(([it]) => it !== key)
        } else if (list.some(([it]) => it === key)) {
          map.set(key, value)
          list = list.map((it) => (it[0] === key ? [key, value] : it))
        } else {
          map.set(key, value)
          list = [...list, [key, value] as const].slice(-countMax)
        }
        for (let i = 0; i <= 9; i++) assert.equal(map.get(i), list.find(([it]) => it === i)?.[1])
      }
    }),
    { seed },
  )
})

test('by weight it is the newest entries that are light enough together, and the newest whatever it weighs', () => {
  const step = fc.record({ key: fc.nat(9), weight: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 60 }), (weightMax, steps) => {
      const map = recentByWeight<number, number>(weightMax, (weight) => weight)
      let list: (readonly [number, number])[] = []
      for (const { key, weight } of steps) {
        map.set(key, weight)
        list = [...list.filter(([it]) => it !== key), [key, weight] as const]
        while (list.length > 1 && list.reduce((sum, [, it]) => sum + it, 0) > weightMax) list = list.slice(1)
        for (let i = 0; i <= 9; i++) assert.equal(map.get(i), list.find(([it]) => it === i)?.[1])
      }
    }),
    { seed },
  )
})

test.run()
