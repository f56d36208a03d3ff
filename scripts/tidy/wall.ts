import { type Shared, shared } from './shared.ts'
import { type Breach, breach, type Source, withoutKernels } from './source.ts'
import { targetOf } from './tree.ts'

const SOLVER = /^src\/numerics\/solvers\/([^/]+)\/(.+)$/

/** Files of a solver that put both sides together: they may name everything, and neither side may name them. */
const JOINING = ['index.ts', 'plots.ts', 'guide.ts']

/** What states the problem of a solver, its inputs and its bounds: read by both sides without an entry in the list. */
const STATING = ['schema.ts', 'limits.ts', 'problem.ts']

/** What every solver stands on: it computes no answer, or has checks of its own. */
const GROUND = ['src/core/', 'src/ports/', 'src/numerics/runtime/', 'src/numerics/operators/', 'src/numerics/math.ts']

const isGround = (file: string): boolean => GROUND.some((it) => file.startsWith(it))

type Side = 'run' | 'check' | 'joining' | 'stating'

interface Place {
  readonly solver: string
  readonly side: Side
}

const placeOf = (file: string): Place | undefined => {
  const [, solver, path] = SOLVER.exec(file) ?? []
  if (solver === undefined || path === undefined) return
  const side = /^(run|check)\//.exec(path)?.[1] as 'run' | 'check' | undefined
  return { solver, side: side ?? (JOINING.includes(path) ? 'joining' : 'stating') }
}

/** Why a file of a solver, or a method, may not name a file of a solver. */
const refusal = (from: Place | undefined, to: Place): string | undefined => {
  if (from === undefined) return 'a method knows no solver'
  if (from.solver !== to.solver) return `names a file of ${to.solver}: what two solvers share is a method`
  if (from.side === 'joining' || from.side === to.side || to.side === 'stating') return
  if (from.side === 'stating') return `what both sides read names neither run nor check, nor ${JOINING.join(', ')}`
  return to.side === 'joining'
    ? `${from.side} names nothing that puts run and check together`
    : `${from.side} names nothing of ${to.side}: it would not see its errors`
}

type Graph = ReadonlyMap<string, readonly { readonly to: string; readonly line: number; readonly typeOnly: boolean }[]>

const graphOf = (sources: readonly Source[]): Graph => {
  const known = new Set(sources.map(({ file }) => file))
  return new Map(
    withoutKernels(sources).map(({ file, imports }) => [
      file,
      imports.flatMap(({ from, line, typeOnly }) => {
        const to = targetOf(file, from, known)
        return to === undefined ? [] : [{ to, line, typeOnly }]
      }),
    ]),
  )
}

/** Everything that files run, themselves included, but for the ground; imports of types alone are not followed. */
const reached = (
  graph: Graph,
  from: readonly string[],
  isOutside: (file: string) => boolean = isGround,
): ReadonlySet<string> => {
  const seen = new Set<string>()
  const queue = [...from]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file) || isOutside(file)) continue
    seen.add(file)
    for (const { to, typeOnly } of graph.get(file) ?? []) if (!typeOnly) queue.push(to)
  }
  return seen
}

const crossings = (graph: Graph): readonly Breach[] =>
  [...graph].flatMap(([file, imports]) => {
    const from = placeOf(file)
    if (from === undefined && !file.startsWith('src/numerics/methods/')) return []
    return imports.flatMap(({ to, line }) => {
      const place = placeOf(to)
      const why = place === undefined ? undefined : refusal(from, place)
      return why === undefined ? [] : [breach(file, why, line)]
    })
  })

/** Kernels that files load by their names. */
const kernelsOf = (sources: readonly Source[], files: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    sources
      .filter(({ file }) => files.has(file))
      .flatMap(({ text }) => [...text.matchAll(/\bloadKernel\('(\w+)'\)/g)].map(([, name]) => name ?? '')),
  )

/**
 * Files, and kernels, that run and check of a solver both use. What its index names is of the run, but for the check,
 * the plots and the limits.
 */
const overlaps = (sources: readonly Source[], graph: Graph): readonly { solver: string; file: string }[] => {
  const files = [...graph.keys()]
  const solvers = new Set(files.flatMap((file) => placeOf(file)?.solver ?? []))
  return [...solvers].sort().flatMap((solver) => {
    const folder = `src/numerics/solvers/${solver}/`
    const side = (name: 'run' | 'check') => files.filter((file) => file.startsWith(`${folder}${name}/`))
    const beside = [`${folder}plots.ts`, `${folder}limits.ts`]
    const check = reached(graph, side('check'))
    const run = reached(
      graph,
      [`${folder}index.ts`, ...side('run')],
      (file) => isGround(file) || file.startsWith(`${folder}check/`) || beside.includes(file),
    )
    const stated = STATING.map((name) => `${folder}${name}`)
    const both = [...run].filter((file) => check.has(file) && !stated.includes(file))
    const own = (all: ReadonlySet<string>) => new Set([...all].filter((file) => !both.includes(file)))
    const [ran, checked] = [kernelsOf(sources, own(run)), kernelsOf(sources, own(check))]
    const kernels = [...ran].filter((name) => checked.has(name)).map((name) => `kernel ${name}`)
    return [...both, ...kernels].sort().map((file) => ({ solver, file }))
  })
}

/** How a page of protocols/solvers and the list name a file: from the solver's folder, or from src/numerics. */
const shortOf = (file: string): string => SOLVER.exec(file)?.[2] ?? file.replace('src/numerics/', '')

/**
 * The wall between what solves and what checks: neither side of any solver names the other, and what both run all the
 * same stands in a list with its reason, and on the solver's page.
 *
 * @param list the list; the house's own unless a test brings another.
 */
export const wallBreaches = (sources: readonly Source[], list: readonly Shared[] = shared): readonly Breach[] => {
  const graph = graphOf(sources)
  const found = overlaps(sources, graph)
  const texts = new Map(sources.map(({ file, text }) => [file, text]))
  const isListed = (solver: string, file: string): boolean =>
    list.some((it) => it.file === file && it.solvers.includes(solver))
  const isFound = (solver: string, file: string): boolean =>
    found.some((it) => it.solver === solver && it.file === file)
  return [
    ...crossings(graph),
    ...found
      .filter(({ solver, file }) => !isListed(solver, file))
      .map(({ solver, file }) => breach(file, `run and check of ${solver} both use it: see scripts/tidy/shared.ts`)),
    ...list.flatMap(({ file, solvers }) =>
      solvers.flatMap((solver) => {
        const page = `protocols/solvers/${solver}.md`
        if (!isFound(solver, file)) return [breach('scripts/tidy/shared.ts', `${solver} no longer shares ${file}`)]
        return texts.get(page)?.includes(`\`${shortOf(file)}\``) === true
          ? []
          : [breach(page, `does not name \`${shortOf(file)}\`, which run and check share`)]
      }),
    ),
  ]
}
