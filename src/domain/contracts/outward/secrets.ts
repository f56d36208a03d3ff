import type { Json } from '#core/canonical.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { OutwardProblem } from './problem.ts'

/** The value of a secret of a contract, or undefined when it has none of this name. */
export type SecretOf = (contract: string, name: string) => string | undefined

const PLACE = /\{\{secret\.([A-Za-z][A-Za-z0-9_]{0,31})\}\}/g

/** Whether a text has a place for a secret. */
const hasPlace = (text: string): boolean => text.search(PLACE) >= 0

/** Puts secrets into a text, once: what a secret itself says is never read as a place. @throws OutwardProblem secret */
export const filledText = (text: string, secretOf: (name: string) => string | undefined): string =>
  text.replace(PLACE, (_, name: string) => {
    const value = secretOf(name)
    if (value === undefined) throw new OutwardProblem('secret', `The contract has no secret ${name}.`)
    return value
  })

/** Texts that a definition writes out, by their place in a body. */
type Written = ReadonlySet<string>

const placed = (pointer: string, text: string): string => `${pointer}\n${text}`

const collect = (value: unknown, pointer: string, into: Set<string>): void => {
  if (typeof value === 'string') {
    if (hasPlace(value)) into.add(placed(pointer, value))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, it] of Object.entries(value)) collect(it, `${pointer}/${name}`, into)
  }
}

/**
 * The texts with places for secrets that a definition itself writes into bodies for an address. Only these are filled:
 * a body holds also what expressions gave, and a stranger's event that says `{{secret.x}}` must stay what it says.
 */
export const writtenFor = ({ states, transitions }: Definition, url: string): Written => {
  const lists = [
    ...Object.values(states).flatMap(({ entry, exit }) => [entry, exit]),
    ...transitions.map((it) => it.actions),
  ]
  const texts = new Set<string>()
  for (const action of lists.flat()) {
    const { kind, url: to, body } = action as { readonly kind: string; readonly url?: unknown; readonly body?: unknown }
    if (kind === 'notify' && to === url) collect(body, '', texts)
  }
  return texts
}

/** Whether any text of a body has a place for a secret, whoever wrote it. */
export const hasPlaces = (body: Json): boolean => hasPlace(JSON.stringify(body))

/** Puts secrets into the texts of a body that its definition wrote. @throws OutwardProblem secret */
export const filledBody = (body: Json, written: Written, secretOf: (name: string) => string | undefined): Json => {
  const fill = (value: Json, pointer: string): Json => {
    if (typeof value === 'string') return written.has(placed(pointer, value)) ? filledText(value, secretOf) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((it: Json, i) => fill(it, `${pointer}/${i}`))
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, fill(it as Json, `${pointer}/${name}`)]))
  }
  return fill(body, '')
}
