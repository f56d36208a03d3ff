// Goal: the transform of any length is the discrete Fourier transform, the expansions in modes are what they say, and
// the kernel behind them gives the bits of plain loops. Method: the defining sums, written out, on random data of
// prime, composite and power-of-two lengths; single modes; the twin, zero by zero.
import assert from 'node:assert/strict'
import { cos, PI, sin } from '#numerics/math.ts'
import {
  type Expansion,
  expand,
  fft,
  type GridAxis,
  halfWavesOf,
  inverseFactor,
  nodesOf,
  rootOfUnity,
} from '#numerics/methods/fft.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { twinExpand, twinFft } from './fft-twin.ts'

const test = suite('numerics/fft')

const noise = (length: number): Float64Array => {
  const random = seeded()
  return Float64Array.from({ length }, () => random.next() - 0.5)
}

const naive = (re: Float64Array, im: Float64Array): readonly [Float64Array, Float64Array] => {
  const n = re.length
  const outRe = new Float64Array(n)
  const outIm = new Float64Array(n)
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < n; j++) {
      const angle = (-2 * PI * ((j * k) % n)) / n
      outRe[k] += re[j] * cos(angle) - im[j] * sin(angle)
      outIm[k] += re[j] * sin(angle) + im[j] * cos(angle)
    }
  }
  return [outRe, outIm]
}

const farthest = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0)

test('lengths of every kind agree with the defining sum', () => {
  for (const n of [1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 60, 64, 97, 127, 128, 210, 256, 509]) {
    const re = noise(n)
    const im = noise(n).reverse()
    const [wantedRe, wantedIm] = naive(re, im)
    fft(n).forward(re, im)
    const error = Math.max(farthest(re, wantedRe), farthest(im, wantedIm))
    assert(error <= 1e-13 * Math.sqrt(n) * Math.log2(n + 1), `length ${n}: ${error}`)
  }
})

const sameBits = (found: Float64Array, due: Float64Array, what: string): void => {
  assert.equal(found.length, due.length, what)
  const at = due.findIndex((value, i) => !Object.is(found[i], value))
  assert.equal(at, -1, `${what}: element ${at} is ${found[at]}, the twin says ${due[at]}`)
}

/** Noise with zeros of both signs and with sizes from below the least normal double to 1e150. */
const rough = (length: number): Float64Array => {
  const random = seeded()
  return Float64Array.from({ length }, () => {
    const kind = random.integer(0, 7)
    const value = random.next() - 0.5
    return kind === 0 ? 0 : kind === 1 ? -0 : kind === 2 ? value * 1e-310 : kind === 3 ? value * 1e150 : value
  })
}

test('lengths of every kind have the bits of the twin, and a longer one in between leaves none behind', () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32, 63, 64, 100, 128, 509, 2_048, 1_000, 3, 1, 65_537, 12]) {
    for (const draw of [noise, rough]) {
      const [re, im] = [draw(n), draw(n).reverse()]
      const [dueRe, dueIm] = [re.slice(), im.slice()]
      fft(n).forward(re, im)
      twinFft(n).forward(dueRe, dueIm)
      sameBits(re, dueRe, `real parts of ${n}`)
      sameBits(im, dueIm, `imaginary parts of ${n}`)
    }
  }
})

test('fields of every kind and shape have the bits of the twin', () => {
  const kinds: readonly Expansion[] = ['sine', 'cosine', 'hartley']
  for (const kind of kinds) {
    for (const intervals of [2, 3, 4, 7, 16, 33, 64]) {
      const across: GridAxis = { kind, intervals }
      const shapes: readonly (readonly GridAxis[])[] = [
        [across],
        ...[2, 3, 4, 5, 8, 13].flatMap((rows) => kinds.map((down) => [{ kind: down, intervals: rows }, across])),
      ]
      for (const axes of shapes) {
        const nodes = axes.reduce((all, axis) => all * nodesOf(axis.kind, axis.intervals), 1)
        for (const values of [noise(nodes), rough(nodes), new Float64Array(nodes), new Float64Array(nodes).fill(-0)]) {
          const before = values.slice()
          sameBits(expand(values, axes), twinExpand(values, axes), JSON.stringify(axes))
          sameBits(values, before, 'the field is left as it is')
        }
      }
    }
  }
})

test('roots of unity are symmetric to the last bit', () => {
  for (const n of [3, 8, 100, 360]) {
    for (let k = 0; k < n; k++) {
      const [c, s] = rootOfUnity(k, n)
      const [c2, s2] = rootOfUnity((n - k) % n, n)
      assert(c === c2)
      assert(s + s2 === 0)
      assert(Math.abs(c * c + s * s - 1) <= 4e-16)
    }
  }
})

/** Mode `index` of an expansion at node `j`. */
const mode = (kind: Expansion, index: number, j: number, intervals: number): number => {
  if (kind === 'sine') return sin((PI * (index + 1) * (j + 1)) / intervals)
  if (kind === 'cosine') return cos((PI * index * j) / intervals)
  return cos((2 * PI * index * j) / intervals) + sin((2 * PI * index * j) / intervals)
}

for (const kind of ['sine', 'cosine', 'hartley'] as const) {
  test(`${kind}: a single mode has a single coefficient, and two expansions are the identity`, () => {
    for (const intervals of [4, 9, 16, 30]) {
      const axis: GridAxis = { kind, intervals }
      const nodes = nodesOf(kind, intervals)
      for (let index = 0; index < nodes; index++) {
        const values = Float64Array.from({ length: nodes }, (_, j) => mode(kind, index, j, intervals))
        const found = expand(values, [axis])
        const largest = found.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
        const others = found.filter((_, k) => k !== index).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
        assert(others <= 1e-12 * largest, `${intervals} intervals, mode ${index}: ${others}`)
      }
      const values = noise(nodes * 7)
      const axes: readonly GridAxis[] = [{ kind: 'hartley', intervals: 7 }, axis]
      const back = expand(expand(values, axes), axes).map((value) => value * inverseFactor(axes))
      assert(farthest(back, values) <= 1e-14)
    }
  })
}

test('half waves rise with the mode, and a ring counts them from both ends', () => {
  assert.deepEqual(
    [0, 1, 2].map((k) => halfWavesOf('sine', k, 8)),
    [1, 2, 3],
  )
  assert.deepEqual(
    [0, 1, 8].map((k) => halfWavesOf('cosine', k, 8)),
    [0, 1, 8],
  )
  assert.deepEqual(
    [0, 1, 4, 7].map((k) => halfWavesOf('hartley', k, 8)),
    [0, 2, 8, 2],
  )
})

test.run()
