import { useEffect, useState } from 'preact/hooks'

/** Whether the node answered when it was asked last. Every request tells; whoever shows it listens. */
const listeners = new Set<(up: boolean) => void>()
let up = true

/** Says how the last request to the node went. */
export const tellLink = (answered: boolean): void => {
  if (answered === up) return
  up = answered
  for (const listener of listeners) listener(up)
}

/** Whether the node answers, live. */
export const useLink = (): boolean => {
  const [shown, show] = useState(up)
  useEffect(() => {
    show(up)
    listeners.add(show)
    return () => void listeners.delete(show)
  }, [])
  return shown
}
