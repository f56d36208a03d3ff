import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What of the tree is not copied: history, libraries, and of what is built all but what sources import. */
const LEFT = new Set(['.git', '.build', 'node_modules'])
const BUILT = ['kernels', 'kernels.ts', 'endpoints.json', 'docs', 'ui']

/** A copy of the tree in which mutants may be put; it goes with this process. @returns its path */
export const copyOfTree = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'tickmesh-mutants-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  const parts = readdirSync('.').filter((name) => !LEFT.has(name))
  for (const part of [...parts, ...BUILT.map((name) => `.build/${name}`)]) {
    cpSync(part, join(copy, part), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  return copy
}
