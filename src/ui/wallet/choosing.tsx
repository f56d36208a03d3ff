import { useState } from 'preact/hooks'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { CHOSEN_MAX, type Selection, sorted, turned } from './selection.ts'
import { type Filter, type Listed, readAll } from './use-envelopes.ts'
import { envelopesText } from './wallet.ts'

/** Envelopes that one call files: what its body holds. */
const FILE_TOKENS = 20_000
const FOLDER_CHARS_MAX = 128

interface Props {
  readonly session: PageSession
  readonly filter: Filter
  readonly listed: Listed
  /** Whether what is listed was asked for before: nothing is chosen of it. */
  readonly isOld: boolean
  readonly selection: Selection
  readonly onSelect: (next: (old: Selection) => Selection) => void
  readonly onSend: () => void
  readonly onFiled: () => void
}

/** What is chosen, in a sentence. */
const chosenText = (selection: Selection): string => {
  if (selection.size === 0) return 'None chosen.'
  const { movable, weight } = sorted(selection)
  const stay = selection.size - movable.length
  const staying = stay === 0 ? '' : ` ${stay} of them cannot be sent.`
  return `${envelopesText(selection.size)} chosen; what can be sent of it weighs ${weight}.${staying}`
}

const Filing = ({ session, selection, onFiled }: Pick<Props, 'session' | 'selection' | 'onFiled'>) => {
  const [folder, name] = useState('')
  const task = useTask()
  const file = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const tokens = [...selection.keys()]
      let moved = 0
      for (let at = 0; at < tokens.length; at += FILE_TOKENS) {
        const token_ids = tokens.slice(at, at + FILE_TOKENS)
        const done = await session.call('POST /api/tally/envelopes/folder', { folder: folder.trim(), token_ids })
        moved += done.moved
      }
      onFiled()
      return `${envelopesText(moved)} filed in ${folder.trim() === '' ? 'Unfiled' : folder.trim()}.`
    })
  }
  return (
    <form class="inline" aria-label="File" onSubmit={file}>
      <TextRow
        id="wallet-file"
        label="File them in"
        maxLength={FOLDER_CHARS_MAX}
        placeholder="empty: Unfiled"
        value={folder}
        onText={name}
      />
      <Submit disabled={selection.size === 0 || task.busy}>File</Submit>
      <TaskOutcome of={task} />
    </form>
  )
}

/** What is chosen among envelopes, how more is chosen, and what can be done with it. */
export const Choosing = ({ session, filter, listed, isOld, selection, onSelect, onSend, onFiled }: Props) => {
  const task = useTask()
  const all = (): void =>
    task.run(async () => {
      const { items, partial } = await readAll(session, filter, CHOSEN_MAX)
      onSelect((old) => turned(old, items, true))
      return partial ? `The newest ${items.length} are chosen: that many go at once.` : 'All that match are chosen.'
    })
  return (
    <>
      <div class="actions">
        <button type="button" disabled={isOld} onClick={() => onSelect((old) => turned(old, listed.items, true))}>
          Choose this page
        </button>
        {listed.total > listed.items.length && (
          <button type="button" onClick={all} disabled={task.busy || isOld}>
            Choose all {listed.total} that match
          </button>
        )}
        <button type="button" disabled={selection.size === 0} onClick={() => onSelect(() => new Map())}>
          Choose none
        </button>
        <button type="button" disabled={selection.size === 0} onClick={onSend}>
          Send them …
        </button>
      </div>
      <p class="about" role="status" data-chosen={selection.size}>
        {task.busy ? 'reading …' : chosenText(selection)}
      </p>
      <TaskOutcome of={task} />
      {selection.size > 0 && <Filing session={session} selection={selection} onFiled={onFiled} />}
    </>
  )
}
