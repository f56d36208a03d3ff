import type { ShownJob } from '#ui/server/jobs.ts'

const leftOf = ({ eta }: ShownJob): string =>
  eta === null ? '' : eta < 1 ? ', under a second left' : `, ${Math.ceil(eta)} s left`

const wordsOf = (job: ShownJob | undefined, up: boolean): string => {
  if (!up) return 'the node does not answer; the run goes on there, or begins anew when it is back'
  if (job === undefined || job.state === 'queued') return job?.reason ?? 'waiting …'
  return job.steps === 0 ? 'running …' : `step ${job.step} of ${job.steps}${leftOf(job)}`
}

/** Quarters: a reader with ears hears of them, and not of every step. */
const QUARTERS = 4

/** How far a job is: bar, step and time left. */
export const JobProgress = ({ job, up }: { readonly job: ShownJob | undefined; readonly up: boolean }) => {
  const share = job?.fraction ?? 0
  return (
    <div class="job">
      <progress value={share} max={1} aria-label="progress" />
      <span class="about" aria-hidden="true">
        {wordsOf(job, up)}
      </span>
      <span class="unseen" role="status">
        Running, {(Math.floor(share * QUARTERS) * 100) / QUARTERS} percent
      </span>
    </div>
  )
}
