import { arrivals } from './arrivals.ts'
import { away } from './away.ts'
import type { Bench } from './bench.ts'
import { checks } from './checks.ts'
import { claim } from './claim.ts'
import { claimCrash } from './claim-crash.ts'
import { contributeCrash } from './contribute-crash.ts'
import { crash } from './crash.ts'
import { exec } from './exec.ts'
import { heads } from './heads.ts'
import { memory } from './memory.ts'
import { mesh } from './mesh.ts'
import { moves } from './moves.ts'
import { movesCrash } from './moves-crash.ts'
import { operators } from './operators.ts'
import { paces } from './paces.ts'
import { profile } from './profile.ts'
import { scale } from './scale.ts'
import { sealed } from './sealed.ts'
import { solvers } from './solvers.ts'
import { startup } from './startup.ts'
import { sync } from './sync.ts'
import { votesCrash } from './votes-crash.ts'

const benches: readonly Bench[] = [
  solvers,
  checks,
  paces,
  operators,
  sealed,
  profile,
  scale,
  crash,
  moves,
  movesCrash,
  arrivals,
  heads,
  away,
  votesCrash,
  contributeCrash,
  claim,
  claimCrash,
  sync,
  exec,
  mesh,
  memory,
  startup,
]

const [name, ...args] = process.argv.slice(2)
const chosen = benches.find((it) => it.name === name)
if (chosen === undefined) {
  console.error('npm run bench -- <name> [words]')
  for (const it of benches) console.error(`  ${it.name.padEnd(10)} ${it.summary}`)
  process.exitCode = name === undefined ? 0 : 2
} else await chosen.run(args)
