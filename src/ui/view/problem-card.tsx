import { type FaultCode, faults } from '#core/fault.ts'
import { OperatorLinks } from '#ui/operators/operator-links.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { ApiProblem, NodeGone } from '#ui/server/api.ts'
import { figure, waitText, withUnit } from '#ui/text/numbers.ts'
import { advice } from './advice.ts'

/** Members of a problem document that are shown in words of their own, or not at all. */
const STANDARD = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'retryable'])
const WORDED = new Set(['retry_after_seconds', 'path', 'allow', 'available', 'roots'])

/** Lists of operator ids. */
const IDS = new Set(['see', 'available_similar'])

/** Entries of a list that are shown. */
const ENTRIES_MAX = 12

const isGate = (status: number): boolean => status === 422
const isPercent = (name: string): boolean => /^(?:measured|bound)$|_pct$/.test(name)

const unitOf = (name: string, status: number, units: Units): string | undefined => {
  if (isGate(status) && isPercent(name)) return '%'
  return ['price', 'free', 'paid'].includes(name) ? 'credits' : units[name]
}

/** Units of a form's inputs, by name. */
export type Units = Readonly<Record<string, string | undefined>>

/** An entry of `missing` or `errors`, as a line. */
const entryText = (entry: unknown): string => {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  const { symbol, name, unit, reason, path, message, readings } = entry as Readonly<Record<string, unknown>>
  if (symbol !== undefined) {
    const what = `${symbol}: ${name}, in ${unit}`
    return Array.isArray(readings) ? `${what}. ${reason}` : what
  }
  return [path, message].filter((it) => it !== undefined && it !== '').join(' ')
}

interface Props {
  readonly problem: Error
  readonly units?: Units
  /** Whether it was found before anything ran. */
  readonly before?: boolean
  /** Puts a value that would pass into the form, where it has an input of this name. */
  readonly onUse?: ((name: string, value: number) => void) | undefined
  /** What can be done about it, beside what every refusal says. */
  readonly children?: preact.ComponentChildren
}

const Numbers = ({ problem, units }: { readonly problem: ApiProblem; readonly units: Units }) => {
  const shown = Object.entries(problem.members).filter(
    ([name, value]) => !STANDARD.has(name) && !WORDED.has(name) && ['number', 'string'].includes(typeof value),
  )
  if (shown.length === 0) return null
  return (
    <dl class="numbers">
      {shown.map(([name, value]) => (
        <div key={name} data-member={name}>
          <Fact name={name.replaceAll('_', ' ').replace(/ pct$/, '')}>
            {typeof value === 'number' ? withUnit(figure(value), unitOf(name, problem.status, units)) : String(value)}
          </Fact>
        </div>
      ))}
    </dl>
  )
}

const Lists = ({ problem }: { readonly problem: ApiProblem }) => (
  <>
    {Object.entries(problem.members).flatMap(([name, value]) => {
      // A single complaint says the same as the sentence above.
      if (!Array.isArray(value) || WORDED.has(name) || (name === 'errors' && value.length < 2)) return []
      return (
        <ul key={name} class="plain" data-member={name}>
          {value.slice(0, ENTRIES_MAX).map((entry) => (
            <li key={entryText(entry)}>
              {IDS.has(name) ? <OperatorLinks ids={[entryText(entry)]} /> : entryText(entry)}
            </li>
          ))}
        </ul>
      )
    })}
  </>
)

/** The numbers of a nested suggestion by the names of their inputs. */
const leavesOf = (value: unknown, path: readonly string[] = []): readonly (readonly [string, number])[] => {
  if (typeof value === 'number') return [[path.join('.'), value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]))
}

/** What would bring the measured error within the bound: one button for all of it, as it passes only together. */
const WayOut = ({ problem, units, onUse }: Refused & Required<Pick<Props, 'units' | 'onUse'>>) => {
  const changes = leavesOf(problem.members['suggestion']).filter(([name]) => Object.hasOwn(units, name))
  if (changes.length === 0 || onUse === undefined) return null
  return (
    <button
      type="button"
      onClick={() => {
        for (const [name, value] of changes) onUse(name, value)
      }}
    >
      Use {changes.map(([name, value]) => `${name} = ${withUnit(figure(value), units[name])}`).join(', ')}
    </button>
  )
}

/** Values that would pass: a refusal of the input names them after the inputs they are for. */
const Suggestions = ({ problem, units, onUse }: Required<Pick<Props, 'units'>> & Pick<Props, 'onUse'> & Refused) => {
  if (onUse === undefined) return null
  if (isGate(problem.status)) return <WayOut problem={problem} units={units} onUse={onUse} />
  const values = Object.entries(problem.members).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Object.hasOwn(units, entry[0]),
  )
  return (
    <>
      {values.map(([name, value]) => (
        <button key={name} type="button" onClick={() => onUse(name, value)}>
          Use {name} = {withUnit(figure(value), units[name])}
        </button>
      ))}
    </>
  )
}

interface Refused {
  readonly problem: ApiProblem
}

/** When the same call may pass. */
const Later = ({ problem }: Refused) => {
  const { retry_after_seconds: seconds, retryable } = problem.members
  if (typeof seconds === 'number') return <p>Try again in {waitText(seconds)}.</p>
  return retryable === true ? <p>This passes: try again in a moment.</p> : null
}

const titleOf = (code: string): string | undefined =>
  Object.hasOwn(faults, code) ? faults[code as FaultCode].title : undefined

/** A refusal: its code, sentence and numbers, and the way out of it. */
export const ProblemCard = ({ problem, units = {}, before = false, onUse, children }: Props) => {
  if (!(problem instanceof ApiProblem)) {
    return (
      <div class="card problem" role="alert" data-code={problem.name}>
        <p class="wrong">{problem.message}</p>
        {problem instanceof NodeGone && <p class="about">The page asks it every two seconds and goes on by itself.</p>}
      </div>
    )
  }
  const title = titleOf(problem.code)
  return (
    <div class="card problem" role="alert" data-code={problem.code}>
      {before && <p>As it stands, the run would be refused.</p>}
      <p>
        <code class="code">{problem.code}</code>{' '}
        {title !== undefined && title !== problem.message && <span class="about">{title}</span>}
      </p>
      <p class="wrong">{problem.message}</p>
      <Numbers problem={problem} units={units} />
      <Lists problem={problem} />
      <Later problem={problem} />
      {Object.hasOwn(advice, problem.code) && <p class="about">{advice[problem.code]}</p>}
      <div class="actions">
        <Suggestions problem={problem} units={units} onUse={onUse} />
        {children}
      </div>
    </div>
  )
}
