import { Fault } from '#core/fault.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { steppedSolver } from '#numerics/reactor/contract.ts'
import { solvers } from '#numerics/solvers/index.ts'
import type { ChannelHead, ChannelRow } from '#store/rows/channel.ts'
import { type ChannelContext, channelPayer } from './context.ts'
import { createFreshInputs } from './fresh-inputs.ts'
import { channelProgram } from './inputs.ts'
import { readTemplate } from './output.ts'
import { revisionOf } from './step.ts'

const wrong = (path: string, message: string): Fault =>
  new Fault('INVALID_INPUT', `${path}: ${message}`, { errors: [{ path, message }] })

/** What a channel computes and how it shows it. */
type Computes = Pick<
  ChannelRow,
  'id' | 'owner' | 'slug' | 'solver' | 'operators' | 'inputs' | 'oracles' | 'mode' | 'contract' | 'autotick'
> &
  Pick<ChannelRow, 'output_format' | 'content_type' | 'template'>

/** What a tick of it costs and takes, and what is carried on. */
type Tried = Pick<ChannelRow, 'price' | 'expected_ms' | 'revision'>

const JSON_TYPE = 'application/json'

/** @throws Fault INVALID_INPUT, TEMPLATE_INVALID */
const assertShown = (row: Computes): void => {
  const { output_format, content_type, template } = row
  if (output_format === 'template') {
    if (template === null) throw wrong('/template', 'say the template that the output is made by')
    readTemplate(row)
    return
  }
  if (template !== null) throw wrong('/template', 'a template goes with outputFormat template')
  if (content_type !== JSON_TYPE) throw wrong('/contentType', `json is ${JSON_TYPE}`)
}

/** Creates what tries the first tick of a channel, as far as that says what it costs and takes; nothing is sealed. */
export const createChannelTrial = (context: ChannelContext) => {
  const { store, held } = context
  const worked = createFreshInputs(context)

  const assertContract = ({ contract, slug }: Computes): void => {
    if (contract === null || store.peek('contract', contract)?.slug === slug) return
    throw wrong('/contract', `there is no such contract on ${slug}, whose chain tells of the ticks`)
  }

  /**
   * What a tick of a channel costs and takes.
   *
   * @throws Fault INVALID_INPUT, NOT_STEPPABLE, and what the computation would be refused with before it runs.
   */
  return async (row: Computes, head: ChannelHead | null): Promise<Tried> => {
    const { solver, operators, inputs, oracles, mode } = row
    if ((solver === null) === (operators === null)) throw wrong('/solver', 'say either solver or operators')
    assertShown(row)
    assertContract(row)
    const program = channelProgram(inputs, oracles)
    const goesOn = mode === 'continue'
    if (goesOn && operators !== null) throw wrong('/mode', 'operators leave no state that a next tick could take up')
    if (goesOn && !program.constant) throw wrong('/inputs', 'what is carried on begins with values, not expressions')
    if (goesOn && solver !== null) steppedSolver(solvers, solver)
    const values = worked(row, program, { count: 1, head })
    const order = { solver: solver ?? undefined, operators: operators ?? undefined, inputs: values, goesOn }
    const payer = channelPayer(context, row)
    const prepared = held.prepare(order, payer)
    const revision = goesOn && solver !== null ? revisionOf(solver) : null
    // Only what ticks by itself takes room of the node, and is worth the time of a measurement.
    const seconds = row.autotick ? await held.measuredSecondsOf(prepared, order, payer) : held.secondsOf(prepared)
    return { price: prepared.price, expected_ms: seconds * MS_PER_SECOND, revision }
  }
}

export type ChannelTrial = ReturnType<typeof createChannelTrial>
