import { useMemo, useState } from 'preact/hooks'
import { queryOf, readQuery } from '#ui/form/address.ts'
import { everyField, type Form, inputOf, type Typed } from '#ui/form/schema.ts'
import { queryHere, useAddress } from './use-address.ts'

/** What stands in a form that lives in the address. */
export const useInputs = (form: Form, place: string, shown: boolean) => {
  const fields = useMemo(() => everyField(form), [form])
  const [{ typed, unknown }, show] = useState(() => readQuery(fields, queryHere(place)))
  const type = (change: (old: Typed) => Typed): void => show((old) => ({ typed: change(old.typed), unknown: [] }))
  const query = useMemo(() => queryOf(fields, typed), [fields, typed])
  const keep = useAddress({ place, shown, query, onRead: (said) => show(readQuery(fields, said)) })
  const { input, problems } = useMemo(() => inputOf(fields, typed), [fields, typed])
  return { fields, typed, unknown, type, query, keep, input, problems, sound: Object.keys(problems).length === 0 }
}
