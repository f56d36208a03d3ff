import { useMemo, useState } from 'preact/hooks'
import type { Query } from '#ui/address.ts'
import { queryHere, useAddress } from '#ui/view/use-address.ts'
import { type Filled, filledWith } from './order.ts'
import type { RelationView } from './relation.ts'

/** The member of an address that names the wanted variable: no symbol is spelled like it. */
const TARGET = 'solve_for'

/** What differs from the worked example, as an address carries it: `m=2&v=3`. */
export const filledQuery = (detail: RelationView, first: Filled, { target, texts }: Filled): Query => ({
  ...(target !== first.target && { [TARGET]: target }),
  ...Object.fromEntries(
    Object.keys(detail.variables)
      .filter((symbol) => symbol !== target && (texts[symbol] ?? '') !== (first.texts[symbol] ?? ''))
      .map((symbol) => [symbol, texts[symbol] ?? '']),
  ),
})

/** A form as an address has it: the worked example, with what the address says. */
export const filledFrom = (detail: RelationView, first: Filled, query: Query): Filled => {
  const target = query[TARGET]
  const given = Object.entries(query).filter(([symbol]) => Object.hasOwn(detail.variables, symbol))
  return {
    target: target !== undefined && detail.solves_for.includes(target) ? target : first.target,
    texts: { ...first.texts, ...Object.fromEntries(given) },
  }
}

/** What stands in the form of a relation, which lives in the address. */
export const useFilled = (detail: RelationView, symbol: string | undefined, shown: boolean) => {
  const wanted = symbol !== undefined && detail.solves_for.includes(symbol) ? symbol : undefined
  const first = useMemo(() => filledWith(detail, wanted), [detail, wanted])
  const place = ['operators', detail.id, symbol].filter(Boolean).join('/')
  const [filled, fill] = useState<Filled>(() => filledFrom(detail, first, queryHere(place)))
  const query = useMemo(() => filledQuery(detail, first, filled), [detail, first, filled])
  const keep = useAddress({ place, shown, query, onRead: (said) => fill(filledFrom(detail, first, said)) })
  return { filled, fill, query, keep, place }
}
