import type { Guide } from '#numerics/runtime/guide.ts'
import type { KalmanInput, KalmanOutput } from './schema.ts'

/** Systems to follow to begin with, and what is read off first. */
export const kalmanGuide: Guide<KalmanInput, KalmanOutput> = {
  presets: [
    {
      name: 'Radar that follows an aircraft',
      about:
        'One turn of the antenna in 4.8 s, 50 m of noise, turns of 3 m/s²: the filter trusts nearly every echo, ' +
        'since the plane may do much between two. Bar-Shalom and others, ch. 5.',
      input: { dt: 4.8, sigmaA: 3, sigmaZ: 50 },
    },
    {
      name: 'Walker with a satellite receiver',
      about:
        'A fix each second with 5 m of noise, a pace that changes by 0.3 m/s²: a gain of 0.29, and 2.7 m of ' +
        'error in place of 5.',
      input: { dt: 1, sigmaA: 0.3, sigmaZ: 5 },
    },
    {
      name: 'Ball on camera, 30 frames a second',
      about:
        'Two centimetres of noise, 5 m/s² of unknown acceleration: half of what a frame says is believed, and ' +
        '1.4 cm are left.',
      input: { dt: 0.0333333, sigmaA: 5, sigmaZ: 0.02, steps: 600 },
    },
    {
      name: 'Thermometer in a room',
      about:
        'One state: the room drifts by a tenth of a kelvin between readings, the sensor is off by half a kelvin. ' +
        'By hand: P = (q + √(q² + 4·q·r))/2 = 0.0552 K².',
      input: { model: 'matrices', states: 1, observations: 1, A: [1], C: [1], Q: [0.01], R: [0.25] },
    },
    {
      name: 'Place, speed and acceleration',
      about:
        'Three states from one measured place: a jerk of 0.05 moves the acceleration, and all three are found. ' +
        'Third order tracker of Kalata (1984).',
      input: {
        model: 'matrices',
        states: 3,
        observations: 1,
        A: [1, 1, 0.5, 0, 1, 1, 0, 0, 1],
        C: [1, 0, 0],
        Q: [6.25e-4, 0.00125, 0.00125, 0.00125, 0.0025, 0.0025, 0.00125, 0.0025, 0.0025],
        R: [1],
      },
    },
  ],
  headline: [
    { member: 'gain.0', label: 'Gain of the first state' },
    { member: 'predicted.0', label: 'Variance of the first state, predicted' },
    { member: 'filtered.0', label: 'Variance of it, after a measurement' },
    { member: 'settled', label: 'Measurements until it stands' },
    { member: 'meanNis', label: 'Normalised innovations, 1 expected' },
  ],
  advanced: ['seed', 'first', 'spread', 'x0', 'P0', 'truth'],
}
