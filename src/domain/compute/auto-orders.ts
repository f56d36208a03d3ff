import type { Json } from '#core/canonical.ts'
import type { Question, SealedReading } from '#core/claim.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { readingDigest, readingFits, sealedReading } from '#core/question.ts'
import { readBack } from '#core/read-back.ts'
import { heardAs } from '#routing/bound-input.ts'
import type { Reading } from '#routing/reading.ts'
import type { Calls } from '#routing/route.ts'
import type { Recipe } from '#store/rows/job.ts'
import type { OperatorOrders } from './operator-orders.ts'
import type { Pool } from './pool.ts'
import type { Prepared } from './prepared.ts'
import type { SolverOrders } from './solver-orders.ts'
import type { AutoCall, RequestContext } from './types.ts'

/** Values that one call may bring. */
const CONSTANTS_MAX = 64

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

/** A question that was asked, and whether its caller confirmed how it was read. */
export interface AskedQuestion {
  readonly question: Question
  readonly confirmed: boolean
}

/** What the claim of a recipe binds of the question that it answers; undefined for a call that is not in words. */
export const questionOf = ({ reading, words }: Pick<Recipe, 'reading' | 'words'>): AskedQuestion | undefined => {
  if (reading === undefined || words === undefined) return undefined
  const { query, constants, confirmed } = words
  const asked = { query, constants: constants as Question['constants'] }
  return { question: { ...asked, reading: sealedReading(reading as unknown as SealedReading) }, confirmed }
}

/** A computation as the call in words that it answers: its answer shows the reading, and its claim binds it. */
export const asAuto = (
  prepared: Prepared,
  { asked, reading, words }: Pick<Recipe, 'asked' | 'reading' | 'words'>,
): Prepared => {
  if (reading === undefined)
    return asked === undefined ? prepared : { ...prepared, recipe: { ...prepared.recipe, asked } }
  const shown = { reading, ...(words !== undefined && { confirmed: words.confirmed }) }
  return {
    ...prepared,
    scope: 'auto',
    recipe: {
      ...prepared.recipe,
      reading,
      ...(words !== undefined && { words }),
      ...(asked !== undefined && { asked }),
    },
    execute: async (execution) => {
      const found = await prepared.execute(execution)
      return { ...found, extras: { ...found.extras, ...shown } }
    },
  }
}

/** @throws Fault AMBIGUOUS_INPUT that shows the reading, when the call confirms another one. */
const assertConfirmed = (confirm: string | undefined, found: string, reading: Reading): void => {
  if (confirm === undefined || confirm === found) return
  const detail = `The question is read in another way than the one confirmed. ${readBack(reading)}`
  throw new Fault('AMBIGUOUS_INPUT', detail, { path: '/confirm', reading, reading_digest: found })
}

/** A call in words, prepared: the computation that it stands for, and how it was read. */
export interface AutoOrder {
  readonly prepared: Prepared
  readonly reading: Reading
  /** What confirms this reading of this question. */
  readonly readingDigest: string
}

interface Collaborators {
  readonly pool: Pool
  readonly calls: Calls
  readonly orders: { readonly solver: SolverOrders; readonly operators: OperatorOrders }
}

/**
 * Reads a call in words and prepares what it means, as if that had been called directly; nothing runs and nothing is
 * held. The reading takes a thread: some of them would hold up every other call. A repeat under one Idempotency-Key is
 * held against the words, not against what they were read as.
 *
 * @throws Fault AMBIGUOUS_INPUT that asks, whatever the chosen route refuses, and as `Pool.read`.
 */
export const createAutoOrders =
  ({ pool, calls, orders }: Collaborators) =>
  async (
    { query, constants: given = {}, publish, confirm }: AutoCall,
    { caller, signal }: Pick<RequestContext, 'caller' | 'signal'>,
  ): Promise<AutoOrder> => {
    const constants = asJson(given) as Question['constants']
    const count = Object.keys(constants).length
    if (count > CONSTANTS_MAX) {
      throw new Fault('INVALID_INPUT', `More than ${CONSTANTS_MAX} constants.`, {
        path: '/constants',
        limit: CONSTANTS_MAX,
      })
    }
    const routed = await pool.read({ query, constants, calls }, signal)
    const { title, bound } = routed.reading
    const computation =
      routed.kind === 'solver'
        ? heardAs({ kind: 'solver', name: routed.name, title, bound }, () =>
            orders.solver(routed.name, routed.input, caller),
          )
        : orders.operators('compute', { ...routed.order, publish })
    const recipe = publish === undefined ? computation.recipe : { ...computation.recipe, publish }
    const reading: Reading = { ...routed.reading, operators: computation.operators }
    const found = readingDigest({ query, constants, reading: sealedReading(reading) })
    if (!readingFits(reading, asJson(computation.recipe.inputs))) {
      throw new Fault('AMBIGUOUS_INPUT', 'What would be computed is not what was read.', { reading })
    }
    assertConfirmed(confirm, found, reading)
    const asked = digest(purposes.request, { query, constants, ...(confirm !== undefined && { confirm }) })
    const words = { query, constants, confirmed: confirm !== undefined }
    const order = asAuto({ ...computation, recipe }, { asked, reading: asJson(reading), words })
    return { prepared: order, reading, readingDigest: found }
  }

export type AutoOrders = ReturnType<typeof createAutoOrders>
