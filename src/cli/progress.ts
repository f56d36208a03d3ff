import type { Io } from './io.ts'

const WIDTH = 28

/** What a running job tells of itself. */
export interface JobProgress {
  readonly state: string
  readonly fraction?: number | null
  readonly step?: number | null
  readonly steps?: number | null
  readonly eta?: number | null
}

/** One line: bar, percent, step, seconds left. Pure, so that its form can be tested. */
export const progressLine = ({ state, fraction, step, steps, eta }: JobProgress): string => {
  if (fraction === undefined || fraction === null) return `${state} …`
  const full = Math.min(WIDTH, Math.floor(fraction * WIDTH))
  const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`
  const at =
    step !== undefined && step !== null && steps !== undefined && steps !== null ? `  step ${step}/${steps}` : ''
  const left = eta !== undefined && eta !== null ? `  ${eta < 1 ? '<1' : Math.ceil(eta)} s left` : ''
  return `${bar} ${String(Math.floor(fraction * 100)).padStart(3)} %${at}${left}`
}

/** A progress bar on stderr while `work` runs; it leaves the terminal as it found it, whatever happens. */
export const withProgress = async <T>(io: Io, work: (tell: (now: JobProgress) => void) => Promise<T>): Promise<T> => {
  try {
    return await work((now) => io.redraw(progressLine(now)))
  } finally {
    io.redraw('')
  }
}
