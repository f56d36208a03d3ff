import { zoneTable } from '#node/zones.ts'
import { readCron } from '#numerics/contracts/cron/cron.ts'

/** What the tables of zones cover: the year in which all scenarios begin, and those about it. Unix seconds. */
export const SPAN = { from: 1_735_689_600, until: 2_145_916_800 }

/** Why a pattern says no times in a zone, as this machine knows zones. */
export const cronHere = (pattern: string, zone: string): string | undefined => {
  const faults = readCron(pattern).faults.map(({ reason }) => reason)
  if (faults.length > 0) return faults.join('; ')
  return zoneTable(zone, SPAN) === undefined ? `no zone ${zone}` : undefined
}
