import { cos, PI, sin } from '#numerics/math.ts'

/**
 * The flow kernel's step as plain loops over numbers: the same sums in the same order, without lanes, padding or
 * transposition.
 */

/** A rectangle of cells, y fastest, and what flows in it. */
export interface TwinPlan {
  readonly nx: number
  readonly ny: number
  readonly dx: number
  readonly dy: number
  readonly ringX: boolean
  readonly ringY: boolean
  readonly viscosity: number
  readonly force: number
}

/**
 * Tables that the kernel is given: cos and −sin of 2πk/nx, rotations of each wave, squares of eigenvalues times dy².
 */
export interface TwinTables {
  readonly roots: Float64Array
  readonly rotations: Float64Array
  readonly eigenvalues: Float64Array
}

/** The tables of a kernel of these cells, worked out again. */
export const twinTables = ({ nx, dx, dy, ringX }: TwinPlan): TwinTables => ({
  roots: Float64Array.from({ length: 2 * nx }, (_, k) =>
    k % 2 === 0 ? cos((2 * PI * (k / 2)) / nx) : -sin((2 * PI * ((k - 1) / 2)) / nx),
  ),
  rotations: Float64Array.from({ length: nx }, (_, k) => {
    if (ringX) return k % 2 === 0 ? 1 : 0
    return k % 2 === 0 ? cos((PI * (k / 2)) / (2 * nx)) : sin((PI * ((k - 1) / 2)) / (2 * nx))
  }),
  eigenvalues: Float64Array.from({ length: nx }, (_, column) => {
    const k = column >> 1
    const waves = column === 1 ? (ringX ? nx : nx / 2) : ringX ? 2 * k : column % 2 === 0 ? k : nx - k
    const s = (2 * sin((PI * waves) / (2 * nx)) * dy) / dx
    return s * s
  }),
})

type At = (i: number, j: number) => number

/** Velocities with what lies beyond the walls or on the other side of a ring. */
const velocity = ({ nx, ny, ringX, ringY }: TwinPlan, values: Float64Array, normal: boolean): At => {
  const inside = (i: number, j: number): number => {
    if (ringY) return values[i * ny + ((j + ny) % ny)]
    if (normal) return j < 0 || j === ny - 1 ? 0 : j === ny ? -values[i * ny + ny - 2] : values[i * ny + j]
    return j < 0 ? -values[i * ny] : j === ny ? -values[i * ny + ny - 1] : values[i * ny + j]
  }
  return ringX ? (i, j) => inside((i + nx) % nx, j) : inside
}

/** −∇·(uu) + ν∇²u + force on the far faces. */
const forces = (plan: TwinPlan, u: Float64Array, v: Float64Array): readonly [Float64Array, Float64Array] => {
  const { nx, ny, dx, dy, viscosity, force, ringY } = plan
  const [U, V] = [velocity(plan, u, false), velocity(plan, v, true)]
  const [qx, qy] = [0.25 / dx, 0.25 / dy]
  const [lx, ly] = [viscosity / (dx * dx), viscosity / (dy * dy)]
  const [fu, fv] = [new Float64Array(nx * ny), new Float64Array(nx * ny)]
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      const [u0, v0] = [U(i, j), V(i, j)]
      const [uw, ue, un, um] = [U(i - 1, j), U(i + 1, j), U(i, j + 1), U(i, j - 1)]
      const [vw, ve, vn, vm] = [V(i - 1, j), V(i + 1, j), V(i, j + 1), V(i, j - 1)]
      const [east, west] = [ue + u0, u0 + uw]
      const corner = (u0 + un) * (v0 + ve)
      const below = (um + u0) * (vm + V(i + 1, j - 1))
      const before = (uw + U(i - 1, j + 1)) * (vw + v0)
      const carriedU = qx * (east * east - west * west) + qy * (corner - below)
      const [top, bottom] = [v0 + vn, vm + v0]
      const carriedV = qx * (corner - before) + qy * (top * top - bottom * bottom)
      const spreadU = lx * (ue + uw - 2 * u0) + ly * (un + um - 2 * u0)
      const spreadV = lx * (ve + vw - 2 * v0) + ly * (vn + vm - 2 * v0)
      fu[i * ny + j] = spreadU - carriedU + force
      fv[i * ny + j] = !ringY && j === ny - 1 ? 0 : spreadV - carriedV
    }
  }
  return [fu, fv]
}

/** Complex sequences, transformed in Stockham's order by fours and a last two. */
const transform = (re: Float64Array, im: Float64Array, roots: Float64Array): readonly [Float64Array, Float64Array] => {
  const n = re.length
  let [xr, xi] = [re, im]
  let span = 1
  for (; 4 * span <= n; span *= 4) {
    const [yr, yi] = [new Float64Array(n), new Float64Array(n)]
    const quarter = n / 4
    for (let g = 0; g < quarter / span; g++) {
      for (let q = 0; q < span; q++) {
        const at = q + span * g
        const out = q + 4 * span * g
        const r0 = xr[at] + xr[at + 2 * quarter]
        const i0 = xi[at] + xi[at + 2 * quarter]
        const r1 = xr[at] - xr[at + 2 * quarter]
        const i1 = xi[at] - xi[at + 2 * quarter]
        const r2 = xr[at + quarter] + xr[at + 3 * quarter]
        const i2 = xi[at + quarter] + xi[at + 3 * quarter]
        const r3 = xi[at + quarter] - xi[at + 3 * quarter]
        const i3 = xr[at + 3 * quarter] - xr[at + quarter]
        yr[out] = r0 + r2
        yi[out] = i0 + i2
        const turned = [
          [r1 + r3, i1 + i3],
          [r0 - r2, i0 - i2],
          [r1 - r3, i1 - i3],
        ] as const
        turned.forEach(([a, b], k) => {
          const [wr, wi] = [roots[2 * (k + 1) * g * span], roots[2 * (k + 1) * g * span + 1]]
          yr[out + (k + 1) * span] = a * wr - b * wi
          yi[out + (k + 1) * span] = a * wi + b * wr
        })
      }
    }
    xr = yr
    xi = yi
  }
  if (span === n) return [xr, xi]
  const [yr, yi] = [new Float64Array(n), new Float64Array(n)]
  for (let q = 0; q < n / 2; q++) {
    yr[q] = xr[q] + xr[q + n / 2]
    yi[q] = xi[q] + xi[q + n / 2]
    yr[q + n / 2] = xr[q] - xr[q + n / 2]
    yi[q + n / 2] = xi[q] - xi[q + n / 2]
  }
  return [yr, yi]
}

/** One line along y of (2 + μ)·p − p₋ − p₊ = b, ends as walls or a ring have them, in place. */
const solveLine = (
  b: Float64Array,
  mu: number,
  { ringY, free }: { readonly ringY: boolean; readonly free: boolean },
): void => {
  const ny = b.length
  const rows = ringY ? ny - 1 : ny
  const factors: number[] = []
  for (let j = 0; j < rows; j++) {
    const wall = !ringY && (j === 0 || j === rows - 1)
    const pivot = (wall ? 1 : 2) + mu - (factors[j - 1] ?? 0)
    factors.push(!ringY && free && j === rows - 1 ? 0 : 1 / pivot)
  }
  const factor = (j: number): number => factors[j] as number
  for (let j = 0; j < rows; j++) b[j] = (j > 0 ? b[j] + b[j - 1] : b[j]) * factor(j)
  for (let j = rows - 2; j >= 0; j--) b[j] = b[j] + factor(j) * b[j + 1]
  if (!ringY) return
  const closing = new Float64Array(rows)
  for (let j = 0; j < rows; j++) {
    closing[j] = ((j === 0 ? 1 : 0) + (j === rows - 1 ? 1 : 0) + (j > 0 ? closing[j - 1] : 0)) * factor(j)
  }
  for (let j = rows - 2; j >= 0; j--) closing[j] += factor(j) * closing[j + 1]
  const end = free ? 0 : 1 / (2 + mu - closing[0] - closing[rows - 1])
  b[ny - 1] = (b[ny - 1] + (b[0] + b[ny - 2])) * end
  for (let j = 0; j < rows; j++) b[j] = b[j] + b[ny - 1] * closing[j]
}

/** The pressure whose Laplacian is the divergence of (a, b). */
const poisson = (
  plan: TwinPlan,
  { roots, rotations, eigenvalues }: TwinTables,
  a: Float64Array,
  b: Float64Array,
): Float64Array => {
  const { nx, ny, dx, dy, ringX, ringY } = plan
  const half = ny / 2
  const scale = -(dy * dy) / (2 * nx)
  const [sx, sy] = [scale / dx, scale / dy]
  const place = (i: number): number => (ringX ? i : i % 2 === 0 ? i / 2 : nx - 1 - (i - 1) / 2)
  const wide = Array.from({ length: nx }, () => new Float64Array(ny))
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      const before = i > 0 ? a[(i - 1) * ny + j] : ringX ? a[(nx - 1) * ny + j] : 0
      const below = j > 0 ? b[i * ny + j - 1] : ringY ? b[i * ny + ny - 1] : 0
      ;(wide[place(i)] as Float64Array)[j] = sx * (a[i * ny + j] - before) + sy * (b[i * ny + j] - below)
    }
  }
  const column = (j: number): Float64Array => Float64Array.from(wide, (row) => row[j])
  const lines = Array.from({ length: nx }, () => new Float64Array(ny))
  for (let j = 0; j < half; j++) {
    const [re, im] = transform(column(j), column(j + half), roots)
    const put = (line: number, low: number, high: number): void => {
      ;(lines[line] as Float64Array)[j] = low
      ;(lines[line] as Float64Array)[j + half] = high
    }
    put(0, re[0], im[0])
    put(1, re[nx / 2], im[nx / 2])
    for (let k = 1; k < nx / 2; k++) {
      const [c, s] = [rotations[2 * k], rotations[2 * k + 1]]
      const [ar, ai] = [re[k] + re[nx - k], im[k] - im[nx - k]]
      const [br, bi] = [im[k] + im[nx - k], re[nx - k] - re[k]]
      put(2 * k, c * ar + s * ai, c * br + s * bi)
      put(2 * k + 1, s * ar - c * ai, s * br - c * bi)
    }
  }
  lines.forEach((line, k) => {
    solveLine(line, eigenvalues[k], { ringY, free: k === 0 })
  })
  const p = new Float64Array(nx * ny)
  for (let j = 0; j < half; j++) {
    const [re, im] = [new Float64Array(nx), new Float64Array(nx)]
    const got = (line: number, far: boolean): number => (lines[line] as Float64Array)[far ? j + half : j]
    re[0] = 2 * got(0, false)
    im[0] = 2 * got(0, true)
    re[nx / 2] = 2 * got(1, false)
    im[nx / 2] = 2 * got(1, true)
    for (let k = 1; k < nx / 2; k++) {
      const [c, s] = [rotations[2 * k], rotations[2 * k + 1]]
      const [ar, ai] = [
        c * got(2 * k, false) + s * got(2 * k + 1, false),
        s * got(2 * k, false) - c * got(2 * k + 1, false),
      ]
      const [br, bi] = [
        c * got(2 * k, true) + s * got(2 * k + 1, true),
        s * got(2 * k, true) - c * got(2 * k + 1, true),
      ]
      re[k] = ar - bi
      im[k] = ai + br
      re[nx - k] = ar + bi
      im[nx - k] = br - ai
    }
    // With the parts exchanged the transform is its own inverse.
    const [back, low] = transform(im, re, roots)
    for (let i = 0; i < nx; i++) {
      p[i * ny + j] = low[place(i)]
      p[i * ny + j + half] = back[place(i)]
    }
  }
  return p
}

/** Differences of the pressure to the next cell: zero through walls. */
const gradient = (
  { nx, ny, ringX, ringY }: TwinPlan,
  p: Float64Array,
  i: number,
  j: number,
): readonly [number, number] => {
  const here = p[i * ny + j]
  const along = i < nx - 1 ? p[(i + 1) * ny + j] : ringX ? p[j] : here
  const across = j < ny - 1 ? p[i * ny + j + 1] : ringY ? p[i * ny] : here
  return [along - here, across - here]
}

/** One Runge–Kutta step in place. */
export const twinStep = (
  plan: TwinPlan,
  tables: TwinTables,
  { u, v, dt }: { u: Float64Array; v: Float64Array; dt: number },
): void => {
  const { nx, ny, dx, dy } = plan
  const [gx, gy] = [1 / dx, 1 / dy]
  const stages = [
    [dt / 2, dt / 6],
    [dt / 2, dt / 3],
    [dt, dt / 3],
    [0, dt / 6],
  ] as const
  const [sumU, sumV] = [u.slice(), v.slice()]
  let [a, b] = [u, v]
  for (const [reach, share] of stages) {
    const [fu, fv] = forces(plan, a, b)
    const p = poisson(plan, tables, fu, fv)
    const [nextU, nextV] = [new Float64Array(nx * ny), new Float64Array(nx * ny)]
    for (let i = 0; i < nx; i++) {
      for (let j = 0; j < ny; j++) {
        const at = i * ny + j
        const [along, across] = gradient(plan, p, i, j)
        const [ku, kv] = [fu[at] - gx * along, fv[at] - gy * across]
        sumU[at] = sumU[at] + share * ku
        sumV[at] = sumV[at] + share * kv
        nextU[at] = u[at] + reach * ku
        nextV[at] = v[at] + reach * kv
      }
    }
    a = nextU
    b = nextV
  }
  u.set(sumU)
  v.set(sumV)
}

/** Takes the gradient out of (u, v), in place; walls where there are some hold their normal velocities at zero. */
export const twinProject = (plan: TwinPlan, tables: TwinTables, u: Float64Array, v: Float64Array): void => {
  const { nx, ny, dx, dy, ringX, ringY } = plan
  for (let k = 0; k < nx * ny; k++) {
    if (!ringX && k >= (nx - 1) * ny) u[k] = 0
    if (!ringY && k % ny === ny - 1) v[k] = 0
  }
  const p = poisson(plan, tables, u, v)
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      const [along, across] = gradient(plan, p, i, j)
      u[i * ny + j] = u[i * ny + j] - (1 / dx) * along
      v[i * ny + j] = v[i * ny + j] - (1 / dy) * across
    }
  }
}
