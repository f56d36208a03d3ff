import { differentiate } from './gradient.ts'
import type { LinkModel } from './model.ts'

/** Derivatives of a link's value by its symbols, the unknown left out. */
const partials = (link: LinkModel): readonly number[] => {
  const { symbols, values, direct, left, right } = link
  const at = new Map(symbols.map((it, i) => [it, values[i] ?? Number.NaN]))
  const last = symbols.length - 1
  if (direct !== undefined) return differentiate(direct, at, symbols.slice(0, last)).by
  // Implicit function theorem: with F = left − right = 0 the unknown y follows x by −F_x/F_y.
  const [l, r] = [differentiate(left, at, symbols), differentiate(right, at, symbols)]
  const residual = symbols.map((_, i) => (l.by[i] ?? 0) - (r.by[i] ?? 0))
  const byUnknown = residual[last] ?? 0
  return residual.slice(0, last).map((it) => (it === 0 ? 0 : -it / byUnknown))
}

/** 0·∞ is nothing here: what does not move gives no part, however steep the next step is. */
const product = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

/**
 * First derivatives of each link's value by each source, in doubles: gradients by the original inputs go through the
 * chain, so that an input used twice counts once, with its sign (JCGM 100:2008, 5.1.3 and 5.2.2).
 *
 * @param count of sources.
 */
export const slopesOf = (links: readonly LinkModel[], count: number): readonly (readonly number[])[] => {
  const slopes: (readonly number[])[] = []
  for (const link of links) {
    const by = partials(link)
    const before = slopes.at(-1) ?? []
    slopes.push(
      Array.from({ length: count }, (_, source) =>
        by.reduce((sum, slope, i) => {
          const own = link.movedBy[i]?.includes(source) ? slope : 0
          return sum + own + (i === link.fed ? product(slope, before[source] ?? 0) : 0)
        }, 0),
      ),
    )
  }
  return slopes
}

/** √Σ(cᵢuᵢ)²; scaled by the largest part, whose square may be beyond doubles. */
export const quadrature = (parts: readonly number[]): number => {
  const largest = parts.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
  if (largest === 0 || !Number.isFinite(largest)) return largest
  return largest * Math.sqrt(parts.reduce((sum, it) => sum + (it / largest) * (it / largest), 0))
}
