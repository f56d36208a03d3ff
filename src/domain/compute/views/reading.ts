import Type from 'typebox'
import { anything, hex64, json, model, oneOf, orNull } from '#core/schema.ts'
import type { Reading } from '#routing/reading.ts'

const bound = Type.Unsafe<Reading['bound'][number]>(anything())
const setting = Type.Unsafe<Reading['settings'][number]>(anything())

/** How a call in words was read: what it goes to, by which words, what was bound, what was left at its default. */
export const reading = model('Reading', {
  kind: oneOf(['solver', 'operators']),
  route: Type.String({ description: 'The call that this one stands for.' }),
  solver: orNull(Type.String()),
  operators: Type.Array(Type.String(), { description: 'KO42 first.' }),
  title: Type.String(),
  because: Type.Array(Type.String(), { description: 'Words of the query that chose it.' }),
  bound: Type.Array(bound, { description: 'Each value: the input it was bound to, as written and as converted.' }),
  settings: Type.Array(setting, { description: 'Inputs that words of the query chose, with the words.' }),
  defaults: Type.Record(Type.String(), json(), { description: 'Inputs left at their default.' }),
  corrections: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
    description: 'Words of the query that were read as slips of known ones.',
  }),
  unread: Type.Array(Type.String(), { description: 'Materials that the query names and that gave no value.' }),
  input: json({ description: 'What the route is called with.' }),
  alternatives: Type.Array(Type.Object({ kind: Type.String(), name: Type.String(), title: Type.String() })),
})

/** What confirms a reading. */
export const readingDigest = hex64({ description: 'Of the question and its reading; `confirm` of the call takes it.' })
