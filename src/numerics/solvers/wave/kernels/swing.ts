// The modes of a wave turned to a time: sine and cosine are those of the kernel `math`, compiled in.
import { cos, sin } from '../../../methods/kernels/math'

// One row of modes in place: displacements and velocities, `squares` the k² along the row, to which `k2` is added.
export function swing(
  u: usize, v: usize, squares: usize, count: i32, k2: f64, c: f64, time: f64, factor: f64,
): void {
  const bytes = <usize>count << 3
  for (let o: usize = 0; o < bytes; o += 8) {
    const omega = c * sqrt(load<f64>(squares + o) + k2)
    const angle = omega * time
    const turned = cos(angle), rising = sin(angle)
    const a = factor * load<f64>(u + o), b = factor * load<f64>(v + o)
    store<f64>(u + o, a * turned + (omega == 0 ? b * time : (b * rising) / omega))
    store<f64>(v + o, b * turned - a * omega * rising)
  }
}
