import { useEffect, useRef, useState } from 'preact/hooks'

/** Whether what stands in an element is wider than it: then it has to be reached by the keyboard, to be pushed. */
export const useWide = <E extends HTMLElement>() => {
  const box = useRef<E>(null)
  const [wide, tell] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const watch = new ResizeObserver(() => tell(current.scrollWidth > current.clientWidth))
    watch.observe(current)
    for (const it of current.children) watch.observe(it)
    return () => watch.disconnect()
  }, [])
  return { box, wide }
}
