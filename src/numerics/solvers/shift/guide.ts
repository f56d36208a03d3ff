import type { Guide } from '#numerics/runtime/guide.ts'
import type { ShiftInput, ShiftOutput } from './schema.ts'

/** Values some ticks ahead to begin with, and what is read off first. */
export const shiftGuide: Guide<ShiftInput, ShiftOutput> = {
  presets: [
    {
      name: 'Eight ticks ahead',
      about:
        'One force as it will be stamped over the next six seconds: the value is the same at every tick, the ' +
        'instants are 0.777000777 s apart.',
      input: {},
    },
    {
      name: 'A minute and a bit',
      about: 'Sixty-four ticks, 49.7 seconds: the farthest that is projected.',
      input: { stepCount: 64 },
    },
    {
      name: 'The gauge: time turned, not the value',
      about: 'R stays S, and time is led ahead and behind by up to α·τ/2π = 0.12 ms within each tick.',
      input: { mode: 'gauge', phi0: 0.25 },
    },
    {
      name: 'Voltage over a resistor',
      about: 'Ohm’s law, 20 mA through 470 Ω: 9.4 V at each tick ahead.',
      input: { stepCount: 4, spec: { operators: ['OHMS_LAW'], inputs: { I: '20 mA', R: '470 ohm' } } },
    },
  ],
  headline: [
    { member: 'specValue', label: 'Value' },
    { member: 'projected', label: 'Value as it is stamped' },
    { member: 'summary.minRt', label: 'Least stamp' },
    { member: 'summary.maxRt', label: 'Largest stamp' },
  ],
  advanced: ['baseTick', 'phaseNs', 'genesis', 'mode', 'beta', 'phi0', 'spec.bracket', 'spec.domain'],
}
