/** A body on whose surface, or around which, something moves. */
export interface Place {
  /** Gravitational parameter G·M in m³/s². */
  readonly mu: number
  /** Mean radius in m: a path below it has hit the body. */
  readonly radius: number
  /** Acceleration of a fall near the surface in m/s². */
  readonly fall: number
}

// Gravitational parameters: IERS Conventions 2010 (Earth), IAU 2015 Resolution B3 (Sun, Jupiter), DE440 (Moon, Mars).
// Mean radii: IAU WGCCRE 2015; the Sun's is the nominal one. The Earth's fall is the standard acceleration of the
// third CGPM (1901), the others follow as G·M/R².
const place = (mu: number, radius: number, fall = mu / (radius * radius)): Place => ({ mu, radius, fall })

/** The bodies by name. */
export const places = {
  earth: place(3.986004418e14, 6_371_008.4, 9.80665),
  mars: place(4.2828375e13, 3_389_500),
  moon: place(4.9028001e12, 1_737_400),
  jupiter: place(1.2668653e17, 69_911_000),
  sun: place(1.3271244e20, 695_700_000),
} as const

/** Densities in kg/m³: ISO 2533 at sea level; water at 20 °C (IAPWS-95, rounded). */
export const densities = { vacuum: 0, air: 1.225, water: 998.2 } as const
