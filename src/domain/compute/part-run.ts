import { concat } from '#core/bytes.ts'
import { COMPUTE } from '#numerics/operators/sealed.ts'
import { produce, produceEnd } from '#numerics/runtime/gate.ts'
import { beginRun, runSegment } from '#numerics/runtime/segment.ts'
import type { Progress, Solver } from '#numerics/runtime/solver.ts'
import { askedOf, computableOf, operatorsRun } from './job-run.ts'
import { failedReply, type Parted, type PartReply, type PartTask, type PostedPart } from './task.ts'

/** Ends a part in its midst: something of the node's own waits for the thread. */
class Preempted extends Error {}

const none = new Uint8Array(0)

const partOf = (all: readonly Solver[], task: PartTask, progress: Progress): Parted => {
  const { part } = task
  if (task.name === COMPUTE && part.kind === 'all') {
    return { kind: 'whole', checked: operatorsRun(task), states: none, records: none }
  }
  const asked = askedOf(all, task)
  const { solver, input } = asked
  switch (part.kind) {
    case 'init':
      return { kind: 'state', ...beginRun(solver, input) }
    case 'segment':
      return { kind: 'state', ...runSegment(solver, input, { index: part.index, bytes: part.bytes, progress }) }
    case 'finish':
      return { kind: 'end', checked: computableOf(asked, { ...produceEnd(solver, input, part), steps: null }) }
    case 'all': {
      const kept: Uint8Array[] = []
      const produced = produce(solver, input, { progress, onRecord: (record) => void kept.push(record) })
      const checked = computableOf(asked, produced)
      return { kind: 'whole', checked, states: produced.states ?? none, records: concat(...kept) }
    }
  }
}

/**
 * What a worker does with a part of a run. It looks before every step whether it is to give its thread up; a throw
 * becomes a reply.
 */
export const partRunOf =
  (all: readonly Solver[]) =>
  (sent: PostedPart): PartReply => {
    const progress = (): void => {
      if (Atomics.load(sent.yields, 0) !== 0) throw new Preempted()
    }
    try {
      progress()
      return { ok: true, parted: partOf(all, sent, progress) }
    } catch (cause) {
      return cause instanceof Preempted ? { ok: true, parted: { kind: 'preempted' } } : failedReply(cause)
    }
  }
