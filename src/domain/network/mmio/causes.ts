import type { Interrupt } from './interrupts.ts'
import type { RegisterSources } from './values.ts'

/** What interrupts are told from, as of a page. */
interface Seen {
  readonly seals: number
  readonly refusals: number
  readonly challenges: number
  readonly rulings: number
  readonly isWithheld: boolean
  readonly peers: readonly string[]
}

const seenIn = ({ store, tally, disputes, network }: RegisterSources): Seen => {
  const { seals, refusals } = tally.now
  const { challenges, rulings } = disputes.ownWorks
  const bond = store.peek('contribution', 'own')?.bond
  const isWithheld = bond != null && (store.peek('bond', bond)?.fallen ?? null) !== null
  return { seals, refusals, challenges, rulings, isWithheld, peers: network.connected() }
}

/** Tells what happened between one page and the next: whatever happened more than once in between is one interrupt. */
export const createCauses = (sources: RegisterSources): (() => readonly Interrupt[]) => {
  let before = seenIn(sources)
  return () => {
    const now = seenIn(sources)
    const here = new Set(now.peers)
    const happened: Readonly<Record<Exclude<Interrupt, 'error'>, boolean>> = {
      tick: true,
      sealed: now.seals > before.seals,
      challenge: now.challenges > before.challenges,
      ruling: now.rulings > before.rulings,
      withheld: now.isWithheld && !before.isWithheld,
      peer_lost: before.peers.some((node) => !here.has(node)),
      refusal: now.refusals > before.refusals,
    }
    before = now
    return (Object.keys(happened) as (keyof typeof happened)[]).filter((it) => happened[it])
  }
}
