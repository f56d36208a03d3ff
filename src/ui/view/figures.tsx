import { type FormSchema, withoutNull } from '#ui/form/schema.ts'
import type { JobAnswer } from '#ui/server/answer.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import { glance, type HeadFigure } from './headline.ts'

/** What the sealed value is: the member of the result that it repeats. */
const aboutValue = (schema: FormSchema, { value }: JobAnswer, answer: JobAnswer): string | undefined =>
  Object.entries(schema.properties ?? {}).find(([name]) => value !== null && answer[name] === value)?.[1].description

/** The sealed value of a result, with what it is; large where nothing else is read first. */
export const Headline = ({
  schema,
  answer,
  minor = false,
}: {
  readonly schema?: FormSchema
  readonly answer: JobAnswer
  readonly minor?: boolean
}) => {
  if (answer.value === null) return null
  const about = schema === undefined ? undefined : aboutValue(schema, answer, answer)
  return (
    <p class={minor ? 'value minor' : 'value'} data-value={String(answer.value)} title={String(answer.value)}>
      {withUnit(valueText(answer.value), answer.unit)}
      {about !== undefined && <span class="about">{about}</span>}
    </p>
  )
}

/** Says of a result that it is not of what stands in the form. */
export const Stale = ({ stale }: { readonly stale: boolean }) => (
  <p class="stale" role="status">
    {stale && 'Of the earlier inputs: those of the form are others now, or run at this moment.'}
  </p>
)

/** What a practitioner reads first, large. */
export const HeadFigures = ({ figures }: { readonly figures: readonly HeadFigure[] }) => (
  <dl class="head-figures">
    {figures.map((it) => (
      <div key={it.member} data-head={it.member}>
        <dt>{it.label}</dt>
        <dd title={String(it.value)}>{glance(it)}</dd>
      </div>
    ))}
  </dl>
)

const shown = (value: unknown, unit: string | undefined): string | undefined => {
  if (typeof value === 'number') return withUnit(Number.isInteger(value) ? String(value) : figure(value), unit)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}

/** The plain members of a result, with their units and what they mean. */
export const Figures = ({ schema, answer }: { readonly schema: FormSchema; readonly answer: JobAnswer }) => (
  <details>
    <summary>All figures</summary>
    <div class="scroll">
      <table class="figures">
        <tbody>
          {Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
            const part = withoutNull(member)
            const text = shown(answer[name], part['x-unit'])
            if (text === undefined) return []
            return (
              <tr key={name} data-figure={name}>
                <th scope="row">{name}</th>
                <td title={String(answer[name])}>{text}</td>
                <td class="about">{part.description}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  </details>
)
