import type { RefObject } from 'preact'
import type { Plot } from '#numerics/plot/plot.ts'
import { type Looking, switchesOf } from './look.ts'

interface Props extends Pick<Looking, 'look' | 'change'> {
  readonly plot: Plot
  /** What lies in the figure that fills the screen. */
  readonly inside: RefObject<HTMLElement | null>
}

const Switch = ({ name, on, turn }: { readonly name: string; readonly on: boolean; readonly turn: () => void }) => (
  <button type="button" class="small" aria-pressed={on} onClick={turn}>
    {name}
  </button>
)

const toggleFull = (element: Element | null): void => {
  const figure = element?.closest('figure')
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  else void figure?.requestFullscreen()
}

/** The switches of a plot. Zoom starts from the whole again when an axis changes its kind. */
export const PlotTools = ({ plot, look, change, inside }: Props) => {
  const can = plot.kind === 'curves' ? switchesOf(plot) : { x: false, y: false }
  const isLog = (axis: 'x' | 'y'): boolean => plot.kind === 'curves' && plot[axis].scale === 'log'
  return (
    <div class="plot-tools">
      {look.seen !== undefined && (
        <button type="button" class="small" onClick={() => change({ seen: undefined })}>
          Reset zoom
        </button>
      )}
      {can.x && <Switch name="log x" on={isLog('x')} turn={() => change({ logX: !isLog('x'), seen: undefined })} />}
      {can.y && <Switch name="log y" on={isLog('y')} turn={() => change({ logY: !isLog('y'), seen: undefined })} />}
      {plot.kind === 'map' && (
        <Switch name="Smooth" on={look.smooth === true} turn={() => change({ smooth: look.smooth !== true })} />
      )}
      {document.fullscreenEnabled && (
        <button type="button" class="small" onClick={() => toggleFull(inside.current)}>
          Full screen
        </button>
      )}
    </div>
  )
}
