import { MINUTES } from './rate.ts'

const WIDTH = 300
const HEIGHT = 48
const GAP = 2

/** Leaves a minute as bars, the present minute at the right. */
export const RateChart = ({ minutes }: { readonly minutes: readonly number[] }) => {
  const most = Math.max(1, ...minutes)
  const step = WIDTH / MINUTES
  const last = minutes.at(-1) ?? 0
  return (
    <svg
      class="rate"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Leaves sealed in each of the last ${MINUTES} minutes: at most ${most}, in this minute ${last}`}
    >
      {minutes.map((count, at) => (
        <rect
          // A minute has no name but its place.
          key={at}
          x={at * step}
          y={HEIGHT - Math.max(1, (count / most) * HEIGHT)}
          width={step - GAP}
          height={Math.max(1, (count / most) * HEIGHT)}
        >
          <title>{`${MINUTES - 1 - at} min ago: ${count}`}</title>
        </rect>
      ))}
    </svg>
  )
}
