import { nearestNames } from '#core/near-names.ts'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { ROWS_MAX } from './use-operators.ts'

/** Relations that are offered in place of one that is not there. */
const NEAR_MAX = 5
/** Letters that the longest word of an id is cut to, one after the other, until some relation has it. */
const LETTERS = [24, 6, 4, 3, 2, 1]

interface Near {
  readonly id: string
  readonly name: string
}

/** The relations whose ids are spelled most like one that none has. */
const nearTo = async (id: string, signal: AbortSignal): Promise<readonly Near[]> => {
  const words = id.match(/[A-Z]+/g) ?? []
  const [word = ''] = words.toSorted((a, b) => b.length - a.length)
  for (const letters of LETTERS) {
    if (letters > word.length && letters !== LETTERS[0]) continue
    const { operators } = await call(
      'GET /api/operators/search',
      { q: word.slice(0, letters), limit: ROWS_MAX },
      { signal },
    )
    const names = new Map(operators.map((it) => [it.id, it.name]))
    const near = nearestNames(id, [...names.keys()], NEAR_MAX)
    if (near.length > 0) return near.map((it) => ({ id: it, name: names.get(it) ?? it }))
  }
  return []
}

/** Where an id names no relation: those whose ids are near to it. */
export const NoOperator = ({ id }: { readonly id: string }) => {
  const { value: near } = useReading((signal) => nearTo(id, signal), { on: [id] })
  return (
    <section class="card problem" role="alert" data-code="NOT_FOUND">
      <p>
        No relation has the id <code>{id}</code>.
      </p>
      {near !== undefined && near.length > 0 && (
        <>
          <p>Near are:</p>
          <ul class="plain nearest">
            {near.map((it) => (
              <li key={it.id} data-near={it.id}>
                <a href={`#operators/${it.id}`}>{it.name}</a> <code class="about">{it.id}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href="#operators">Search all operators</a>
      </p>
    </section>
  )
}
