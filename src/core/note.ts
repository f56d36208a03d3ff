import { ed25519Sign, ed25519Verify, sha256 } from '#crypto'
import { concat, equalBytes, fromBase64, toBase64, toHex, utf8 } from './bytes.ts'
import { Fault } from './fault.ts'
import type { Signer } from './keys.ts'

/** Signature types of C2SP signed-note that this node makes and reads. */
export const ED25519_NOTE = 0x01
export const ED25519_COSIGNATURE = 0x04
type SignatureType = typeof ED25519_NOTE | typeof ED25519_COSIGNATURE

/** Bytes of a signed note, and its signature lines. C2SP asks for at least 16 lines, and lines of 7 kB exist. */
export const NOTE_BYTES_MAX = 131_072
export const SIGNATURES_MAX = 32

/** A key that notes may be signed by: what a vkey text says. */
export interface Verifier {
  readonly name: string
  /** 4 bytes, as 8 hex digits. */
  readonly keyId: string
  readonly type: SignatureType
  /** Raw 32-byte Ed25519 public key. */
  readonly publicKey: Uint8Array
}

/** A signature line whose key was known and whose signature verified. */
export interface VerifiedSignature {
  readonly verifier: Verifier
  /** POSIX seconds of a cosignature. */
  readonly timestamp?: number
}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/** A key name: not empty, no Unicode space, no plus sign, no control character. */
const nameFits = (name: string): boolean => name.length > 0 && !/[\p{White_Space}+\p{Cc}]/u.test(name)

/** First 4 bytes of SHA-256(name, LF, type, public key), as 8 hex digits. */
const keyIdOf = (name: string, type: SignatureType, publicKey: Uint8Array): string =>
  toHex(sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4))

/** The verifier of a name and a raw public key. @throws Fault BAD_SIGNATURE for a name that no note can carry. */
export const verifierOf = (name: string, publicKey: Uint8Array, type: SignatureType = ED25519_NOTE): Verifier => {
  if (!nameFits(name)) return refuse('A key name is empty or holds a space, a plus sign or a control character.')
  return { name, keyId: keyIdOf(name, type, publicKey), type, publicKey }
}

/** The vkey text of a verifier: name+key id+base64(type and public key). */
export const encodeVkey = (verifier: Verifier): string =>
  `${verifier.name}+${verifier.keyId}+${toBase64(concat(Uint8Array.of(verifier.type), verifier.publicKey))}`

/** Reads a vkey. @throws Fault INVALID_INPUT unless its form, key id, type and length fit. */
export const parseVkey = (text: string): Verifier => {
  const bad = (why: string): never => {
    throw new Fault('INVALID_INPUT', `This is not a verifier key: ${why}.`)
  }
  const match = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text)
  const [, name = '', keyId = '', encoded = ''] = match ?? []
  if (match === null || !nameFits(name)) return bad('the form is name+key id+base64')
  let material: Uint8Array
  try {
    material = fromBase64(encoded)
  } catch {
    return bad('the key is not base64')
  }
  const type = material[0]
  if (type !== ED25519_NOTE && type !== ED25519_COSIGNATURE) return bad('the signature type is unknown')
  if (material.length !== 33) return bad('an Ed25519 key has 32 bytes')
  const verifier = verifierOf(name, material.slice(1), type)
  return verifier.keyId === keyId ? verifier : bad('the key id does not fit the key')
}

/** A note's text: UTF-8, ends in a newline, no control character but newline. */
const assertText = (text: string): void => {
  if (!text.endsWith('\n')) refuse('The text of a note ends in a newline.')
  if (!text.isWellFormed()) refuse('A note is UTF-8.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text)) refuse('A note holds no control character but newline.')
}

const signatureLine = ({ name, keyId }: Verifier, signature: Uint8Array): string => lineOf({ name, keyId, signature })

const lineOf = ({ name, keyId, signature }: SignatureLine): string =>
  `— ${name} ${toBase64(concat(bytesOfKeyId(keyId), signature))}\n`

const bytesOfKeyId = (keyId: string): Uint8Array =>
  Uint8Array.from([0, 2, 4, 6], (at) => Number.parseInt(keyId.slice(at, at + 2), 16))

/** Signs a text as a note. @throws Fault BAD_SIGNATURE when text or name cannot stand in a note. */
export const signNote = (text: string, verifier: Verifier, seed: Uint8Array): string => {
  assertText(text)
  return `${text}\n${signatureLine(verifier, ed25519Sign(seed, utf8(text)))}`
}

/** As {@link signNote}, through a signer that may work on another thread. */
export const signNoteWith = async (text: string, name: string, signer: Signer): Promise<string> => {
  assertText(text)
  const verifier = verifierOf(name, signer.publicKey)
  return `${text}\n${signatureLine(verifier, await signer.sign(utf8(text)))}`
}

/** What a cosigner signs (C2SP tlog-cosignature): header, POSIX seconds, the whole note text. */
export const cosignatureMessage = (text: string, timestamp: number): Uint8Array =>
  utf8(`cosignature/v1\ntime ${timestamp}\n${text}`)

const timestampBytes = (timestamp: number): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(timestamp))
  return bytes
}

/** One more signature line, by a witness. `timestamp` is in POSIX seconds. */
export const cosignatureLine = (text: string, verifier: Verifier, seed: Uint8Array, timestamp: number): string => {
  const signature = ed25519Sign(seed, cosignatureMessage(text, timestamp))
  return signatureLine(verifier, concat(timestampBytes(timestamp), signature))
}

/** One signature line taken apart, nothing of it verified. */
export interface SignatureLine {
  readonly name: string
  /** 8 hex digits. */
  readonly keyId: string
  readonly signature: Uint8Array
}

/** A note taken apart, nothing of it verified. */
export interface OpenNote {
  readonly text: string
  readonly signatures: readonly SignatureLine[]
  /** The lines of the signatures as they stand, each with its line feed. */
  readonly lines: readonly string[]
}

const parseLine = (line: string): SignatureLine => {
  const match = /^— ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line)
  const [, name = '', encoded = ''] = match ?? []
  if (match === null || !nameFits(name)) return refuse('A signature line is not of the form of a signed note.')
  let bytes: Uint8Array
  try {
    bytes = fromBase64(encoded)
  } catch {
    return refuse('A signature line is not base64.')
  }
  if (bytes.length < 5) return refuse('A signature line holds a key id and a signature.')
  return { name, keyId: toHex(bytes.subarray(0, 4)), signature: bytes.slice(4) }
}

/** Splits a note at its last empty line and verifies nothing. @throws Fault BAD_SIGNATURE */
export const parseNote = (note: string): OpenNote => {
  if (note.length > NOTE_BYTES_MAX) return refuse(`A note is at most ${NOTE_BYTES_MAX} bytes.`)
  assertText(note)
  const split = note.lastIndexOf('\n\n')
  if (split < 0) return refuse('A note has a blank line before its signatures.')
  const text = note.slice(0, split + 1)
  const lines = note.slice(split + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return refuse(`A note has at most ${SIGNATURES_MAX} signatures.`)
  return { text, signatures: lines.map(parseLine), lines: lines.map((line) => `${line}\n`) }
}

const verifyLine = (text: string, verifier: Verifier, signature: Uint8Array): VerifiedSignature => {
  if (verifier.type === ED25519_NOTE) {
    const holds = signature.length === 64 && ed25519Verify(verifier.publicKey, utf8(text), signature)
    return holds ? { verifier } : refuse(`The signature of ${verifier.name} does not verify.`)
  }
  if (signature.length !== 72) return refuse(`The cosignature of ${verifier.name} is not 72 bytes.`)
  const seconds = new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0)
  if (seconds > BigInt(Number.MAX_SAFE_INTEGER)) return refuse('The time of a cosignature is out of range.')
  const timestamp = Number(seconds)
  const holds = ed25519Verify(verifier.publicKey, cosignatureMessage(text, timestamp), signature.subarray(8))
  return holds ? { verifier, timestamp } : refuse(`The cosignature of ${verifier.name} does not verify.`)
}

/**
 * Opens a signed note with the keys that are known. Signatures of unknown keys are ignored; one bad signature of a
 * known key refuses the note, and so does a note without any signature of a known key.
 *
 * @throws Fault BAD_SIGNATURE saying what does not hold.
 */
export const openNote = (
  note: string,
  verifiers: readonly Verifier[],
): { readonly text: string; readonly signatures: readonly VerifiedSignature[] } => {
  return verifyNote(parseNote(note), verifiers)
}

/** As {@link openNote}, for a note that was taken apart already. @throws Fault BAD_SIGNATURE */
export const verifyNote = (
  { text, signatures }: OpenNote,
  verifiers: readonly Verifier[],
): { readonly text: string; readonly signatures: readonly VerifiedSignature[] } => {
  const verified: VerifiedSignature[] = []
  for (const line of signatures) {
    const verifier = verifiers.find((it) => it.name === line.name && it.keyId === line.keyId)
    if (verifier !== undefined) verified.push(verifyLine(text, verifier, line.signature))
  }
  if (verified.length === 0) return refuse('No signature of a known key stands on the note.')
  return { text, signatures: verified }
}

/**
 * Reads what a witness answers: signature lines alone. Those of unknown keys are left out (C2SP tlog-witness).
 *
 * @throws Fault BAD_SIGNATURE for lines of another form, and for a bad signature of a known key.
 */
export const takeSignatureLines = (
  text: string,
  answer: string,
  verifiers: readonly Verifier[],
): readonly (VerifiedSignature & { readonly line: string })[] => {
  if (answer.length > NOTE_BYTES_MAX || !answer.endsWith('\n')) return refuse('An answer is lines of signatures.')
  const lines = answer.slice(0, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return refuse(`An answer has at most ${SIGNATURES_MAX} signatures.`)
  return lines.flatMap((line) => {
    const { name, keyId, signature } = parseLine(line)
    const verifier = verifiers.find((it) => it.name === name && it.keyId === keyId)
    return verifier === undefined ? [] : [{ ...verifyLine(text, verifier, signature), line: `${line}\n` }]
  })
}

/** A note with one signer's lines alone: what evidence and records need of it. @throws Fault BAD_SIGNATURE */
export const withSignaturesOf = (note: string, verifier: Verifier): string => {
  const { text, signatures } = parseNote(note)
  const own = signatures.find((it) => it.name === verifier.name && it.keyId === verifier.keyId)
  return own === undefined ? refuse(`No signature of ${verifier.name} is there.`) : `${text}\n${lineOf(own)}`
}

/** Whether two verifiers wrap one public key of one type: C2SP calls such vkeys duplicates whatever their names. */
export const sameKey = (a: Verifier, b: Verifier): boolean => a.type === b.type && equalBytes(a.publicKey, b.publicKey)
