import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_S = 100

/** Fields of a process after its name, which may hold anything; undefined when it is gone. */
const fieldsOf = (pid: string): readonly string[] | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

/** `utime`, `stime`, and those of ended children, `cutime` and `cstime`. */
const secondsOf = (fields: readonly string[], from = 11): number =>
  fields.slice(from, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_S

/** Seconds of processor of a process, by its id; undefined when it is gone. */
export const cpuSecondsOf = (pid: string): number | undefined => {
  const fields = fieldsOf(pid)
  return fields && secondsOf(fields.slice(0, 13))
}

/** Seconds of processor of all children that have ended, and of theirs; undefined where the system does not tell. */
export const cpuSecondsOfChildren = (): number | undefined => {
  const own = process.platform === 'linux' ? fieldsOf('self') : undefined
  return own && secondsOf(own, 13)
}

/** Seconds of processor of this process's session: of it, and of what it started, ended or not. */
export const cpuSecondsOfSession = (): number => {
  const own = process.platform === 'linux' ? fieldsOf('self') : undefined
  if (own === undefined) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const same = all.map(fieldsOf).filter((it) => it?.[3] === own[3])
  return same.reduce((sum, it) => sum + secondsOf(it ?? []), 0)
}
