// A lock between processes of one machine that a dead owner cannot keep. Plain JavaScript for Node 20.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 200

/**
 * When a process started, in clock ticks since boot, where the system says: it tells two users of one pid apart. One
 * that is dead and only waits to be asked for its exit code never started.
 * @param {number} pid
 */
const startOf = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // from the third on; the name may hold spaces
    return fields[0] === 'Z' ? 'never' : (fields[19] ?? '0')
  } catch {
    return '0'
  }
}

/** @param {string} owner `<pid>-<start>` */
const isAlive = (owner) => {
  const [pid = '', start = ''] = owner.split('-')
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false // EPERM: another user's, alive
  }
  return startOf(Number(pid)) === start
}

/**
 * Does it, and says whether it went: the listed codes mean that another process was first.
 * @param {() => void} work @param {readonly string[]} codes
 */
const attempt = (work, codes) => {
  try {
    work()
    return true
  } catch (error) {
    if (codes.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return false
    throw error
  }
}

/**
 * Takes a lock, waiting while a living process holds it. The lock is a folder that holds one file, named after its
 * owner. A folder is put in place whole by a rename, which fails while another stands there that is not empty; a dead
 * owner is replaced by renaming its file, which only one can do.
 * @param {string} path @param {{ msMax: number, say: (text: string) => void }} options
 * @returns {Promise<() => void>} gives the lock back
 */
export const takeLock = async (path, { msMax, say }) => {
  const me = `${process.pid}-${startOf(process.pid)}`
  const mine = `${path}.${process.pid}`
  rmSync(mine, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  mkdirSync(mine)
  writeFileSync(`${mine}/${me}`, '')
  const release = () => {
    rmSync(`${path}/${me}`, { force: true })
    attempt(() => rmdirSync(path), ['ENOENT', 'ENOTEMPTY', 'EEXIST'])
  }
  for (let waited = 0; ; waited += POLL_MS) {
    if (attempt(() => renameSync(mine, path), ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'])) return release
    const [owner = 'unknown'] = ownersOf(path)
    const pid = owner.split('-')[0]
    if (!isAlive(owner) && attempt(() => renameSync(`${path}/${owner}`, `${path}/${me}`), ['ENOENT', 'ENOTDIR'])) {
      say(`took over from process ${pid}, which is gone`)
      rmSync(mine, { recursive: true, force: true })
      return release
    }
    if (waited === 0) say(`process ${pid} is setting up; waiting for it …`)
    if (waited >= msMax) {
      rmSync(mine, { recursive: true, force: true })
      throw new Error(`waited ${Math.round(msMax / 1000)} s for process ${pid}; end it, or remove ${path}`)
    }
    await wait(POLL_MS)
  }
}

/** @param {string} path */
const ownersOf = (path) => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
