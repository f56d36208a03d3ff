import { useEffect, useState } from 'preact/hooks'

/** A value once it has stood for a moment. */
export const useSettled = <T>(value: T, ms: number): T => {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
