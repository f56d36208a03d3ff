import { useMemo, useState } from 'preact/hooks'
import type { Query } from '#ui/address.ts'
import { queryOf, readQuery } from '#ui/form/address.ts'
import { everyField, type Form, type FormField, inputOf, type Typed } from '#ui/form/schema.ts'
import { type SweepTerms, sweepIn, sweepText, VARY } from './sweep-inputs.ts'
import { queryHere, useAddress } from './use-address.ts'

/** What stands in a solver's view, and names that its address says and no field has. */
interface Standing {
  readonly typed: Typed
  readonly unknown: readonly string[]
  /** The input that is varied, while somebody looks at that. */
  readonly sweep: SweepTerms | undefined
}

const readStanding = (fields: readonly FormField[], { [VARY]: vary, ...query }: Query): Standing => ({
  ...readQuery(fields, query),
  sweep: sweepIn(vary),
})

/** What stands in a form that lives in the address. */
export const useInputs = (form: Form, place: string, shown: boolean) => {
  const fields = useMemo(() => everyField(form), [form])
  const [{ typed, unknown, sweep }, show] = useState(() => readStanding(fields, queryHere(place)))
  const type = (change: (old: Typed) => Typed): void =>
    show((old) => ({ ...old, typed: change(old.typed), unknown: [] }))
  const vary = (terms: SweepTerms | undefined): void => show((old) => ({ ...old, sweep: terms }))
  const query = useMemo(
    () => ({ ...queryOf(fields, typed), ...(sweep !== undefined && { [VARY]: sweepText(sweep) }) }),
    [fields, typed, sweep],
  )
  const keep = useAddress({ place, shown, query, onRead: (said) => show(readStanding(fields, said)) })
  const { input, problems } = useMemo(() => inputOf(fields, typed), [fields, typed])
  const sound = Object.keys(problems).length === 0
  return { fields, typed, unknown, type, sweep, vary, query, keep, input, problems, sound }
}
