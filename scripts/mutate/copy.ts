import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What the tests need of the tree. */
const PARTS = ['src', 'test', 'scripts', 'protocols', 'config', 'docker', 'package.json', 'tsconfig.json', 'README.md']
const BUILT = ['kernels', 'kernels.ts', 'endpoints.json', 'ui']

/** A copy of the tree in which mutants may be put; it goes with this process. @returns its path */
export const copyOfTree = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'tickmesh-mutants-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const part of [...PARTS, ...BUILT.map((name) => `.build/${name}`)]) {
    cpSync(part, join(copy, part), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  return copy
}
