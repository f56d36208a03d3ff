import { type FaultCode, faults } from '#core/fault.ts'
import { OperatorLinks } from '#ui/operators/operator-links.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { ApiProblem, NodeGone } from '#ui/server/api.ts'
import { figure, waitText, withUnit } from '#ui/text/numbers.ts'
import { advice } from './advice.ts'
import { passingOf } from './passing.ts'

/** Members of a problem document that are shown in words of their own, or not at all. */
const STANDARD = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'retryable', 'docs'])
const WORDED = new Set(['retry_after_seconds', 'path', 'allow', 'available', 'roots', 'read_as', 'choices'])
/** Members that the rule of a range says in words. */
const RANGED = new Set(['limit', 'operator', 'input', 'symbol', 'name', 'unit', 'value', 'min', 'max'])

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
  return [path, message ?? reason].filter((it) => it !== undefined && it !== '').join(' ')
}

/** Numbers that would pass, by the names of the inputs that they are for. */
export type Changes = Readonly<Record<string, number>>

interface Props {
  readonly problem: Error
  readonly units?: Units
  /** Whether it was found before anything ran. */
  readonly before?: boolean
  /** Puts values that would pass into the form. */
  readonly onUse?: ((changes: Changes) => void) | undefined
  /** The same, and runs with them. */
  readonly onRun?: ((changes: Changes) => void) | undefined
  /** What can be done about it, beside what every refusal says. */
  readonly children?: preact.ComponentChildren
}

const Numbers = ({ problem, units }: { readonly problem: ApiProblem; readonly units: Units }) => {
  const ranged = passingOf(problem) !== undefined
  const shown = Object.entries(problem.members).filter(
    ([name, value]) =>
      !STANDARD.has(name) &&
      !WORDED.has(name) &&
      !(ranged && RANGED.has(name)) &&
      ['number', 'string'].includes(typeof value),
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

/**
 * Ways out, each of changes that pass only together: what would bring the measured error within the bound, or each
 * value that a refusal of the input names after the input it is for.
 */
const waysOut = (problem: ApiProblem, units: Units): readonly Changes[] => {
  const ofInputs = (entries: readonly (readonly [string, unknown])[]) =>
    entries.filter((it): it is [string, number] => typeof it[1] === 'number' && Object.hasOwn(units, it[0]))
  const passing = passingOf(problem)
  if (passing !== undefined) return Object.hasOwn(units, passing.input) ? [{ [passing.input]: passing.value }] : []
  if (!isGate(problem.status)) return ofInputs(Object.entries(problem.members)).map((it) => Object.fromEntries([it]))
  const changes = ofInputs(leavesOf(problem.members['suggestion']))
  return changes.length === 0 ? [] : [Object.fromEntries(changes)]
}

const changesText = (changes: Changes, units: Units): string =>
  Object.entries(changes)
    .map(([name, value]) => `${name} = ${withUnit(figure(value), units[name])}`)
    .join(', ')

const Suggestions = ({
  problem,
  units,
  onUse,
  onRun,
}: Refused & Required<Pick<Props, 'units'>> & Pick<Props, 'onUse' | 'onRun'>) => (
  <>
    {waysOut(problem, units).flatMap((changes) => {
      const text = changesText(changes, units)
      return [
        onRun !== undefined && (
          <button key={`run ${text}`} type="button" class="primary" onClick={() => onRun(changes)}>
            Run with {text}
          </button>
        ),
        onUse !== undefined && (
          <button key={`use ${text}`} type="button" onClick={() => onUse(changes)}>
            Use {text}
          </button>
        ),
      ]
    })}
  </>
)

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

/** A code; one that the node has leads to its page. */
const Code = ({ code }: { readonly code: string }) => {
  const word = <code class="code">{code}</code>
  return titleOf(code) === undefined ? word : <a href={`/docs/errors/${code}`}>{word}</a>
}

/** What a refusal says: its code, sentence and numbers, and the way out of it. */
export const ProblemWords = ({ problem, units = {}, before = false, onUse, onRun, children }: Props) => {
  if (!(problem instanceof ApiProblem)) {
    return (
      <>
        <p class="wrong">{problem.message}</p>
        {problem instanceof NodeGone && <p class="about">The page asks it every two seconds and goes on by itself.</p>}
      </>
    )
  }
  const title = titleOf(problem.code)
  return (
    <>
      {before && <p>As it stands, the run would be refused.</p>}
      <p>
        <Code code={problem.code} />{' '}
        {title !== undefined && title !== problem.message && <span class="about">{title}</span>}
      </p>
      <p class={before ? undefined : 'wrong'}>{passingOf(problem)?.sentence ?? problem.message}</p>
      <Numbers problem={problem} units={units} />
      <Lists problem={problem} />
      <Later problem={problem} />
      {Object.hasOwn(advice, problem.code) && <p class="about">{advice[problem.code]}</p>}
      <div class="actions">
        <Suggestions problem={problem} units={units} onUse={onUse} onRun={onRun} />
        {children}
      </div>
    </>
  )
}

/** The code under which a page or a test finds a refusal. */
export const problemCode = (problem: Error): string => (problem instanceof ApiProblem ? problem.code : problem.name)

/** A refusal as a card of its own. */
export const ProblemCard = (props: Props) => (
  <div class="card problem" role="alert" data-code={problemCode(props.problem)}>
    <ProblemWords {...props} />
  </div>
)
