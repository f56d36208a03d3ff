import { useEffect, useState } from 'preact/hooks'
import { curveColour } from '#numerics/plot/colours.ts'
import type { Inks } from '#numerics/plot/marks.ts'

/** Colours of the page: a drawing follows it into the dark without being drawn anew. */
export const pageInks: Inks = {
  ink: 'var(--ink)',
  edge: 'var(--edge)',
  grid: 'var(--line)',
  curve: curveColour,
  paper: null,
}

/** A colour of the page as a canvas takes it. */
const resolved = (colour: string): string => {
  const sample = document.createElement('span')
  sample.style.color = colour
  document.body.append(sample)
  const { color } = getComputedStyle(sample)
  sample.remove()
  return color
}

/** The page's colours now, for a canvas. */
export const canvasInks = (): Inks => ({
  ...pageInks,
  ink: resolved(pageInks.ink),
  edge: resolved(pageInks.edge),
  grid: resolved(pageInks.grid),
})

/** A number that changes whenever the page goes over into light or dark: what is on a canvas is drawn anew then. */
export const useTheme = (): number => {
  const [times, change] = useState(0)
  useEffect(() => {
    const changed = (): void => change((old) => old + 1)
    const watch = new MutationObserver(changed)
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', changed)
    return () => {
      watch.disconnect()
      dark.removeEventListener('change', changed)
    }
  }, [])
  return times
}
