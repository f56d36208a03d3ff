import { useEffect, useState } from 'preact/hooks'

/** Whether a solver's run is made of steps; false until the solvers are loaded, which the first plot does. */
export const useStepped = (name: string | undefined): boolean => {
  const [stepped, show] = useState(false)
  useEffect(() => {
    if (name === undefined) return
    let over = false
    const ask = async (): Promise<void> => {
      const { solverByName } = await import('#numerics/solvers/index.ts')
      if (!over) show(solverByName(name)?.run.kind === 'steps')
    }
    ask().catch(() => undefined)
    return () => {
      over = true
    }
  }, [name])
  return stepped
}
