// Goal: sat answers rightly, and its check believes nothing: neither an assignment nor any step of a proof.
// Method: small formulas against all their assignments, formulas whose answer is known; proofs and assignments altered
// one by one; random text as a formula and random integers as a proof.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault, faults } from '#core/fault.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { walkProof } from '#numerics/solvers/sat/check/walk.ts'
import { sat } from '#numerics/solvers/sat/index.ts'
import { drawn, type Formula, parseDimacs } from '#numerics/solvers/sat/problem.ts'
import { BEGIN, COUNT, LIST, ROOM } from '#numerics/solvers/sat/run/memory.ts'
import {
  assign,
  enterShort,
  LITERALS,
  NONE,
  place,
  propagate,
  SIZE,
  type State,
  stateOf,
  undoTo,
  watch,
} from '#numerics/solvers/sat/run/state.ts'
import type { SatOutput } from '#numerics/solvers/sat/schema.ts'
import { seed, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { twinAssign, twinOf, twinPropagate } from './propagate-twin.ts'

const test = suite('numerics/sat')

keepsTheRules(test, sat)

const { inputOf, sealed, refusal } = outcomesOf(sat)
const textOf = ({ variables, clauses }: Formula): string =>
  [`p cnf ${variables} ${clauses.length}`, ...clauses.map((clause) => `${[...clause, 0].join(' ')}`)].join('\n')

/** By trying every assignment. */
const tried = ({ variables, clauses }: Formula): boolean => {
  for (let bits = 0; bits < 2 ** variables; bits++) {
    const holds = (literal: number): boolean => (((bits >> (Math.abs(literal) - 1)) & 1) === 1) === literal > 0
    if (clauses.every((clause) => clause.some(holds))) return true
  }
  return false
}

/** All that a propagation may change, clauses by number: values, trail, reasons, learned clauses and their lists. */
const seenOf = ({ n, memory, trailed, queued }: State, places: readonly number[]) => {
  const { value, trail, reason, lists, pool, arena } = memory
  const known = Array.from(trail.subarray(0, trailed))
  const numbers = new Map(places.map((at, number) => [at, number]))
  return {
    value: Array.from(value.subarray(0, 2 * n)),
    trail: known,
    reasons: known.map((literal) => numbers.get(reason[literal >> 1] as number) ?? NONE),
    queued,
    clauses: places.map((at) =>
      Array.from(arena.subarray(at + LITERALS, at + LITERALS + (arena[at + SIZE] as number))),
    ),
    lists: Array.from({ length: 2 * n }, (_, literal) => {
      const begin = lists[literal * LIST + BEGIN] as number
      return Array.from(pool.subarray(begin, begin + (lists[literal * LIST + COUNT] as number)), (it, k) =>
        k % 2 === 0 ? numbers.get(it) : it,
      )
    }),
  }
}

test('kernel = twin: what follows from decisions, which clause becomes false, and the lists that are left', () => {
  const random = seeded()
  const ends = [0, 0]
  let lengthened = 0
  for (const [n, m, k] of [
    [12, 20, 30],
    [40, 60, 1_200],
    [90, 330, 400],
    [200, 0, 6_000],
  ] as const) {
    // Variables of a clause are all different.
    const clauseOf = (size: number): number[] => {
      const chosen = new Set<number>()
      while (chosen.size < size) chosen.add(random.integer(0, n - 1))
      return Array.from(chosen, (variable) => 2 * variable + random.integer(0, 1))
    }
    const originals = Array.from({ length: m }, () => clauseOf(random.integer(2, 3)))
    const learned = Array.from({ length: k }, () => clauseOf(random.integer(2, 9)))
    const state = stateOf({ variables: n, clauses: originals })
    const places = [...originals, ...learned].map((it, id) => place(state, it, { size: it.length, id, levels: 0 }))
    state.original = places.slice(0, m)
    enterShort(state)
    for (const clause of places.slice(m)) watch(state, clause)
    const twin = twinOf(n, originals, learned)
    for (let round = 0; round < 60; round++) {
      const open = Array.from({ length: n }, (_, i) => i).filter((i) => state.memory.value[2 * i] === 0)
      if (open.length > 0) {
        const literal = 2 * (open[random.integer(0, open.length - 1)] as number) + random.integer(0, 1)
        state.starts[state.depth++] = state.trailed
        assign(state, literal, NONE)
        twinAssign(twin, literal, NONE)
      }
      const rooms = state.memory.lists.filter((_, at) => at % LIST === ROOM)
      const [conflict, its] = [propagate(state), twinPropagate(twin)]
      assert.equal(conflict === NONE ? NONE : places.indexOf(conflict), its)
      assert.deepEqual(seenOf(state, places), {
        value: twin.value,
        trail: twin.trail,
        reasons: twin.trail.map((literal) => twin.reason[literal >> 1]),
        queued: twin.queued,
        clauses: twin.clauses,
        lists: twin.lists.map((list) => list.flatMap(({ clause, other }) => [clause, other])),
      })
      if (rooms.some((room, literal) => state.memory.lists[literal * LIST + ROOM] !== room)) lengthened++
      ends[its === NONE ? 0 : 1]++
      if (its === NONE && open.length > 0) continue
      const depth = random.integer(0, state.depth - 1)
      undoTo(state, depth)
      for (const literal of twin.trail.splice(state.trailed)) twin.value[literal] = twin.value[literal ^ 1] = 0
      twin.queued = twin.trail.length
    }
  }
  // Some lists had to be lengthened on the way.
  assert(lengthened > 0 && ends.every((count) => count > 3), `${lengthened}, ${ends.join()}`)
})

test('small formulas are answered as by trying every assignment', () => {
  const random = seeded()
  const answers = [0, 0]
  for (let round = 0; round < 200; round++) {
    const variables = random.integer(1, 9)
    const literal = (): number => random.integer(1, variables) * (random.next() < 0.5 ? -1 : 1)
    const clauses = Array.from({ length: random.integer(0, 5 * variables) }, () =>
      Array.from({ length: random.next() < 0.02 ? 0 : random.integer(1, 3) }, literal),
    )
    const { satisfiable, answer } = sealed({ dimacs: textOf({ variables, clauses }) })
    assert.equal(satisfiable, tried({ variables, clauses }), textOf({ variables, clauses }))
    answers[answer] = (answers[answer] ?? 0) + 1
  }
  assert(
    answers.every((count) => count > 20),
    answers.join(),
  )
})

/** Pigeons into one hole fewer (Haken, Theor. Comput. Sci. 39 (1985) 297), three holes: no clause is wider. */
const pigeons: Formula = {
  variables: 12,
  clauses: [
    ...[0, 1, 2, 3].map((pigeon) => [1, 2, 3].map((hole) => 3 * pigeon + hole)),
    ...[1, 2, 3].flatMap((hole) =>
      [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].filter((b) => b > a).map((b) => [-(3 * a + hole), -(3 * b + hole)])),
    ),
  ],
}

/** x1 ⊕ x2 ⊕ … around a ring, with one sign turned: odd, so no assignment. */
const ring = (n: number, odd: boolean): Formula => ({
  variables: n,
  clauses: Array.from({ length: n }, (_, i) => [i + 1, ((i + 1) % n) + 1]).flatMap(([a = 0, b = 0], i) =>
    odd && i === 0
      ? [
          [a, b],
          [-a, -b],
        ]
      : [
          [a, -b],
          [-a, b],
        ],
  ),
})

test('formulas whose answer is known', () => {
  assert.equal(sealed({ dimacs: textOf(pigeons) }).satisfiable, false)
  assert.equal(sealed({ dimacs: textOf(ring(50, true)) }).satisfiable, false)
  assert.equal(sealed({ dimacs: textOf(ring(50, false)) }).satisfiable, true)
  assert.equal(sealed({ dimacs: 'p cnf 0 0' }).satisfiable, true)
  assert.equal(sealed({ dimacs: 'p cnf 3 0\nc nothing' }).satisfiable, true)
  assert.equal(sealed({ dimacs: 'p cnf 0 1\n0' }).satisfiable, false)
  assert.equal(sealed({ dimacs: 'p cnf 1 2\n1 -1 0\n1 1 0' }).satisfiable, true)
  assert.equal(sealed({ dimacs: 'p cnf 1 2\n1 0 -1 0' }).satisfiable, false)
  // The files of SATLIB end so.
  assert.equal(sealed({ dimacs: 'p cnf 1 1\n1 0\n%\n0\n' }).satisfiable, true)
})

test('random 3-SAT is satisfiable far below the threshold of 4.27 and not far above (Crawford, Auton 1996)', () => {
  let below = 0
  let above = 0
  for (let k = 0; k < 20; k++) {
    below += sealed({ n: 100, m: 320, seed: k }).answer
    above += sealed({ n: 100, m: 600, seed: k }).answer
  }
  assert.equal(below, 20)
  assert.equal(above, 0)
})

test('a drawn formula is the one its text says, and another seed draws another', () => {
  const formula = drawn(150, 639, 1)
  assert(formula.clauses.every((clause) => new Set(clause.map(Math.abs)).size === 3))
  assert.deepEqual(parseDimacs(textOf(formula)), formula)
  const [own, given] = [run(sat, inputOf({})), run(sat, inputOf({ dimacs: textOf(formula) }))]
  assert.deepEqual(own.outcome.evidence, given.outcome.evidence)
  assert.notDeepEqual(drawn(150, 639, 2), formula)
  const signs = formula.clauses.flat().filter((literal) => literal < 0).length
  assert(signs > 850 && signs < 1_070, `${signs} of 1,917 negated`)
})

test('restarts and deletions take part, and their proof still holds', () => {
  const { deletions, lemmas, satisfiable } = sealed({ n: 170, m: 740 })
  assert(lemmas > 2_000 && deletions > 500)
  assert.equal(satisfiable, false)
}, 20_000)

test('most single integers of a proof cannot be another: the rest are hints that another clause may stand for', () => {
  const input = inputOf({ n: 40, m: 220, seed: 3 })
  const { output, evidence } = run(sat, input).outcome
  assert.equal(output.satisfiable, false)
  passGate(sat.check(input, { output, evidence }))
  const { variables, clauses } = drawn(40, 220, 3)
  let refused = 0
  const alter = (at: number, to: number): void => {
    const proof = evidence.proof.slice()
    proof[at] = to
    const walked = walkProof(variables, clauses, proof)
    if (!walked.sound || !walked.refuted) refused++
  }
  for (let at = 0; at < evidence.proof.length; at++) alter(at, evidence.proof[at] === 1 ? 2 : 1)
  assert(refused > 0.6 * evidence.proof.length, `${refused} of ${evidence.proof.length}`)
})

test('a proof cut short, begun late, out of order, or of another formula is refused', () => {
  const input = inputOf({})
  const { output, evidence } = run(sat, input).outcome
  const { proof } = evidence
  const errorPct = (other: Int32Array): number => sat.check(input, { output, evidence: { proof: other } }).errorPct
  assert.equal(errorPct(proof), 0)
  assert.equal(errorPct(proof.slice(0, -1)), 100)
  assert.equal(errorPct(proof.slice(0, proof.length >> 1)), 100)
  assert.equal(errorPct(proof.slice(1)), 100)
  assert.equal(errorPct(new Int32Array(0)), 100)
  assert.equal(errorPct(Int32Array.of(640, 0, 1, 1)), 100)
  assert.equal(errorPct(Int32Array.of(...proof, ...proof.slice(0, 6))), 100)
  assert.equal(errorPct(Int32Array.of(-1, ...proof)), 100)
  const other = run(sat, inputOf({ seed: 3 })).outcome
  assert.equal(sat.check(input, { output: { ...other.output }, evidence: other.evidence }).errorPct, 100)
  // Half of the clauses are satisfiable: what refutes the whole must not refute them.
  assert.equal(
    sat.check(inputOf({ m: 320 }), { output: { ...output, clauses: 320, ratio: 320 / 150 }, evidence }).errorPct,
    100,
  )
})

test('a deleted lemma is gone', () => {
  const clauses = [
    [1, 2],
    [1, -2],
    [-1, 2],
    [-1, -2],
  ]
  const lemma = [5, 1, 1, 2, 1, 2]
  const end = [6, 0, 3, 5, 3, 4]
  assert.deepEqual(walkProof(2, clauses, Int32Array.of(...lemma, ...end)).refuted, true)
  assert.equal(walkProof(2, clauses, Int32Array.of(...lemma, -5, ...end)).sound, false)
  assert.equal(walkProof(2, clauses, Int32Array.of(...lemma, -4, ...end)).sound, false)
})

test('an assignment is held against every clause', () => {
  const input = inputOf({ seed: 2 })
  const { output, evidence } = run(sat, input).outcome
  assert.equal(output.satisfiable, true)
  const errorPct = (over: Partial<SatOutput>): number =>
    sat.check(input, { output: { ...output, ...over }, evidence }).errorPct
  assert.equal(errorPct({}), 0)
  const flipped = output.assignment.map((literal) => -literal)
  assert.equal(errorPct({ assignment: flipped }), 100)
  for (let v = 0; v < 150; v++) {
    assert.equal(errorPct({ assignment: output.assignment.map((it, k) => (k === v ? -it : it)) }), 100, `${v + 1}`)
  }
  assert.equal(errorPct({ assignment: output.assignment.slice(1) }), 100)
  assert.equal(errorPct({ assignment: output.assignment.map((it, k) => (k === 5 ? 0 : it)) }), 100)
  assert.equal(errorPct({ satisfiable: false, answer: 0, assignment: [], trueLiterals: [0, 0, 0, 0] }), 100)
  assert.equal(errorPct({ answer: 0 }), 100)
})

test('a limit of conflicts is a refusal that says so', () => {
  const details = refusal('DID_NOT_CONVERGE', { conflictsMax: 50 })
  assert.equal(details['measured'], 51)
  assert.equal(details['bound'], 50)
})

test('a text that is no such formula is refused by its line', () => {
  const table: readonly (readonly [string, number])[] = [
    ['1 2 0', 1],
    ['p cnf 2', 1],
    ['p cnf 2 1\n1 3 0', 2],
    ['p cnf 2 1\n1 x 0', 2],
    ['p cnf 2 1\n1 -0', 2],
    ['p cnf 2 1\n1 2', 2],
    ['p cnf 2 2\n1 2 0', 2],
    ['p cnf 2 1\np cnf 2 1\n1 0', 2],
    ['p cnf 4 1\nc wide\n1 2 3 4 0', 3],
    ['p cnf 5001 1\n1 0', 1],
    ['p cnf 2 60001\n1 0', 1],
    ['c', 1],
  ]
  for (const [dimacs, line] of table) assert.equal(refusal('INVALID_INPUT', { dimacs })['line'], line, dimacs)
  assert.equal(sealed({ dimacs: 'c four literals, three variables\np cnf 3 1\n1 -2 3 1 0\n' }).answer, 1)
})

const token = fc.constantFrom(
  'p',
  'cnf',
  '0',
  '1',
  '-1',
  '2',
  '-3',
  '4',
  '\n',
  'c',
  'p cnf 4 2\n',
  '%',
  '9999999999',
  '-',
)

test('any text is a formula or refused, and any integers are walked to an end', () => {
  fc.assert(
    fc.property(fc.array(token, { maxLength: 30 }), (words) => {
      try {
        produce(sat, inputOf({ dimacs: ` ${words.join(' ')}` }))
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        assert.equal(error.code, 'INVALID_INPUT')
      }
    }),
    { seed, numRuns: 500 },
  )
  const { variables, clauses } = ring(6, false)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 40 }), (integers) => {
      // This formula has a model, so that no integers refute it.
      const { sound, refuted } = walkProof(variables, clauses, Int32Array.from(integers))
      assert(!(sound && refuted))
    }),
    { seed, numRuns: 2_000 },
  )
})

const inputs = fc.record(
  {
    n: fc.integer({ min: 1, max: 60 }),
    m: fc.integer({ min: 0, max: 400 }),
    seed: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    conflictsMax: fc.integer({ min: 1, max: 5_000 }),
  },
  { requiredKeys: ['n', 'm'] },
)

test('any input of the schema seals or is refused with a code', () => {
  let seals = 0
  fc.assert(
    fc.property(inputs, (raw) => {
      try {
        const { reality } = produce(sat, inputOf(raw))
        assert.equal(reality?.errorPct, 0)
        seals++
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        assert.equal(faults[error.code].status, 422)
        assert.equal(error.code, 'DID_NOT_CONVERGE')
      }
    }),
    { seed, numRuns: 150 },
  )
  assert(seals > 0, 'some of them seal')
})

test.run()
