/** The evolve kernel as plain loops: the same lists, and the same numbers in the same order, without lanes. */

export interface TwinAtoms {
  /** Places, velocities and forces n × 3; changed in place. */
  readonly places: Float64Array
  readonly velocities: Float64Array
  forces: Float64Array
  readonly box: number
  readonly cutoff: number
  readonly skin: number
  /** Cells along a side; 1 where all pairs are tried. */
  readonly cells: number
  readonly forceAtCutoff: number
  readonly energyAtCutoff: number
}

/** An atom with its partners, in their order. */
export interface TwinRow {
  readonly atom: number
  readonly partners: readonly number[]
}

const nearestEven = (x: number): number => {
  const low = Math.floor(x)
  const rest = x - low
  if (rest < 0.5) return low
  if (rest > 0.5) return low + 1
  return low % 2 === 0 ? low : low + 1
}

const SPAN = 2

/** Rows of the list in the order of the cells. */
export const twinList = ({ places, box, cutoff, skin, cells: c }: TwinAtoms): readonly TwinRow[] => {
  const n = places.length / 3
  const inverse = 1 / box
  const reach2 = (cutoff + skin) * (cutoff + skin)
  const wrapped = Array.from(places, (x) => x - box * Math.floor(x * inverse))
  const layer = (x: number): number => Math.max(0, Math.min(c - 1, Math.trunc(x * inverse * c)))
  const cellOf = (a: number): readonly number[] => [0, 1, 2].map((axis) => layer(wrapped[3 * a + axis] ?? 0))
  const members = new Map<string, number[]>()
  const keyOf = (at: readonly number[]): string => at.join()
  const all = Array.from({ length: n }, (_, a) => a)
  for (const a of all) {
    const key = c === 1 ? '0,0,0' : keyOf(cellOf(a))
    members.set(key, [...(members.get(key) ?? []), a])
  }
  const order: number[] = []
  for (let x = 0; x < c; x++) {
    for (let y = 0; y < c; y++) for (let z = 0; z < c; z++) order.push(...(members.get(keyOf([x, y, z])) ?? []))
  }
  const within = (k: number, m: number, shift: readonly number[] | undefined): boolean => {
    const d = [0, 1, 2].map((axis) => {
      const [from, to] = [wrapped[3 * k + axis] ?? 0, wrapped[3 * m + axis] ?? 0]
      if (shift !== undefined) return to - (from - (shift[axis] ?? 0))
      const plain = to - from
      return plain - box * nearestEven(plain * inverse)
    }) as [number, number, number]
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach2
  }
  return order.map((atom, place) => {
    if (c === 1) return { atom, partners: order.slice(place + 1).filter((m) => within(atom, m, undefined)) }
    const [i = 0, j = 0, l = 0] = cellOf(atom)
    const partners: number[] = []
    const own = members.get(keyOf([i, j, l])) ?? []
    const take = (x: number, y: number, z: number, from: readonly number[]): void => {
      const shift = [x, y, z].map((at) => (at < 0 ? -box : at >= c ? box : 0))
      partners.push(...from.filter((m) => within(atom, m, shift)))
    }
    const at = (x: number, y: number, z: number): readonly number[] =>
      members.get(keyOf([(x + c) % c, (y + c) % c, (z + c) % c])) ?? []
    take(i, j, l, own.slice(own.indexOf(atom) + 1))
    for (let z = l + 1; z <= l + SPAN; z++) take(i, j, z, at(i, j, z))
    for (let x = i; x <= i + SPAN; x++) {
      for (let y = x === i ? j + 1 : j - SPAN; y <= j + SPAN; y++) {
        for (let z = l - SPAN; z <= l + SPAN; z++) take(x, y, z, at(x, y, z))
      }
    }
    return { atom, partners }
  })
}

const between = ({ places, box }: TwinAtoms, i: number, j: number): readonly [number, number, number] => {
  const inverse = 1 / box
  const [x, y, z] = [0, 1, 2].map((axis) => {
    const d = places[3 * j + axis] - places[3 * i + axis]
    return d - box * nearestEven(d * inverse)
  })
  return [x ?? 0, y ?? 0, z ?? 0]
}

/** Forces by the list: even and odd partners of a row add up apart, the last of an odd number between them. */
export const twinForces = (atoms: TwinAtoms, rows: readonly TwinRow[]): void => {
  const forces = new Float64Array(atoms.places.length)
  for (const { atom, partners } of rows) {
    const sums = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]
    for (const [k, j] of partners.entries()) {
      const d = between(atoms, atom, j)
      const r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
      const inverse2 = 1 / r2
      const inverse6 = inverse2 * inverse2 * inverse2
      const whole = (48 * inverse6 - 24) * inverse6 * inverse2 - atoms.forceAtCutoff * Math.sqrt(inverse2)
      const strength = r2 < atoms.cutoff * atoms.cutoff ? whole : 0
      const lane = k === partners.length - 1 && partners.length % 2 === 1 ? 2 : k % 2
      for (let axis = 0; axis < 3; axis++) {
        const f = strength * (d[axis] ?? 0)
        const sum = sums[lane] as number[]
        sum[axis] = (sum[axis] ?? 0) + f
        forces[3 * j + axis] += f
      }
    }
    const [even = [], odd = [], lone = []] = sums
    for (let axis = 0; axis < 3; axis++) {
      forces[3 * atom + axis] -= (even[axis] ?? 0) + (lone[axis] ?? 0) + (odd[axis] ?? 0)
    }
  }
  atoms.forces = forces
}

/** Potential energy by the list. */
export const twinEnergy = (atoms: TwinAtoms, rows: readonly TwinRow[]): number => {
  const { cutoff, energyAtCutoff, forceAtCutoff } = atoms
  let sum = 0
  for (const { atom, partners } of rows) {
    for (const j of partners) {
      const d = between(atoms, atom, j)
      const r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
      if (!(r2 < cutoff * cutoff)) continue
      const inverse2 = 1 / r2
      const inverse6 = inverse2 * inverse2 * inverse2
      sum += (4 * inverse6 - 4) * inverse6 - energyAtCutoff + (Math.sqrt(r2) - cutoff) * forceAtCutoff
    }
  }
  return sum
}

/** Takes steps with lists made anew when an atom has gone half the skin. */
export const twinRun = (atoms: TwinAtoms, steps: number, dt: number): number => {
  const { places, velocities, skin } = atoms
  let rows = twinList(atoms)
  let origins = places.slice()
  let lists = 1
  twinForces(atoms, rows)
  for (let step = 0; step < steps; step++) {
    let moved = 0
    for (let k = 0; k < places.length; k++) {
      velocities[k] += (dt / 2) * atoms.forces[k]
      places[k] += dt * velocities[k]
    }
    for (let i = 0; i < places.length; i += 3) {
      const d = [0, 1, 2].map((axis) => places[i + axis] - origins[i + axis]) as [number, number, number]
      moved = Math.max(moved, d[0] * d[0] + d[2] * d[2] + d[1] * d[1])
    }
    if (!(moved < (skin * skin) / 4)) {
      rows = twinList(atoms)
      origins = places.slice()
      lists++
    }
    twinForces(atoms, rows)
    for (let k = 0; k < places.length; k++) velocities[k] += (dt / 2) * atoms.forces[k]
  }
  return lists
}
