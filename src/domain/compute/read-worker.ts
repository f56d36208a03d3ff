import { solvers } from '#numerics/solvers/index.ts'
import { type RoutingQuery, type RoutingTable, routeQuestion } from '#routing/route.ts'
import { loadVocabulary } from './auto-words.ts'
import { loadRegistry } from './load-registry.ts'
import { failedReply, type ReadReply } from './task.ts'

let places: RoutingTable | undefined

/** What a worker thread does with a question in words. What it is held against is read with the first one. */
export const read = (question: RoutingQuery): ReadReply => {
  try {
    places ??= { vocabulary: loadVocabulary(), registry: loadRegistry(), solvers }
    return { ok: true, routed: routeQuestion(places, question) }
  } catch (cause) {
    return failedReply(cause)
  }
}
