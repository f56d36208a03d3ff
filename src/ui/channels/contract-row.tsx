import { useSettled } from '#ui/front/use-settled.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'

/** A name is asked for once nothing was typed for this long. */
const SETTLE_MS = 400
const ROWS = 200

interface Props {
  readonly session: PageSession
  /** The machine whose contracts may hear of the ticks. */
  readonly slug: string
  readonly value: string
  readonly onChoose: (id: string) => void
}

/** The contracts of a machine, of which one may hear of each tick. */
export const ContractRow = ({ session, slug, value, onChoose }: Props) => {
  const settled = useSettled(slug, SETTLE_MS)
  const { value: found, problem } = useReading(
    async (signal) =>
      settled === ''
        ? undefined
        : session.call('GET /api/chain/{slug}/contracts', { slug: settled, limit: ROWS }, { signal }),
    { on: [session, settled] },
  )
  const contracts = settled === slug ? (found?.contracts ?? []) : []
  return (
    <div class="form-row">
      <label for="stream-contract">Contract that hears of each tick</label>
      <select
        id="stream-contract"
        value={value}
        disabled={contracts.length === 0}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{slug === '' ? 'none: name its machine first' : 'none'}</option>
        {contracts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name} ({id.slice(0, 8)})
          </option>
        ))}
      </select>
      {settled !== '' && problem !== undefined && <p class="about wrong">{problem.message}</p>}
    </div>
  )
}
