/** Code that run and check of solvers both use. */
export interface Shared {
  /** A file of the sources, or `kernel` and a name. */
  readonly file: string
  readonly solvers: readonly string[]
  /** Why it may be, and what sees its errors. */
  readonly why: string
}

/**
 * Everything that run and check of a solver both use beside its schema, limits and problem. Each entry is a blind spot:
 * an error of it both sides would make alike, and the page of the solver says so. Where an own way of the check would
 * change a sealed bit of a measured error, sharing stays.
 */
export const shared: readonly Shared[] = [
  {
    file: 'src/numerics/methods/compositions.ts',
    solvers: ['action'],
    why: 'published weights, which a test holds against their order; the loops of both sides are their own',
  },
  {
    file: 'src/numerics/methods/diffusion/grid.ts',
    solvers: ['heat', 'wave'],
    why: 'states nodes and the start on them; the check works the start out anew',
  },
  {
    file: 'src/numerics/methods/elliptic.ts',
    solvers: ['action'],
    why: 'the period that steps are counted by is part of the problem; a test holds the integrals against quadratures',
  },
  {
    file: 'src/numerics/methods/fields.ts',
    solvers: ['wave'],
    why: 'squares of a field, held against plain loops by tests; the energy is held to that of the exact modes',
  },
  {
    file: 'src/numerics/methods/interval.ts',
    solvers: ['opt'],
    why: 'the proof is outward rounding; its inclusion is tested on drawn numbers',
  },
  {
    file: 'src/numerics/methods/linear/dense.ts',
    solvers: ['kalman'],
    why: 'products, factors and solves, tested on known solutions; a recursion and a doubling use them',
  },
  {
    file: 'src/numerics/methods/linear/eigenvalues.ts',
    solvers: ['kalman'],
    why: 'the radius of the sealed loop, and of the reference’s: the same function, tested on known eigenvalues',
  },
  {
    file: 'src/numerics/methods/normal.ts',
    solvers: ['kalman', 'quant'],
    why: 'drawn noise states a problem; a closed price takes the distribution; a test has published digits',
  },
  {
    file: 'src/numerics/methods/ode/dopri8.ts',
    solvers: ['lorenz'],
    why: 'states only how far a chaotic course is predicted: the check follows the course by Taylor series',
  },
  {
    file: 'src/numerics/methods/ode/horizon.ts',
    solvers: ['lorenz'],
    why: 'states only how far a chaotic course is predicted: the check follows the course by Taylor series',
  },
  {
    file: 'src/numerics/methods/ode/integrator.ts',
    solvers: ['lorenz'],
    why: 'states only how far a chaotic course is predicted: the check follows the course by Taylor series',
  },
  {
    file: 'src/numerics/methods/ode/tableau.ts',
    solvers: ['lorenz'],
    why: 'states only how far a chaotic course is predicted: the check follows the course by Taylor series',
  },
  {
    file: 'src/numerics/methods/ode/taylor.ts',
    solvers: ['action'],
    why: 'the run reports its errors after one period against them; tested against 30 digits',
  },
  {
    file: 'src/numerics/methods/ode/zero.ts',
    solvers: ['blackhole', 'epi'],
    why: 'turning points and peaks are roots of stated functions; a test finds them to the last bits',
  },
  {
    file: 'src/numerics/methods/random.ts',
    solvers: ['dock', 'kalman', 'react', 'sat'],
    why: 'drawn numbers state the problem; tested against the known answers of Philox',
  },
  {
    file: 'src/numerics/methods/spec.ts',
    solvers: ['lattice', 'shift'],
    why: 'both ways stand in it: what a run takes, and what the check states anew, with sines at 50 digits',
  },
  {
    file: 'src/numerics/solvers/action/exact.ts',
    solvers: ['action'],
    why: 'the run takes only the errors of coarse steps from them: wrong, they refuse the course, which is its own',
  },
  {
    file: 'src/numerics/solvers/action/order.ts',
    solvers: ['action'],
    why: 'a least-squares slope of the numbers that were sent',
  },
  {
    file: 'src/numerics/solvers/blackhole/drifts.ts',
    solvers: ['blackhole'],
    why: 'drifts are rounding alone, which another order of sums would not repeat',
  },
  {
    file: 'src/numerics/solvers/blackhole/hole.ts',
    solvers: ['blackhole'],
    why: 'formulas of the mass and of constants, of which the check takes the units of length and time',
  },
  {
    file: 'src/numerics/solvers/device/junction-schema.ts',
    solvers: ['device'],
    why: 'a schema: inputs, outputs and the problem that they state',
  },
  {
    file: 'src/numerics/solvers/dock/pairs.ts',
    solvers: ['dock'],
    why: 'states the atoms; the check compares the atoms of a run with those of the input',
  },
  {
    file: 'src/numerics/solvers/dock/planted.ts',
    solvers: ['dock'],
    why: 'published numbers of the built-in pairs',
  },
  {
    file: 'src/numerics/solvers/evolve/pairs.ts',
    solvers: ['evolve'],
    why: 'the run only counts by it what the check will cost; the pairs themselves are found apart',
  },
  {
    file: 'src/numerics/solvers/fea/exact.ts',
    solvers: ['fea'],
    why: 'the loads at the edges are those of the closed form; the check measures against it by elements of its own',
  },
  {
    file: 'src/numerics/solvers/fea/mesh.ts',
    solvers: ['fea'],
    why: 'states the mesh; a test finds its nodes on hole, edges and axes',
  },
  {
    file: 'src/numerics/solvers/flow/exact.ts',
    solvers: ['flow'],
    why: 'a run begins with the closed form at time 0, and the check measures against it at the end',
  },
  {
    file: 'src/numerics/solvers/flow/stream.ts',
    solvers: ['flow'],
    why: 'a running sum of velocities: the check takes a viscosity from it, and sums its extreme up anew',
  },
  {
    file: 'src/numerics/solvers/grid/ieee.ts',
    solvers: ['grid'],
    why: 'published numbers; a test holds their totals against those of the archive',
  },
  {
    file: 'src/numerics/solvers/lattice/statistics.ts',
    solvers: ['lattice'],
    why: 'mean and spread of the nodes are held against those of evenly spaced sines',
  },
  {
    file: 'src/numerics/solvers/lotka/cycle.ts',
    solvers: ['lotka'],
    why: 'states the invariant; the check follows the course by Taylor series',
  },
  {
    file: 'src/numerics/solvers/opt/division.ts',
    solvers: ['opt'],
    why: 'the form of the certificate: the check walks it and bounds every part again',
  },
  {
    file: 'src/numerics/solvers/opt/enclosure.ts',
    solvers: ['opt'],
    why: 'a proof and its check need the same inclusion; tested on drawn expressions and points',
  },
  {
    file: 'src/numerics/solvers/opt/expression.ts',
    solvers: ['opt'],
    why: 'states the function',
  },
  {
    file: 'src/numerics/solvers/opt/functions.ts',
    solvers: ['opt'],
    why: 'states the function; for the named ones the check has their published minima',
  },
  {
    file: 'src/numerics/solvers/quant/closed.ts',
    solvers: ['quant'],
    why: 'the run withholds sensitivities by it and takes no number of it; published prices and parities test it',
  },
  {
    file: 'src/numerics/solvers/react/lattice.ts',
    solvers: ['react'],
    why: 'Richardson’s estimate of growth compares a method with itself; stretches are integrated anew by another',
  },
  {
    file: 'src/numerics/solvers/solve/places.ts',
    solvers: ['solve'],
    why: 'published numbers',
  },
  {
    file: 'src/numerics/solvers/tumor/readings.ts',
    solvers: ['tumor'],
    why: 'reads mass and front off the density; fronts are found anew, the mass is held against the budget',
  },
]
