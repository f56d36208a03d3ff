/** What a picture may hold: shapes and words. No script, no style, nothing from elsewhere. */
const ELEMENTS = new Set(
  ['svg', 'title', 'desc', 'g', 'defs', 'marker', 'path', 'line', 'polyline', 'polygon', 'rect', 'circle'].concat([
    'ellipse',
    'text',
    'tspan',
    'use',
    'symbol',
    'linearGradient',
    'radialGradient',
    'stop',
    'clipPath',
    'pattern',
  ]),
)

/** What of a picture may not stand in a page; empty when it may. */
export const pictureFaults = (svg: string): readonly string[] => {
  const strange = [...svg.matchAll(/<\s*([A-Za-z!?][\w:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !ELEMENTS.has(name) && name !== '!--')
  const handlers = [...svg.matchAll(/\s(on\w+|style)\s*=/gi)].map(([, name = '']) => name)
  const links = [...svg.matchAll(/\s(?:xlink:)?href\s*=\s*["']([^"']*)/gi)]
    .map(([, to = '']) => to)
    .filter((to) => !to.startsWith('#'))
  const addresses = [...svg.matchAll(/url\(\s*["']?([^)"']*)/gi)]
    .map(([, to = '']) => to)
    .filter((to) => !to.startsWith('#'))
  return [...strange, ...handlers, ...links, ...addresses].map((it) => `${it} may not stand in a picture`)
}

/** The words that stand for a picture. */
export const pictureTitle = (svg: string): string | undefined => /<title[^>]*>([^<]*)<\/title>/.exec(svg)?.[1]?.trim()
