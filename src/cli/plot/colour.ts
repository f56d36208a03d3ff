/** How many colours a terminal shows: none, the sixteen of its theme, 256, or any. */
export type Depth = 'none' | 'theme' | 'many' | 'any'

type Rgb = readonly [number, number, number]
type Variables = Readonly<Record<string, string | undefined>>

/**
 * What a terminal says of its colours. None off a terminal, and where NO_COLOR is set to anything (no-color.org) or the
 * terminal is dumb.
 */
export const depthOf = (env: Variables, isTerminal: boolean): Depth => {
  const term = env['TERM'] ?? ''
  if (!isTerminal || (env['NO_COLOR'] ?? '') !== '' || term === 'dumb' || term === '') return 'none'
  if (/^(?:truecolor|24bit)$/.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) return 'any'
  return term.includes('256color') ? 'many' : 'theme'
}

/** Whether the terminal's encoding has more than ASCII; one that does not say is taken to be of today. */
export const isPlain = (env: Variables): boolean => {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return /^(?:C|POSIX)$/.test(locale) || (locale.includes('.') && !/utf-?8/i.test(locale))
}

const ESCAPE = '\u001B['
export const RESET = `${ESCAPE}0m`

/** Colours of the theme for curves: each is legible on light and on dark ones. */
const themeCurves = [36, 33, 35, 32, 31, 34]

/** What turns the ink to the colour of the n-th curve; empty without colours. */
export const curveInk = (n: number, depth: Depth): string =>
  depth === 'none' ? '' : `${ESCAPE}${themeCurves[n % themeCurves.length]}m`

/** The place of a colour in the cube of 6 × 6 × 6 that 256 colours have from the 16th on. */
const cubeOf = ([red, green, blue]: Rgb): number => {
  const step = (value: number): number =>
    value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40))
  return 16 + 36 * step(red) + 6 * step(green) + step(blue)
}

/** What sets ink (38) or ground (48) to a colour, with as many colours as there are. */
export const paint = (layer: 38 | 48, colour: Rgb, depth: 'many' | 'any'): string =>
  depth === 'any' ? `${ESCAPE}${layer};2;${colour.join(';')}m` : `${ESCAPE}${layer};5;${cubeOf(colour)}m`
