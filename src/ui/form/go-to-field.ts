/** Puts the focus into the control of an input of the form that `from` stands in, and opens what it is folded in. */
export const goToField = (from: HTMLElement, name: string): void => {
  const row = from.closest('form')?.querySelector(`[data-field="${CSS.escape(name)}"]`)
  for (let at = row?.closest('details'); at !== null && at !== undefined; at = at.parentElement?.closest('details')) {
    at.open = true
  }
  row?.querySelector<HTMLElement>('input, select, textarea')?.focus()
}
