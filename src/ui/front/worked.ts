/** A receipt that a node made, with the key to hold it against: what the first screen shows is verified, not drawn. */
export interface Worked {
  readonly trusted: string
  readonly question: string
  readonly bundle: WorkedBundle
}

interface WorkedBundle {
  readonly envelope: { readonly claim: { readonly value: number; readonly unit: string } }
}

/** Reads it; it is a file beside the page's code. @throws Error where it does not come. */
export const readWorked = async (signal: AbortSignal): Promise<Worked> => {
  const response = await fetch(new URL('./worked-receipt.json', import.meta.url), { signal })
  if (!response.ok) throw new Error(`The worked receipt does not come: status ${response.status}.`)
  return (await response.json()) as Worked
}

/** A document as a file to be verified. */
export const fileOf = (bundle: object): File =>
  new File([JSON.stringify(bundle)], 'worked-receipt.json', { type: 'application/json' })

/** Which digit of a value is changed: far enough in front to be seen. */
const DIGIT = 3

/** A value with one digit changed, in its text: what was before it, the digit, and what stands behind. */
export const changedDigit = (value: number): { readonly text: string; readonly at: number } => {
  const text = String(value)
  const at = [...text.matchAll(/\d/g)].map(({ index }) => index)
  const place = at[Math.min(DIGIT, at.length - 1)] ?? 0
  const digit = (Number(text[place]) + 1) % 10
  return { text: text.slice(0, place) + digit + text.slice(place + 1), at: place }
}

/** The same bundle with one digit of its value changed, and nothing else. */
export const altered = (bundle: WorkedBundle): WorkedBundle => {
  const { envelope } = bundle
  const value = Number(changedDigit(envelope.claim.value).text)
  return { ...bundle, envelope: { ...envelope, claim: { ...envelope.claim, value } } }
}
