import { useState } from 'preact/hooks'

/** Where one change stands: nothing yet, under way, done with words, or refused. */
export interface ChangeState {
  readonly busy: boolean
  readonly said: string
  readonly problem: Error | undefined
  /** Does it, unless another one is under way. What `work` answers is said when it is done. */
  run(work: () => Promise<string | undefined>): void
}

/** Changes that a visitor asks for, one at a time. */
export const useTask = (): ChangeState => {
  const [state, show] = useState<Omit<ChangeState, 'run'>>({ busy: false, said: '', problem: undefined })
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    show({ busy: true, said: '', problem: undefined })
    try {
      const said = (await work()) ?? ''
      show({ busy: false, said, problem: undefined })
    } catch (error) {
      show({ busy: false, said: '', problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return {
    ...state,
    run: (work) => {
      if (!state.busy) void run(work)
    },
  }
}
