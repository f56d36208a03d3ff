import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** Whether the element that had the focus is gone from sight, or none has it. */
const isLost = (element: Element | null): boolean =>
  element === null || element === document.body || !element.checkVisibility()

/**
 * Each view begins at its top, and one that was left stands where it was left. The focus goes into a view whose link is
 * no longer seen.
 */
export const useScroll = (place: string): void => {
  const heights = useRef(new Map<string, number>())
  const last = useRef(place)
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const note = (): void => void heights.current.set(last.current, scrollY)
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [])
  useLayoutEffect(() => {
    if (last.current === place) return
    last.current = place
    scrollTo(0, heights.current.get(place) ?? 0)
    if (isLost(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true })
  }, [place])
}
