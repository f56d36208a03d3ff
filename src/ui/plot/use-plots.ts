import { useEffect, useState } from 'preact/hooks'
import type { Plot } from '#numerics/plot/plot.ts'
import type { JobAnswer } from '#ui/server/answer.ts'

const none: readonly Plot[] = []

/**
 * The plots that a solver has of its answer, made here by the solver itself. The solvers are loaded when the first
 * answer is there: until then the page needs none of them.
 *
 * @param input what the run was started with; its defaults are filled in.
 */
export const usePlots = (name: string, input: object, answer: JobAnswer): readonly Plot[] => {
  const [plots, show] = useState(none)
  useEffect(() => {
    let over = false
    const make = async (): Promise<void> => {
      const [{ solverByName }, { resolveInput }] = await Promise.all([
        import('#numerics/solvers/index.ts'),
        import('#numerics/runtime/input.ts'),
      ])
      const solver = solverByName(name)
      const made = solver?.plots?.(resolveInput(solver, input), answer as never) ?? none
      if (!over) show(made)
    }
    void make()
    return () => {
      over = true
    }
  }, [name, input, answer])
  return plots
}
