import type { TokenizerAndRendererExtension } from 'marked'
import temml from 'temml'

/** Styles that the renderer writes into elements, as classes: the page's policy allows no style in an element. */
const CLASSES: Readonly<Record<string, string>> = {
  'padding-left:0em;padding-right:0em;': 'tml-flush',
  'padding-left:1em;padding-right:0em;': 'tml-gap',
  'padding:3pt;border:1px solid;': 'tml-box',
}

/** An element's class and style as classes alone. */
const styled = (attributes: string): string => {
  const names: string[] = []
  const rest = attributes.replace(/ (class|style)="([^"]*)"/g, (_, name: string, value: string) => {
    names.push(name === 'class' ? value : (CLASSES[value] ?? ''))
    return ''
  })
  const kept = names.filter(Boolean).join(' ')
  return kept === '' ? rest : `${rest} class="${kept}"`
}

/** TeX as MathML without any style. @throws Error that names what of it is no TeX */
export const mathOf = (tex: string, displayMode: boolean): string => {
  const html: string = temml.renderToString(tex, { displayMode, throwOnError: true, trust: false })
  return html.replace(/(<m\w+)((?: [\w-]+="[^"]*")*)/g, (_, open: string, attributes: string) => {
    return `${open}${styled(attributes)}`
  })
}

/** Display mathematics between two lines or words of `$$`, inline mathematics between `$` and `$`. */
export const mathExtensions = (render: (tex: string, display: boolean) => string): TokenizerAndRendererExtension[] => [
  {
    name: 'displayMath',
    level: 'block',
    start: (source) => /^\$\$/m.exec(source)?.index,
    tokenizer: (source) => {
      const found = /^\$\$\s*([\s\S]+?)\s*\$\$[ \t]*(?:\n+|$)/.exec(source)
      return found === null ? undefined : { type: 'displayMath', raw: found[0], tex: found[1] }
    },
    renderer: ({ tex }) => `<div class="math" tabindex="0">${render(String(tex), true)}</div>\n`,
  },
  {
    name: 'inlineMath',
    level: 'inline',
    start: (source) => {
      const at = source.indexOf('$')
      return at === -1 ? undefined : at
    },
    tokenizer: (source) => {
      // As pandoc has it: no space inside the marks, and no digit behind, so that a price is a price; and no code.
      const found = /^\$\$([^$]+)\$\$|^\$(?=\S)([^$\n`]*[^$\s\\`])\$(?!\d)/.exec(source)
      const tex = found?.[1] ?? found?.[2]
      return tex === undefined ? undefined : { type: 'inlineMath', raw: found?.[0] ?? '', tex }
    },
    renderer: ({ tex }) => render(String(tex), false),
  },
]
