import { useEffect, useState } from 'preact/hooks'

/** How the page looks: as the system does, or as somebody chose here. */
export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const NAME = 'tickmesh.theme'
const listeners = new Set<() => void>()
const systemDark = matchMedia('(prefers-color-scheme: dark)')

const isTheme = (text: string | null): text is Theme => themes.some((it) => it === text)

const stored = (): Theme => {
  try {
    const text = localStorage.getItem(NAME)
    return isTheme(text) ? text : 'auto'
  } catch {
    return 'auto'
  }
}

let theme = stored()

const apply = (): void => {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

/** Shows the page as it was chosen here, and follows another tab's choice. Called once, before anything is drawn. */
export const beginTheme = (): void => {
  apply()
  addEventListener('storage', ({ key }) => {
    if (key !== NAME && key !== null) return
    theme = stored()
    apply()
  })
}

/** Chooses for this browser. */
export const chooseTheme = (next: Theme): void => {
  theme = next
  try {
    if (next === 'auto') localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, next)
  } catch {
    // What cannot be kept holds until the page is closed.
  }
  apply()
}

/** Calls `draw` whenever the colours of the page may have changed. @returns what ends it. */
export const onColours = (draw: () => void): (() => void) => {
  listeners.add(draw)
  systemDark.addEventListener('change', draw)
  return () => {
    listeners.delete(draw)
    systemDark.removeEventListener('change', draw)
  }
}

/** The choice, live. */
export const useTheme = (): Theme => {
  const [shown, show] = useState(theme)
  useEffect(() => onColours(() => show(theme)), [])
  return shown
}
