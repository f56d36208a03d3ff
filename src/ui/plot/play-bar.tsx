import { useEffect, useMemo, useState } from 'preact/hooks'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { PlotMoment, Timeline } from './moment.ts'
import { PlayControls } from './play-controls.tsx'
import { type PlayFrame, steadyOf } from './play-frames.ts'
import { usePlayRun } from './play-run.ts'
import type { PlayOrder } from './play-worker.ts'
import { useClockwork } from './use-clockwork.ts'

/** What a slider shows in place of the plots as they are. */
export interface Shown {
  readonly plots?: readonly Plot[]
  readonly moment?: PlotMoment
}

type Show = (shown: Shown) => void

/** A slider along curves that are there already. */
const CourseBar = ({ course: { times, unit }, show }: { readonly course: Timeline; readonly show: Show }) => {
  const clockwork = useClockwork(times.length)
  const { at } = clockwork
  const [begun, begin] = useState(false)
  const time = times[at] as number
  useEffect(() => {
    if (begun) show({ moment: { index: at, count: times.length, time } })
  }, [begun, at, times])
  useEffect(() => {
    if (at > 0 || clockwork.plays) begin(true)
  }, [at, clockwork.plays])
  return <PlayControls of={clockwork} count={times.length} words={withUnit(figure(time), unit)} />
}

interface FramesProps {
  readonly frames: readonly PlayFrame[]
  readonly show: Show
}

const FramesBar = ({ frames, show }: FramesProps) => {
  const clockwork = useClockwork(frames.length)
  const [steady, hold] = useState(true)
  const frame = frames[clockwork.at]
  const scales = useMemo(() => steadyOf(frames), [frames])
  useEffect(() => {
    if (frame === undefined) return
    show({ plots: steady ? frame.plots.map((it, i): Plot => ({ ...it, ...scales[i] })) : frame.plots })
  }, [frame, scales, steady])
  if (frame === undefined) return null
  return (
    <>
      <PlayControls of={clockwork} count={frames.length} words={`step ${frame.step} of ${frame.steps}`} />
      <label class="about">
        <input type="checkbox" checked={steady} onChange={() => hold(!steady)} /> one scale for all moments
      </label>
    </>
  )
}

/** A run that is taken again in this browser, moment by moment. */
const RunBar = ({ order, show }: { readonly order: PlayOrder; readonly show: Show }) => {
  const { playing, start, stop } = usePlayRun(order)
  const { state, share, frames, end, problem } = playing
  const halt = (): void => {
    stop()
    show({})
  }
  return (
    <>
      {state !== 'running' && frames.length === 0 && (
        <button type="button" onClick={start}>
          Play it
        </button>
      )}
      {state === 'running' && <progress value={share} max={1} aria-label="run in this browser" />}
      {frames.length > 0 && <FramesBar frames={frames} show={show} />}
      {state !== 'idle' && state !== 'failed' && (
        <button type="button" onClick={halt}>
          {state === 'running' ? 'Stop' : 'Back to the sealed result'}
        </button>
      )}
      <p class={problem === undefined ? 'about' : 'wrong'} role="status" data-play={endOf(end, state)}>
        {problem ?? said(end, state)}
      </p>
    </>
  )
}

const endOf = (end: { readonly played: string; readonly sealed: string } | undefined, state: string): string =>
  end === undefined ? state : end.played === end.sealed ? 'equal' : 'different'

const said = (end: { readonly played: string; readonly sealed: string } | undefined, state: string): string => {
  if (end === undefined) {
    return state === 'running'
      ? 'The run is taken again in this browser …'
      : 'Runs the same input again in this browser and keeps some forty moments of it.'
  }
  const digest = `SHA-256 ${end.played.slice(0, 16)}…`
  return end.played === end.sealed
    ? `The frames were computed in this browser; the last one equals the sealed result, number by number (${digest}).`
    : `The frames were computed in this browser; the last one is NOT the sealed result (${digest}).`
}

interface Props {
  /** The run that may be taken again. */
  readonly order: PlayOrder | undefined
  readonly course: Timeline | undefined
  readonly show: Show
}

/** Time under a slider: along the curves that are there, or by running once more. */
export const PlayBar = ({ order, course, show }: Props) => {
  if (course === undefined && order === undefined) return null
  return (
    <section class="play" aria-label="Play">
      {course === undefined ? order && <RunBar order={order} show={show} /> : <CourseBar course={course} show={show} />}
    </section>
  )
}
