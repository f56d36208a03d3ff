/// <reference types="vite/client" />
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { type DisputedEvidence, recheck } from '#numerics/runtime/recheck.ts'
import type { RecheckReply } from './recheck-here.ts'

/** The rows of this release, bundled with the page: a re-check asks nobody. */
const rows = Object.values(
  import.meta.glob<string>('../../../protocols/operators/*.jsonl', { eager: true, query: '?raw', import: 'default' }),
)

/** Steps of a fast run are many; the page draws no more often than this. */
const TELL_EVERY_MS = 100

addEventListener('message', ({ data }: MessageEvent<DisputedEvidence>) => {
  const tell = (reply: RecheckReply): void => postMessage(reply)
  const registry = operatorRegistry(rows.flatMap(rowsOfText))
  let toldMs = 0
  const found = recheck(data, {
    registry: () => registry,
    progress: ({ step, steps }) => {
      const now = performance.now()
      if (now - toldMs < TELL_EVERY_MS) return
      toldMs = now
      tell({ kind: 'progress', step, steps })
    },
  })
  tell({ kind: 'found', found })
})
