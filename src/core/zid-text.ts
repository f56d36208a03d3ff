/** A ZID as somebody types it: the machine checks its form, and the person its end. */

const PREFIX = 'zid1'
const CHARS = 36
const DIGIT = /[a-z2-7]/

/** Characters at the end of a ZID that a sender compares: by chance one in a million others has the same. */
export const ZID_END_CHARS = 4

/** What was typed, as a ZID is written: without spaces around it, in small letters. */
export const zidText = (typed: string): string => typed.trim().toLowerCase()

/** The end of a ZID, which its sender compares with what the recipient says. */
export const zidEnd = (zid: string): string => zid.slice(-ZID_END_CHARS)

/** Why a text is no ZID, as a sentence that says what to look at; undefined for one that has the form. */
export const zidFault = (text: string): string | undefined => {
  if (!text.startsWith(PREFIX)) return `A ZID begins with ${PREFIX}.`
  const wrong = [...text.slice(PREFIX.length)].find((it) => !DIGIT.test(it))
  if (wrong !== undefined) return `“${wrong}” stands in no ZID: behind ${PREFIX} come the letters a–z and 2–7 alone.`
  if (text.length === CHARS) return undefined
  return `A ZID has ${CHARS} characters; this has ${text.length}.`
}
