import { createTellPage } from '#ui/part/tell-page.ts'
import { type Drawing, layOut } from './layout.ts'
import type { Model } from './model.ts'

/** What comes of a layout: nothing where there is too much for a picture. */
export interface Laid {
  readonly drawing: Drawing | undefined
}

const tell = createTellPage<Laid>()

addEventListener('message', ({ data }: MessageEvent<Model>) => {
  tell({ kind: 'found', found: { drawing: layOut(data) } })
})
