type Rgb = readonly [number, number, number]

/** Stops of a perceptually even map from dark blue over green to yellow, readable without colour vision and in grey. */
const sequential: readonly Rgb[] = [
  [37, 24, 92],
  [45, 72, 140],
  [33, 114, 141],
  [31, 152, 133],
  [86, 186, 98],
  [170, 212, 62],
  [252, 230, 61],
]

/** Blue below zero, near white at it, red above: of one lightness either way, and told apart without colour vision. */
const diverging: readonly Rgb[] = [
  [33, 60, 130],
  [67, 118, 184],
  [151, 186, 219],
  [240, 240, 236],
  [226, 166, 136],
  [196, 88, 70],
  [124, 25, 43],
]

export type Palette = 'sequential' | 'diverging'

const palettes: Readonly<Record<Palette, readonly Rgb[]>> = { sequential, diverging }

const nearest = (value: number): number => Math.floor(value + 0.5)

/** Writes the colour of a share in [0, 1] at a place of an image: a field has too many nodes for an array of each. */
export const paintColour = (data: Uint8ClampedArray | number[], at: number, share: number, palette: Palette): void => {
  const stops = palettes[palette]
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1)
  const left = Math.min(Math.floor(place), stops.length - 2)
  const part = place - left
  const [a, b] = [stops[left] as Rgb, stops[left + 1] as Rgb]
  data[at] = nearest(a[0] + part * (b[0] - a[0]))
  data[at + 1] = nearest(a[1] + part * (b[1] - a[1]))
  data[at + 2] = nearest(a[2] + part * (b[2] - a[2]))
}

/** The colour of a share in [0, 1]: red, green, blue, each 0 to 255. */
export const colourAt = (share: number, palette: Palette = 'sequential'): Rgb => {
  const colour: [number, number, number] = [0, 0, 0]
  paintColour(colour, 0, share, palette)
  return colour
}

const hex = (value: number): string => nearest(value).toString(16).padStart(2, '0')

/** A colour as every program that draws SVG reads it. */
export const hexOf = ([red, green, blue]: Rgb): string => `#${hex(red)}${hex(green)}${hex(blue)}`

/** Hues stay apart for any number of curves: the golden angle, from the page's own green. */
const HUE_STEP = 137.508
const HUE_FIRST = 172

/** Lightness and strength of a curve on white paper. */
const PAPER_LIGHT = 0.4
const PAPER_STRENGTH = 0.6

/** The colour of the n-th curve on a screen: of one lightness, which reads on light and on dark. */
export const curveColour = (n: number): string => `oklch(0.62 0.13 ${(HUE_FIRST + n * HUE_STEP) % 360})`

/** The colour of the n-th curve on paper. */
export const curveHex = (n: number): string => {
  const hue = ((HUE_FIRST + n * HUE_STEP) % 360) / 30
  const reach = PAPER_STRENGTH * Math.min(PAPER_LIGHT, 1 - PAPER_LIGHT)
  const part = (offset: number): number => {
    const at = (offset + hue) % 12
    return 255 * (PAPER_LIGHT - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return hexOf([part(0), part(8), part(4)])
}
