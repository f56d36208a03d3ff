/// <reference types="vite/client" />
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { type DisputedEvidence, type Rechecked, recheck } from '#numerics/runtime/recheck.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import { createTellPage } from '#ui/part/tell-page.ts'

/** The rows of this release, bundled with the page: a re-check asks nobody. */
const rows = Object.values(
  import.meta.glob<string>('../../../protocols/operators/*.jsonl', { eager: true, query: '?raw', import: 'default' }),
)

const tell = createTellPage<Rechecked>()

addEventListener('message', ({ data }: MessageEvent<DisputedEvidence>) => {
  const registry = operatorRegistry(rows.flatMap(rowsOfText))
  const progress: Progress = ({ step, steps }) => tell({ kind: 'progress', step, steps })
  tell({ kind: 'found', found: recheck(data, { registry: () => registry, progress }) })
})
