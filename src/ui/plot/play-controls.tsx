import { type Speed, speeds, type useClockwork } from './use-clockwork.ts'

interface Props {
  readonly of: ReturnType<typeof useClockwork>
  readonly count: number
  /** The place in words: a step, a time. */
  readonly words: string
}

/** Play and pause, the slider (arrow keys step it), and the speed. */
export const PlayControls = ({ of: { at, plays, speed, toggle, seek, hurry }, count, words }: Props) => (
  <>
    <button type="button" onClick={toggle}>
      {plays ? 'Pause' : 'Play'}
    </button>
    <input
      type="range"
      aria-label="Moment"
      aria-valuetext={words}
      min={0}
      max={Math.max(0, count - 1)}
      step={1}
      value={at}
      onInput={(event) => seek(Number(event.currentTarget.value))}
    />
    <output>{words}</output>
    <label class="about">
      Speed{' '}
      <select value={speed} onChange={(event) => hurry(Number(event.currentTarget.value) as Speed)}>
        {speeds.map((it) => (
          <option key={it} value={it}>
            {it} a second
          </option>
        ))}
      </select>
    </label>
  </>
)
