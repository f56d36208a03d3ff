import { useMemo, useRef, useState } from 'preact/hooks'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { mapAxes, seenOf } from '#numerics/plot/draw-map.ts'
import { type Axes, placeX, placeY } from '#numerics/plot/layout.ts'
import type { Scene } from '#numerics/plot/marks.ts'
import type { CurvesPlot, MapPlot, Plot } from '#numerics/plot/plot.ts'
import { sceneOf } from '#numerics/plot/scene.ts'
import { aboutOf } from './about.ts'
import { FieldCanvas } from './field-canvas.tsx'
import { pageInks } from './inks.ts'
import type { LiveProps } from './live-props.ts'
import { marksAt, type PlotMoment } from './moment.ts'
import { type Probe, ProbeProfiles, probeAt } from './probe.tsx'
import { type PlotPosition, placeAfter, readAt } from './read-keys.ts'
import { type PlotReading, readOff } from './read-off.ts'
import { styleIn } from './room.ts'
import { SceneMarks } from './scene-svg.tsx'
import { TouchFrame } from './touch-frame.tsx'
import { useGestures } from './use-gestures.ts'

const axesIn = (plot: CurvesPlot | MapPlot): Axes => (plot.kind === 'map' ? mapAxes(seenOf(plot)) : axesOf(plot))

/** Axes of one unit keep their ratio. */
const keepsRatio = (plot: CurvesPlot | MapPlot): boolean =>
  plot.kind === 'map' ? plot.x.unit === plot.y.unit : plot.equal === true

const Moments = ({ plot, scene, moment }: { plot: Plot; scene: Scene; moment: PlotMoment | undefined }) => {
  if (plot.kind !== 'curves' || moment === undefined) return null
  const axes = axesOf(plot)
  return (
    <>
      {marksAt(plot, moment).map(({ curve, x, y }) => (
        <circle
          key={curve}
          class="moment"
          fill={pageInks.curve(curve)}
          cx={placeX(axes.x, scene.box, x)}
          cy={placeY(axes.y, scene.box, y)}
          r={6}
        />
      ))}
    </>
  )
}

/** The values' box of a drawing on the screen. */
const frameOf = (svg: SVGSVGElement | null, { box, width }: Scene): DOMRect | undefined => {
  if (svg === null) return undefined
  const { left, top, width: across } = svg.getBoundingClientRect()
  const scale = across / width
  return new DOMRect(left + box.x * scale, top + box.y * scale, box.width * scale, box.height * scale)
}

/** Reading by pointer and by key. */
const useReadings = (plot: Plot, scene: Scene, svg: () => SVGSVGElement | null) => {
  const [reading, read] = useState<PlotReading>()
  const [place, go] = useState<PlotPosition>()
  const inScene = (x: number, y: number): readonly [number, number] => {
    const { left, top, width } = svg()?.getBoundingClientRect() ?? new DOMRect()
    const scale = scene.width / (width || 1)
    return [(x - left) * scale, (y - top) * scale]
  }
  const leave = (): void => {
    read(undefined)
    go(undefined)
  }
  const move = (key: string): boolean => {
    const next = placeAfter(plot, key, place)
    if (next === undefined) return false
    go(next)
    read(readAt(plot, scene.box, next))
    return true
  }
  return { reading, read, place, inScene, leave, move }
}

/** Fields, and curves that are no series: the drawing on paper, under a hand. */
export const SceneView = ({ plot, whole, look, change, room, moment, linked }: LiveProps) => {
  if (plot.kind === 'bars' || whole.kind === 'bars') throw new Error('broken invariant: bars are drawn still')
  const svg = useRef<SVGSVGElement>(null)
  const scene = useMemo(() => sceneOf(plot, styleIn(room, plot)), [plot, room])
  const [probe, pin] = useState<Probe>()
  const { reading, read, place, inScene, leave, move } = useReadings(plot, scene, () => svg.current)
  const zoom = { axes: axesIn(plot), whole: axesIn(whole), seen: look.seen, fixed: keepsRatio(plot) }
  const { chosen, press, handlers } = useGestures({
    frame: () => frameOf(svg.current, scene),
    zoom,
    see: (seen) => {
      leave()
      change({ seen })
    },
    point: (at) => read(at === undefined ? undefined : readOff(plot, scene.box, ...inScene(at.x, at.y))),
    pick: (at) => plot.kind === 'map' && pin(probeAt(plot, scene.box, inScene(at.x, at.y))),
  })
  const keyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return leave()
    const chooses = event.key === 'Enter' && plot.kind === 'map' && reading !== undefined
    if (chooses) pin(probeAt(plot, scene.box, [reading.x, reading.y]))
    // The arrows move along the plot and not the page.
    if (chooses || press(event) || move(event.key)) event.preventDefault()
  }
  const about = useMemo(() => aboutOf(plot), [plot])
  const help = plot.kind === 'map' ? 'Enter pins a probe, plus and minus zoom.' : 'Plus and minus zoom.'
  return (
    <>
      <TouchFrame
        label={`${about}. The arrow keys read its numbers. ${help}`}
        onKeyDown={keyDown}
        onBlur={leave}
        chosen={chosen}
        handlers={handlers}
      >
        {plot.kind === 'map' && <FieldCanvas scene={scene} />}
        <svg
          ref={svg}
          width={scene.width}
          height={scene.height}
          viewBox={`0 0 ${scene.width} ${scene.height}`}
          aria-hidden="true"
        >
          <SceneMarks scene={scene} without={plot.kind === 'map' ? 'map' : undefined} />
          <Moments plot={plot} scene={scene} moment={moment} />
          {reading !== undefined && <circle class="pointed" cx={reading.x} cy={reading.y} r={5} />}
        </svg>
      </TouchFrame>
      <figcaption aria-live={place === undefined ? 'off' : 'polite'}>{reading?.words ?? about}</figcaption>
      {plot.kind === 'map' && probe !== undefined && (
        <ProbeProfiles plot={plot} probe={probe} linked={linked} close={() => pin(undefined)} />
      )}
    </>
  )
}
