import type { Sheet } from './faults.ts'
import { variant } from './pieces.ts'
import { type Trigger, triggers } from './schema.ts'
import { type Declarations, inspectName } from './sources.ts'

/** Why a cron expression says no times in a zone, or undefined where it does. */
export type CronCheck = (expression: string, timezone: string) => string | undefined

/** What a trigger is looked at with. */
export interface Clockwork {
  readonly events: Declarations['events']
  /** The zone of the contract, which a trigger may leave. */
  readonly timezone: string
  readonly cron: CronCheck
}

type Loose = Partial<Trigger> & { readonly kind?: Trigger['kind'] }

const recurring = (sheet: Sheet, it: Partial<Extract<Trigger, { kind: 'recurring' }>>, path: string): void => {
  const { every_ticks: every, phase = 0, jitter = 0 } = it
  if (every === undefined) return
  if (phase >= every) sheet.add(`${path}/phase`, `is not below every_ticks, ${every}`)
  if (jitter * 2 > every) sheet.add(`${path}/jitter`, `is more than half of every_ticks, ${every}`)
}

/** Looks at a trigger. @returns its normal form, as far as it could be read */
export const inspectTrigger = (
  sheet: Sheet,
  at: { readonly value: unknown; readonly path: string },
  { events, timezone, cron }: Clockwork,
): Loose | undefined => {
  const { path } = at
  const it = variant(sheet, { forms: triggers, by: 'kind' }, at) as Loose | undefined
  switch (it?.kind) {
    case 'one_shot':
      if ((it.at_unix === undefined) === (it.at_tick === undefined))
        sheet.add(path, 'is at_unix or at_tick, one of them')
      return it
    case 'recurring':
      recurring(sheet, it, path)
      return it
    case 'cron': {
      const { expression, timezone: zone = timezone } = it
      const why = expression === undefined ? undefined : cron(expression, zone)
      if (why !== undefined) sheet.add(`${path}/expression`, why)
      return { ...it, timezone: zone }
    }
    case 'event':
      if (it.event !== undefined)
        inspectName(sheet, { name: it.event, path: `${path}/event`, what: 'event' }, events.keys())
      return it
    default:
      return it
  }
}
