import type { Pose } from './rigid.ts'
import type { PairName } from './schema.ts'

/** Poses of the least energy of the built-in pairs, by SciPy (test/fixtures/dock/plant.py). */
export const PLANTED: Readonly<Record<PairName, Pose>> = {
  cavity: {
    place: [-0.41438240049469177, 0.015430474050706933, -0.5631372528750507],
    turn: [0.471588484070094, -0.535438184770536, -0.4593653550838771, -0.5290498299128047],
  },
  cleft: {
    place: [0.03991801065521073, -0.4670249373862717, -0.6650575439766605],
    turn: [0.4885372148159029, -0.4899212459736936, -0.5094794262470014, -0.5116046097471465],
  },
  ring: {
    place: [-0.8713359487070764, 0.3832425762940268, -0.8685613313212827],
    turn: [0.20286449472029572, -0.6834958605833336, -0.13151015386849618, -0.6887557511751259],
  },
}
