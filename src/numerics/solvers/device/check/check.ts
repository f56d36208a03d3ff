import { PI, SQRT1_2, sin, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { type Layout, layoutOf, nodeConductors } from '#numerics/solvers/device/problem.ts'
import type { DeviceEvidence, DeviceInput, DeviceOutput } from '#numerics/solvers/device/schema.ts'
import { isProblemOf } from './recompute-problem.ts'

const VACUUM = constantOf('epsilon_0').value
/** Agreement asked of what follows from the rest of the answer. */
const ECHO = 1e-9
/** The two points of Gauss's rule on [0, 1], exact for cubics: each integrand here is a square of something linear. */
const POINTS = [0.5 - SQRT1_2 / sqrt(6), 0.5 + SQRT1_2 / sqrt(6)] as const

/** What one pass over the cells finds. Energies over ε₀/2, in V². */
interface Found {
  readonly own: number
  readonly gap: number
  /** How far each node is from fulfilling its own equation, over ε₀, in V times relative permittivity. */
  readonly unbalanced: Float64Array
  readonly stiffness: Float64Array
  /** Sum over the cells of charge that the displacement does not account for, over ε₀. */
  readonly unaccounted: number
  readonly fieldMost: number
}

/** Gradient, energy and balance of one cell after the other, by Gauss's rule on the potential that was sent. */
const inspect = (layout: Layout, potential: Float64Array, { x: fx, y: fy }: NonNullable<DeviceEvidence>): Found => {
  const { nx, dx, dy, permittivity, density, metal } = layout
  const unbalanced = new Float64Array(potential.length)
  const stiffness = new Float64Array(potential.length)
  const area = dx * dy
  const weight = area / 4
  let [own, gap, unaccounted, most] = [0, 0, 0, 0]
  for (let cell = 0; cell < metal.length; cell++) {
    if (metal[cell] >= 0) continue
    const column = cell % nx
    const row = (cell - column) / nx
    const p = row * (nx + 1) + column
    const q = p + nx + 1
    const e = permittivity[cell]
    const load = (density[cell] * area) / VACUUM
    unaccounted += Math.abs(fx[p + 1] - fx[p] + fy[cell + nx] - fy[cell] - load)
    const sw = potential[p]
    const se = potential[p + 1]
    const nw = potential[q]
    const ne = potential[q + 1]
    for (let point = 0; point < 4; point++) {
      const u = POINTS[point & 1] as number
      const v = POINTS[point >> 1] as number
      const gx = ((1 - v) * (se - sw) + v * (ne - nw)) / dx
      const gy = ((1 - u) * (nw - sw) + u * (ne - se)) / dy
      const jx = e * gx + ((1 - u) * fx[p] + u * fx[p + 1]) / dy
      const jy = e * gy + ((1 - v) * fy[cell] + v * fy[cell + nx]) / dx
      own += weight * e * (gx * gx + gy * gy)
      gap += (weight * (jx * jx + jy * jy)) / e
      const sx = (weight * e * gx) / dx
      const sy = (weight * e * gy) / dy
      unbalanced[p] -= (1 - v) * sx + (1 - u) * sy
      unbalanced[p + 1] += (1 - v) * sx - u * sy
      unbalanced[q] += (1 - u) * sy - v * sx
      unbalanced[q + 1] += v * sx + u * sy
    }
    const stiff = (e * (dy / dx + dx / dy)) / 3
    for (let corner = 0; corner < 4; corner++) {
      const node = (corner < 2 ? p : q) + (corner & 1)
      unbalanced[node] -= load / 4
      stiffness[node] += stiff
    }
    const cx = (se - sw + ne - nw) / 2 / dx
    const cy = (nw - sw + ne - se) / 2 / dy
    most = Math.max(most, sqrt(cx * cx + cy * cy))
  }
  return { own, gap, unbalanced, stiffness, unaccounted, fieldMost: most }
}

/** Whether nothing flows through insulated sides and through faces of metal on both sides. */
const tight = ({ nx, ny, sides, metal }: Layout, { x, y }: NonNullable<DeviceEvidence>): boolean => {
  if (x.length !== ny * (nx + 1) || y.length !== (ny + 1) * nx) return false
  for (let row = 0; row < ny; row++) {
    if (sides.left < 0 && x[row * (nx + 1)] !== 0) return false
    if (sides.right < 0 && x[row * (nx + 1) + nx] !== 0) return false
  }
  for (let column = 0; column < nx; column++) {
    if (sides.bottom < 0 && y[column] !== 0) return false
    if (sides.top < 0 && y[ny * nx + column] !== 0) return false
  }
  return metal.length === nx * ny
}

/**
 * Distance of the field from the closed form of a sine charge: of the whole (relative L2) and of the energy, percent.
 */
const sinePct = (input: DeviceInput, layout: Layout, potential: Float64Array, energy: number): number => {
  const { nx, lx, ly, charge, permittivity } = input
  const [kx, ky] = [(PI * charge.m) / lx, (PI * charge.n) / ly]
  const peak = charge.amplitude / (VACUUM * permittivity * (kx * kx + ky * ky))
  let [off, all] = [0, 0]
  for (let at = 0; at < potential.length; at++) {
    const column = at % (nx + 1)
    const row = (at - column) / (nx + 1)
    const exact = peak * sin(kx * column * layout.dx) * sin(ky * row * layout.dy)
    off += (potential[at] - exact) * (potential[at] - exact)
    all += exact * exact
  }
  const exact = (charge.amplitude * peak * lx * ly) / 8
  return 100 * Math.max(sqrt(off / all), Math.abs(energy / exact - 1))
}

const near = (found: number | undefined, wanted: number, scale: number): boolean =>
  found !== undefined && Math.abs(found - wanted) <= ECHO * scale

/** Whether every number that follows from potential and displacement does so. */
const echoes = (layout: Layout, output: DeviceOutput, found: Found): boolean => {
  const { potentials, charged } = layout
  const energy = (VACUUM * found.own) / 2
  const gap = (VACUUM * found.gap) / 2
  const [low, high] = [energy - (potentials.length > 1 ? gap : 0), energy + (charged ? gap : 0)]
  const span = potentials[potentials.length - 1] - potentials[0]
  const capacitive = potentials.length === 2 && !charged
  const scale = capacitive ? 2 / (span * span) : 1
  // What one of two conductors has the other lacks: V·Q = 2W, so that the bounds of the energy are those of the charge.
  const due = capacitive ? [-(low + high) / span, (low + high) / span] : undefined
  const { residuals = [] } = output
  return (
    output.mode === (capacitive ? 'capacitance' : 'energy') &&
    (capacitive
      ? near(output.capacitance, ((low + high) / 2) * scale, high * scale)
      : output.capacitance === undefined) &&
    near(output.energy, (low + high) / 2, high) &&
    near(output.lower, low * scale, high * scale) &&
    near(output.upper, high * scale, high * scale) &&
    output.dx === layout.dx &&
    output.dy === layout.dy &&
    near(output.fieldMax, found.fieldMost, found.fieldMost) &&
    output.charges?.length === due?.length &&
    (due ?? []).every((it, k) => near(output.charges?.[k], it, high / span)) &&
    output.conductorPotentials?.length === potentials.length &&
    potentials.every((it, k) => output.conductorPotentials?.[k] === it) &&
    residuals.length > 0 &&
    residuals.every((it) => it >= 0 && it <= 1e6) &&
    output.x === undefined &&
    output.field === undefined &&
    output.charge === undefined &&
    output.junction === undefined
  )
}

const AGAINST = 'energies of the potential (from above) and of a displacement with the same sources (from below)'
const AGAINST_SINE = `closed form of the sine charge, and ${AGAINST}`

/**
 * Checks a device in a plane by what no solve can talk its way out of: a potential that is right on the conductors has
 * more energy than the true one (Dirichlet), a displacement with the right sources bounds it from the other side
 * (Thomson), and the energy of their disagreement is an upper bound of the error (Prager and Synge). All are integrated
 * here by another rule from the potential that was sent; permittivities and charges are those of the input. The error
 * is half the distance of the bounds, with what the displacement leaves unaccounted for and the largest departure of a
 * node from its own equation added; a sine charge is held to its closed form as well.
 */
export const checkDevice = (input: DeviceInput, output: DeviceOutput, evidence: DeviceEvidence): Reality => {
  const layout = layoutOf(input)
  const { touched } = nodeConductors(layout)
  const potential = Float64Array.from(output.potential)
  const wrong = (figure: string): Reality => ({ against: AGAINST, errorPct: 100, figures: { [figure]: 1 } })
  if (!isProblemOf(input, layout)) return wrong('layout_wrong')
  if (evidence === null || potential.length !== touched.length || !tight(layout, evidence)) return wrong('shape_wrong')
  for (let node = 0; node < touched.length; node++) {
    if (touched[node] >= 0 && potential[node] !== layout.potentials[touched[node]]) return wrong('conductor_wrong')
  }
  const found = inspect(layout, potential, evidence)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of potential) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  let balance = 0
  for (let node = 0; node < touched.length; node++) {
    const off = touched[node] < 0 ? Math.abs(found.unbalanced[node]) / found.stiffness[node] / (high - low) : 0
    // A comparison with NaN is false, so one broken node is told at once: it cannot hide behind a later one.
    if (Number.isNaN(off)) return { against: AGAINST, errorPct: Number.NaN, figures: {} }
    balance = Math.max(balance, off)
  }
  if (!echoes(layout, output, found)) return wrong('echo_wrong')
  const sides = (layout.potentials.length > 1 ? 1 : 0) + (layout.charged ? 1 : 0)
  const middle = found.own + (found.gap * ((layout.charged ? 1 : 0) - (layout.potentials.length > 1 ? 1 : 0))) / 2
  // A displacement so wrong that it bounds nothing: a share of what is not positive would be a negative error.
  if (!(middle > 0)) return wrong('bounds_apart')
  const boundsPct = (50 * sides * found.gap) / middle
  const unaccountedPct = (200 * found.unaccounted * (high - low)) / middle
  const balancePct = 100 * balance
  const exactPct = input.charge.kind === 'sine' ? sinePct(input, layout, potential, output.energy ?? Number.NaN) : 0
  const errorPct = Math.max(boundsPct + unaccountedPct + balancePct, exactPct)
  return {
    against: input.charge.kind === 'sine' ? AGAINST_SINE : AGAINST,
    errorPct,
    figures: {
      bounds_pct: boundsPct,
      unaccounted_pct: unaccountedPct,
      balance_pct: balancePct,
      ...(input.charge.kind === 'sine' && { closed_form_pct: exactPct }),
      // Where a conductor has an edge the energy's error falls as the 4/3rd power of the cell, elsewhere faster.
      ...(errorPct > 0.1 && { nx: input.nx, ny: input.ny }),
    },
  }
}
