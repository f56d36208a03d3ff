import type { ShownSolver } from '#ui/server/solver.ts'
import { headText, unitText } from '#ui/text/numbers.ts'
import { glance, type HeadFigure, headlineOf } from './headline.ts'
import type { Done } from './use-run.ts'

interface Row {
  readonly name: string
  readonly unit: string
  readonly now: HeadFigure['value']
  readonly before: HeadFigure['value']
}

const rowsOf = (solver: ShownSolver, now: Done, before: Done): readonly Row[] => {
  const old = new Map(headlineOf(solver, before.answer).map((it) => [it.member, it.value]))
  const rows = headlineOf(solver, now.answer).flatMap(({ member, label, value, unit }) => {
    const was = old.get(member)
    return was === undefined ? [] : [{ name: label, unit, now: value, before: was }]
  })
  const { value, unit } = now.answer
  if (value === null || before.answer.value === null) return rows
  return [...rows, { name: 'Sealed value', unit, now: value, before: before.answer.value }]
}

/** The leaves of an input by their paths, as texts. */
const leavesOf = (input: unknown, path = ''): readonly (readonly [string, string])[] => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [[path, JSON.stringify(input)]]
  return Object.entries(input).flatMap(([name, part]) => leavesOf(part, path === '' ? name : `${path}.${name}`))
}

/** Characters of a value in the line that says what changed. */
const TEXT_CHARS_MAX = 24
const cut = (text = 'default'): string =>
  text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text.replaceAll('"', '')

/** Inputs in which two runs differ, in words. */
const changesOf = (now: object, before: object): readonly string[] => {
  const [left, right] = [new Map(leavesOf(now)), new Map(leavesOf(before))]
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => left.get(name) !== right.get(name))
    .map((name) => `${name} ${cut(right.get(name))} → ${cut(left.get(name))}`)
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${headText(value)}`

const differenceOf = ({ now, before, unit }: Row): string => {
  if (typeof now !== 'number' || typeof before !== 'number') return now === before ? 'the same' : 'another'
  const difference = now - before
  if (difference === 0) return 'the same'
  const share = before === 0 ? '' : ` (${signed((difference / Math.abs(before)) * 100)} %)`
  return `${signed(difference)} ${unitText(unit)}`.trim() + share
}

/** The figures of a run beside those of the one before it, and what was asked otherwise. */
export const Comparison = (props: { readonly solver: ShownSolver; readonly now: Done; readonly before: Done }) => {
  const { solver, now, before } = props
  const changes = changesOf(now.input, before.input)
  return (
    <details class="comparison">
      <summary>Compare with the previous run</summary>
      <p class="about">{changes.length === 0 ? 'The inputs were the same.' : `Changed: ${changes.join('; ')}.`}</p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">figure</th>
              <th scope="col">this run</th>
              <th scope="col">previous</th>
              <th scope="col">difference</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(solver, now, before).map((row) => (
              <tr key={row.name} data-compared={row.name}>
                <th scope="row">{row.name}</th>
                <td title={String(row.now)}>{glance({ value: row.now, unit: row.unit })}</td>
                <td title={String(row.before)}>{glance({ value: row.before, unit: row.unit })}</td>
                <td>{differenceOf(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
