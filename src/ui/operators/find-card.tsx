import { useState } from 'preact/hooks'
import { TextRow } from '#ui/part/text-row.tsx'
import { call } from '#ui/server/api.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { WayList, type Ways } from './way-list.tsx'

interface Asked {
  readonly busy: boolean
  readonly ways?: Ways
  readonly problem?: Error
}

const ask = async (wanted: string, known: string): Promise<Asked> => {
  try {
    return { busy: false, ways: await call('GET /api/operators/find', { wanted, known }) }
  } catch (error) {
    return { busy: false, problem: error instanceof Error ? error : new Error(String(error)) }
  }
}

const countText = ({ count, chain_count: chains }: Ways): string =>
  count + chains === 0
    ? 'Nothing gives this.'
    : `${count} operators and ${chains} chains of two give this; those that lack least come first.`

/** What gives a quantity from others that are known. */
export const FindCard = () => {
  const [wanted, want] = useState('')
  const [known, know] = useState('')
  const [{ busy, ways, problem }, show] = useState<Asked>({ busy: false })
  const submit = (event: Event): void => {
    event.preventDefault()
    if (busy || wanted.trim() === '') return
    show((old) => ({ ...old, busy: true }))
    void ask(wanted.trim(), known.trim()).then(show)
  }
  return (
    <details class="card">
      <summary>What gives me X from Y and Z?</summary>
      <form onSubmit={submit} noValidate>
        <div class="form-grid two">
          <TextRow
            id="find-wanted"
            label="Wanted"
            placeholder="pressure"
            autocomplete="off"
            maxLength={64}
            value={wanted}
            onText={want}
          >
            <p class="about">A name, a symbol or a unit.</p>
          </TextRow>
          <TextRow
            id="find-known"
            label="Known"
            placeholder="volume, temperature, amount"
            autocomplete="off"
            maxLength={512}
            value={known}
            onText={know}
          >
            <p class="about">The same, with commas between.</p>
          </TextRow>
        </div>
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={busy || wanted.trim() === ''}>
            Find ways
          </button>
        </div>
      </form>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {ways !== undefined && (
        <>
          <p class="about" role="status">
            {countText(ways)}
          </p>
          <WayList ways={ways.operators} label="Operators that give it" />
          <WayList ways={ways.chains} label="Chains that give it" />
        </>
      )}
    </details>
  )
}
