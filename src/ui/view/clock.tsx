import { useLink } from '#ui/server/link.ts'
import { usePulse } from '#ui/server/pulse.ts'

/** Radius of the dial and the length of its rim. */
const RADIUS = 15
const RIM = 2 * Math.PI * RADIUS

/** The node's tick and phase, live. It keeps its state to itself, so that nothing else is drawn with it. */
export const Clock = () => {
  const up = useLink()
  const pulse = usePulse(up)
  if (pulse === undefined) return <p class="clock about">…</p>
  return (
    <p class={up ? 'clock' : 'clock stale'} data-tick={pulse.tick}>
      <svg viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">
        <circle class="dial" cx="18" cy="18" r={RADIUS} />
        <circle
          class="hand"
          cx="18"
          cy="18"
          r={RADIUS}
          stroke-dasharray={`${RIM * pulse.phase} ${RIM}`}
          transform="rotate(-90 18 18)"
        />
      </svg>
      <span>
        tick <b class="tick">{pulse.tick}</b>
        <small>phase {(Math.floor(pulse.phase * 100) / 100).toFixed(2)}</small>
      </span>
    </p>
  )
}
