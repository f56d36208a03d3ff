import { createTellPage } from '#ui/part/tell-page.ts'
import { layOut, type StateDrawing } from './layout.ts'
import type { ContractModel } from './model.ts'

/** What comes of a layout: nothing where there is too much for a picture. */
export interface Laid {
  readonly drawing: StateDrawing | undefined
}

const tell = createTellPage<Laid>()

addEventListener('message', ({ data }: MessageEvent<ContractModel>) => {
  tell({ kind: 'found', found: { drawing: layOut(data) } })
})
