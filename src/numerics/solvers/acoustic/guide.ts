import type { Guide } from '#numerics/runtime/guide.ts'
import type { AcousticInput, AcousticOutput } from './schema.ts'

/** Instruments and a horn to begin with, and what is read off first. */
export const acousticGuide: Guide<AcousticInput, AcousticOutput> = {
  presets: [
    {
      name: 'Concert flute, low C',
      about:
        'A tube open at both ends sounds every multiple of its lowest note. A flute is 0.61 m long and its mouth ' +
        'hole adds 4 cm; 347 m/s is sound in breath of 27 °C. Fletcher and Rossing, ch. 16.',
      input: { L: 0.6515, c: 347, endCorrection: 'unflanged', section: { radius: 0.0095 }, modes: 8 },
    },
    {
      name: 'B♭ clarinet, lowest note',
      about:
        'The reed closes one end, so a clarinet sounds nearly an octave below a flute of its length and misses ' +
        'the even multiples. Bore of 14.6 mm; Fletcher and Rossing, ch. 15.',
      input: { L: 0.5865, c: 347, left: 'closed', endCorrection: 'unflanged', section: { radius: 0.0073 }, modes: 8 },
    },
    {
      name: 'Organ pipe, 8 foot C',
      about:
        'An open principal of the normal scale (155 mm wide) at 20 °C: the wide mouth makes the speaking length ' +
        '2.53 m and not the 2.62 m of half a wave.',
      input: { L: 2.528, c: 343.2, endCorrection: 'unflanged', section: { radius: 0.0775 }, modes: 6 },
    },
    {
      name: 'Soprano saxophone',
      about:
        'A cone closed at its narrow end sounds nearly all multiples, as an open pipe does, and not the odd ones ' +
        'of a clarinet. Bore from 9 to 60 mm over 0.69 m.',
      input: {
        L: 0.69,
        c: 347,
        left: 'closed',
        endCorrection: 'unflanged',
        section: { kind: 'cone', radius: 0.0045, radiusEnd: 0.03 },
        modes: 8,
      },
    },
    {
      name: 'Exponential horn loudspeaker',
      about:
        'Below its cut-off, m·c/2π = 164 Hz with m = ln(0.25/0.0125) per metre, a horn carries nothing: its ' +
        'modes begin above. Beranek, Acoustics, ch. 9.',
      input: {
        left: 'closed',
        endCorrection: 'flanged',
        section: { kind: 'exponential', radius: 0.0125, radiusEnd: 0.25 },
      },
    },
  ],
  headline: [
    { member: 'fundamental', label: 'Lowest frequency' },
    { member: 'frequencies.1', label: 'Second frequency' },
    { member: 'frequencies.2', label: 'Third frequency' },
    { member: 'length', label: 'Length with end corrections' },
  ],
  advanced: ['modes', 'elements', 'section.points'],
}
