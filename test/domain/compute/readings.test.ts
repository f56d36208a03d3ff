/*
 * Goal: whatever is read of a question can be sealed with it: it has the form of a bundle's question and a digest, and
 * it says of each value what is computed with. Method: every question of the three corpora that is read, with the
 * inputs that its call comes to.
 */
import assert from 'node:assert/strict'
import { computeCalls } from '#api/told-routes.ts'
import { questionSchema } from '#core/bundle.ts'
import type { Json } from '#core/canonical.ts'
import type { Question } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { readingDigest, readingFits, sealedReading } from '#core/question.ts'
import { readBack } from '#core/read-back.ts'
import { misfit } from '#core/schema.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { operatorsOf } from '#numerics/runtime/solver.ts'
import { type Routed, routeQuestion } from '#routing/route.ts'
import { colloquial, corpus, fresh, type Labelled, placesHere } from '../../../scripts/routing.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('compute: readings')

const places = placesHere()
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const readOf = ({ query, constants = {} }: Labelled): Routed | undefined => {
  try {
    return routeQuestion(places, { query, constants, calls: computeCalls })
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** What a call comes to: operators with KO42, inputs with defaults. */
const meant = (it: Routed): { readonly operators: readonly string[]; readonly inputs: Json } => {
  if (it.kind === 'operators') {
    const { operators, order } = computeOperators(places.registry, it.order)
    return { operators, inputs: asJson(order) }
  }
  const solver = places.solvers.find(({ name }) => name === it.name)
  assert(solver !== undefined)
  const inputs = resolveInput(solver, it.input)
  return { operators: ['KO42', ...operatorsOf(solver, inputs)], inputs: asJson(inputs) }
}

test('every reading has the form, a digest, and the values that are computed with', () => {
  let count = 0
  for (const asked of [...corpus(), ...colloquial(), ...fresh()]) {
    const routed = readOf(asked)
    if (routed === undefined) continue
    const { operators, inputs } = meant(routed)
    const constants = asJson(asked.constants ?? {}) as Question['constants']
    const reading = sealedReading({ ...routed.reading, operators })
    const question = { query: asked.query, constants, reading }
    assert.equal(misfit(questionSchema, asJson(question)), undefined, asked.query)
    assert.match(readingDigest(question), /^[0-9a-f]{64}$/)
    assert(readingFits(reading, inputs), `${asked.query}: ${JSON.stringify(reading)}`)
    for (const { input } of reading.bound) assert(readBack(reading).includes(`${input} = `), asked.query)
    count += 1
  }
  assert(count > 500, `${count} were read`)
}, 120_000)

test.run()
