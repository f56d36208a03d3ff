import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Fault } from '#core/fault.ts'
import { loadRegistry, readKept } from '#domain/compute/load-registry.ts'
import { constantsDigest } from '#numerics/operators/constants.ts'
import { parseLedger, releaseLine, walkLedger } from '#numerics/operators/ledger.ts'
import { operatorOf, rowsOfText } from '#numerics/operators/registry.ts'

/*
 * Keeps the operator rows that receipts name (protocols/operators/README.md, "Earlier rows").
 *   node scripts/registry.ts --check     whether every row of every version is kept, and the ledger only grew
 *   node scripts/registry.ts --release   keeps the released rows that changed, and appends today's version
 * Forms that left the files are found in git. A second --release changes nothing; before its line is committed, one
 * after further changes of rows writes that line anew.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = 'protocols/operators'
const LEDGER = `${FOLDER}/history/versions.jsonl`
const ROWS = `${FOLDER}/history/rows.jsonl`
const GIT_BYTES_MAX = 1 << 28

const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: GIT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** A file as it stands in a commit; empty when it does not. */
const fileAt = (commit: string, file: string): string => {
  try {
    return git('show', `${commit}:${file}`)
  } catch {
    return ''
  }
}

/** The ledger without lines that no commit has: those may still be written anew. All of it outside a clone. */
const committedLedger = (): string => {
  const [head, { ledger }] = [fileAt('HEAD', LEDGER), readKept()]
  return head !== '' && ledger.startsWith(head) ? head : ledger
}

/** The rows of the ledger's versions that are neither today's nor kept: digest → operator id. */
const unkept = (ledger: string): Map<string, string> => {
  const { rows } = readKept()
  const here = new Set([...loadRegistry().operators, ...rowsOfText(rows).map(operatorOf)].map((it) => it.digest))
  const missing = new Map<string, string>()
  for (const [, stood] of walkLedger(parseLedger(ledger))) {
    for (const [id, digest] of stood) if (!here.has(digest)) missing.set(digest, id)
  }
  return missing
}

/** Keeps rows as the commits have them that changed them, the newest first. @throws Error naming what is not found */
const keep = (wanted: Map<string, string>): readonly string[] => {
  const found: string[] = []
  const commits = wanted.size === 0 ? [] : git('log', '--first-parent', '--format=%H', '--', FOLDER).trim().split('\n')
  for (const commit of commits) {
    if (wanted.size === 0) break
    const files = git('ls-tree', '--name-only', commit, `${FOLDER}/`).split('\n')
    for (const file of files.filter((it) => it.endsWith('.jsonl'))) {
      for (const { digest, text } of rowsOfText(fileAt(commit, file)).map(operatorOf)) {
        if (wanted.delete(digest)) found.push(text)
      }
    }
  }
  if (wanted.size > 0)
    throw new Error(`no commit has ${[...wanted].map(([digest, id]) => `${id} ${digest}`).join(', ')}`)
  if (found.length > 0) appendFileSync(`${ROOT}${ROWS}`, found.map((text) => `${text}\n`).join(''))
  return found
}

const release = (): void => {
  const ledger = committedLedger()
  const kept = keep(unkept(ledger))
  const line = releaseLine(ledger, {
    registry: loadRegistry(),
    constants: constantsDigest,
    released: new Date().toISOString().slice(0, 10),
  })
  writeFileSync(`${ROOT}${LEDGER}`, line === undefined ? ledger : `${ledger}${line}\n`)
  const { version, operators } = loadRegistry()
  console.log(`${version}: ${operators.length} rows, ${line === undefined ? 'released before' : 'released now'}`)
  if (kept.length > 0) console.log(`${kept.length} earlier rows kept`)
}

/** What is wrong with the history, a line each. */
const faults = (): readonly string[] => {
  const rewritten = [LEDGER, ROWS].filter(
    (file) => !readFileSync(`${ROOT}${file}`, 'utf8').startsWith(fileAt('HEAD', file)),
  )
  if (rewritten.length > 0) return rewritten.map((file) => `${file} was rewritten: it may only grow`)
  const newest = parseLedger(readKept().ledger).at(-1)
  return [
    ...[...unkept(readKept().ledger)].map(
      ([digest, id]) => `the row ${digest} of ${id} was released and is not kept: --release keeps it`,
    ),
    ...(newest?.version === loadRegistry().version && newest.constants === constantsDigest
      ? []
      : [`${loadRegistry().version} is not released: --release does it`]),
  ]
}

const check = (): void => {
  const found = faults()
  for (const line of found) console.error(line)
  console.log(found.length === 0 ? 'every released row is kept' : `${found.length} faults`)
  process.exitCode = found.length === 0 ? 0 : 1
}

const { values } = parseArgs({ options: { check: { type: 'boolean' }, release: { type: 'boolean' } } })
try {
  if (values.release === true) release()
  if (values.check === true) check()
  if (values.release !== true && values.check !== true) {
    console.error('usage: node scripts/registry.ts --check | --release')
    process.exitCode = 2
  }
} catch (error) {
  if (!(error instanceof Fault)) throw error
  console.error(error.message)
  process.exitCode = 1
}
