import { useState } from 'preact/hooks'
import type { Json } from '#core/canonical.ts'
import { Select } from '#ui/part/select.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { ApiProblem } from '#ui/server/api.ts'
import type { ShownContract } from './reads.ts'

/** Where a contract is to stand, as a call says it. */
interface Moved {
  readonly state?: string
  readonly context?: Readonly<Record<string, Json>>
}

/** The members of a definition that say where a contract can stand. */
interface Standable {
  readonly states: Readonly<Record<string, { readonly initial?: boolean }>>
  readonly context?: Readonly<Record<string, { readonly type?: string; readonly initial?: Json }>>
}

const AS_IT_IS = 'as it is'
const PREFIX = '/migrate/'

interface Fault {
  readonly path: string
  readonly reason: string
}

/** What a refused change would have to say, by `state` and `context/<member>`; undefined for another refusal. */
const wantedBy = (problem: Error | undefined): ReadonlyMap<string, string> | undefined => {
  if (!(problem instanceof ApiProblem) || problem.code !== 'CONTRACT_INVALID') return undefined
  const { migrate, faults = [] } = problem.members as { migrate?: unknown; faults?: readonly Fault[] }
  if (!Array.isArray(migrate)) return undefined
  return new Map(
    faults.filter(({ path }) => path.startsWith(PREFIX)).map(({ path, reason }) => [path.slice(PREFIX.length), reason]),
  )
}

/** A value as it was typed, by the type of its member: texts as they are, all else as JSON. */
const jsonTyped = (typed: string, type: string | undefined): Json => {
  if ((type === 'text' || type === 'choice') && typed !== 'null') return typed
  try {
    return JSON.parse(typed) as Json
  } catch {
    return typed
  }
}

const typedOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** What is typed of where a contract is to stand, by `state` and `context/<member>`. */
type Typed = Readonly<Record<string, string>>

const movedOf = (typed: Typed, { context = {} }: Standable): Moved | undefined => {
  const { state = AS_IT_IS } = typed
  const members = Object.entries(context).flatMap(([name, { type }]): [string, Json][] => {
    const text = typed[`context/${name}`] ?? ''
    return text === '' ? [] : [[name, jsonTyped(text, type)]]
  })
  if (state === AS_IT_IS && members.length === 0) return undefined
  return {
    ...(state !== AS_IT_IS && { state }),
    ...(members.length > 0 && { context: Object.fromEntries(members) }),
  }
}

/** What a definition begins with, in the places that a refusal names. */
const beginningOf = (wanted: ReadonlyMap<string, string>, { states, context = {} }: Standable): Typed => {
  const [first = ''] = Object.entries(states).flatMap(([name, { initial }]) => (initial === true ? [name] : []))
  return Object.fromEntries(
    [...wanted.keys()].map((place) =>
      place === 'state' ? [place, first] : [place, typedOf(context[place.slice('context/'.length)]?.initial)],
    ),
  )
}

/** Where a contract is to stand under another version, and what a refusal wants said of it. */
export const useMigrate = (definition: object | undefined) => {
  const [typed, write] = useState<Typed>({})
  const [wanted, want] = useState<ReadonlyMap<string, string>>(new Map())
  const to = definition as Standable | undefined
  return {
    typed,
    wanted,
    to,
    moved: to === undefined ? undefined : movedOf(typed, to),
    type: (place: string, text: string): void => write((old) => ({ ...old, [place]: text })),
    /** Takes what a refusal says is missing into the form, each place filled with what the definition begins with. */
    refused: (problem: Error, of: object): void => {
      const places = wantedBy(problem)
      if (places === undefined) return
      want(places)
      // What was typed stays, with the reason beside it.
      write((old) => ({
        ...beginningOf(places, of as Standable),
        ...Object.fromEntries(Object.entries(old).filter(([, it]) => it !== '')),
      }))
    },
    forget: (): void => {
      want(new Map())
      write({})
    },
  }
}

interface Props {
  readonly of: ReturnType<typeof useMigrate>
  readonly contract: Pick<ShownContract, 'state' | 'context'>
}

/** Says where a contract is to stand: what is left alone stays as it is, or begins. */
export const MigrateForm = ({ of, contract }: Props) => {
  const { typed, wanted, to, type } = of
  if (to === undefined) return null
  const states = [AS_IT_IS, ...Object.keys(to.states)]
  const members = Object.entries(to.context ?? {})
  return (
    <details class="migrate" data-wanted={wanted.size} open={wanted.size > 0}>
      <summary>Where it is to stand</summary>
      <p class="about">
        It is in {contract.state} now. What is left empty stays as it is; a new member begins with its initial value.
      </p>
      <div class="form-grid two">
        <div class="form-row">
          <label for="migrate-state">State</label>
          <Select
            id="migrate-state"
            options={states}
            value={typed['state'] ?? AS_IT_IS}
            onChoose={(state) => type('state', state)}
          />
          {wanted.has('state') && <p class="wrong">{wanted.get('state')}</p>}
        </div>
        {members.map(([name, { type: kind }]) => {
          const place = `context/${name}`
          return (
            <TextRow
              key={name}
              id={`migrate-${name}`}
              label={`${name}${kind === undefined ? '' : `, ${kind}`}`}
              placeholder={typedOf(contract.context[name])}
              spellcheck={false}
              value={typed[place] ?? ''}
              onText={(text) => type(place, text)}
            >
              {wanted.has(place) && <p class="wrong">{wanted.get(place)}</p>}
            </TextRow>
          )
        })}
      </div>
    </details>
  )
}
