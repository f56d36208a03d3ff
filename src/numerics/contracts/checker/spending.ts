import { meshTickAt } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { nextDue, readCron, zoneOf } from '#numerics/contracts/cron/cron.ts'
import type { Trigger } from '#numerics/contracts/definition/schema.ts'
import { byTrigger, costOf, perFire, type Weigh } from './cost.ts'
import type { Finding } from './finding.ts'
import type { Model } from './model.ts'
import { type Clocks, periodSeconds } from './rates.ts'

const rounded = (it: number): string => (it < 10 ? it.toFixed(1) : grouped(Math.round(it)))
const grouped = (it: number): string => String(it).replace(/\B(?=(\d{3})+$)/g, ',')

/** Why a trigger is never due again, or undefined. */
const whyNever = (trigger: Trigger, { from, zones, timezone }: Clocks): string | undefined => {
  if (trigger.kind === 'one_shot') {
    const { at_unix, at_tick } = trigger
    const over = at_unix === undefined ? (at_tick ?? 0) <= meshTickAt(BigInt(from) * NS_PER_SECOND) : at_unix <= from
    return over ? 'Its instant is over already' : undefined
  }
  if (trigger.kind !== 'cron') return undefined
  const { expression, timezone: zone = timezone } = trigger
  const { cron } = readCron(expression)
  const table = Object.hasOwn(zones, zone) ? zones[zone] : undefined
  if (cron === undefined || table === undefined || nextDue(cron, zoneOf(table), from) !== undefined) return undefined
  return `No time that ${expression} names comes in ${zone} within the table of that zone`
}

/** Triggers that are never due. */
export const neverDue = (model: Model, clocks: Clocks): readonly Finding[] =>
  byTrigger(model).flatMap(([trigger, [first]]): Finding[] => {
    const why = whyNever(trigger, clocks)
    if (why === undefined || first === undefined) return []
    const reason = `${why}: ${first.it.id} is never due.`
    return [{ rule: 'never-due', path: `${first.path}/trigger`, answer: 'proved', severity: 'warning', reason }]
  })

/** Triggers that come again before the computations of a fire are over, as far as their seconds are known. */
export const tooFast = (model: Model, secondsOf: Weigh): readonly Finding[] => {
  const known: Weigh = (action) => (action.kind === 'compute' ? (secondsOf(action) ?? 0) : 0)
  const seconds = perFire(model, known)
  return byTrigger(model).flatMap(([trigger, placed]): Finding[] => {
    const [takes = 0, every] = [seconds(placed), periodSeconds(trigger)]
    const [first] = placed
    if (every === undefined || first === undefined || takes <= every) return []
    const reason = `The computations of a fire of ${first.it.id} take about ${rounded(takes)} s, and its trigger comes every ${rounded(every)} s.`
    return [{ rule: 'too-fast', path: `${first.path}/trigger`, answer: 'proved', severity: 'warning', reason }]
  })
}

/** Whether a day at the fastest rate of the clock's triggers stays within the budget. */
export const withinBudget = (model: Model, clocks: Clocks, priceOf: Weigh): readonly Finding[] => {
  const { credits_per_day, fires_per_day } = model.definition.budget
  if (credits_per_day === undefined && fires_per_day === undefined) return []
  const { fires, credits, by } = costOf(model, clocks, priceOf)
  const dearest = by
    .filter((it) => it.fires !== undefined)
    .toSorted((a, b) => (b.credits ?? 0) - (a.credits ?? 0) || (b.fires ?? 0) - (a.fires ?? 0))[0]
  const looked = (name: string, amount: number | undefined, limit: number | undefined): Finding[] => {
    if (limit === undefined) return []
    const path = `/budget/${name}_per_day`
    if (amount === undefined) {
      const reason = `What a day costs could not be worked out: the price of an action is not known.`
      return [{ rule: 'within-budget', path, answer: 'unknown', severity: 'note', reason }]
    }
    if (amount <= limit) {
      const reason = `A day has at most ${grouped(amount)} ${name} by the clock; the budget is ${grouped(limit)}.`
      return [{ rule: 'within-budget', path, answer: 'proved', severity: 'note', reason }]
    }
    const part =
      dearest === undefined ? '' : `, ${grouped(dearest.fires ?? 0)} fires of them of ${dearest.transitions[0]}`
    const reason = `A day may have ${grouped(amount)} ${name}${part}, and the budget is ${grouped(limit)}: what comes beyond is refused.`
    return [{ rule: 'within-budget', path, answer: 'unknown', severity: 'warning', reason }]
  }
  return [...looked('credits', credits, credits_per_day), ...looked('fires', fires, fires_per_day)]
}
