import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { zeta as solver } from '#numerics/solvers/zeta/index.ts'
import { type Case, type Peer, solved } from './frame.ts'

const run = promisify(execFile)
const PEER_MS_MAX = 300_000

/** Ordinates of the 100th and the 649th zero, by mpmath. */
const EXACT: Readonly<Record<number, number>> = { 100: 236.5242296658162, 649: 999.7915715574129 }

const off = (n: number, last: number): string =>
  `${Math.abs(last - (EXACT[n] ?? Number.NaN)).toExponential(1)} at the last zero`

/** lfunzeros at 19 digits, the least that PARI has above doubles; its default is 38. It times itself. */
const pari = (n: number, height: number): Peer => ({
  name: 'PARI/GP lfunzeros, 19 digits',
  kind: 'peer',
  packages: ['pari-gp'],
  prepare: async () => {
    const program = [
      'default(realprecision,19)',
      `default(nbthreads,1);gettime();v=lfunzeros(1,[0,${height}]);t=gettime()`,
      'printf("%d %d %.15f\\n",t,#v,v[#v])',
    ].join(';')
    await run('gp', ['--version-short'])
    return async () => {
      const call = run('gp', ['-q', '-f', '-s', '500M'], { timeout: PEER_MS_MAX })
      call.child.stdin?.end(`${program}\n`)
      const [ms = '', count = '', last = ''] = (await call).stdout.trim().split(' ')
      if (Number(count) !== n) throw new Error(`lfunzeros found ${count} zeros, not ${n}`)
      return { ms: Number(ms), said: off(n, Number(last)) }
    }
  },
})

const caseOf = (n: number, height: number): Case => ({
  solver: 'zeta',
  problem: `the first ${n} zeros`,
  ours: () => {
    const { ms, output } = solved(solver, { n })
    return { ms, said: off(n, output.last) }
  },
  peers: [pari(n, height)],
})

export const zeta: readonly Case[] = [caseOf(100, 237), caseOf(649, 1_000)]
