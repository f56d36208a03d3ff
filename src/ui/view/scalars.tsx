import type { Schema } from '#ui/form/schema.ts'
import { figure } from '#ui/plot/numbers.ts'
import type { Answer } from '#ui/server/shapes.ts'

const shown = (value: unknown): string | undefined => {
  if (typeof value === 'number') return figure(value)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}

/** The plain members of a result, with their units and what they mean. */
export const Scalars = ({ schema, answer }: { readonly schema: Schema; readonly answer: Answer }) => (
  <details>
    <summary>All figures</summary>
    <dl>
      {Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
        const text = shown(answer[name])
        if (text === undefined) return []
        return [
          <dt key={`${name}-name`} title={part.description}>
            {name}
          </dt>,
          <dd key={`${name}-value`}>
            {text} {part['x-unit']}
          </dd>,
        ]
      })}
    </dl>
  </details>
)
