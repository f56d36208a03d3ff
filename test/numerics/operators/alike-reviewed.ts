import type { Alike } from './alike.ts'

/** Pairs of one form that a reader found to be two relations, each with the reason. Ids in the order of the table. */
export const reviewedPairs: readonly { readonly pair: Alike; readonly why: string }[] = [
  { pair: ['AC1', 'SZ2'], why: 'sound in a fluid by its bulk modulus; shear waves in a solid by its shear modulus' },
  { pair: ['AC6', 'FL10'], why: 'a difference of frequencies heard as beats; a difference of velocity gradients' },
  { pair: ['AC7', 'HUBBLE_LAW'], why: 'a wavelength from speed and frequency; the recession of galaxies' },
  { pair: ['ACX13', 'NP4'], why: 'a quality factor from a bandwidth; an activity from a number of nuclei' },
  { pair: ['BLACK_SCHOLES', 'BLACK_SCHOLES_PUT'], why: 'call and put, which mirror each other; both are looked up' },
  { pair: ['CAPM', 'LEVER_RULE'], why: 'a line between two returns; the share of a phase between two compositions' },
  { pair: ['DOUBLE_HASHING_HIT', 'SIR_FINAL_SIZE'], why: 'probes at a load factor; contacts at an attack rate' },
  { pair: ['FL5', 'FL6'], why: 'drag and lift, defined alike with coefficients of their own' },
  { pair: ['GR41', 'ORBIT_APOAPSIS'], why: 'a redshift from two wavelengths; the far point of an ellipse' },
  { pair: ['KO10', 'OC1'], why: 'the acceleration on a circle; the speed of long waves in shallow water' },
  {
    pair: ['SHOCKLEY_DIODE', 'SOLAR_CELL_VOC'],
    why: 'the current of a diode; the voltage at which it takes all the light current, looked up by its own name',
  },
  { pair: ['TH6', 'TH7'], why: 'two potentials, of internal energy and of enthalpy, defined alike' },
]
