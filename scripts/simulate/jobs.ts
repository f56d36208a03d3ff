import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { readAccept, signAccept } from '#core/work/accept.ts'
import { auditCommitment, auditRate, closeFault, isAudited } from '#core/work/audit.ts'
import { BOND_WORKS_MAX, DISPUTE_TICKS } from '#core/work/exposure.ts'
import { offerDigest, putsAtRisk, readOffer, signOffer, type WorkOffer } from '#core/work/offer.ts'
import { publishedWorks } from '#core/work/published.ts'
import { SAMPLES_DEFAULT, sampledSegments } from '#core/work/samples.ts'
import { type ContributedWork, readWork, signWork, voidBecause, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { challengeFalsely, challengeUnavailable, challengeWrong, differenceOf } from './challenging.ts'
import { rerun, runTiny, stateDigest, type TinyJob, type TinyRun, tinySteps } from './compute.ts'
import { workerCommitment } from './node.ts'
import { bentBy, isHonest, type Party } from './party.ts'
import { spread } from './spread.ts'
import { clockOf, isWrong, type SimNode, type SimWork, secretOf, tell, type World, whenOf } from './world.ts'

/** Members of a pool, ticks that a job may take, share of jobs whose result the requester knows before. */
const POOL = 12
const RUN_TICKS_MAX = 40
const DEADLINE_TICKS = 900
const CANARIES = 0.005
/** Work units of a simulated job, of which its estimate follows. */
const UNITS = 20_000
/** Homes that follow beside the pool, and how often somebody else looks at a work. */
const WATCHED = 0.1
const ATTACKED = 0.15

const hash = (text: string): string => toHex(sha256(utf8(text)))
const CODE: ContributedWork['code'] = {
  ...{ release: hash('release'), registry: hash('registry'), constants: hash('constants'), math: hash('math') },
  ...{ kernels: {}, solver: 'chain@1' },
}

/** One job on its way. */
interface OnItsWay {
  readonly requester: Party
  readonly worker: Party
  readonly job: TinyJob
  readonly offer: WorkOffer
  readonly q: string
  readonly rate: number
  readonly isCanary: boolean
}

const openOf = (world: World, worker: Party): number =>
  [...world.works.values()].filter(
    (it) => it.worker === worker && it.told.event.tick + DISPUTE_TICKS >= world.agenda.now,
  ).length

const chooseWorker = (world: World, requester: Party): Party | undefined => {
  const node = world.nodes[requester.index] as SimNode
  const fits = (it: Party): boolean => {
    const bond = world.bonds.get(it.index)
    if (it === requester || bond === undefined || node.barred.has(it.node)) return false
    return !world.released.has(bond.bond.bond) && openOf(world, it) < BOND_WORKS_MAX
  }
  const some = world.chance.some(world.parties, 8).filter(fits)
  // A cheat gives its jobs to cheats, and takes what they give.
  const own = isHonest(requester) ? undefined : some.find((it) => !isHonest(it))
  return own ?? some[0]
}

const offerOf = (world: World, requester: Party, worker: Party, job: TinyJob): OnItsWay => {
  const { chance } = world
  const random = toHex(chance.bytes(16))
  const q = secretOf(requester, `q ${random}`)
  const bonded = world.parties.filter((it) => world.bonds.has(it.index) && it !== requester && it !== worker)
  const pool = chance
    .some(bonded, POOL)
    .map(({ node }) => node)
    .sort()
  const rate = auditRate(world.rightWhole.get(worker.index) ?? 0, { steps: job.k > 0 })
  const now = clockOf(world, requester)
  const named = { job: { requester: requester.node, random }, worker: worker.node, pool }
  const offer: WorkOffer = {
    ...{ ...named, attempt: 0, kind: 'chain', inputs: job.inputs, code: CODE, deadline: now + DEADLINE_TICKS },
    ...{ policy: 'open', at_risk: putsAtRisk(named), disclosed: true, audit: auditCommitment(q, rate), mesh_tick: now },
  }
  return {
    requester,
    worker,
    job,
    offer: readOffer(signOffer(requester.seed, offer)).offer,
    q,
    rate,
    isCanary: chance.happens(CANARIES),
  }
}

const samplesHold = (world: World, { job, q }: OnItsWay, run: TinyRun, digest: string): boolean => {
  const claimed = run.states.map(stateDigest)
  for (const segment of sampledSegments(q, digest, { m: SAMPLES_DEFAULT, k: job.k })) {
    world.costs.steps.samples += 1 / job.k
    const before = segment === 'init' ? undefined : run.states[segment === 'finish' ? job.k : (segment as number)]
    const found = rerun(job, segment, before)
    const said = segment === 'init' ? claimed[0] : segment === 'finish' ? undefined : claimed[(segment as number) + 1]
    if (said !== undefined && found !== said) return false
    if (segment === 'finish' && run.wrong.includes('finish')) return false
  }
  return true
}

/** What the requester finds before it takes a result. */
const judge = (world: World, it: OnItsWay, run: TinyRun, digest: string): 'taken' | 'wrong' | 'refused' => {
  const { job, requester, worker, q, rate, isCanary } = it
  if (!isHonest(requester)) return 'taken'
  if (worker.strategy === 'withhold' && job.k > 0) return 'refused'
  if (job.k > 0 && !samplesHold(world, it, run, digest)) return 'wrong'
  const audited = isAudited(q, rate, digest) || isCanary
  if (!audited) return 'taken'
  const costs = job.k === 0 ? world.costs.whole : world.costs.steps
  costs.audits += 1
  if (run.wrong.length > 0) {
    world.rightWhole.set(worker.index, 0)
    return 'wrong'
  }
  world.rightWhole.set(worker.index, (world.rightWhole.get(worker.index) ?? 0) + 1)
  return 'taken'
}

const close = (
  world: World,
  { requester, offer, q, rate }: OnItsWay,
  digest: string,
  found: 'right' | 'wrong',
): void => {
  const audited = isAudited(q, rate, digest)
  const said = {
    job: offer.job,
    q,
    rate,
    found: { audit: audited ? found : ('not_audited' as const), samples: 0, of: 0 },
  }
  if (closeFault(said, { audit: offer.audit, work: digest }) !== undefined) throw new Error('a close that does not fit')
  tell(world, requester, { type: 'close', payload: said as unknown as Json })
}

interface Finished {
  readonly it: OnItsWay
  readonly work: ContributedWork
  readonly run: TinyRun
  readonly resultAt: number
}

const publishWork = (world: World, { it, work, run, resultAt }: Finished, accepted: boolean): SimWork => {
  const { requester, worker, offer, job } = it
  const digest = workDigest(work)
  const bond = world.bonds.get(worker.index)
  if (bond === undefined) throw new Error('a worker without a bond')
  const leaves = [{ worker: worker.node, work: digest }, ...filler(world, it)]
  const { payload, path } = publishedWorks(leaves)
  const told = tell(world, requester, { type: 'work', payload: payload as unknown as Json })
  const made: SimWork[] = leaves.map((leaf, index) => {
    const terms = {
      ...{ offer: offerDigest(offer), pool: offer.pool, atRisk: offer.at_risk, bond: bond.bond.bond },
      ...{ homes: bond.homes.map(({ home }) => home.party.node), k: job.k, workUnits: UNITS, w: '' },
    }
    const base = { worker, offerDigest: terms.offer }
    const key = `${told.id}/${index}`
    const followers = new Set([requester, worker, ...bond.homes.map(({ home }) => home.party)].map((who) => who.index))
    for (const node of offer.pool) followers.add((world.byNode.get(node) as Party).index)
    return {
      ...{ key, told, index, path: path(index), requester, worker, work, digest: leaf.work, offerDigest: terms.offer },
      ...{ terms: { ...terms, w: workerCommitment(base, 0) }, job, run, resultAt, bond, said: [], followers, accepted },
      served: isHonest(requester) || isHonest(worker) || worker.strategy !== 'withhold',
    }
  })
  for (const one of made) {
    world.works.set(one.key, one)
    spread(world, requester, one)
  }
  return made[0] as SimWork
}

/** What two cheats do to a bond: they put many works under it in one tick, and hope that all are taken for covered. */
const filler = (world: World, { requester, worker }: OnItsWay) => {
  if (isHonest(requester) || isHonest(worker) || !world.chance.happens(0.1)) return []
  return Array.from({ length: BOND_WORKS_MAX + world.chance.integer(1, 6) }, () => ({
    worker: worker.node,
    work: stateDigest(world.chance.bytes(32)),
  }))
}

const exitAfter = (world: World, { worker }: OnItsWay): void => {
  const bond = world.bonds.get(worker.index)
  if (bond === undefined || world.released.has(bond.bond.bond)) return
  const payload = { bond: bond.bond.bond, unlocks_at: clockOf(world, worker) } as Json
  const told = tell(world, worker, { type: 'bond.release', payload })
  world.agenda.at(world.agenda.now + 10, () => {
    const when = whenOf(told, world.agenda.now)
    world.released.set(bond.bond.bond, when === 'pending' ? world.agenda.now : when.at)
  })
}

/** What others do about a work: some watch, some attack, and an accomplice puts a shield before it. */
const others = (world: World, work: SimWork): void => {
  const { chance, parties, agenda } = world
  const after = (ticks: number, task: () => void): void => agenda.at(agenda.now + ticks, task)
  const accomplices = parties.filter(
    (it) => !isHonest(it) && world.bonds.has(it.index) && it !== work.worker && it !== work.requester,
  )
  if (work.worker.strategy === 'shield' && accomplices.length > 0)
    challengeFalsely(world, chance.pick(accomplices), work)
  const attackers = accomplices.filter(({ strategy }) => strategy === 'false')
  if (attackers.length > 0 && chance.happens(ATTACKED)) {
    after(chance.integer(1, 300), () => challengeFalsely(world, chance.pick(attackers), work))
  }
  const watchers = parties.filter((it) => isHonest(it) && world.bonds.has(it.index) && it !== work.requester)
  if (watchers.length === 0 || !chance.happens(isHonest(work.requester) ? WATCHED / 4 : WATCHED * 4)) return
  const watcher = chance.pick(watchers)
  after(chance.integer(1, 600), () => {
    if (!work.served) challengeUnavailable(world, watcher, work)
    else {
      const claim = differenceOf(world, work)
      if (claim !== undefined) challengeWrong(world, watcher, work, claim)
    }
  })
}

const receive = (world: World, finished: Finished): void => {
  const { it, work, run } = finished
  const { requester, offer } = it
  if (clockOf(world, requester) > offer.deadline || voidBecause(offer, work) !== undefined) return
  const digest = workDigest(work)
  const found = judge(world, it, run, digest)
  if (found === 'refused') return
  const published = publishWork(world, finished, found === 'taken')
  close(world, it, digest, run.wrong.length > 0 ? 'wrong' : 'right')
  if (found === 'wrong') {
    const claim = differenceOf(world, published)
    if (claim !== undefined) challengeWrong(world, requester, published, claim)
  }
  others(world, published)
  if (isWrong(published) && !isHonest(it.worker) && world.chance.happens(0.2)) exitAfter(world, it)
}

/** One job from offer to publication: over the network, by the documents of the product. */
export const startJob = (world: World, index: number): void => {
  const { agenda, chance, network, parties } = world
  const requester = chance.pick(parties)
  const worker = chooseWorker(world, requester)
  if (worker === undefined || network.isAway(requester.index)) return
  const job: TinyJob = {
    inputs: hash(`job ${world.asked.seed} ${index}`),
    k: chance.happens(0.5) ? world.asked.segments : 0,
  }
  const it = offerOf(world, requester, worker, job)
  network.deliver(requester.index, worker.index, () => {
    const bond = it.offer.at_risk ? (world.bonds.get(worker.index)?.bond.bond ?? null) : null
    const offered = offerDigest(it.offer)
    const w = workerCommitment({ worker, offerDigest: offered }, 0)
    const accept = { offer: offered, worker: worker.node, bond, w, mesh_tick: clockOf(world, worker) }
    readAccept(signAccept(worker.seed, accept), it.offer)
    const run = runTiny(job, chance, bentBy(worker, job.k, chance))
    const costs = job.k === 0 ? world.costs.whole : world.costs.steps
    agenda.at(agenda.now + chance.integer(1, RUN_TICKS_MAX), () => {
      costs.execution += 1
      const { offer } = it
      const said = { job: offer.job, attempt: 0, code: CODE, ...run.outcome, steps: tinySteps(job, run) }
      const { work } = readWork(signWork(worker.seed, said), worker.node)
      const resultAt = agenda.now
      let taken = false
      network.deliver(worker.index, requester.index, () => {
        if (!taken) receive(world, { it, work, run, resultAt })
        taken = true
      })
    })
  })
}
