// `node scripts/everyday.ts [--misses] [--sealed] [FILE…]`: everyday questions put to the router, each read,
// computed and held
// against the answer that its writer worked out without sight of the router. Questions drawn by the seed below are
// sealed: nobody looks at them, no miss of them is named, and they are counted only where asked for.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { computeCalls } from '#api/told-routes.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { commensurable, parseUnit, toSi } from '#core/units.ts'
import { sha256 } from '#crypto'
import { computeOperators } from '#numerics/operators/compute.ts'
import { type RoutingTable, routeQuestion } from '#routing/route.ts'
import { withCarets } from '#routing/word-units.ts'
import { placesHere } from './routing.ts'

/** A question with the answer that is due: a value, or to be asked back. */
export interface Everyday {
  readonly q: string
  readonly field: string
  readonly answer: { readonly kind: 'value'; readonly value: number; readonly unit: string } | { readonly kind: 'ask' }
  readonly tol: number
  readonly why: string
}

/** What came of a question. `chosen`: asked, and one of the choices gives the answer. */
export type Came = 'right' | 'chosen' | 'asked' | 'wrong' | 'asked rightly' | 'solver'

const SEAL = 'tickmesh everyday 1'
const SEALED_OF_1000 = 310

/** Whether a question is one of those that are looked at once, at the end. */
export const isSealed = ({ q }: Everyday): boolean =>
  Number.parseInt(toHex(sha256(utf8(`${SEAL}\n${q}`))).slice(0, 8), 16) % 1000 < SEALED_OF_1000

const si = (value: number, unit: string): { value: number; unit: ReturnType<typeof parseUnit> } | undefined => {
  try {
    const read = parseUnit(withCarets(unit === '' ? '1' : unit))
    return { value: toSi(value, read), unit: read }
  } catch {
    return undefined
  }
}

/** Whether a computed value is the one that is due: units of money and counts are pure numbers. */
export const meets = ({ answer, tol }: Everyday, value: number | null, unit: string): boolean => {
  if (answer.kind === 'ask' || value === null) return false
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(tol, 1e-3) * Math.abs(b) + 1e-300
  const due = si(answer.value, answer.unit)
  const found = si(value, unit)
  if (due !== undefined && found !== undefined && commensurable(due.unit, found.unit))
    return near(found.value, due.value)
  const degrees = /^deg|°$/u.test(answer.unit) ? answer.value * (Math.PI / 180) : Number.NaN
  return (
    (due === undefined && near(value, answer.value)) ||
    (['%', 'percent'].includes(answer.unit) && near(value, answer.value / 100)) ||
    near(value, degrees)
  )
}

interface Choice {
  readonly input?: {
    readonly operators?: readonly string[]
    readonly inputs?: Readonly<Record<string, string | number>>
  }
  readonly missing?: readonly unknown[]
}

const chosenRight = (places: RoutingTable, it: Everyday, fault: Fault): boolean => {
  const choices = (fault.details['choices'] ?? []) as readonly Choice[]
  return choices.some(({ input, missing = [] }) => {
    if (missing.length > 0 || input?.operators === undefined) return false
    try {
      const { value, unit } = computeOperators(places.registry, input as Parameters<typeof computeOperators>[1])
      return meets(it, value, unit)
    } catch (cause) {
      if (cause instanceof Fault) return false
      throw cause
    }
  })
}

/** Puts one question. */
export const put = (places: RoutingTable, it: Everyday): { readonly came: Came; readonly said: string } => {
  try {
    const routed = routeQuestion(places, { query: it.q, constants: {}, calls: computeCalls })
    const input = JSON.stringify(routed.reading.input)
    if (routed.kind === 'solver')
      return { came: it.answer.kind === 'ask' ? 'wrong' : 'solver', said: `${routed.name} ${input}` }
    const { value, unit } = computeOperators(places.registry, routed.order)
    return { came: meets(it, value, unit) ? 'right' : 'wrong', said: `${input} = ${value} ${unit}` }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const alternatives = (cause.details['choices'] ?? cause.details['alternatives'] ?? []) as readonly {
      readonly name: string
    }[]
    const said = `${cause.code} ${cause.message.slice(0, 160)} [${alternatives.map(({ name }) => name).join(' ')}]`
    if (it.answer.kind === 'ask') return { came: 'asked rightly', said }
    return { came: chosenRight(places, it, cause) ? 'chosen' : 'asked', said }
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = process.argv.slice(2).filter((it) => !it.startsWith('--'))
  const all = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Everyday),
  )
  const places = placesHere()
  const sealed = process.argv.includes('--sealed')
  const asked = all.filter((it) => isSealed(it) === sealed)
  const counts = new Map<string, number>()
  for (const it of asked) {
    const { came, said } = put(places, it)
    counts.set(came, (counts.get(came) ?? 0) + 1)
    if (!sealed && process.argv.includes('--misses') && !['right', 'asked rightly'].includes(came)) {
      const due = it.answer.kind === 'ask' ? 'ask' : `${it.answer.value} ${it.answer.unit}`
      console.log(`${came.toUpperCase()}: ${it.q} => ${due} | ${it.why}\n      ${said}`)
    }
  }
  console.log(asked.length, Object.fromEntries(counts))
}
