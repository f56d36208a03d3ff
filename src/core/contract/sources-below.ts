interface OfReadings {
  readonly readings: readonly { readonly no: number; readonly oracle: string }[]
}

/** What attests the readings of rows below a number: an answer that was asked for later may know of more. */
export const sourcesBelow = <T extends OfReadings>(sources: readonly T[], rows: number): readonly T[] =>
  sources
    .map((it) => ({ ...it, readings: it.readings.filter(({ no }) => no < rows) }))
    .filter(({ readings }) => readings.length > 0)
