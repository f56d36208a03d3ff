import { type FormSchema, withoutNull } from '#ui/form/schema.ts'
import type { JobAnswer } from '#ui/server/answer.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'

/** What the sealed value is: the member of the result that it repeats. */
const aboutValue = (schema: FormSchema, { value }: JobAnswer, answer: JobAnswer): string | undefined =>
  Object.entries(schema.properties ?? {}).find(([name]) => value !== null && answer[name] === value)?.[1].description

/** The value of a result, large, with what it is. */
export const Headline = ({ schema, answer }: { readonly schema?: FormSchema; readonly answer: JobAnswer }) => {
  if (answer.value === null) return null
  const about = schema === undefined ? undefined : aboutValue(schema, answer, answer)
  return (
    <p class="value" data-value={String(answer.value)} title={String(answer.value)}>
      {withUnit(valueText(answer.value), answer.unit)}
      {about !== undefined && <span class="about">{about}</span>}
    </p>
  )
}

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
