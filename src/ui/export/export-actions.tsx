import { useState } from 'preact/hooks'
import type { Plot } from '#numerics/plot/plot.ts'
import { download } from '#ui/receipt/evidence.ts'
import { exported, fileName, type PlotExport } from './exporting.ts'

/** Where a plot comes from: what its files are called, and what stands above it. */
export interface PlotSource {
  /** For people. */
  readonly title: string
  /** A line of evidence: token, measured error. */
  readonly note: string
  /** Solver and token id, or the machine. */
  readonly stem: readonly string[]
}

const offers = [
  { name: 'SVG', format: 'svg', scale: 1, tail: '.svg' },
  { name: 'PNG', format: 'png', scale: 1, tail: '.png' },
  { name: 'PNG 2×', format: 'png', scale: 2, tail: '@2x.png' },
  { name: 'CSV', format: 'csv', scale: 1, tail: '.csv' },
] as const satisfies readonly (Pick<PlotExport, 'format' | 'scale'> & { name: string; tail: string })[]

interface Props {
  /** As it is seen. */
  readonly plot: Plot
  /** The same from end to end. */
  readonly whole: Plot
  readonly source: PlotSource
}

/** Saves a plot: as a drawing or an image of what is seen, or as all of its numbers. */
export const ExportActions = ({ plot, whole, source }: Props) => {
  const [said, say] = useState('')
  const [open, toggle] = useState(false)
  const [asSeen, choose] = useState(true)
  const isPart = plot.kind !== 'bars' && whole.kind !== 'bars' && plot.seen !== whole.seen
  const name = plot.title
  const save = async ({ format, scale, tail }: (typeof offers)[number]): Promise<void> => {
    say('Making the file …')
    const caption = { about: source.title, note: source.note }
    const file = `${fileName(...source.stem, name)}${tail}`
    try {
      download(file, await exported({ plot: isPart && !asSeen ? whole : plot, caption, format, scale }))
      say(`Saved as ${file}.`)
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <fieldset class="export" aria-label={`Export ${name}`}>
      <details class="save-as" open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
        <summary>Save as</summary>
        {offers.map((offer) => (
          <button key={offer.name} type="button" class="small" onClick={() => void save(offer)}>
            {offer.name}
          </button>
        ))}
      </details>
      {isPart && (
        <label class="about">
          <input type="checkbox" checked={asSeen} onChange={() => choose(!asSeen)} /> as seen (CSV always has all)
        </label>
      )}
      <span class="about said" role="status">
        {said}
      </span>
    </fieldset>
  )
}
