import type { Simulation } from '#numerics/contracts/fire/simulation.ts'
import { createTellPage } from '#ui/part/tell-page.ts'
import { type Looked, lookAhead, type PlanQuestion, simulateHere } from './plan.ts'

const tell = createTellPage<Looked | (Simulation & { readonly from: number })>()

addEventListener('message', ({ data }: MessageEvent<PlanQuestion>) => {
  tell({ kind: 'found', found: data.kind === 'look' ? lookAhead(data) : simulateHere(data) })
})
