import type { Mark, Pixels, Scene } from './marks.ts'

/** What XML cannot hold, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNXML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(UNXML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A place on paper: hundredths of a pixel are finer than any printer. */
const place = (value: number): string => String(Math.floor(value * 100 + 0.5) / 100)

/** The outline of a mark's points: a line through all, one between each pair, or a dot at each. */
export const outline = (kind: 'path' | 'segments' | 'dots', points: Float64Array): string => {
  let text = ''
  for (let i = 0; i + 1 < points.length; i += 2) {
    const at = `${place(points[i] as number)} ${place(points[i + 1] as number)}`
    const begins = kind === 'dots' || (kind === 'segments' ? i % 4 === 0 : i === 0)
    text += `${begins ? 'M' : 'L'}${at}${kind === 'dots' ? 'h0' : ''}`
  }
  return text
}

const boxText = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): string =>
  `x="${place(x)}" y="${place(y)}" width="${place(width)}" height="${place(height)}"`

/** Nodes are drawn as what they are, not blurred; the older word is the one that every renderer knows. */
const PIXELS = ' image-rendering="optimizeSpeed"'

type Href = (image: Pixels) => string

const markText = (mark: Mark, href: Href): string => {
  switch (mark.kind) {
    case 'path':
    case 'segments': {
      const dashes = mark.kind === 'path' && mark.dashed === true ? ' stroke-dasharray="6 4"' : ''
      const d = outline(mark.kind, mark.points)
      return `<path d="${d}" stroke="${mark.ink}" stroke-width="${mark.width}"${dashes}/>`
    }
    case 'dots': {
      const d = outline(mark.kind, mark.points)
      return `<path d="${d}" stroke="${mark.ink}" stroke-width="${2 * mark.radius}" stroke-linecap="round"/>`
    }
    case 'rect':
      return `<rect ${boxText(mark.box)} fill="${mark.fill ?? 'none'}" stroke="${mark.stroke ?? 'none'}"/>`
    case 'map': {
      const pixels = mark.smooth === true ? '' : PIXELS
      return `<image ${boxText(mark.box)} preserveAspectRatio="none"${pixels} href="${href(mark.image)}"/>`
    }
    default: {
      const { x, y, size, anchor, bold = false, turned = false, ink } = mark
      const turn = turned ? ` transform="rotate(-90 ${place(x)} ${place(y)})"` : ''
      const weight = bold ? ' font-weight="700"' : ''
      const at = `x="${place(x)}" y="${place(y)}" font-size="${size}" text-anchor="${anchor}"`
      return `<text ${at}${weight}${turn} fill="${ink}" stroke="none">${escaped(mark.text)}</text>`
    }
  }
}

/**
 * A drawing as an SVG document that needs nothing beside itself.
 *
 * @param href address of an image: data of its own.
 * @param paper colour below everything; none when null.
 */
export const svgText = ({ width, height, title, marks }: Scene, href: Href, paper: string | null): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
      ' font-family="system-ui, DejaVu Sans, sans-serif" fill="none" stroke-linejoin="round">',
    `<title>${escaped(title)}</title>`,
    ...(paper === null ? [] : [`<rect width="${width}" height="${height}" fill="${paper}"/>`]),
    ...marks.map((it) => markText(it, href)),
    '</svg>\n',
  ].join('\n')
