import { readFileSync } from 'node:fs'

/** Who wrote a lock. */
export interface Holder {
  readonly pid: number
  /** Boot id and start time of the process, where the system tells them: a pid alone is soon given again. */
  readonly started: string | null
}

/** Start time of a process in clock ticks since boot, with the boot's id; null where /proc does not say. */
const startedAt = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold spaces; the state is the first field after it, the start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Killed, and its parent has not looked: it holds nothing any more.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended'
    const start = fields[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return start === undefined ? null : `${boot}:${start}`
  } catch {
    return null
  }
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const isAlive = ({ pid, started }: Holder): boolean => {
  if (!exists(pid)) return false
  const now = startedAt(pid)
  if (started !== null && now !== null) return started === now
  return pid !== process.pid
}

const parse = (text: string): Holder | undefined => {
  try {
    const { pid, started } = JSON.parse(text) as Partial<Holder>
    if (!Number.isSafeInteger(pid) || (pid ?? 0) < 1) return undefined
    return { pid: pid as number, started: typeof started === 'string' ? started : null }
  } catch {
    return undefined
  }
}

/** The pid that a lock's text names, where that process lives; undefined of a dead one and of a torn text. */
export const livingPid = (text: string): number | undefined => {
  const holder = parse(text)
  return holder !== undefined && isAlive(holder) ? holder.pid : undefined
}

/** A text that names this process and was never written before. */
export const ownText = (): string =>
  JSON.stringify({ pid: process.pid, started: startedAt(process.pid), id: crypto.randomUUID() })
