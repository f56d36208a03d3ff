import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'

/** Names of operators that are kept; a list shows no more receipts. */
const NAMES_MAX = 200

const names = new Map<string, Promise<string>>()

/** An operator's name, asked for once. @throws ApiProblem, NodeGone */
const readName = (id: string): Promise<string> => {
  const known = names.get(id)
  if (known !== undefined) return known
  const asked = call('GET /api/operators/{id}', { id }, {}).then(({ name }) => name)
  if (names.size >= NAMES_MAX) names.clear()
  names.set(id, asked)
  asked.catch(() => names.delete(id))
  return asked
}

/**
 * What a receipt is of, for people: the name of the operator that gave its value, or the title of the solver. Until the
 * name is here, and where the node has none, the operator's id.
 *
 * @param title of the solver, if it is one with a name.
 */
export const useReceiptName = ({ kind, operators }: EnvelopeSummary, title: string | undefined): string => {
  const id = kind === 'compute' ? operators.at(-1) : undefined
  const { value } = useReading(async () => (id === undefined ? undefined : readName(id)), { on: [id] })
  return id === undefined ? (title ?? kind) : (value ?? id)
}
