import { arrivals } from './arrivals.ts'
import { away } from './away.ts'
import { batch } from './batch.ts'
import type { Bench } from './bench.ts'
import { channels } from './channels.ts'
import { checks } from './checks.ts'
import { claim } from './claim.ts'
import { claimCrash } from './claim-crash.ts'
import { clients } from './clients.ts'
import { contractsCrash } from './contracts-crash.ts'
import { contractsCron } from './contracts-cron.ts'
import { contractsDue } from './contracts-due.ts'
import { contractsGuard } from './contracts-guard.ts'
import { contractsYear } from './contracts-year.ts'
import { contributeCrash } from './contribute-crash.ts'
import { crash } from './crash.ts'
import { exec } from './exec.ts'
import { heads } from './heads.ts'
import { memory } from './memory.ts'
import { mesh } from './mesh.ts'
import { mmio } from './mmio.ts'
import { moves } from './moves.ts'
import { movesCrash } from './moves-crash.ts'
import { operators } from './operators.ts'
import { paces } from './paces.ts'
import { powerCuts } from './power-cuts.ts'
import { profile } from './profile.ts'
import { reads } from './reads.ts'
import { redisFaults } from './redis-faults.ts'
import { scale } from './scale.ts'
import { sealed } from './sealed.ts'
import { sockets } from './sockets.ts'
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
  reads,
  profile,
  scale,
  crash,
  powerCuts,
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
  redisFaults,
  exec,
  mesh,
  memory,
  mmio,
  startup,
  batch,
  contractsCrash,
  contractsCron,
  contractsDue,
  contractsGuard,
  contractsYear,
  channels,
  clients,
  sockets,
]

const [name, ...args] = process.argv.slice(2)
const chosen = benches.find((it) => it.name === name)
if (chosen === undefined) {
  console.error('npm run bench -- <name> [words]')
  for (const it of benches) console.error(`  ${it.name.padEnd(10)} ${it.summary}`)
  process.exitCode = name === undefined ? 0 : 2
} else await chosen.run(args)
