import type { Job } from '#ui/server/jobs.ts'

const leftOf = ({ eta_seconds: eta }: Job): string =>
  eta === null ? '' : eta < 1 ? ', under a second left' : `, ${Math.ceil(eta)} s left`

/** How far a job is: bar, step and time left. */
export const JobProgress = ({ job }: { readonly job: Job | undefined }) => (
  <div class="job" aria-live="polite">
    <progress value={job?.fraction ?? 0} max={1} aria-label="progress" />
    <span class="about">
      {job === undefined || job.state === 'queued'
        ? (job?.reason ?? 'waiting …')
        : `step ${job.step} of ${job.steps}${leftOf(job)}`}
    </span>
  </div>
)
