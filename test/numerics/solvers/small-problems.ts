/** Small problems of every mode that needs more than its name; `{}` where the default is small. */
export const smallProblems: Readonly<Record<string, readonly object[]>> = {
  acoustic: [{}, { section: { kind: 'cone' } }],
  action: [{ periods: 2 }, { system: 'pendulum', periods: 2 }, { system: 'henon-heiles', periods: 2 }],
  blackhole: [{}, { mode: 'orbit' }, { mode: 'hawking' }],
  buckling: [
    {},
    {
      segments: [
        { length: 1, I: 1e-6 },
        { length: 2, I: 3e-6 },
      ],
    },
  ],
  climate: [
    { nx: 12, ny: 12, t_max: 4_000 },
    { mode: 'rest', nx: 12, ny: 12, t_max: 4_000 },
    { mode: 'dam-break', nx: 48, ny: 4 },
  ],
  device: [{ nx: 16, ny: 16 }, { dim: 1 }, { nx: 16, ny: 16, charge: { kind: 'sine' } }],
  dock: [{ pair: 'ring', starts: 1 }],
  evolve: [{ n: 32, steps: 60, cutoff: 1.2, samples: 3 }],
  fea: [
    { nx: 20, ny: 2 },
    { root: 'clamp', L: 0.3, nx: 12, ny: 4 },
    { problem: 'hole', plate: { radial: 4, around: 6 } },
  ],
  flow: [
    { nx: 128, ny: 128, steps: 2 },
    { case: 'cavity', nx: 8, ny: 8 },
    { case: 'channel', nx: 8, ny: 8 },
  ],
  fracture: [{ nx: 16, ny: 12, time: 4e-6 }, { mode: 'bar' }],
  gauge: [{ L: 8, sweeps: 400, thermal: 10, beta: 26 }],
  heat: [
    { nx: 16, ny: 16, steps: 20 },
    { dim: 1, nx: 64, steps: 50 },
  ],
  kalman: [{ steps: 40 }, { model: 'matrices', A: [1, 1, 0, 1], C: [1, 0], Q: [1, 0, 0, 1], R: [1], steps: 40 }],
  lattice: [{}, { mode: 'manual', beta: 0.01 }],
  lorenz: [
    { t_max: 2, outputs: 200, batches: 20 },
    { rho: 10, t_max: 2, batches: 20 },
  ],
  lotka: [{ t_max: 20 }, { method: 'symplectic', t_max: 20 }],
  multibody: [
    { bodies: [{ position: [0, 0, 0] }, { position: [1, 0, 0], velocity: [0, 1, 0] }], G: 1, t_max: 2, dt: 0.01 },
    { bodies: [{ phi0: 1 }, { phi0: 2 }] },
  ],
  opt: [
    { dimension: 2, evaluations: 2_000 },
    { function: 'ackley', dimension: 2, evaluations: 2_000 },
  ],
  quant: [
    { paths: 65_536 },
    { paths: 1_024 },
    { product: 'asian', paths: 1_024 },
    { product: 'barrier', paths: 1_024 },
  ],
  react: [
    { n: 16, steps: 20 },
    { model: 'fitzhugh-nagumo', n: 16, steps: 20, dt: 0.1 },
  ],
  sat: [
    { n: 12, m: 40, conflictsMax: 200 },
    { dimacs: 'p cnf 2 2\n1 2 0\n-1 2 0\n', conflictsMax: 200 },
  ],
  schrodinger: [
    { points: 48, levels: 3 },
    { potential: 'well', points: 48 },
    { potential: 'morse', points: 96 },
    { potential: 'finite-well', points: 64 },
  ],
  shift: [{}, { mode: 'gauge' }],
  solve: [
    {},
    { referenceMode: 'shm' },
    { referenceMode: 'gravity', height: 1e7, v0: 5_000 },
    { referenceMode: 'model', medium: 'air', dragArea: 0.1 },
    { referenceMode: 'algebraic', relation: { operator: 'NM19', inputs: { m: 1, a: 2 } } },
  ],
  tumor: [{}, { nx: 100, steps: 20 }, { dim: 2, nx: 32, ny: 16, steps: 10 }],
  wave: [
    { nx: 16, ny: 16, t_max: 0.2 },
    { dim: 1, nx: 256, t_max: 0.3 },
    { mode: 'maxwell', nx: 256 },
  ],
  zeta: [{ n: 10 }, { mode: 'range', T2: 50 }],
}
