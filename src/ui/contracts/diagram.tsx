import { useId, useRef, useState } from 'preact/hooks'
import { useWide } from '#ui/part/use-wide.ts'
import type { Arrow, NodeBox, StateDrawing } from './layout.ts'
import type { ContractModel, DrawnState, DrawnTransition } from './model.ts'
import { TransitionTable } from './transition-table.tsx'
import { useLayout } from './use-layout.ts'

const LINE = 15
const CORNER = 8
/** How far an arrow goes that comes back. */
const LOOP = 30

interface Props {
  readonly model: ContractModel
  /** The state that the contract is in now. */
  readonly present?: string | undefined
  /** Transitions that were taken last, by their ids. */
  readonly taken?: readonly string[] | undefined
  /** Goes to the place of a state or a transition in the text, by its pointer. */
  readonly onGo?: ((path: string) => void) | undefined
}

const stateWords = ({ initial, terminal, known }: DrawnState, present: boolean): readonly string[] => [
  ...(initial ? ['initial'] : []),
  ...(terminal ? ['terminal'] : []),
  ...(known ? [] : ['not declared']),
  ...(present ? ['the present state'] : []),
]

/** A path through the points of an arrow: straight from middle to middle, round at each point. */
const curve = (points: Arrow['points']): string => {
  const [first, ...rest] = points
  if (first === undefined) return ''
  const bends = rest.map(({ x, y }, i) => {
    const next = rest[i + 1]
    return next === undefined ? `L${x} ${y}` : `Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}`
  })
  return `M${first.x} ${first.y}${bends.join('')}`
}

interface SpotProps {
  readonly label: string
  readonly name: string
  readonly place: number
  readonly active: boolean
  readonly onGo: (() => void) | undefined
  readonly children: preact.ComponentChildren
}

/** A part of the picture that the keyboard reaches, where it leads somewhere. */
const Spot = ({ label, name, place, active, onGo, children }: SpotProps) =>
  onGo === undefined ? (
    <g class={name}>
      <title>{label}</title>
      {children}
    </g>
  ) : (
    // biome-ignore lint/a11y/useSemanticElements: a button of HTML cannot stand in a drawing.
    <g
      class={name}
      role="button"
      // Names of attributes of a drawing are lower case: another spelling is none.
      tabindex={active ? 0 : -1}
      aria-label={label}
      data-spot={place}
      onClick={onGo}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onGo()
      }}
    >
      {children}
    </g>
  )

const Box = ({
  box,
  state,
  present,
}: {
  readonly box: NodeBox
  readonly state: DrawnState
  readonly present: boolean
}) => {
  const { name, x, y, width, height } = box
  const at = { x: x - width / 2, y: y - height / 2, width, height }
  return (
    <>
      <title>{[name, ...stateWords(state, present)].join(', ')}</title>
      <rect {...at} rx={CORNER} />
      {state.terminal && (
        <rect class="inner" x={at.x + 3} y={at.y + 3} width={width - 6} height={height - 6} rx={CORNER - 3} />
      )}
      {state.initial && <circle cx={at.x + 9} cy={y} r={4} />}
      <text x={x + (state.initial ? 5 : 0)} y={y}>
        {name}
      </text>
    </>
  )
}

/** From the right side of a state back to it. */
const loop = ({ x, y, width }: NodeBox): string => {
  const right = x + width / 2
  return `M${right} ${y - 7}C${right + LOOP} ${y - LOOP} ${right + LOOP} ${y + LOOP} ${right} ${y + 7}`
}

interface LineProps {
  readonly arrow: Arrow
  /** The state that it leaves, where it comes back to it. */
  readonly back: NodeBox | undefined
  readonly head: string
}

const Line = ({ arrow, back, head }: LineProps) => {
  const d = back === undefined ? curve(arrow.points) : loop(back)
  return (
    <>
      <path class="hit" d={d} />
      <path d={d} marker-end={`url(#${head})`} />
    </>
  )
}

/** What stands at an arrow: beside the control, whose name says it all. */
const Words = ({ of: { lines, x, y } }: { readonly of: Arrow }) => {
  const top = y - ((lines.length - 1) * LINE) / 2
  return (
    <g class="words">
      {lines.map((line, i) => (
        <text key={`${i} ${line}`} x={x} y={top + i * LINE}>
          {line}
        </text>
      ))}
    </g>
  )
}

const arrowLabel = ({ from, to }: Arrow, transitions: readonly DrawnTransition[]): string =>
  `${from} to ${to}: ${transitions
    .map(({ id, trigger, guard }) => `${id}, ${trigger}${guard === '' ? '' : `, if ${guard}`}`)
    .join('; ')}`

const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** One stop for the keyboard, within which the arrows move from part to part. */
const useStops = (count: number) => {
  const [at, move] = useState(0)
  const svg = useRef<SVGSVGElement>(null)
  const active = Math.min(at, Math.max(0, count - 1))
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = moves[event.key]
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : step === undefined ? at : active + step
    if (next === at || next < 0 || next >= count) return
    event.preventDefault()
    move(next)
    const spot = svg.current?.querySelector<SVGGElement>(`[data-spot="${next}"]`)
    spot?.focus({ preventScroll: true })
    spot?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  return { svg, active, onKeyDown }
}

interface PictureProps extends Props {
  readonly drawing: StateDrawing
}

const Picture = ({ drawing, model, present, taken = [], onGo }: PictureProps) => {
  const head = useId()
  const { nodes, arrows, width, height } = drawing
  const at = new Map(nodes.map((it) => [it.name, it]))
  const states = new Map(model.states.map((it) => [it.name, it]))
  const transitions = new Map(model.transitions.map((it) => [it.path, it]))
  const boxes = nodes.flatMap((box) => {
    const state = states.get(box.name)
    return state === undefined ? [] : [{ box, state }]
  })
  const { svg, active, onKeyDown } = useStops(boxes.length + arrows.length)
  const { box: frame, wide } = useWide<HTMLDivElement>()
  const go = (path: string | undefined) => (onGo === undefined || path === undefined ? undefined : () => onGo(path))
  const some = (paths: readonly string[]) => paths.flatMap((it) => transitions.get(it) ?? [])
  return (
    <div ref={frame} class="diagram" tabIndex={wide && onGo === undefined ? 0 : undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing. */}
      <svg
        ref={svg}
        width={Math.ceil(width)}
        height={Math.ceil(height)}
        viewBox={`0 0 ${Math.ceil(width)} ${Math.ceil(height)}`}
        role="group"
        aria-label="States and transitions"
        onKeyDown={onKeyDown}
      >
        <defs>
          <marker
            id={head}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="10"
            markerHeight="10"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {arrows.map((arrow, i) => {
          const those = some(arrow.paths)
          const was = those.some(({ id }) => taken.includes(id))
          return (
            <Spot
              key={`${arrow.from} ${arrow.to}`}
              name={was ? 'arrow taken' : 'arrow'}
              label={arrowLabel(arrow, those)}
              place={boxes.length + i}
              active={active === boxes.length + i}
              onGo={go(arrow.paths[0])}
            >
              <Line arrow={arrow} back={arrow.from === arrow.to ? at.get(arrow.from) : undefined} head={head} />
            </Spot>
          )
        })}
        {arrows.map((arrow) => (
          <Words key={`${arrow.from} ${arrow.to}`} of={arrow} />
        ))}
        {boxes.map(({ box, state }, i) => {
          const here = box.name === present
          return (
            <Spot
              key={box.name}
              name={['node', here && 'present', !state.known && 'strange'].filter(Boolean).join(' ')}
              label={['state', box.name, ...stateWords(state, here)].join(' ')}
              place={i}
              active={active === i}
              onGo={go(state.path)}
            >
              <Box box={box} state={state} present={here} />
            </Spot>
          )
        })}
      </svg>
    </div>
  )
}

const ways = [
  ['picture', 'Picture'],
  ['table', 'Table'],
] as const

/** States and transitions of a definition, as a picture or as a table. */
export const Diagram = (props: Props) => {
  const [way, choose] = useState<'picture' | 'table'>('picture')
  const name = useId()
  const { laid, busy, problem } = useLayout(props.model)
  const none = laid !== undefined && laid.drawing === undefined
  return (
    <>
      <fieldset class="choices">
        <legend class="unseen">States and transitions as</legend>
        {ways.map(([id, title]) => (
          <label key={id}>
            <input type="radio" name={name} checked={way === id} onChange={() => choose(id)} />
            {title}
          </label>
        ))}
      </fieldset>
      {way === 'table' && <TransitionTable {...props} />}
      {way === 'picture' && (
        <>
          {problem !== undefined && <p class="wrong">{problem}</p>}
          {busy && laid === undefined && <p class="about">laying out …</p>}
          {none && <p>There are too many arrows for a picture; the table has them all.</p>}
          {laid?.drawing !== undefined && <Picture {...props} model={laid.of} drawing={laid.drawing} />}
        </>
      )}
    </>
  )
}
