import { useEffect, useMemo, useState } from 'preact/hooks'
import { askWorker } from '#ui/part/ask-worker.ts'
import type { Laid } from './layout-worker.ts'
import type { ContractModel } from './model.ts'

const startLayout = (): Worker => new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
const missing = 'What lays out the picture could not be loaded.'

/** Where the layout of a model stands. */
export interface Layout {
  /** The newest model that was laid out, and its drawing: undefined where there is too much for one. */
  readonly laid: (Laid & { readonly of: ContractModel }) | undefined
  readonly busy: boolean
  readonly problem: string | undefined
}

/** Lays out a model in a worker of its own, whose code comes with the first one. An older layout is given up. */
export const useLayout = (model: ContractModel): Layout => {
  // Where a state stands in the text changes with every line above it, and nothing of the picture with it.
  const key = useMemo(() => JSON.stringify(model), [model])
  const [layout, show] = useState<Layout>({ laid: undefined, busy: true, problem: undefined })
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    show((old) => ({ ...old, busy: true, problem: undefined }))
    askWorker<Laid>(startLayout, model, { tell: () => undefined, signal, missing }).then(
      ({ drawing }) => show({ laid: { drawing, of: model }, busy: false, problem: undefined }),
      (error: Error) => {
        if (!signal.aborted) show((old) => ({ ...old, busy: false, problem: error.message }))
      },
    )
    return () => over.abort()
  }, [key])
  return layout
}
