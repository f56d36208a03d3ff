import type { Guide } from '#numerics/runtime/guide.ts'
import type { DeviceInput, DeviceOutput } from './schema.ts'

/** Conductors and junctions to begin with, and what is read off first. */
export const deviceGuide: Guide<DeviceInput, DeviceOutput> = {
  presets: [
    {
      name: 'Square coaxial line',
      about:
        'An inner conductor of half the width of the outer one: C = 10.234·ε₀ = 90.6 pF/m (Bowman 1953), ' +
        'whatever the size; 1/(c·C) is the 36.8 ohm of the line.',
      input: {},
    },
    {
      name: 'Plate capacitor half filled with glass',
      about:
        'A gap of 1 mm, plates of 10 mm, the lower half glass (ε = 6): two capacitors in series, ε₀·10/(0.5/6 + ' +
        '0.5) = 152 pF per metre of depth.',
      input: {
        nx: 160,
        ny: 64,
        lx: 0.01,
        ly: 0.001,
        sides: { left: null, right: null, bottom: 0, top: 1 },
        dielectrics: [{ x0: 0, y0: 0, x1: 0.01, y1: 5e-4, permittivity: 6 }],
      },
    },
    {
      name: 'Microstrip on circuit board',
      about:
        'Half of a 3 mm strip on 1.6 mm of FR-4 (ε = 4.4) in a metal case; the left side is the plane of ' +
        'symmetry. Twice the value, near 120 pF/m, is a line of 50 ohm.',
      input: {
        nx: 360,
        ny: 360,
        lx: 0.006,
        ly: 0.006,
        sides: { left: null },
        electrodes: [{ x0: 0, y0: 0.0016, x1: 0.0015, y1: 0.0018, potential: 1 }],
        dielectrics: [{ x0: 0, y0: 0, x1: 0.006, y1: 0.0016, permittivity: 4.4 }],
      },
    },
    {
      name: 'Silicon diode, 1e16 per cm³ on both sides',
      about:
        'At 300 K the junction builds up 0.71 V by itself over 0.4 µm. Sze and Ng, Physics of Semiconductor ' +
        'Devices, ch. 2.',
      input: { dim: 1, doping: { acceptors: 1e22, donors: 1e22 } },
    },
    {
      name: 'One-sided junction, 1e17 on 1e15',
      about:
        'Nearly all of the depletion lies in the lightly doped side: 0.96 µm by the depletion formula, 1.3 µm by ' +
        'the charge, as holes spill over. Doping as in a rectifier.',
      input: { dim: 1, doping: { acceptors: 1e23, donors: 1e21 }, junction: { halfLength: 4e-6, points: 800 } },
    },
  ],
  headline: [
    { member: 'capacitance', label: 'Capacitance per length' },
    { member: 'fieldMax', label: 'Largest field' },
    { member: 'junction.builtIn', label: 'Built-in potential' },
    { member: 'junction.peakField', label: 'Peak field' },
    { member: 'junction.widthN', label: 'Depletion width of the n side' },
  ],
  advanced: ['nx', 'ny', 'charge', 'junction.points', 'junction.bias'],
}
