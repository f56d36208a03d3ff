import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { solved } from '../kit/claiming.ts'
import { newAccount, type Rooms, sealOne } from './house.ts'

/** A new account that has spent all of its free credits but three. */
export const poorAccount = async (house: Rooms, bucket = '192.0.2.1') => {
  const account = await newAccount(house, bucket)
  await sealOne(house, { caller: account.caller, credits: SIGN_UP_CREDITS - 3 })
  return account
}

/** What a caller is asked, which there must be. */
export const challengeFor = async ({ economy }: Rooms, caller: Caller, machine?: string) => {
  const { claim } = await economy.credits(caller, machine)
  assert(claim.challenge !== null, claim.state)
  return claim.challenge
}

/** Asks, works and claims. */
export const claimOnce = async (house: Rooms, caller: Caller, machine?: string) => {
  const work = await challengeFor(house, caller, machine)
  return house.economy.claim(caller, { challenge: work.challenge, nonce: solved(work) })
}

/** Sum of each asset over all accounts: 0, always. */
export const sumsOf = async ({ store }: Rooms): Promise<Readonly<Record<string, number>>> => {
  const sums: Record<string, number> = {}
  for await (const [key, balance] of store.range('balance')) {
    const [asset = ''] = key.split('/')
    sums[asset] = (sums[asset] ?? 0) + balance
  }
  return sums
}
