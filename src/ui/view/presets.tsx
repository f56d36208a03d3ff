import type { ShownSolver } from '#ui/server/solver.ts'

/** A problem of the field, as the node tells of it. */
export type ShownPreset = ShownSolver['guide']['presets'][number]

interface Props {
  readonly presets: readonly ShownPreset[]
  readonly busy: boolean
  /** The one that stands in the form. */
  readonly chosen: string | undefined
  readonly onFill: (preset: ShownPreset) => void
  readonly onRun: (preset: ShownPreset) => void
}

/** Real problems to begin with: each fills the form, or runs at once. */
export const Presets = ({ presets, busy, chosen, onFill, onRun }: Props) => {
  if (presets.length === 0) return null
  return (
    <section class="presets" aria-label="Problems to begin with">
      <h3>Begin with</h3>
      <ul>
        {presets.map((preset) => (
          <li key={preset.name} data-preset={preset.name}>
            <button type="button" class="name" aria-pressed={chosen === preset.name} onClick={() => onFill(preset)}>
              {preset.name}
            </button>
            <p class="about">{preset.about}</p>
            <button
              type="button"
              class="small"
              aria-label={`Run ${preset.name}`}
              aria-disabled={busy}
              onClick={() => {
                if (!busy) onRun(preset)
              }}
            >
              Run
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
