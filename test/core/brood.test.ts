// Goal: signals of many works end with the longer one, by its reason, and by themselves; what is over is forgotten.
// Method: drawn courses of openings, closings and the end, held against AbortSignal.any.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { broodOf } from '#core/brood.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/brood')

test('each is aborted when AbortSignal.any would be, and by the same reason', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('open' as const) }),
    fc.record({ what: fc.constantFrom('leave' as const, 'close' as const), which: fc.nat(9) }),
    fc.record({ what: fc.constant('end' as const) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const parent = new AbortController()
      const brood = broodOf(parent.signal)
      const works: { own: AbortController; peer: AbortController; any: AbortSignal; closed: boolean }[] = []
      for (const it of steps) {
        if (it.what === 'open') {
          const peer = new AbortController()
          const any = AbortSignal.any([peer.signal, parent.signal])
          works.push({ own: brood.open(), peer, any, closed: false })
        } else if (it.what === 'end') parent.abort('the end')
        else {
          const work = works[it.which]
          if (work === undefined) continue
          if (it.what === 'leave') {
            work.own.abort('left')
            work.peer.abort('left')
          } else if (!work.any.aborted) {
            // Over: from here on nothing reaches it.
            work.closed = true
            brood.close(work.own)
          }
        }
        for (const { own, any, closed } of works) {
          if (!closed) assert.deepEqual([own.signal.aborted, own.signal.reason], [any.aborted, any.reason])
        }
      }
    }),
    { seed },
  )
})

test('what was closed does not hear of the end', () => {
  const parent = new AbortController()
  const brood = broodOf(parent.signal)
  const [over, live] = [brood.open(), brood.open()]
  brood.close(over)
  parent.abort('the end')
  assert.deepEqual([over.signal.aborted, live.signal.aborted, live.signal.reason], [false, true, 'the end'])
  assert.equal(brood.open().signal.reason, 'the end')
})

test.run()
