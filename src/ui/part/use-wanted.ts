import { useEffect, useState } from 'preact/hooks'

/**
 * A choice that is shown at once, until the node's own word comes or the change is refused.
 *
 * @param known what the node said last.
 * @returns what to show, and a change that shows `value` while `call` is under way.
 */
export const useWanted = <T>(known: T) => {
  const [wanted, want] = useState<{ readonly value: T }>()
  useEffect(() => want(undefined), [known])
  const change = async (value: T, call: () => Promise<unknown>): Promise<void> => {
    want({ value })
    try {
      await call()
    } catch (error) {
      want(undefined)
      throw error
    }
  }
  return { shown: wanted === undefined ? known : wanted.value, change }
}
