import type { DrawnStep, LeafCheck } from './check-leaf.ts'

/** Sizes of the drawing, in its own units: 340 of them are the narrowest page. */
const WIDTH = 340
const ROW = 66
const BOX_WIDTH = 104
const BOX_HEIGHT = 26
const MARGIN = 10
const MIDDLE = WIDTH / 2
const SIDE = { left: BOX_WIDTH / 2 + 2, right: WIDTH - BOX_WIDTH / 2 - 2 } as const
const HASH_CHARS = 10
const TEXT_DOWN = 17

const short = (hash: string): string => `${hash.slice(0, HASH_CHARS)}…`

/** Where a hash came from, in the room that there is. */
const sourceOf = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} +${more.length}`

/** `leaf 7`, `leaves 0–7`. */
export const coveredText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  to - from === 1 ? `leaf ${from}` : `leaves ${from}–${to - 1}`

const Box = ({ x, y, text, look }: { x: number; y: number; text: string; look: string }) => (
  <g class={`tree-box ${look}`}>
    <rect x={x - BOX_WIDTH / 2} y={y} width={BOX_WIDTH} height={BOX_HEIGHT} rx={5} />
    <text x={x} y={y + TEXT_DOWN}>
      {text}
    </text>
  </g>
)

const Line = ({ from, to, y, look }: { from: number; to: number; y: number; look: string }) => (
  <path
    class={`tree-line ${look}`}
    d={`M${from} ${y} C${from} ${y - 20} ${to} ${y - 20} ${to} ${y - ROW + BOX_HEIGHT}`}
  />
)

const Row = ({ step, y, label }: { readonly step: DrawnStep; readonly y: number; readonly label: string }) => {
  const x = SIDE[step.side]
  return (
    <g>
      <Line from={MIDDLE} to={MIDDLE} y={y} look="way" />
      <Line from={x} to={MIDDLE} y={y} look="beside" />
      <Box x={x} y={y} text={short(step.hash)} look="sibling" />
      <text class="tree-note" x={x} y={y + BOX_HEIGHT + 12}>
        {coveredText(step)}
      </text>
      <text class="tree-note" x={x} y={y + BOX_HEIGHT + 24}>
        {sourceOf(step.tiles)}
      </text>
      <Box x={MIDDLE} y={y - ROW} text={label} look="way" />
    </g>
  )
}

/** The way from a leaf up to the root: beside it the siblings, each with the tile that it came from. */
export const PathTree = ({ index, of: { leaf, path } }: { readonly index: number; readonly of: LeafCheck }) => {
  const height = path.length * ROW + BOX_HEIGHT + 2 * MARGIN + 24
  const bottom = MARGIN + path.length * ROW
  const title = `The way from leaf ${index} to the root, past ${path.length} ${path.length === 1 ? 'hash' : 'hashes'}`
  return (
    <svg class="path-tree" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={title}>
      {path.map((step, i) => (
        <Row key={step.from} step={step} y={bottom - i * ROW} label={short(step.gives)} />
      ))}
      <Box x={MIDDLE} y={bottom} text={short(leaf)} look="leaf" />
      <text class="tree-note strong" x={MIDDLE} y={bottom + BOX_HEIGHT + 12}>
        leaf {index}
      </text>
      <text
        class="tree-note strong"
        x={path.length === 0 ? MIDDLE : MIDDLE + BOX_WIDTH / 2 + 18}
        y={MARGIN + TEXT_DOWN}
      >
        {path.length === 0 ? '' : 'root'}
      </text>
    </svg>
  )
}

/** The same in words, one step a line. */
export const PathSteps = ({ path }: { readonly path: readonly DrawnStep[] }) => (
  <ol class="path-steps">
    {path.map((step) => (
      <li key={step.from}>
        With the hash of {coveredText(step)} on the {step.side}, <code class="wrap">{step.hash}</code>, from{' '}
        {step.tiles.map((it) => `tile/${it}`).join(', ')}, it gives <code class="wrap">{step.gives}</code>.
      </li>
    ))}
  </ol>
)
