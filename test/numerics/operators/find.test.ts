// Goal: what is found gives what is wanted: each way computes when it is called as it says, misses what it says it
// misses, and the best of them is what a practitioner would take.
// Method: a table of questions with the way that must lead; ways taken back from shipped rows and from their worked
// examples; each chain of drawn questions planned by the pipeline itself; texts drawn at random.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { planChain } from '#numerics/operators/chain.ts'
import { assign } from '#numerics/operators/find/assign.ts'
import { findOperators, KNOWN_MAX, SAID_LENGTH_MAX, WAYS_MAX, type Way } from '#numerics/operators/find/find.ts'
import { KERNEL_ID } from '#numerics/operators/registry.ts'
import { bindInputs } from '#numerics/operators/resolve.ts'
import { finds } from '../../../scripts/bench/operators/queries.ts'
import { seed, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { compute, faultOf, registry } from './table.ts'

const test = suite('operator find')

const find = (wanted: string, known: string, limit = WAYS_MAX) =>
  findOperators(registry, { wanted, known: known === '' ? [] : known.split(','), limit })
const idsOf = ({ operators }: Way): string => operators.join('>')

/** A value within the range of each variable: whole, positive, and small where the range says nothing. */
const valueFor = (id: string, symbol: string): number => {
  const { min, max } = registry.operator(id).row.variables[symbol] ?? {}
  return min ?? Math.min(1, max ?? 1)
}

/** The way as a call: what the pipeline plans of it. */
const planned = (way: Way) => {
  const operators = way.operators.map((id) => registry.operator(id))
  const inputs = [...way.given, ...way.missing].map((it): [string, number] => [
    it.write,
    valueFor(it.operator, it.symbol),
  ])
  return planChain(operators, bindInputs(operators, inputs), way.solve_for)
}

test('the way that a practitioner would take comes first', () => {
  for (const [wanted, known, way] of finds) {
    const { operators, chains } = find(wanted, known)
    if (way.includes('>')) assert.equal(chains[0] && idsOf(chains[0]), way, `${wanted} from ${known}`)
    else if (way !== '') {
      assert.equal(operators[0] && idsOf(operators[0]), way, `${wanted} from ${known}`)
      assert.deepEqual([operators[0]?.missing, operators[0]?.unused], [[], []], `${wanted} from ${known}`)
    }
  }
})

test('fewest missing first, each named with its unit; constants are never missing; what has no use is said', () => {
  const { operators } = find('drag force', 'density,speed,area')
  const [best] = operators
  assert.deepEqual(best && [best.operators, best.missing], [
    ['FL5'],
    [{ operator: 'FL5', symbol: 'C_D', name: 'drag coefficient', unit: '1', write: 'FL5.C_D' }],
  ])
  const counts = find('pressure', 'temperature,volume,amount').operators.map(({ missing }) => missing.length)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
  const gas = find('pressure', 'temperature,volume,amount,wavelength').operators[0]
  assert.deepEqual(gas && [gas.operators, gas.missing, gas.unused], [['TH2'], [], ['wavelength']])
  for (const { missing } of find('orbital period', 'mass,radius').operators) {
    for (const { operator, symbol } of missing) assert(registry.operator(operator).row.variables[symbol] !== undefined)
  }
})

test('each evaluable row is found from the names of its own variables, and computes as its example says', () => {
  const random = seeded()
  const evaluable = registry.operators.filter(({ row }) => row.refused === undefined && row.id !== KERNEL_ID)
  for (let turn = 0; turn < 60; turn += 1) {
    const { row } = random.pick(evaluable)
    const { output = '', inputs = {}, value = 0 } = row.example ?? {}
    const others = Object.keys(row.variables).filter((symbol) => symbol !== output)
    if (others.length > KNOWN_MAX) continue
    const short = (symbol: string): string => (row.variables[symbol]?.name ?? '').slice(0, SAID_LENGTH_MAX)
    const named = [output, ...others].map(short)
    // A name of more words than one query holds, or cut amid a word, is asked for by its symbol.
    const texts = named.map((name, i) => (name.length === SAID_LENGTH_MAX ? ([output, ...others][i] ?? '') : name))
    const [wanted = '', ...known] = texts
    const found = findOperators(registry, { wanted, known, limit: WAYS_MAX })
    const way = found.operators.find(
      (it) => it.operators[0] === row.id && it.output.symbol === output && it.missing.length === 0,
    )
    assert(way !== undefined, `${row.id}: ${wanted} from ${known.join('; ')}`)
    const given = Object.fromEntries(way.given.map((it) => [it.write, inputs[it.symbol]]))
    const computed = compute(way.operators, given, { solve_for: way.solve_for })
    const tolerance = row.example?.tolerance ?? 1e-6
    assert(Math.abs(computed.value - value) <= tolerance * Math.abs(value), row.id)
  }
}, 60_000)

test('a chain is a call that the pipeline takes: one output goes to one input, nothing is left open', () => {
  const random = seeded()
  const evaluable = registry.operators.filter(({ row }) => row.refused === undefined && row.id !== KERNEL_ID)
  const drawn = Array.from({ length: 40 }, (): readonly [string, string] => {
    const [a, b] = [random.pick(evaluable).row, random.pick(evaluable).row]
    const names = Object.values(a.variables).map(({ name }) => name.replaceAll(',', ' '))
    const known = names.filter((name) => name.length <= SAID_LENGTH_MAX).slice(0, KNOWN_MAX)
    const wanted = b.variables[b.solves_for[0] ?? '']?.name ?? ''
    return [wanted.length > SAID_LENGTH_MAX ? 'pressure' : wanted, known.join(',')]
  })
  for (const [wanted, known] of [...finds, ...drawn]) {
    for (const way of find(wanted, known).chains) {
      const plans = planned(way)
      assert.deepEqual(
        [plans[0]?.unknown.symbol, plans[1]?.fed?.symbol, plans[1]?.unknown.symbol],
        [way.fed?.from.symbol, way.fed?.to.symbol, way.output.symbol],
        idsOf(way),
      )
      assert.equal(new Set(way.operators).size, 2)
      assert(way.given.some(({ operator }) => operator === way.operators[0]))
      assert(
        way.missing.every(({ operator }) => operator === way.operators[1]),
        idsOf(way),
      )
    }
  }
  const [broglie] = find('wavelength', 'mass,speed').chains
  assert(broglie !== undefined)
  const inputs = Object.fromEntries(broglie.given.map((it) => [it.write, it.known === 'mass' ? 9.1093837139e-31 : 1e6]))
  const { value } = compute(broglie.operators, inputs, { solve_for: broglie.solve_for })
  // h/(m v) with h = 6.62607015e-34 J s, by hand.
  assert(Math.abs(value - 7.2738951e-10) < 1e-16)
}, 60_000)

test('a word is a symbol in its case, a name, a unit, or a name with its unit', () => {
  const as = (wanted: string, known = ''): readonly string[] => {
    const found = find(wanted, known)
    return [found.wanted, ...found.known].map((it) => it.as)
  }
  assert.deepEqual(as('Pa', 'K,m^3,mol'), ['unit', 'unit', 'unit', 'unit'])
  assert.deepEqual(as('pressure', 'K'), ['name', 'symbol'])
  assert.deepEqual(as('[m]'), ['unit'])
  assert.deepEqual(find('P [W]', '').wanted.units, ['W'])
  assert.deepEqual(find('kinetic energy', '').operators, find('Kinetic  Energy', '').operators)
  assert.deepEqual(find('vapor pressure', 'temperature').operators.length > 0, true)
  assert.deepEqual(find('ω', '').operators, find('omega', '').operators)
  assert(find('temperature', '').operators.every(({ output }) => output.unit === 'K' || output.unit === 'J'))
})

test('the kernel is in every computation and is never what gives something', () => {
  const { variables, solves_for } = registry.operator(KERNEL_ID).row
  for (const wanted of solves_for) {
    const known = Object.keys(variables).filter((symbol) => symbol !== wanted)
    const { operators, chains } = findOperators(registry, { wanted, known, limit: WAYS_MAX })
    for (const way of [...operators, ...chains]) assert(!way.operators.includes(KERNEL_ID), wanted)
  }
})

test('as many variables have a word as can have one: what is said loosely makes room', () => {
  const edges = [
    { word: 0, at: 1, grade: 2 },
    { word: 0, at: 2, grade: 2 },
    { word: 1, at: 1, grade: 2 },
    { word: 2, at: 3, grade: 4 },
  ]
  assert.deepEqual([...assign(edges, -1).by].sort(), [
    [1, 1],
    [2, 0],
    [3, 2],
  ])
  // What is wanted takes no word.
  assert.deepEqual([...assign(edges, 1).by].sort(), [
    [2, 0],
    [3, 2],
  ])
})

test('what means nothing is refused with what may be meant; too much is refused', () => {
  const unknown = faultOf(() => find('presure', 'temperatur,volume'))
  assert.equal(unknown.code, 'INVALID_INPUT')
  assert.match(unknown.message, /Did you mean pressure\?/)
  assert.deepEqual(
    (unknown.details['unknown'] as { input: string }[]).map(({ input }) => input),
    ['presure', 'temperatur'],
  )
  const many = Array.from({ length: KNOWN_MAX + 1 }, () => 'mass')
  const refused: readonly (() => unknown)[] = [
    () => findOperators(registry, { wanted: 'force', known: many }),
    () => findOperators(registry, { wanted: '', known: [] }),
    () => findOperators(registry, { wanted: 'force', known: [' '] }),
    () => findOperators(registry, { wanted: 'x'.repeat(SAID_LENGTH_MAX + 1), known: [] }),
    () => find('force', 'mass', 0),
    () => find('force', 'mass', WAYS_MAX + 1),
    () => find('force [nope]', ''),
    () => find('force [kg]', ''),
    () => find('[', ''),
    () => find('of', ''),
    () => find('__proto__', 'constructor'),
  ]
  for (const body of refused) assert.equal(faultOf(body).code, 'INVALID_INPUT', String(body))
})

test('any words are answered or refused with a code, the same each time', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('pressure', 'm', 'K', 'Pa', '[m]', 'v [m/s]', 'λ', 'length', 'toString', 'hasOwnProperty'),
  )
  const ask = (wanted: string, known: readonly string[]): string => {
    try {
      return JSON.stringify(findOperators(registry, { wanted, known }))
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return cause.code
    }
  }
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 5 }), (wanted, known) => {
      const first = ask(wanted, known)
      assert.equal(ask(wanted, known), first)
      assert(first.startsWith('{') || first === 'INVALID_INPUT')
    }),
    { seed, numRuns: 60 },
  )
}, 60_000)

test.run()
