// A body about a fixed centre, x″ = −μx/r³, by symplectic compositions and, beside them, by RK4.
//
// Each of the two is one chain of operations that wait for each other, mostly for a root and a division. Neither needs
// the other, so that their stages are taken in turn: a processor then works on both chains at a time.

let strength: f64 = 0 // −μ
let stageBytes: usize = 0 // drifts of a step, eight bytes each
let composed: usize = 0 // x, y, u, v of the composition
let beside: usize = 0 // x, y, u, v of RK4
let kicks: usize = 0 // one more than there are drifts
let drifts: usize = 0

export function configure(mu: f64, stages: i32, base: usize): void {
  strength = -mu
  stageBytes = <usize>stages << 3
  composed = base
  beside = base + 32
  kicks = base + 64
  drifts = kicks + stageBytes + 8
}

// @ts-ignore: decorator
@inline
function pullAt(x: f64, y: f64): f64 {
  const square = x * x + y * y
  return strength / (square * sqrt(square))
}

// Takes whole steps of the composition and steps of RK4 of length h; four stages of the one stand beside one of these.
export function advance(steps: i32, rk4Steps: i32, h: f64): void {
  let x = load<f64>(composed), y = load<f64>(composed, 8), u = load<f64>(composed, 16), v = load<f64>(composed, 24)
  let X = load<f64>(beside), Y = load<f64>(beside, 8), U = load<f64>(beside, 16), V = load<f64>(beside, 24)
  const half = h / 2, sixth = h / 6
  let pull = pullAt(x, y)
  let stage: usize = 0
  while (steps > 0 || rk4Steps > 0) {
    for (let turn = 0; turn < 4 && steps > 0; turn++) {
      const kick = load<f64>(kicks + stage) * pull
      const drift = load<f64>(drifts + stage)
      u += kick * x
      v += kick * y
      x += drift * u
      y += drift * v
      pull = pullAt(x, y)
      stage += 8
      if (stage == stageBytes) {
        const last = load<f64>(kicks + stage) * pull
        u += last * x
        v += last * y
        stage = 0
        steps--
      }
    }
    if (rk4Steps > 0) {
      const a = pullAt(X, Y), au = a * X, av = a * Y
      const bx = X + half * U, by = Y + half * V
      const bu = U + half * au, bv = V + half * av
      const b = pullAt(bx, by), pu = b * bx, pv = b * by
      const cx = X + half * bu, cy = Y + half * bv
      const cu = U + half * pu, cv = V + half * pv
      const c = pullAt(cx, cy), qu = c * cx, qv = c * cy
      const dx = X + h * cu, dy = Y + h * cv
      const du = U + h * qu, dv = V + h * qv
      const d = pullAt(dx, dy)
      X += sixth * (U + 2 * (bu + cu) + du)
      Y += sixth * (V + 2 * (bv + cv) + dv)
      U += sixth * (au + 2 * (pu + qu) + d * dx)
      V += sixth * (av + 2 * (pv + qv) + d * dy)
      rk4Steps--
    }
  }
  store<f64>(composed, x)
  store<f64>(composed, y, 8)
  store<f64>(composed, u, 16)
  store<f64>(composed, v, 24)
  store<f64>(beside, X)
  store<f64>(beside, Y, 8)
  store<f64>(beside, U, 16)
  store<f64>(beside, V, 24)
}
