// Files as set-up reads and writes them. Plain JavaScript for Node 20.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** @param {string | Uint8Array} data @returns {string} */
export const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/**
 * Every file under the given files and folders, sorted; names that begin with a dot are an editor's, not ours.
 * @param {readonly string[]} roots @returns {string[]}
 */
export const filesUnder = (roots) =>
  roots
    .flatMap((root) => {
      if (!existsSync(root)) return []
      if (!statSync(root).isDirectory()) return [root]
      const names = readdirSync(root).filter((name) => !name.startsWith('.'))
      return filesUnder(names.map((name) => `${root}/${name}`))
    })
    .sort()

/** One line per file, `<sha256>  <path>\n`, the lines sorted as text. @param {readonly string[]} files */
export const listing = (files) =>
  files
    .map((file) => `${sha256(readFileSync(file))}  ${file}\n`)
    .sort()
    .join('')

/** Writes whole or not at all. @param {string} path @param {string} text */
export const writeWhole = (path, text) => {
  mkdirSync(dirname(path), { recursive: true })
  const half = `${path}.${process.pid}`
  writeFileSync(half, text)
  renameSync(half, path)
}

/** Puts a finished folder where the old one was. @param {string} place @param {string} finished */
export const replace = (place, finished) => {
  const old = `${place}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(place)) renameSync(place, old)
  renameSync(finished, place)
  rmSync(old, { recursive: true, force: true })
}
