import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LN2 } from '#numerics/math.ts'
import type { Landauer } from './views.ts'

/** Boltzmann's constant in J/K, exact in the SI. */
const BOLTZMANN = 1.380649e-23
const TEMPERATURE_KELVIN = 300
const BITS_PER_BYTE = 8
const MICROJOULES = 1e6
const POWERCAP = '/sys/class/powercap'
/** Packages a machine may show. */
const ZONES_MAX = 64

/** Joules that a machine's processor packages have used, by its own counters; undefined where it shows none. */
export type EnergyMeter = () => number | undefined

interface Zone {
  readonly path: string
  readonly rangeMicrojoules: number
}

const numberIn = (path: string): number => Number(readFileSync(path, 'utf8').trim())

/** Top-level RAPL zones are packages; a zone with two colons is a part of one and would be counted twice. */
const zones = (root: string): readonly Zone[] => {
  try {
    const packages = readdirSync(root).filter((name) => /^intel-rapl:\d+$/.test(name))
    return packages.slice(0, ZONES_MAX).map((name) => {
      const path = join(root, name, 'energy_uj')
      numberIn(path)
      return { path, rangeMicrojoules: numberIn(join(root, name, 'max_energy_range_uj')) }
    })
  } catch {
    return []
  }
}

/**
 * Energy since this call, from the machine's counters. They wrap around, so differences are added up; a reading that
 * fails later leaves the sum as it was.
 */
export const energyMeter = (root: string = POWERCAP): EnergyMeter => {
  const found = zones(root)
  if (found.length === 0) return () => undefined
  const last = new Map(found.map(({ path }) => [path, numberIn(path)]))
  let joules = 0
  return () => {
    for (const { path, rangeMicrojoules } of found) {
      try {
        const now = numberIn(path)
        const before = last.get(path) ?? now
        joules += (now >= before ? now - before : now - before + rangeMicrojoules) / MICROJOULES
        last.set(path, now)
      } catch {
        // The counter went away: what was measured so far stands.
      }
    }
    return joules
  }
}

/** k_B·T·ln 2 for each bit of the bytes that this process hashed and wrote, beside what the machine measured. */
export const landauer = (bytesErased: number, measured: number | undefined, since: string): Landauer => {
  const perBit = BOLTZMANN * TEMPERATURE_KELVIN * LN2
  const bits = bytesErased * BITS_PER_BYTE
  return {
    bits_erased: bits,
    temperature_kelvin: TEMPERATURE_KELVIN,
    joules_per_bit: perBit,
    bound_joules: bits * perBit,
    measured_joules: measured ?? null,
    measured_from: measured === undefined ? null : 'powercap intel-rapl',
    since,
  }
}
