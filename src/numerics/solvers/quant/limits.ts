import { exp } from '#numerics/math.ts'
import { refusing } from '#numerics/runtime/refusing.ts'
import { closedPrice } from './closed.ts'
import { MONEY_MAX, MONEY_MIN, type QuantInput } from './schema.ts'

/** Least price in units of S that a simulation is asked for. */
const PRICE_MIN = 1e-10

/** Refuses an input that states no priced option, with what would pass. */
export const illPosed = refusing('ILL_POSED')

const refuseBarrier = ({ S, barrier }: QuantInput): void => {
  const { H, kind } = barrier
  const down = kind.startsWith('down')
  if (down ? S > H : S < H) return
  illPosed('/barrier/H', `the underlying at ${S} has touched it; it must be ${down ? '<' : '>'} ${S}.`, {
    measured: H,
    limit: S,
    H: S * (down ? 0.9 : 1.1),
  })
}

/** A strike, in the schema, at which the option has a price to measure: at the forward, or beside a barrier. */
const pricedStrike = (input: QuantInput): number | undefined => {
  const { S, r, q, T, product, barrier } = input
  const forward = S * exp((r - q) * T)
  const beside = product === 'barrier' ? [0.9, 1.1, 0.5, 2].map((share) => share * barrier.H) : []
  return [forward, S, ...beside, forward / 2, 2 * forward].find((K) => {
    const price = closedPrice({ ...input, K })
    return K >= MONEY_MIN && K <= MONEY_MAX && Number.isFinite(price) && price >= 1e4 * PRICE_MIN * S
  })
}

const refusePrice = (input: QuantInput): void => {
  const price = closedPrice(input)
  if (price >= PRICE_MIN * input.S) return
  const limit = PRICE_MIN * input.S
  const K = pricedStrike(input)
  const passing = K === undefined ? {} : { K }
  const hint = K === undefined ? '' : ` At a strike of ${K} it is not.`
  if (!Number.isFinite(price)) {
    illPosed('/K', `the price cannot be told in doubles.${hint}`, { measured: null, limit, ...passing })
  }
  const why = `the price is ${price}, below ${PRICE_MIN} of the underlying.${hint}`
  illPosed('/K', why, { measured: price, limit, ...passing })
}

/**
 * What can be refused by closed forms.
 *
 * @throws Fault ILL_POSED: a barrier that is touched already, a price too small to measure, with what would pass.
 */
export const refuseQuant = (input: QuantInput): void => {
  if (input.product === 'barrier') refuseBarrier(input)
  refusePrice(input)
}
