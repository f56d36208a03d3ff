// Goal: dock finds the pose of least energy of a rigid ligand, its energy is that of the atoms, and its check sees
// every coefficient; what cannot be docked is refused.
// Method: poses planted by SciPy, kernel beside its plain twin, gradients beside differences, two-body minima in closed
// form, turned and exchanged atoms; searches with a spoilt energy judged as if they were right; inputs from the schema.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import type { Outcome } from '#numerics/runtime/solver.ts'
import { isProblemOf } from '#numerics/solvers/dock/check/recompute-problem.ts'
import { leastPivot, placesIn, termsOf } from '#numerics/solvers/dock/check/recompute-terms.ts'
import { dock } from '#numerics/solvers/dock/index.ts'
import { refuseAtoms } from '#numerics/solvers/dock/limits.ts'
import { COULOMB, type Complex, closestOf, complexOf, countsOf } from '#numerics/solvers/dock/problem.ts'
import { gyrationOf, moved, normalised, type Pose, placed } from '#numerics/solvers/dock/rigid.ts'
import { createField } from '#numerics/solvers/dock/run/field.ts'
import { minimise, polish } from '#numerics/solvers/dock/run/minimise.ts'
import { rmsdOf } from '#numerics/solvers/dock/run/solve.ts'
import { type DockEvidence, type DockOutput, PAIRS } from '#numerics/solvers/dock/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { twinEnergy } from './dock-twin.ts'

const test = suite('numerics/dock')

keepsTheRules(test, dock)

const { inputOf, ran: outcomeOf, refusal, sealsOrRefuses } = outcomesOf(dock)

const randomPose = (random: ReturnType<typeof seeded>, around: number): Pose => {
  const draw = (): number => 2 * random.next() - 1
  return {
    place: [around * draw(), around * draw(), around * draw()],
    turn: normalised([draw(), draw(), draw(), draw()]),
  }
}

for (const pair of PAIRS) {
  test(`${pair}: kernel = twin, and its gradient is that of differences`, () => {
    const random = seeded()
    const complex = complexOf(inputOf({ pair }))
    // An odd number of receptor atoms fills up a vector with one that does not act.
    const odd: Complex = { ...complex, receptor: { ...complex.receptor, count: complex.receptor.count - 1 } }
    for (const [it, softening] of [
      [complex, 0],
      [odd, 1.5],
    ] as const) {
      const arm = gyrationOf(it.ligand.places)
      const field = createField(it, 3, arm)
      field.soften(softening)
      for (let k = 0; k < 4; k++) {
        const pose = randomPose(random, 3)
        const slope = new Float64Array(6)
        const energy = field.at(pose, slope)
        const { lennardJones, coulomb } = field.parts()
        const twin = twinEnergy(it, placed(it.ligand.places, pose), { dielectric: 3, softening })
        assert(Object.is(lennardJones, twin.lennardJones) && Object.is(coulomb, twin.coulomb))
        assert(Object.is(energy, twin.lennardJones + twin.coulomb))
        for (let axis = 0; axis < 6; axis++) {
          const h = 1e-5
          const at = (by: number): number => {
            const step = new Float64Array(6)
            step[axis] = by
            return field.at(moved(pose, step, arm), new Float64Array(6))
          }
          const difference = (at(h) - at(-h)) / (2 * h)
          const size = 1 + Math.max(...slope.map(Math.abs))
          assert(Math.abs(difference - slope[axis]) <= 1e-5 * size, `${axis}: ${difference}, ${slope[axis]}`)
        }
      }
    }
  })
}

test('the planted poses are those of SciPy, whose lowest they are', () => {
  const file = new URL('../../../fixtures/dock/planted.json', import.meta.url)
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly {
    pair: (typeof PAIRS)[number]
    energy: number
    place: number[]
    turn: number[]
    hits: number
  }[]
  assert.deepEqual(
    rows.map(({ pair }) => pair),
    [...PAIRS],
  )
  for (const { pair, energy, place, turn, hits } of rows) {
    const input = inputOf({ pair })
    assert.deepEqual(complexOf(input).planted?.pose, { place, turn })
    assert(hits > 50, 'found from many of 300 starts')
    const { reality, outcome } = produce(dock, input)
    const { output } = outcome as Outcome<DockOutput, DockEvidence>
    assert(Math.abs(output.energy - energy) <= 1e-8 * Math.abs(energy))
    assert((reality?.figures['rmsd_pct'] ?? 1) <= 1e-5)
    assert((output.rmsd ?? 1) <= 1e-6)
  }
})

test('other starts, a wider ball and another seed find the same pose', () => {
  const { energy } = outcomeOf({}).output
  for (const raw of [{ seed: 5 }, { seed: 77, starts: 32 }, { radius: 6, starts: 96 }, { centre: [0, 0, 0] }]) {
    const found = outcomeOf(raw).output
    assert(Math.abs(found.energy - energy) <= 1e-9 * Math.abs(energy), JSON.stringify(raw))
  }
})

test('a price knows the atoms of a built-in pair without building it, and none of the pairs would be refused', () => {
  for (const pair of PAIRS) {
    const { receptor, ligand } = complexOf(inputOf({ pair }))
    assert.deepEqual(countsOf(inputOf({ pair })), { receptor: receptor.count, ligand: ligand.count })
    refuseAtoms(receptor, ligand)
  }
})

test('the closest two atoms are those that all pairs say', () => {
  const random = seeded()
  for (const count of [2, 3, 17, 200]) {
    // Some share an x, so that the order along it is not theirs alone.
    const places = Float64Array.from({ length: 3 * count }, (_, k) =>
      k % 3 === 0 ? random.integer(0, 5) : 20 * random.next(),
    )
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) {
        const [x = 0, y = 0, z = 0] = [0, 1, 2].map((axis) => places[3 * i + axis]! - places[3 * j + axis]!)
        least = Math.min(least, x * x + y * y + z * z)
      }
    }
    const none = new Float64Array(count)
    assert.equal(closestOf({ count, places, sigma: none, epsilon: none, charge: none }), Math.sqrt(least))
  }
})

test('the Coulomb constant is that of the tables', () => {
  // 332.06371 kcal/mol·Å/e², as force fields have it.
  assert(Math.abs(COULOMB / 4.184 - 332.06371) < 1e-4)
})

/** Three atoms of one kind at the corners of a triangle, over one receptor atom. */
const triangle = (charge: number): object => ({
  receptor: [{ element: 'Fe', position: [1, 2, 3], charge: -charge, sigma: 3, epsilon: 2 }],
  ligand: [0, 1, 2].map((k) => ({
    element: 'O',
    position: [50 + 2 * Math.cos((2 * Math.PI * k) / 3), 2 * Math.sin((2 * Math.PI * k) / 3), 0],
    charge,
    sigma: 3,
    epsilon: 2,
  })),
  radius: 5,
})

test('a triangle lies over one atom at the height that one equation gives; it turns freely, and is refused', () => {
  const complex = complexOf(inputOf(triangle(0.5)))
  const arm = gyrationOf(complex.ligand.places)
  const field = createField(complex, 4, arm)
  const q = (COULOMB * -0.25) / 4
  const of = (r: number): number => 3 * (8 * ((3 / r) ** 12 - (3 / r) ** 6) + q / r)
  let best = Number.POSITIVE_INFINITY
  for (let h = 0; h < 6; h += 1e-4) best = Math.min(best, of(Math.sqrt(4 + h * h)))
  const start = { place: [1.1, 2.2, 5.9], turn: [1, 0, 0, 0] } as const
  const { energy } = minimise(field, start, { arm, until: { steps: 500, slope: 1e-9 } })
  assert(Math.abs(energy - best) <= 1e-6 * Math.abs(best), `${energy}, ${best}`)
  // All turns about the atom give this energy: no minimum is strict, and none is sealed.
  refusal('DID_NOT_CONVERGE', triangle(0.5))
})

/** A small irregular pair of own atoms. */
const own = (): { readonly receptor: readonly object[]; readonly ligand: readonly object[] } => {
  const { receptor, ligand } = complexOf(inputOf({ pair: 'cleft' }))
  const atoms = ({ count, places, charge }: typeof receptor, share: number): object[] =>
    Array.from({ length: Math.floor(count * share) }, (_, i) => ({
      element: (['C', 'N', 'O', 'S'] as const)[i % 4],
      position: Array.from(places.subarray(3 * i, 3 * i + 3)),
      charge: charge[i],
    }))
  return { receptor: atoms(receptor, 0.3), ligand: atoms(ligand, 0.6) }
}

test('own atoms: a pose that is turned, moved and renumbered with them has the same energy', () => {
  const raw = { ...own(), centre: [0, 0, 0], starts: 48 }
  const { energy, rmsd, hits } = outcomeOf(raw).output
  passGate(dock.check(inputOf(raw), outcomeOf(raw)))
  assert.equal(rmsd, null)
  assert(hits >= 1 && energy < 0)
  type At = { position: [number, number, number] }
  const turned = (atoms: readonly object[]): object[] =>
    atoms.map((it) => {
      const [x, y, z] = (it as At).position
      return { ...it, position: [7 - y, x + 1, z - 4] }
    })
  const again = outcomeOf({
    receptor: turned(raw.receptor).reverse(),
    ligand: turned(raw.ligand),
    centre: [7, 1, -4],
    starts: 48,
    seed: 9,
  }).output
  assert(Math.abs(again.energy - energy) <= 1e-6 * Math.abs(energy), `${again.energy}, ${energy}`)
})

test('Newton’s steps end at a slope that is rounding alone, and stop where there is no minimum', () => {
  const complex = complexOf(inputOf({}))
  const arm = gyrationOf(complex.ligand.places)
  const field = createField(complex, 4, arm)
  const { place, turn } = complex.planted?.pose ?? assert.fail()
  const near = { place: [place[0] + 0.01, place[1], place[2]], turn } as const
  const { pose } = polish(field, { pose: near, energy: field.at(near, new Float64Array(6)) }, arm)
  const slope = new Float64Array(6)
  field.at(pose, slope)
  assert(Math.max(...slope.map(Math.abs)) <= 1e-9)
  const far = { place: [0, 0, 400], turn } as const
  assert.deepEqual(polish(field, { pose: far, energy: 0 }, arm).pose, far)
})

test('pivots tell a definite matrix from one that is not', () => {
  const diagonal = (last: number): Float64Array =>
    Float64Array.from({ length: 36 }, (_, k) => (k % 7 === 0 ? (k === 35 ? last : 2) : 0.1))
  assert(leastPivot(diagonal(1)) > 0 && leastPivot(diagonal(0.001)) < 0 && leastPivot(diagonal(-1)) < 0)
})

test('places by a matrix and by a quaternion are one', () => {
  const random = seeded()
  const body = Float64Array.from({ length: 30 }, () => random.next() - 0.5)
  for (let k = 0; k < 20; k++) {
    const pose = randomPose(random, 5)
    const [a, b] = [placed(body, pose), placesIn(body, [...pose.place, ...pose.turn])]
    for (let i = 0; i < 30; i++) assert(Math.abs(a[i] - b[i]) <= 1e-13)
    assert(rmsdOf(a, b, [Array.from({ length: 10 }, (_, i) => i)]) <= 1e-13)
  }
})

test('the ring’s symmetries exchange atoms of one kind, and each is a turn of it', () => {
  const { ligand, planted } = complexOf(inputOf({ pair: 'ring' }))
  assert.equal(new Set(planted?.symmetries.map(String)).size, 12)
  const distance = (i: number, j: number): number =>
    Math.hypot(...[0, 1, 2].map((axis) => ligand.places[3 * i + axis] - ligand.places[3 * j + axis]))
  for (const order of planted?.symmetries ?? []) {
    for (let i = 0; i < 12; i++) {
      assert.equal(ligand.charge[order[i] ?? -1], ligand.charge[i])
      for (let j = 0; j < i; j++) {
        assert(Math.abs(distance(i, j) - distance(order[i] ?? -1, order[j] ?? -1)) <= 1e-12)
      }
    }
  }
})

/** A docking to other atoms than those of the input, told with energies and parts of the true ones at its pose. */
const errorWith = (spoil: (complex: Complex) => Complex, dielectric = 4): number => {
  const input = inputOf({ starts: 1 })
  const complex = complexOf(input)
  const arm = gyrationOf(complex.ligand.places)
  const field = createField(spoil(complex), dielectric, arm)
  const start = complex.planted?.pose ?? assert.fail()
  const found = polish(field, minimise(field, start, { arm, until: { steps: 400, slope: 1e-7 } }), arm)
  const flat = [...found.pose.place, ...found.pose.turn]
  const positions = placed(complex.ligand.places, found.pose)
  const { lennardJones, coulomb } = termsOf(complex, placesIn(complex.ligand.places, flat), {
    middle: flat,
    dielectric: 4,
  })
  const identity = [Array.from({ length: 20 }, (_, i) => i)]
  const output: DockOutput = {
    receptorAtoms: 500,
    ligandAtoms: 20,
    starts: 1,
    hits: 1,
    evaluations: 7,
    energy: lennardJones + coulomb,
    lennardJones,
    coulomb,
    translation: [...found.pose.place],
    quaternion: [...found.pose.turn],
    positions: Array.from(positions),
    energies: [lennardJones + coulomb],
    gyration: arm,
    rmsd: rmsdOf(positions, placed(complex.ligand.places, start), identity),
  }
  const evidence = { poses: Float64Array.from(flat), tally: Float64Array.of(7, 1) }
  const reality = dock.check(input, { output, evidence })
  assert.equal(reality.figures['echo_wrong'], undefined, 'the pose itself is judged')
  return reality.errorPct
}

test('the check sees a wrong σ, ε, charge, permittivity, and an atom left out', () => {
  const same = (complex: Complex): Complex => complex
  assert(errorWith(same) <= 1e-4)
  const atoms = (change: Partial<Complex['receptor']>) => (complex: Complex) => ({
    ...complex,
    receptor: { ...complex.receptor, ...change },
  })
  const { receptor } = complexOf(inputOf({}))
  assert(errorWith(atoms({ sigma: receptor.sigma.map((s) => 1.002 * s) })) > 0.1)
  assert(errorWith(atoms({ epsilon: receptor.epsilon.map((e) => 1.01 * e) })) > 0.1)
  assert(errorWith(atoms({ charge: receptor.charge.map((q) => 1.01 * q) })) > 0.1)
  assert(errorWith(same, 4.04) > 0.1)
  assert(errorWith(atoms({ epsilon: receptor.epsilon.map((e, i) => (i === 3 ? 0 : e)) })) > 0.1)
  assert(
    errorWith((complex) => ({
      ...complex,
      ligand: { ...complex.ligand, sigma: complex.ligand.sigma.map((s) => 0.998 * s) },
    })) > 0.1,
  )
})

test('the atoms are those of the input, or the check refuses them', () => {
  const alike = (values: Float64Array, at: number): Float64Array => values.map((it, i) => (i === at ? 1.001 * it : it))
  const some = own()
  const sized = (atoms: readonly object[]): object[] =>
    atoms.map((it, i) => (i === 1 ? { ...it, sigma: 3.1, epsilon: 0.4 } : it))
  for (const raw of [{}, { pair: 'ring' }, some, { receptor: sized(some.receptor), ligand: sized(some.ligand) }]) {
    const input = inputOf(raw)
    const complex = complexOf(input)
    assert(isProblemOf(input, complex))
    for (const body of ['receptor', 'ligand'] as const) {
      for (const name of ['places', 'sigma', 'epsilon', 'charge'] as const) {
        const wrong = { ...complex, [body]: { ...complex[body], [name]: alike(complex[body][name], 1) } }
        assert(!isProblemOf(input, wrong), `${body} ${name}`)
      }
    }
    const { ligand } = complex
    const scaled = { ...ligand, epsilon: ligand.epsilon.map((it) => (4.2 / 4.184) * it) }
    assert(!isProblemOf(input, { ...complex, ligand: scaled }), 'another calorie')
    assert(!isProblemOf(input, { ...complex, ligand: { ...ligand, places: ligand.places.map((x) => x + 1e-6) } }))
  }
})

test('poses that were altered are refused, and so is one that is no minimum', () => {
  const input = inputOf({ pair: 'ring' })
  const outcome = outcomeOf({ pair: 'ring' })
  const { evidence } = outcome
  const random = seeded()
  for (let k = 0; k < 6; k++) {
    const poses = evidence.poses.slice()
    poses[random.integer(0, poses.length - 1)] += 1e-2
    assert.throws(() => passGate(dock.check(input, { ...outcome, evidence: { ...evidence, poses } })), Fault)
  }
  const fewer = { ...evidence, poses: evidence.poses.slice(7) }
  assert.throws(() => passGate(dock.check(input, { ...outcome, evidence: fewer })), Fault)
  refusal('DID_NOT_CONVERGE', { starts: 1, centre: [0, 0, 60], radius: 1 })
})

test('what cannot be docked is refused with what is missing', () => {
  const { receptor, ligand } = own()
  assert.equal(refusal('INVALID_INPUT', { receptor })['path'], '/ligand')
  assert.equal(refusal('INVALID_INPUT', { ligand })['path'], '/receptor')
  const bare = [{ element: 'C', position: [0, 0, 0] }]
  assert.equal(refusal('INVALID_INPUT', { receptor: bare, ligand })['path'], '/receptor/0/charge')
  assert.equal(refusal('ILL_POSED', { receptor: [...receptor, ...receptor], ligand })['path'], '/receptor')
  const line = [0, 1, 2].map((k) => ({ element: 'C', position: [1.5 * k, 3 * k, 0], charge: 0.1 }))
  assert.equal(refusal('ILL_POSED', { receptor, ligand: line })['path'], '/ligand')
  const inert = (atoms: readonly object[]): object[] => atoms.map((it) => ({ ...it, charge: 0, epsilon: 0 }))
  refusal('ILL_POSED', { receptor: inert(receptor), ligand: inert(ligand) })
  const lattice = Array.from({ length: 4_096 }, (_, i) => ({
    element: 'C',
    position: [3 * (i % 16), 3 * (Math.floor(i / 16) % 16), 3 * Math.floor(i / 256)],
    charge: 0,
  }))
  const many = { receptor: lattice, ligand: lattice.slice(0, 200), starts: 1_024 }
  const details = refusal('WORK_LIMIT_EXCEEDED', many)
  dock.refuse(inputOf({ ...many, starts: details['starts'] }))
})

const place = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 3, maxLength: 3 })
const atom = fc.record(
  {
    element: fc.constantFrom('H', 'C', 'N', 'O', 'Zn', 'I'),
    position: fc.oneof({ weight: 8, arbitrary: place }, fc.constant([1e4, -1e4, 0])),
    charge: fc.double({ min: -10, max: 10, noNaN: true }),
    sigma: fc.double({ min: 0.5, max: 10, noNaN: true }),
    epsilon: fc.double({ min: 0, max: 100, noNaN: true }),
  },
  { requiredKeys: ['element', 'position', 'charge'] },
)
const drawn = fc.record(
  {
    pair: fc.constantFrom(...PAIRS),
    receptor: fc.array(atom, { minLength: 1, maxLength: 12 }),
    ligand: fc.array(atom, { minLength: 3, maxLength: 6 }),
    starts: fc.integer({ min: 1, max: 6 }),
    seed: fc.integer({ min: 0, max: 2 ** 50 }),
    dielectric: fc.double({ min: 1, max: 100, noNaN: true }),
    centre: place,
    radius: fc.double({ min: 0, max: 1e3, noNaN: true }),
  },
  { requiredKeys: ['starts'] },
)

test('any input of the schema seals or is refused with a code', () => {
  const any = sealsOrRefuses(drawn, { numRuns: 150 })
  const built = drawn.map(({ receptor: _r, ligand: _l, radius: _d, centre: _c, ...rest }) => ({ ...rest, starts: 12 }))
  const seals = any.seals + sealsOrRefuses(built, { numRuns: 12 }).seals
  assert(seals > 5, `${seals} seal`)
}, 60_000)

test.run()
