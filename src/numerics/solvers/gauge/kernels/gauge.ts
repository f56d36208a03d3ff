// Heat-bath sweeps of a two-dimensional U(1) lattice gauge field, four links at a time in pairs of lanes.
//
// A link is a unit complex number, two doubles. Links of a class touch no common plaquette, so a class is updated as if
// at once; there are four, taken in order. For each link its table holds the byte offsets of the link itself and of the
// six around it: with S = a·conj(b)·conj(c) + conj(d)·conj(e)·f the two plaquettes of a link U are Re(U·S), and U is
// drawn with the weight exp(beta·Re(U·S)), a von Mises law of kappa = beta·|S| about conj(S).
//
// Best and Fisher's proposal (Appl. Statist. 28 (1979) 152) is written so that nothing cancels at small kappa:
//   tau = 1 + sqrt(1 + 4·kappa²), w = tau + sqrt(2·tau), rho = 2·kappa/w, q = 1 + rho²,
//   f = (2·rho + q·z)/(q + 2·rho·z) with z = cos(pi·u), c = q·w/4 − kappa·f, taken when v <= c·exp(1 − c).
// At kappa = 0 that is the uniform law, taken at once.
//
// u and v come from Philox4x32-10, counter (link, sweep, block, 0): each block of four words is two proposals, so that
// a link's numbers depend on link and sweep alone, however many its neighbours need.

const M0: u32 = 0xd2511f53
const M1: u32 = 0xcd9e8d57
const W0: u32 = 0x9e3779b9
const W1: u32 = 0xbb67ae85
/** Blocks after which the last proposal is taken: 128 proposals in a row are refused once in 1e50 cases. */
const BLOCKS_MAX: u32 = 64

const MAGIC: f64 = 6755399441055744 // 1.5·2^52: adding it rounds to a whole number
const ENTRY: usize = 32 // bytes of a table entry: eight offsets, the last unused

let beta: f64 = 0
let links: usize = 0
let table: usize = 0
let classCount: i32 = 0 // links of a class, a multiple of four
let means: usize = 0 // cubics of I1/I0 by interval: four coefficients
let perKappa: f64 = 0 // intervals per unit of kappa
let key0: u32 = 0
let key1: u32 = 0

export function configure(
  b: f64, linksAt: usize, tableAt: usize, count: i32, meansAt: usize, intervals: f64, low: f64, high: f64,
): void {
  beta = b
  links = linksAt
  table = tableAt
  classCount = count
  means = meansAt
  perKappa = intervals
  key0 = <u32>low
  key1 = <u32>high
}

// @ts-ignore: decorator
@inline
function lows(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2)
}

// @ts-ignore: decorator
@inline
function highs(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3)
}

// Words of four links after ten rounds.
let x0: v128 = i32x4.splat(0)
let x1: v128 = i32x4.splat(0)
let x2: v128 = i32x4.splat(0)
let x3: v128 = i32x4.splat(0)

// @ts-ignore: decorator
@inline
function philox(ids: v128, sweep: u32, block: u32): void {
  const m0 = i32x4.splat(M0)
  const m1 = i32x4.splat(M1)
  let a = ids
  let b = i32x4.splat(sweep)
  let c = i32x4.splat(block)
  let d = i32x4.splat(0)
  let k0 = key0
  let k1 = key1
  for (let round = 0; round < 10; round++) {
    const pLow = i64x2.extmul_low_i32x4_u(m0, a)
    const pHigh = i64x2.extmul_high_i32x4_u(m0, a)
    const qLow = i64x2.extmul_low_i32x4_u(m1, c)
    const qHigh = i64x2.extmul_high_i32x4_u(m1, c)
    const a2 = v128.xor(v128.xor(v128.shuffle<i32>(qLow, qHigh, 1, 3, 5, 7), b), i32x4.splat(k0))
    const c2 = v128.xor(v128.xor(v128.shuffle<i32>(pLow, pHigh, 1, 3, 5, 7), d), i32x4.splat(k1))
    b = v128.shuffle<i32>(qLow, qHigh, 0, 2, 4, 6)
    d = v128.shuffle<i32>(pLow, pHigh, 0, 2, 4, 6)
    a = a2
    c = c2
    k0 += W0
    k1 += W1
  }
  x0 = a
  x1 = b
  x2 = c
  x3 = d
}

// cos(pi·u) for |u| < 1 as −sin(pi·(|u| − 1/2)), Taylor's series to the 19th power.
// @ts-ignore: decorator
@inline
function cosPi(u: v128): v128 {
  const x = f64x2.mul(f64x2.sub(f64x2.abs(u), f64x2.splat(0.5)), f64x2.splat(3.141592653589793))
  const y = f64x2.mul(x, x)
  let s = f64x2.splat(-8.22063524662433e-18)
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(2.8114572543455206e-15))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(-7.647163731819816e-13))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(1.6059043836821613e-10))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(-2.505210838544172e-8))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(2.7557319223985893e-6))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(-1.984126984126984e-4))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(8.333333333333333e-3))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(-0.16666666666666666))
  s = f64x2.add(f64x2.mul(s, y), f64x2.splat(1))
  return f64x2.neg(f64x2.mul(x, s))
}

// exp(w), w <= 1; below −60 as at −60. Taylor's series to the 12th power on |r| <= 0.35.
// @ts-ignore: decorator
@inline
function expOf(given: v128): v128 {
  const w = f64x2.max(given, f64x2.splat(-60))
  const magic = f64x2.splat(MAGIC)
  const k = f64x2.sub(f64x2.add(f64x2.mul(w, f64x2.splat(1.4426950408889634)), magic), magic)
  const high = f64x2.sub(w, f64x2.mul(k, f64x2.splat(0.6931471803691238)))
  const r = f64x2.sub(high, f64x2.mul(k, f64x2.splat(1.9082149292705877e-10)))
  let s = f64x2.splat(2.08767569878681e-9)
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(2.505210838544172e-8))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(2.755731922398589e-7))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(2.7557319223985893e-6))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(2.48015873015873e-5))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(1.984126984126984e-4))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(1.388888888888889e-3))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(8.333333333333333e-3))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(4.1666666666666664e-2))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(0.16666666666666666))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(0.5))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(1))
  s = f64x2.add(f64x2.mul(s, r), f64x2.splat(1))
  const power = i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(k))
  return f64x2.mul(s, i64x2.shl(i64x2.add(power, i64x2.splat(1023)), 52))
}

// What a pair of links needs while it waits for its proposals: v128 values at these offsets.
const DR: usize = 0 // direction of conj(S), real part
const DI: usize = 16
const KAPPA: usize = 32
const RHO2: usize = 48 // 2·rho
const Q: usize = 64
const C0: usize = 80 // q·w/4
const COSINE: usize = 96 // what was taken
const SIGN: usize = 112
const TAKEN: usize = 128
const PAIR: usize = 144
const one: usize = memory.data(288, 16)
const two: usize = one + PAIR

let sum: v128 = i32x4.splat(0)

// I1(kappa)/I0(kappa) by the cubic of its interval.
// @ts-ignore: decorator
@inline
function meanCosine(kappa: f64): f64 {
  const place = kappa * perKappa
  const i = <i32>place
  const x = place - <f64>i
  const at = means + (<usize>i << 5)
  return load<f64>(at) + x * (load<f64>(at, 8) + x * (load<f64>(at, 16) + x * load<f64>(at, 24)))
}

// The sum of the two staples of both links, and the law that follows from it.
// @ts-ignore: decorator
@inline
function prepare(pair: usize, p: usize, r: usize): void {
  const a0 = v128.load(links + load<u32>(p, 4))
  const a1 = v128.load(links + load<u32>(r, 4))
  const b0 = v128.load(links + load<u32>(p, 8))
  const b1 = v128.load(links + load<u32>(r, 8))
  const c0 = v128.load(links + load<u32>(p, 12))
  const c1 = v128.load(links + load<u32>(r, 12))
  const d0 = v128.load(links + load<u32>(p, 16))
  const d1 = v128.load(links + load<u32>(r, 16))
  const e0 = v128.load(links + load<u32>(p, 20))
  const e1 = v128.load(links + load<u32>(r, 20))
  const f0 = v128.load(links + load<u32>(p, 24))
  const f1 = v128.load(links + load<u32>(r, 24))
  const ar = lows(a0, a1)
  const ai = highs(a0, a1)
  const br = lows(b0, b1)
  const bi = highs(b0, b1)
  const cr = lows(c0, c1)
  const ci = highs(c0, c1)
  const dr = lows(d0, d1)
  const di = highs(d0, d1)
  const er = lows(e0, e1)
  const ei = highs(e0, e1)
  const fr = lows(f0, f1)
  const fi = highs(f0, f1)
  // a·conj(b·c) and conj(d·e)·f.
  const pr = f64x2.sub(f64x2.mul(br, cr), f64x2.mul(bi, ci))
  const pi = f64x2.add(f64x2.mul(br, ci), f64x2.mul(bi, cr))
  const qr = f64x2.sub(f64x2.mul(dr, er), f64x2.mul(di, ei))
  const qi = f64x2.add(f64x2.mul(dr, ei), f64x2.mul(di, er))
  const sr = f64x2.add(
    f64x2.add(f64x2.mul(ar, pr), f64x2.mul(ai, pi)), f64x2.add(f64x2.mul(fr, qr), f64x2.mul(fi, qi)),
  )
  const si = f64x2.add(
    f64x2.sub(f64x2.mul(ai, pr), f64x2.mul(ar, pi)), f64x2.sub(f64x2.mul(fi, qr), f64x2.mul(fr, qi)),
  )
  const size = f64x2.sqrt(f64x2.add(f64x2.mul(sr, sr), f64x2.mul(si, si)))
  const kappa = f64x2.mul(f64x2.splat(beta), size)
  const none = f64x2.lt(size, f64x2.splat(1e-15))
  v128.store(pair, v128.bitselect(f64x2.splat(1), f64x2.div(sr, size), none), DR)
  v128.store(pair, v128.bitselect(f64x2.splat(0), f64x2.neg(f64x2.div(si, size)), none), DI)
  const low = meanCosine(f64x2.extract_lane(kappa, 0))
  const mean = f64x2.replace_lane(f64x2.splat(low), 1, meanCosine(f64x2.extract_lane(kappa, 1)))
  sum = f64x2.add(sum, f64x2.mul(size, mean))
  const tau = f64x2.add(
    f64x2.splat(1), f64x2.sqrt(f64x2.add(f64x2.splat(1), f64x2.mul(f64x2.splat(4), f64x2.mul(kappa, kappa)))),
  )
  const w = f64x2.add(tau, f64x2.sqrt(f64x2.add(tau, tau)))
  const rho = f64x2.div(f64x2.add(kappa, kappa), w)
  const q = f64x2.add(f64x2.splat(1), f64x2.mul(rho, rho))
  v128.store(pair, kappa, KAPPA)
  v128.store(pair, f64x2.add(rho, rho), RHO2)
  v128.store(pair, q, Q)
  v128.store(pair, f64x2.mul(f64x2.mul(q, w), f64x2.splat(0.25)), C0)
  v128.store(pair, f64x2.splat(1), COSINE)
  v128.store(pair, f64x2.splat(0), SIGN)
  v128.store(pair, i64x2.splat(0), TAKEN)
}

// Looks at one proposal of both links; one that was taken stays.
// @ts-ignore: decorator
@inline
function propose(pair: usize, u: v128, v: v128): void {
  const z = cosPi(u)
  const q = v128.load(pair, Q)
  const rho2 = v128.load(pair, RHO2)
  const f = f64x2.div(f64x2.add(rho2, f64x2.mul(q, z)), f64x2.add(q, f64x2.mul(rho2, z)))
  const c = f64x2.sub(v128.load(pair, C0), f64x2.mul(v128.load(pair, KAPPA), f))
  let good = f64x2.gt(f64x2.mul(c, f64x2.sub(f64x2.splat(2), c)), v)
  if (!i64x2.all_true(v128.or(good, v128.load(pair, TAKEN)))) {
    good = v128.or(good, f64x2.ge(f64x2.mul(c, expOf(f64x2.sub(f64x2.splat(1), c))), v))
  }
  const keep = v128.andnot(good, v128.load(pair, TAKEN))
  v128.store(pair, v128.bitselect(f, v128.load(pair, COSINE), keep), COSINE)
  v128.store(pair, v128.bitselect(u, v128.load(pair, SIGN), keep), SIGN)
  v128.store(pair, v128.or(v128.load(pair, TAKEN), good), TAKEN)
}

// @ts-ignore: decorator
@inline
function finish(pair: usize, p: usize, r: usize): void {
  const f = v128.load(pair, COSINE)
  const flat = f64x2.sqrt(f64x2.max(f64x2.splat(0), f64x2.sub(f64x2.splat(1), f64x2.mul(f, f))))
  const s = v128.xor(flat, v128.and(v128.load(pair, SIGN), f64x2.splat(-0.0)))
  const re = f64x2.sub(f64x2.mul(v128.load(pair, DR), f), f64x2.mul(v128.load(pair, DI), s))
  const im = f64x2.add(f64x2.mul(v128.load(pair, DR), s), f64x2.mul(v128.load(pair, DI), f))
  v128.store(links + load<u32>(p), lows(re, im))
  v128.store(links + load<u32>(r), highs(re, im))
}

// @ts-ignore: decorator
@inline
function signedUnit(words: v128): v128 {
  return f64x2.mul(f64x2.add(f64x2.convert_low_i32x4_s(words), f64x2.splat(0.5)), f64x2.splat(4.656612873077393e-10))
}

// @ts-ignore: decorator
@inline
function unit(words: v128): v128 {
  return f64x2.mul(f64x2.add(f64x2.convert_low_i32x4_u(words), f64x2.splat(0.5)), f64x2.splat(2.3283064365386963e-10))
}

// @ts-ignore: decorator
@inline
function upper(words: v128): v128 {
  return v128.shuffle<i64>(words, words, 1, 1)
}

/** One sweep over all links. Returns the sum over links of |S|·I1(kappa)/I0(kappa), before their update. */
export function sweep(number: u32): f64 {
  let total: f64 = 0
  for (let turn = 0; turn < 4; turn++) {
    sum = f64x2.splat(0)
    const first = table + <usize>(turn * classCount) * ENTRY
    const end = first + <usize>classCount * ENTRY
    for (let at = first; at < end; at += 4 * ENTRY) {
      const b = at + ENTRY
      const c = b + ENTRY
      const d = c + ENTRY
      prepare(one, at, b)
      prepare(two, c, d)
      let ids = i32x4.splat(load<u32>(at) >> 4)
      ids = i32x4.replace_lane(ids, 1, load<u32>(b) >> 4)
      ids = i32x4.replace_lane(ids, 2, load<u32>(c) >> 4)
      ids = i32x4.replace_lane(ids, 3, load<u32>(d) >> 4)
      for (let block: u32 = 0; block < BLOCKS_MAX; block++) {
        philox(ids, number, block)
        propose(one, signedUnit(x0), unit(x1))
        propose(two, signedUnit(upper(x0)), unit(upper(x1)))
        if (i64x2.all_true(v128.and(v128.load(one, TAKEN), v128.load(two, TAKEN)))) break
        propose(one, signedUnit(x2), unit(x3))
        propose(two, signedUnit(upper(x2)), unit(upper(x3)))
        if (i64x2.all_true(v128.and(v128.load(one, TAKEN), v128.load(two, TAKEN)))) break
      }
      finish(one, at, b)
      finish(two, c, d)
    }
    total += f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
  }
  return total
}
