import { CheckRow } from '#ui/part/check-row.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import type { Filter } from './use-envelopes.ts'
import { homeText } from './wallet.ts'

/** What stands for every folder among their names, which may be any text. */
const EVERY = 'every'
const NAMED = 'in:'

const states: readonly (readonly [Filter['state'], string])[] = [
  ['', 'every state'],
  ['promised', 'signed'],
  ['sealed', 'in the log'],
  ['final', 'final'],
]

interface Props {
  readonly session: PageSession
  readonly filter: Filter
  /** Homes that were seen so far. */
  readonly homes: readonly string[]
  /** Folders are read anew when it changes. */
  readonly changes: number
  readonly onFilter: (part: Partial<Filter>) => void
}

interface ChoiceProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

const Choice = ({ id, label, value, options, onChoose }: ChoiceProps) => (
  <div class="form-row">
    <label for={id}>{label}</label>
    <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {options.map(([it, text]) => (
        <option key={it} value={it}>
          {text}
        </option>
      ))}
    </select>
  </div>
)

/** Which envelopes are listed: by words, folder, home, state, and whether they can be sent. */
export const Filters = ({ session, filter, homes, changes, onFilter }: Props) => {
  const { zid, key } = session.self
  const { value } = useReading(
    (signal) => session.call('GET /api/tally/envelopes/{zid}/folders', { zid }, { signal }),
    { on: [session, zid, key, changes] },
  )
  const folders = value?.folders.map(({ folder, count }): [string, string] => [
    `${NAMED}${folder}`,
    `${folder === '' ? 'Unfiled' : folder} (${count})`,
  ])
  return (
    <form class="form-grid" aria-label="Which envelopes" onSubmit={(event) => event.preventDefault()}>
      <TextRow
        id="wallet-find"
        label="Find"
        type="search"
        placeholder="token, tick or leaf hash"
        value={filter.q}
        onText={(q) => onFilter({ q })}
      />
      <Choice
        id="wallet-folder"
        label="Folder"
        value={filter.folder === undefined ? EVERY : `${NAMED}${filter.folder}`}
        options={[[EVERY, 'every folder'], ...(folders ?? [])]}
        onChoose={(it) => onFilter({ folder: it === EVERY ? undefined : it.slice(NAMED.length) })}
      />
      <Choice
        id="wallet-home"
        label="Home"
        value={filter.home}
        options={[['', 'every home'], ...homes.map((it): [string, string] => [it, homeText(it, session)])]}
        onChoose={(home) => onFilter({ home })}
      />
      <Choice
        id="wallet-state"
        label="State"
        value={filter.state}
        options={states}
        onChoose={(it) => onFilter({ state: states.find(([state]) => state === it)?.[0] ?? '' })}
      />
      <CheckRow checked={filter.movable} onCheck={(movable) => onFilter({ movable })}>
        Only what can be sent
      </CheckRow>
    </form>
  )
}
