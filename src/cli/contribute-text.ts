import type { ResultOf } from '#api/result-of.ts'
import { isoOf } from '#core/iso.ts'
import { meshTickStart } from '#core/tick.ts'

type Status = ResultOf<'network.contribute-status'>

/** A mesh tick as the moment that it is. */
export const momentText = (meshTick: number): string =>
  `${isoOf(meshTickStart(meshTick)).slice(0, 16).replace('T', ' ')} UTC (mesh tick ${meshTick})`

/** What a bond costs and risks, before a person says yes. */
export const riskText = (needed: number): string =>
  `This ties ${needed} of your envelopes: they stay yours and cannot be sent. If a work is proven wrong, ` +
  'by a re-execution, all of them are lost for good. Bond?'

const bondRows = ({ bond, mesh_tick: now }: Status): readonly (readonly [string, string])[] => {
  if (bond === null) return []
  const { state, count, homes, at_risk: risk, released, unlocks_at: end } = bond
  const until = end === null ? 'nothing yet' : end <= now ? 'now' : momentText(end)
  return [
    ['bond', bond.bond],
    ['state', state],
    ['envelopes', `${count} of ${homes.length === 1 ? 'one home' : `${homes.length} homes`}`],
    ['at risk', `${risk} (sum of the faces), if a work is proven wrong`],
    [released === null ? 'if released now' : 'free from', until],
  ]
}

/** What a node does for others, as rows. */
export const statusRows = (status: Status): readonly (readonly [string, string])[] => {
  const { mode, bond, needed, held, days_remaining: days, works, record, disputes } = status
  const { done, audited, right, wrong, unavailable } = record
  const missing = `${held} of ${needed} envelopes that nothing ties`
  return [
    ['mode', mode],
    ...bondRows(status),
    ...(bond === null ? [['bond', `none; you have ${missing}`] as const] : []),
    ...(bond === null && days > 0 ? [['days to a bond', `${days}, by free credits alone`] as const] : []),
    ['works open', `${works.open} of ${works.max}`],
    ['record', `${done} done, ${audited} audited, ${right} right, ${wrong} wrong, ${unavailable} unavailable`],
    ['disputes', disputes.until === null ? 'none that holds the bond' : `until ${momentText(disputes.until)} at most`],
  ]
}

type Works = ResultOf<'network.contribute-works'>
type Disputes = ResultOf<'network.disputes'>
type OneDispute = ResultOf<'network.dispute'>

const SHORT_CHARS = 12
const short = (text: string): string => (text.length > SHORT_CHARS ? `…${text.slice(-SHORT_CHARS)}` : text)

/** Jobs taken and given, as rows under their names. */
export const workRows = ({ items }: Works): readonly (readonly string[])[] => [
  ['role', 'solver', 'with', 'state', 'work', 'checked'],
  ...items.map(({ role, kind, with: node, state, work, found, reason }) => [
    ...[role, kind, short(node), state, work === null ? '' : short(work)],
    found === null
      ? (reason ?? '')
      : found.audit === 'not_audited'
        ? `${found.samples} of ${found.of} segments`
        : `audited: ${found.audit}`,
  ]),
]

/** Disputes, as rows under their names. */
export const disputeRows = ({ items }: Disputes): readonly (readonly string[])[] => [
  ['dispute', 'worker', 'segment', 'phase', 'own check'],
  ...items.map(({ id, worker, segment, phase, refused, verdict }) => [
    ...[id, short(worker), String(segment ?? 'data'), refused === null ? phase : `refused: ${refused}`],
    verdict ?? 'not yet',
  ]),
]

/** One dispute, step by step. */
export const disputeSteps = ({ id, work, phase, verdict, bond, steps }: OneDispute): readonly (readonly string[])[] => [
  ['dispute', id],
  ['work', work],
  ['bond', bond ?? 'none at risk'],
  ['phase', phase],
  ['own check', verdict ?? 'not yet'],
  ...steps.map(({ what, by, at, until, done }) => [
    done ? what : `owed: ${what}`,
    `${short(by)}${at === null ? '' : ` ${done ? 'at' : 'from'} ${momentText(at)}`}` +
      (until === null ? '' : `, until ${momentText(until)}`),
  ]),
]
