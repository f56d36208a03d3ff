import { useMemo } from 'preact/hooks'
import type { Mark, Pixels, Scene, TextMark } from '#numerics/plot/marks.ts'
import { outline } from '#numerics/plot/svg.ts'

/** The nodes of a field as an image of its own, one pixel each. */
const addressOf = ({ columns, rows, data }: Pixels): string => {
  const canvas = document.createElement('canvas')
  canvas.width = columns
  canvas.height = rows
  canvas.getContext('2d')?.putImageData(new ImageData(data, columns, rows), 0, 0)
  return canvas.toDataURL()
}

const MapMark = ({ box, image, smooth = false }: Extract<Mark, { kind: 'map' }>) => {
  const href = useMemo(() => addressOf(image), [image])
  return <image class={smooth ? undefined : 'map'} {...box} preserveAspectRatio="none" href={href} />
}

const Words = ({ x, y, text, size, anchor, ink, bold = false, turned = false }: TextMark) => (
  <text
    x={x}
    y={y}
    font-size={size}
    text-anchor={anchor}
    fill={ink}
    {...(bold && { 'font-weight': 700 })}
    {...(turned && { transform: `rotate(-90 ${x} ${y})` })}
  >
    {text}
  </text>
)

const Drawn = ({ mark }: { readonly mark: Mark }) => {
  switch (mark.kind) {
    case 'map':
      return <MapMark {...mark} />
    case 'text':
      return <Words {...mark} />
    case 'rect':
      return <rect {...mark.box} fill={mark.fill ?? 'none'} stroke={mark.stroke ?? 'none'} />
    case 'dots':
      return (
        <path
          d={outline('dots', mark.points)}
          stroke={mark.ink}
          stroke-width={2 * mark.radius}
          stroke-linecap="round"
        />
      )
    default: {
      const dashed = mark.kind === 'path' && mark.dashed === true
      const dashes = dashed ? { 'stroke-dasharray': '6 4' } : {}
      return <path d={outline(mark.kind, mark.points)} stroke={mark.ink} stroke-width={mark.width} {...dashes} />
    }
  }
}

interface Props {
  readonly scene: Scene
  /** What is drawn elsewhere: a field on a canvas. */
  readonly without?: Mark['kind'] | undefined
}

/** The marks of a drawing. They are drawn anew only when the drawing changes. */
export const SceneMarks = ({ scene, without }: Props) =>
  useMemo(
    () => (
      <g fill="none" stroke-linejoin="round">
        {scene.marks.map((mark, i) => mark.kind !== without && <Drawn key={i} mark={mark} />)}
      </g>
    ),
    [scene, without],
  )
