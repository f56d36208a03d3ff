import { Graph, layout } from '@dagrejs/dagre'
import type { ContractModel, DrawnTransition } from './model.ts'

/** Arrows that are laid out; a picture of more would say nothing, and the table has them all. */
export const ARROWS_MAX = 300
/** Arrows that have words beside them: with more, the picture grows beyond use, and the table has the words. */
const WORDED_MAX = 80
/** Transitions whose words stand at one arrow. */
const WORDS_MAX = 3
const LINE_CHARS_MAX = 30
/** Letters of the drawing are of one width, so what they need is known before they are drawn. Pixels. */
const LETTER = 7.3
const LINE = 15
const NODE_PAD = { x: 28, y: 20 }
const MARGIN = 14

/** Where a state is drawn: the middle and size of its box, in pixels. */
export interface NodeBox {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An arrow from one state to another, for all transitions between the two. */
export interface Arrow {
  readonly from: string
  readonly to: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** What stands at it, and around which point. */
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  /** The transitions, by their pointers. */
  readonly paths: readonly string[]
}

export interface StateDrawing {
  readonly width: number
  readonly height: number
  readonly nodes: readonly NodeBox[]
  readonly arrows: readonly Arrow[]
}

interface Bundle {
  readonly from: string
  readonly to: string
  readonly transitions: readonly DrawnTransition[]
}

const bundlesOf = ({ transitions }: ContractModel): readonly Bundle[] => {
  const found = new Map<string, { from: string; to: string; transitions: DrawnTransition[] }>()
  for (const it of transitions) {
    if (it.to === '') continue
    for (const from of it.from) {
      const key = JSON.stringify([from, it.to])
      const bundle = found.get(key) ?? { from, to: it.to, transitions: [] }
      bundle.transitions.push(it)
      found.set(key, bundle)
    }
  }
  return [...found.values()]
}

/** How many arrows a drawing would have. */
export const arrowCount = (model: ContractModel): number => bundlesOf(model).length

const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  const letters = [...line]
  return letters.length <= LINE_CHARS_MAX ? line : `${letters.slice(0, LINE_CHARS_MAX - 1).join('')}…`
}

const linesOf = (transitions: readonly DrawnTransition[]): readonly string[] => {
  const shown = transitions
    .slice(0, WORDS_MAX)
    .flatMap(({ trigger, guard }) => [cut(trigger), ...(guard === '' ? [] : [cut(`[${guard}]`)])])
  return transitions.length <= WORDS_MAX ? shown : [...shown, `${transitions.length - WORDS_MAX} more`]
}

const widthOf = (lines: readonly string[]): number => Math.max(0, ...lines.map((it) => [...it].length)) * LETTER

/** Lays out states and arrows; undefined where there are too many for a picture. */
export const layOut = (model: ContractModel): StateDrawing | undefined => {
  const bundles = bundlesOf(model)
  if (bundles.length > ARROWS_MAX) return undefined
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 44, edgesep: 18, marginx: MARGIN, marginy: MARGIN })
  // Names of states are the author's, and some mean another thing to objects: here each is its place.
  const ids = new Map(model.states.map(({ name }, i) => [name, `s${i}`]))
  const idOf = (name: string): string => ids.get(name) ?? ''
  // The first that is put in stands on top where arrows go round.
  for (const { name } of model.states.toSorted((a, b) => Number(b.initial) - Number(a.initial)))
    graph.setNode(idOf(name), { width: widthOf([name]) + NODE_PAD.x, height: LINE + NODE_PAD.y })
  const drawn = bundles.map((it, i) => {
    const lines = bundles.length > WORDED_MAX ? [] : linesOf(it.transitions)
    const size = lines.length === 0 ? {} : { width: widthOf(lines) + LETTER, height: lines.length * LINE }
    graph.setEdge(idOf(it.from), idOf(it.to), { ...size, labelpos: 'c' }, String(i))
    return { ...it, lines, key: { v: idOf(it.from), w: idOf(it.to), name: String(i) } }
  })
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  const nodes = model.states.map(({ name }): NodeBox => {
    const { x = 0, y = 0, width: w = 0, height: h = 0 } = graph.node(idOf(name)) as Partial<NodeBox>
    return { name, x, y, width: w, height: h }
  })
  const arrows = drawn.map(({ from, to, lines, transitions, key }): Arrow => {
    const { points = [], x = 0, y = 0 } = graph.edge(key) as Partial<Pick<Arrow, 'points' | 'x' | 'y'>>
    return { from, to, lines, x, y, points, paths: transitions.map(({ path }) => path) }
  })
  return { width, height, nodes, arrows }
}
