// Goal: the pictures of a run show what the plane of all orbits hides: a close pair, and distances of any size.
// Method: Sun, Earth and Moon, whose distances are known; three alike; a cloud.
import assert from 'node:assert/strict'
import { run } from '#numerics/runtime/run.ts'
import { multibody } from '#numerics/solvers/multibody/index.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/multibody-show')

const { inputOf } = outcomesOf(multibody)

test('a close pair among far bodies has a picture of its own, and distances show whatever their sizes', () => {
  const year = 31_558_150
  const bodies = [
    { mass: 1.98892e30, position: [0, 0, 0], velocity: [0, 0, 0] },
    { mass: 5.97e24, position: [1.496e11, 0, 0], velocity: [0, 29_780, 0] },
    { mass: 7.35e22, position: [1.496e11 + 3.844e8, 0, 0], velocity: [0, 29_780 + 1_022, 0] },
  ]
  const input = inputOf({ bodies, dt: 20_000, t_max: year / 4, outputs: 100 })
  const { output } = run(multibody, input).outcome
  const plots = multibody.plots?.(input, output) ?? []
  assert.deepEqual(
    plots.map(({ title }) => title),
    ['Orbits', 'Body 3 about body 2', 'Distances between the bodies', 'Drift of the energy'],
  )
  const [, moon, distances] = plots
  assert(moon?.kind === 'curves' && distances?.kind === 'curves')
  // Round the Earth, and not farther than the Moon comes.
  const way = moon.curves[0]!
  const far = Array.from(way.x, (x, k) => Math.hypot(x, way.y[k]!))
  assert(far.every((r) => r > 3.4e8 && r < 4.6e8))
  assert(Math.min(...Array.from(way.x)) < -3.4e8 && Math.max(...Array.from(way.y)) > 3.4e8)
  assert.deepEqual(distances.curves.map(({ name }) => name).toSorted(), ['1 to 2', '1 to 3', '2 to 3'])
  // Three alike have no close pair; two are a pair, but nobody is far from it; of many, each has its nearest.
  const titles = (raw: object): readonly string[] => {
    const asks = inputOf(raw)
    return (multibody.plots?.(asks, run(multibody, asks).outcome.output) ?? []).map(({ title }) => title)
  }
  assert.deepEqual(titles({ outputs: 10 }), ['Orbits', 'Distances between the bodies', 'Drift of the energy'])
  const random = seeded(3)
  const cloud = Array.from({ length: 6 }, () => ({ mass: 1, position: [0, 0, 0].map(() => random.next()) }))
  const many = { bodies: cloud, G: 1, softening: 0.2, dt: 1e-3, t_max: 0.05, outputs: 10 }
  assert(titles(many).includes('Distance of each body from its nearest'))
})

test.run()
