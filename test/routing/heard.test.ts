// Goal: what was read of a question covers what it said: a number goes to the symbol that it stands at or is asked
// about, a default case answers for nothing else than its own words, and a word that was left out is named.
// Method: the fresh set, whose labels hold the inputs; tables of near questions; the corpora with tails, with other
// nouns, and symbols with their numbers in any order, drawn at random.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { computeCalls } from '#api/told-routes.ts'
import { Fault } from '#core/fault.ts'
import { amountsOf } from '#routing/amounts.ts'
import { type Routed, routeQuestion } from '#routing/route.ts'
import {
  accuracy,
  colloquial,
  corpus,
  fresh,
  outcomeOf,
  placesHere,
  readColloquial,
  readFresh,
  wrongOf,
} from '../../scripts/routing.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('routing: heard')
const MS_MAX = 120_000

const places = placesHere()

/** What a question is routed to, or the refusal that asks. */
const tried = (query: string, constants: Readonly<Record<string, unknown>> = {}): Routed | Fault => {
  try {
    return routeQuestion(places, { query, constants, calls: computeCalls })
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const inputOf = (query: string) => {
  const routed = tried(query)
  assert(!(routed instanceof Fault), `${query}: ${String(routed)}`)
  return routed.reading.input
}

const asked = (query: string) => {
  const found = tried(query)
  assert(found instanceof Fault, `${query} was read as ${JSON.stringify(found)}`)
  assert.equal(found.code, 'AMBIGUOUS_INPUT', query)
  return found.details
}

test('fresh questions: none read as another, no input otherwise than labelled; most that can be are answered', () => {
  const all = fresh()
  assert(all.length >= 120)
  assert(all.filter(({ route }) => route === 'refuse').length >= 40)
  assert(all.filter(({ inputs }) => Object.keys(inputs ?? {}).length > 0).length >= 60)
  assert.equal(new Set(all.map(({ query }) => query)).size, all.length)
  const reads = readFresh(places)
  const held = reads.filter(({ part }) => part === 'fresh, held out')
  assert(held.length >= all.length / 3)
  assert.deepEqual(wrongOf(reads), [])
  assert(accuracy(held) >= 0.85, `held out: ${accuracy(held)}`)
  assert.deepEqual(wrongOf(readColloquial(places)), [])
})

test('an input read otherwise than labelled is a wrong reading, not a right one', () => {
  const [read] = readFresh(places).filter((it) => outcomeOf(it) === 'right' && it.got === 'quant')
  assert(read !== undefined)
  assert.equal(outcomeOf({ ...read, misread: ['T is 0.2, not 1'] }), 'wrong')
  assert.equal(outcomeOf({ ...read, got: 'heat' }), 'wrong')
  assert.equal(outcomeOf({ ...read, got: 'refuse' }), 'asked')
})

test('words that nothing was read of are named, with what would have been computed', () => {
  const cases: readonly (readonly [query: string, unread: readonly string[]])[] = [
    ['free fall without air resistance', ['without']],
    ['3d heat diffusion', ['3d']],
    ['power flow of a 24 bus system', ['24']],
    ['twice the kinetic energy of 5 kg at 3 m/s', ['twice']],
    ['kinetic energy of three 5 kg balls at 3 m/s', ['3']],
    ['kinetic energy of three balls of 5 kg at 3 m/s', ['3']],
    ['mach number of a plane at 300 m/s in syrup', ['syrup']],
  ]
  for (const [query, unread] of cases) {
    const details = asked(query)
    const named = details['unread'] as readonly string[]
    for (const word of unread) assert(named.includes(word), `${query}: ${word} is not among ${named.join(', ')}`)
    const would = details['would'] as { readonly route: string; readonly input: unknown }
    assert.match(would.route, /^POST \/api\/svc\//u)
  }
  for (const [query, input] of [
    ['lorenz attractor', {}],
    ['taylor green vortex', {}],
    ['satellite at altitude 400 km moving at 7.67 km/s', { referenceMode: 'gravity', height: 4e5, v0: 7670 }],
  ] as const) {
    assert.deepEqual(inputOf(query), input, query)
  }
})

test('a number belongs to the symbol that it stands at, before or behind, and to no other', () => {
  const right = { K: 100, S: 105, sigma: 0.2, T: 1, r: 0.03 }
  assert.deepEqual(inputOf('price a european call with strike 100 spot 105 vol 20% one year rate 3%'), right)
  assert.deepEqual(inputOf('european call, 100 strike 105 spot 20% vol'), { K: 100, S: 105, sigma: 0.2 })
  assert.deepEqual(inputOf('run the lorenz system until t = 40 with rho = 24'), { t_max: 40, rho: 24 })
  // Two readings, or a share of what is no share.
  assert.deepEqual(asked('european call 20% spot 105')['unread'], ['20%'])
  assert.deepEqual(asked('heat equation, 2 m width 5 m')['unread'], ['2 m'])
  assert.deepEqual(asked('momentum of 3 kg mass 5 kg')['unread'], ['3 kg'])
  // What is named is not open to a number without a name.
  assert.deepEqual(inputOf('heat equation, 2 m, width 5 m'), { lx: 5, ly: 2 })
  asked('european call with spot 20%')
  asked('european call with strike 100 and 7')
  assert.deepEqual(
    amountsOf('vol 20% 1 year, 3 kg 2 m').map(({ number, unit }) => [number, unit]),
    [
      ['20', '%'],
      ['1', 'year'],
      ['3', 'kg'],
      ['2', 'm'],
    ],
  )
})

test('a body of the sky gives its mass and radius where the law asks for them, with their source', () => {
  const mars = tried('escape velocity of mars')
  assert(!(mars instanceof Fault))
  assert.deepEqual(mars.reading.bound.map(({ input, from, value }) => [input, from, value]).sort(), [
    ['M', 'body', 6.4169e23],
    ['r', 'body', 3_389_500],
  ])
  for (const { given } of mars.reading.bound) assert.match(String(given), /^mars: .* of Mars, .*\(NASA NSSDCA/u)
  const given = tried('escape velocity of mars', { M: 1e24, r: '5000 km' })
  assert(!(given instanceof Fault) && given.reading.bound.every(({ from }) => from === 'constants'))
  const both = tried('schwarzschild radius of the sun or the moon')
  assert(both instanceof Fault && both.code === 'AMBIGUOUS_INPUT')
  asked('escape velocity of mars at a height of 300 km')
})

const queries = [...corpus(), ...colloquial(), ...fresh()].filter(
  ({ route, constants }) => route !== 'refuse' && constants === undefined,
)

/** Amounts of a routed question that stand nowhere in its reading; `one` and `two` of a pair count nothing. */
const dropped = (query: string, { reading }: Routed): readonly string[] =>
  amountsOf(query)
    .filter(({ loose }) => !loose)
    .map(({ text }) => text)
    .filter((text) => !reading.bound.some(({ given }) => String(given).includes(text)))

test(
  'with a tail that no route reads, every question is asked about, or says what it said before',
  () => {
    fc.assert(
      fc.property(fc.constantFrom(...queries), ({ query }) => {
        const counted = tried(`${query} with 7 of them`)
        if (!(counted instanceof Fault))
          assert(
            counted.reading.bound.some(({ given }) => String(given) === '7'),
            query,
          )
        const sky = tried(`${query} between venus and neptune`)
        if (!(sky instanceof Fault)) {
          const [id = ''] = sky.kind === 'operators' ? sky.order.operators : []
          assert(sky.kind === 'operators' && places.registry.operator(id).row.equation.includes('@G'), query)
        }
        const whose = tried(`${query} of a quokka`)
        if (!(whose instanceof Fault)) {
          assert.equal(whose.kind, 'operators', query)
          assert.deepEqual(dropped(query, whose), [], query)
        }
      }),
      { seed, numRuns: 150 },
    )
  },
  MS_MAX,
)

test(
  'with another word in the place of any of its own, no number of a question is ignored',
  () => {
    const swapped = fc
      .tuple(fc.constantFrom(...queries), fc.nat(), fc.constantFrom('quokka', 'moon', 'price', 'copper', 'seven'))
      .map(([{ query }, at, word]) => {
        const words = query.split(' ')
        const i = at % words.length
        return /\d/u.test(words[i] ?? '') ? query : [...words.slice(0, i), word, ...words.slice(i + 1)].join(' ')
      })
    fc.assert(
      fc.property(swapped, (query) => {
        const routed = tried(query)
        if (routed instanceof Fault || routed.reading.corrections.length > 0) return
        if (JSON.stringify(routed.reading.input).includes('expression')) return
        assert.deepEqual(dropped(query, routed), [], query)
      }),
      { seed, numRuns: 250 },
    )
  },
  MS_MAX,
)

/** Symbols of a solver as people say them, with a number that is read as no other one's. */
const PAIRS: readonly {
  readonly head: string
  readonly pairs: readonly (readonly [string, string, string, number])[]
}[] = [
  {
    head: 'european call',
    pairs: [
      ['strike', '111', 'K', 111],
      ['spot', '103', 'S', 103],
      ['vol', '23%', 'sigma', 0.23],
      ['rate', '4%', 'r', 0.04],
      ['maturity', '2 years', 'T', 2],
    ],
  },
  {
    head: 'lotka volterra',
    pairs: [
      ['alpha', '0.8', 'alpha', 0.8],
      ['beta', '0.03', 'beta', 0.03],
      ['delta', '0.02', 'delta', 0.02],
      ['gamma', '0.6', 'gamma', 0.6],
      ['foxes', '9', 'y0', 9],
      ['rabbits', '40', 'x0', 40],
    ],
  },
  {
    head: 'lorenz attractor',
    pairs: [
      ['rho', '24', 'rho', 24],
      ['sigma', '9', 'sigma', 9],
      ['beta', '2.5', 'beta', 2.5],
    ],
  },
]

test(
  'symbols with their numbers in any order and style bind to their own or are asked about',
  () => {
    const said = fc.constantFrom(...PAIRS).chain(({ head, pairs }) =>
      fc.record({
        head: fc.constant(head),
        pairs: fc.shuffledSubarray([...pairs], { minLength: 1 }),
        style: fc.constantFrom('before', 'behind', 'equal'),
        by: fc.constantFrom(' ', ', ', ' and '),
      }),
    )
    let bound = 0
    fc.assert(
      fc.property(said, ({ head, pairs, style, by }) => {
        const parts = pairs.map(([symbol, number]) =>
          style === 'behind' ? `${number} ${symbol}` : `${symbol}${style === 'equal' ? ' = ' : ' '}${number}`,
        )
        const query = `${head}, ${parts.join(by)}`
        const routed = tried(query)
        if (routed instanceof Fault) {
          // A price without a volatility has no answer.
          const lacks = routed.message.includes('there is no answer')
          assert(lacks || style !== 'equal', `${query}: ${routed.message}`)
          return
        }
        const wanted = Object.fromEntries(pairs.map(([, , path, value]) => [path, value]))
        assert.deepEqual(routed.reading.input, wanted, query)
        bound += 1
      }),
      { seed, numRuns: 300 },
    )
    assert(bound >= 200, `${bound} of 300 were read`)
  },
  MS_MAX,
)

test.run()
