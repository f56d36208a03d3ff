import type { Static, TObject } from 'typebox'
import { toJson } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { packed, unpacked } from '#core/packed.ts'
import { misfit } from '#core/schema.ts'
import { COMPUTE } from '#numerics/operators/sealed.ts'
import { produce, produceEnd, produceFrom } from '#numerics/runtime/gate.ts'
import { beginRun, runSegment, segmentsOfRun } from '#numerics/runtime/segment.ts'
import type { Outcome, Progress, Solver } from '#numerics/runtime/solver.ts'
import { type AskedRun, askedOf, computableOf, operatorsRun, reporter } from './job-run.ts'
import { failedReply, type KeptState, type Parted, type PartReply, type PartTask, type PostedPart } from './task.ts'

/** Ends a part in its midst: something of the node's own waits for the thread. */
class Preempted extends Error {}

const none = new Uint8Array(0)

/** Bytes of the states that a whole run keeps, from which the others are made again. */
const KEPT_BYTES_MAX = 64 * 1_048_576

/** Keeps every ⌈√k⌉-th state while there is room, and the last one whatever its size. */
const createKeeping = (segments: number) => {
  const every = Math.ceil(Math.sqrt(segments))
  const kept: KeptState[] = []
  let room = KEPT_BYTES_MAX
  return {
    kept,
    onState: (i: number, bytes: Uint8Array): void => {
      const isLast = i === segments
      if (!isLast && (i % every !== 0 || bytes.length > room)) return
      room -= bytes.length
      kept.push({ i, bytes: bytes.slice() })
    },
  }
}

const wholeOf = (asked: AskedRun, progress: Progress): Parted => {
  const { solver, input } = asked
  const records: Uint8Array[] = []
  const isStepping = solver.run.kind === 'steps'
  const { kept, onState } = createKeeping(isStepping ? segmentsOfRun(solver, input) : 0)
  const produced = produce(solver, input, { progress, onState, onRecord: (record) => void records.push(record) })
  const { output, evidence } = produced.outcome
  return {
    kind: 'whole',
    checked: computableOf(asked, produced),
    states: produced.states ?? none,
    records: concat(...records),
    kept,
    outcome: isStepping ? null : packed({ output, evidence: evidence ?? null }),
  }
}

/**
 * The outcome that somebody else computed, as the solver's own run would have given it.
 *
 * @throws Fault INVALID_INPUT, NOT_CANONICAL for bytes that say none.
 */
const outcomeFrom = ({ solver }: AskedRun, bytes: Uint8Array): Outcome<Static<TObject>, unknown> => {
  const { output, evidence = null, ...more } = (unpacked(bytes) ?? {}) as Record<string, unknown>
  if (Object.keys(more).length > 0) throw new Fault('INVALID_INPUT', 'An outcome is output and evidence.')
  const wrong = misfit(solver.output, toJson(output))
  if (wrong !== undefined) throw new Fault('INVALID_INPUT', `/output${wrong}`)
  return { output: output as Static<TObject>, evidence: evidence ?? undefined }
}

const checkOf = (asked: AskedRun, bytes: Uint8Array): Parted => {
  const { solver, input } = asked
  if (solver.run.kind === 'steps') throw new Fault('INVALID_INPUT', `${solver.name} steps: it is checked by its end.`)
  solver.refuse(input)
  const outcome = outcomeFrom(asked, bytes)
  try {
    return { kind: 'end', checked: computableOf(asked, { ...produceFrom(solver, input, outcome), steps: null }) }
  } catch (cause) {
    // A stranger wrote the evidence: what a check of ours makes nothing of is no defect of ours.
    if (cause instanceof Fault) throw cause
    throw new Fault('INVALID_INPUT', 'The evidence is none of this solver.', { cause: String(cause) })
  }
}

const partOf = (all: readonly Solver[], task: PartTask, progress: Progress): Parted => {
  const { part } = task
  if (task.name === COMPUTE && part.kind === 'all') {
    return { kind: 'whole', checked: operatorsRun(task), states: none, records: none, kept: [], outcome: null }
  }
  const asked = askedOf(all, task)
  const { solver, input } = asked
  switch (part.kind) {
    case 'init':
      return { kind: 'state', ...beginRun(solver, input) }
    case 'segment':
      return { kind: 'state', ...runSegment(solver, input, { ...part, progress }) }
    case 'finish':
      return { kind: 'end', checked: computableOf(asked, { ...produceEnd(solver, input, part), steps: null }) }
    case 'check':
      return checkOf(asked, part.outcome)
    case 'all':
      return wholeOf(asked, progress)
  }
}

/**
 * What a worker does with a part of a run. It looks before every step whether it is to give its thread up; a throw
 * becomes a reply.
 */
export const partRunOf =
  (all: readonly Solver[]) =>
  (sent: PostedPart): PartReply => {
    const isAskedBack = (): boolean => Atomics.load(sent.yields, 0) !== 0
    try {
      if (isAskedBack()) throw new Preempted()
      const report = reporter((it) => sent.port.postMessage(it))
      const progress: Progress = (how) => {
        if (isAskedBack()) throw new Preempted()
        report(how)
      }
      return { ok: true, parted: partOf(all, sent, progress) }
    } catch (cause) {
      return cause instanceof Preempted ? { ok: true, parted: { kind: 'preempted' } } : failedReply(cause)
    } finally {
      sent.port.close()
    }
  }
