import { type Query, spellAddress } from '#ui/address.ts'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { inputQuery, type OpenedReceipt } from './opened.ts'

/** A link of a chain of operators, as the result of a computation has it. */
interface ChainLink {
  readonly id: string
  /** The symbol that it was solved for. */
  readonly output: string
  /** By symbol, each in the unit of its variable: those of the rows are SI, and so are sealed values. */
  readonly inputs: Readonly<Record<string, number>>
}

interface Uncertain {
  readonly of: readonly string[]
  readonly standard: number
}

/** The form of the last operator, filled with what it was computed from: of a chain, with what came to it. */
const operatorAddress = ({ id, output, inputs }: ChainLink, uncertain: readonly Uncertain[]): string => {
  const texts = Object.entries(inputs).map(([symbol, value]) => {
    // An error that several variables have in common cannot be said in a form of single ones.
    const own = uncertain.find(({ of }) => of.length === 1 && of[0] === `${id}.${symbol}`)
    return [symbol, own === undefined ? String(value) : `${value} ± ${own.standard}`] as const
  })
  const query: Query = { solve_for: output, ...Object.fromEntries(texts) }
  return `#${spellAddress(`operators/${id}`, query)}`
}

/** Where a form stands with the inputs of a receipt. */
export const againAddress = ({ kind, operators }: EnvelopeSummary, { input, answer }: OpenedReceipt): string => {
  if (kind !== 'compute') return `#${spellAddress(`solver/${kind}`, inputQuery(input))}`
  const last = (answer as { readonly chain?: readonly ChainLink[] }).chain?.at(-1)
  // A result that its node no longer keeps still names its operators.
  if (last === undefined) return `#operators/${operators.at(-1) ?? ''}`
  return operatorAddress(last, (input as { readonly uncertainties?: readonly Uncertain[] }).uncertainties ?? [])
}
