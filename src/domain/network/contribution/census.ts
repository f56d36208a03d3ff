import { contributionModes, type Mode } from '#core/work/mode.ts'
import type { ContributionCensus } from '#domain/network/views/contribution.ts'
import type { HeardMode } from './types.ts'

/** Nodes that a count must have to be shown: fewer could be told apart. */
export const CENSUS_LEAST = 3

/**
 * The sets of one mode that are shown. What is left out must be nothing or at least three nodes: one or two that the
 * mode's own count betrays would be told apart as well.
 */
const shownSets = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] => {
  const all = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
  const shown = all.filter(([, nodes]) => nodes >= CENSUS_LEAST)
  const hidden = (): number => all.slice(shown.length).reduce((sum, [, nodes]) => sum + nodes, 0)
  while (shown.length > 0 && hidden() > 0 && hidden() < CENSUS_LEAST) shown.pop()
  return shown
}

/** Counts nodes by mode, and by mode and kernel set. */
export const censusOf = (heard: readonly HeardMode[]): ContributionCensus => {
  const byMode = new Map<Mode, Map<string, number>>()
  for (const { mode, kernels } of heard) {
    const sets = byMode.get(mode) ?? new Map<string, number>()
    sets.set(kernels, (sets.get(kernels) ?? 0) + 1)
    byMode.set(mode, sets)
  }
  const rows = contributionModes.map((mode) => {
    const sets = byMode.get(mode) ?? new Map<string, number>()
    return { mode, sets, nodes: [...sets.values()].reduce((sum, it) => sum + it, 0) }
  })
  const counted = rows.filter(({ nodes }) => nodes >= CENSUS_LEAST)
  return {
    modes: counted.map(({ mode, nodes }) => ({ mode, nodes })),
    kernels: counted.flatMap(({ mode, sets }) => shownSets(sets).map(([kernels, nodes]) => ({ mode, kernels, nodes }))),
  }
}
