import type { ComponentChildren } from 'preact'
import { waitText } from '#ui/text/numbers.ts'
import { JobProgress } from './job-progress.tsx'
import type { Quoted } from './use-quote.ts'
import type { Running } from './use-run.ts'

interface Props {
  readonly run: Running
  /** Whether the form can be sent. */
  readonly sound: boolean
  readonly quoted: Quoted
  readonly up: boolean
  readonly onReset: () => void
  /** More that can be done with the form. */
  readonly children?: ComponentChildren
}

const quoteText = ({ quote }: Quoted): string => {
  if (quote === undefined) return ''
  const { price, expected_seconds: seconds, work, work_limit: limit } = quote
  const credits = `${price} ${price === 1 ? 'credit' : 'credits'}`
  if (work > limit) return `${credits} · too much work: ${Math.ceil(work)} of ${limit} units`
  return `${credits} · ${seconds < 1 ? 'under a second' : `about ${waitText(seconds)}`}`
}

/**
 * Run, cancel, back to the defaults, and what a run costs; while it runs, how far it is. What comes and goes has a
 * place of its own, so that nothing moves.
 */
export const RunActions = ({ run, sound, quoted, up, onReset, children }: Props) => (
  <>
    <div class="actions run-actions">
      {/* Not disabled while it runs: it would lose the focus. */}
      <button type="submit" class="primary" aria-disabled={run.busy || !sound}>
        {run.busy ? 'Running …' : 'Run'}
      </button>
      {run.busy ? (
        <button type="button" class="steady" onClick={run.cancel}>
          Cancel
        </button>
      ) : (
        <button type="button" class="steady" onClick={onReset}>
          Defaults
        </button>
      )}
      <span class="quote">{quoteText(quoted)}</span>
      {children}
    </div>
    <div class="run-line">
      {run.busy && <JobProgress job={run.job} up={up} />}
      {run.cancelled === true && <span role="status">Cancelled; nothing was charged.</span>}
    </div>
  </>
)
