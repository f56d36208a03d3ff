import { useEffect } from 'preact/hooks'

/** Calls `act` when Escape is pressed anywhere on the page, while `active`. */
export const useEscape = (act: () => void, active: boolean): void => {
  useEffect(() => {
    if (!active) return
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [act, active])
}
