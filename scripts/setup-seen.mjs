// What set-up saw of its files the last time that all was fresh: size and time of the last change of each, so that a
// short command need not read them all to find that nothing changed. Plain JavaScript for Node 20.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that all paths of set-up are relative to. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** Where what is made lies. */
export const BUILD = '.build'
/** The oldest Node that runs the sources. */
export const NODE_MAJOR = 24

/** The first line names the roots, the others are their files. */
const SEEN = `${BUILD}/seen`
/** A file that changed so shortly before it was looked at may change again within one reading of its clock. */
const SETTLED_MS = 2_000

/**
 * Every file under the roots, a line each, with the time that no program can set: what is written, replaced, renamed or
 * dated back has another. A root that is not there has a line as well.
 * @param {readonly string[]} roots @returns {string}
 */
export const statsOf = (roots) => {
  /** @type {string[]} */
  const lines = []
  const look = (/** @type {string} */ path) => {
    const it = statSync(path, { throwIfNoEntry: false })
    if (it?.isDirectory()) return walk(path)
    lines.push(it === undefined ? `${path} none` : `${path} ${it.size} ${it.ctimeMs}`)
  }
  const walk = (/** @type {string} */ folder) => {
    for (const name of readdirSync(folder)) if (!name.startsWith('.')) look(`${folder}/${name}`)
  }
  roots.forEach(look)
  return lines.join('\n')
}

/** Whether all files are as they were when all was fresh. @param {string} [file] where that is kept */
export const isAsSeen = (file = SEEN) => {
  try {
    const text = readFileSync(file, 'utf8')
    const end = text.indexOf('\n')
    return text.slice(end + 1) === statsOf(JSON.parse(text.slice(0, end)))
  } catch {
    return false // never seen, or written by another version
  }
}

/**
 * Keeps what was seen, where files may be written and none of them changed just now.
 * @param {readonly string[]} roots @param {string} stats of the roots, taken before it was found that all is fresh
 * @param {{ file?: string, nowMs?: number }} [options]
 */
export const remember = (roots, stats, { file = SEEN, nowMs = Date.now() } = {}) => {
  const newest = Math.max(...stats.split('\n').map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)) || 0))
  if (newest > nowMs - SETTLED_MS) return
  try {
    mkdirSync(dirname(file), { recursive: true })
    const half = `${file}.${process.pid}`
    writeFileSync(half, `${JSON.stringify(roots)}\n${stats}`)
    renameSync(half, file)
  } catch {
    // A tree that is read only is looked at in full each time.
  }
}
