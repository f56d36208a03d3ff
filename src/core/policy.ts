import { fromUtf8 } from './bytes.ts'
import { Fault } from './fault.ts'
import { assertSoundKey } from './keys.ts'
import { ED25519_COSIGNATURE, ED25519_NOTE, parseVkey, sameKey, type VerifiedSignature, type Verifier } from './note.ts'

/** Bytes of a policy file, and lines of each kind in it. C2SP asks for at least 32 logs, witnesses and groups. */
export const POLICY_BYTES_MAX = 1_048_576
const LINES_MAX = 1_024

/** Some of its members must have witnessed: `threshold` of them. */
export interface Group {
  readonly threshold: number
  /** Names of witnesses and of groups that stand before it. */
  readonly members: readonly string[]
}

/** A C2SP tlog-policy: whose tokens and nodes count, who witnesses, and how many of them it takes. */
export interface Policy {
  readonly logs: readonly Verifier[]
  readonly witnesses: ReadonlyMap<string, Verifier>
  /** Submission prefixes, by the name of the witness, where a line gives one. */
  readonly urls: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, Group>
  /** A witness or a group; null for `quorum none`. */
  readonly quorum: string | null
}

const NONE = 'none'

const refuse = (why: string): never => {
  throw new Fault('INVALID_INPUT', why)
}

const keyOf = (text: string, type: Verifier['type'], known: readonly Verifier[]): Verifier => {
  const verifier = parseVkey(text)
  if (verifier.type !== type) {
    refuse(type === ED25519_NOTE ? 'a log has a note key (type 0x01)' : 'a witness has a cosignature key (type 0x04)')
  }
  assertSoundKey(verifier.publicKey)
  if (known.some((it) => sameKey(it, verifier))) refuse('this key stands there already')
  return verifier
}

const thresholdOf = (text: string, members: number): number => {
  if (text === 'any') return 1
  if (text === 'all') return members
  const k = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0
  return k >= 1 && k <= members ? k : refuse(`of ${members} members ${text} cannot be asked`)
}

/** A policy while its lines are read. */
const reader = () => {
  const logs: Verifier[] = []
  const witnesses = new Map<string, Verifier>()
  const urls = new Map<string, string>()
  const groups = new Map<string, Group>()
  /** Names that are a member already: each counts in one way only. */
  const spent = new Set<string>()
  let quorum: string | null | undefined

  const assertNew = (name: string): void => {
    if (name === NONE || witnesses.has(name) || groups.has(name)) refuse(`the name ${name} is taken`)
  }
  const assertKnown = (name: string): void => {
    if (!witnesses.has(name) && !groups.has(name)) refuse(`no line before this one defines ${name}`)
  }
  const assertRoom = (count: number): void => {
    if (count >= LINES_MAX) refuse(`there are more than ${LINES_MAX} of these`)
  }

  const lines: Readonly<Record<string, (words: readonly string[]) => void>> = {
    log: ([vkey, _url, ...rest]) => {
      if (vkey === undefined || rest.length > 0) return refuse('a log is `log <vkey> [<url>]`')
      assertRoom(logs.length)
      logs.push(keyOf(vkey, ED25519_NOTE, logs))
    },
    witness: ([name, vkey, url, ...rest]) => {
      if (name === undefined || vkey === undefined || rest.length > 0) {
        return refuse('a witness is `witness <name> <vkey> [<url>]`')
      }
      assertRoom(witnesses.size)
      assertNew(name)
      witnesses.set(name, keyOf(vkey, ED25519_COSIGNATURE, [...witnesses.values()]))
      if (url !== undefined) urls.set(name, url)
    },
    group: ([name, threshold, ...members]) => {
      if (name === undefined || threshold === undefined || members.length === 0) {
        return refuse('a group is `group <name> <all|any|k> <name>…`')
      }
      assertRoom(groups.size)
      assertNew(name)
      for (const member of members) {
        assertKnown(member)
        if (spent.has(member)) refuse(`${member} is a member already`)
        spent.add(member)
      }
      groups.set(name, { threshold: thresholdOf(threshold, members.length), members })
    },
    quorum: ([name, ...rest]) => {
      if (name === undefined || rest.length > 0) return refuse('the quorum is `quorum <name>`')
      if (quorum !== undefined) return refuse('there is a quorum already')
      if (name !== NONE) assertKnown(name)
      quorum = name === NONE ? null : name
    },
  }
  return {
    take: ([kind = '', ...words]: readonly string[]): void => {
      const line = Object.hasOwn(lines, kind) ? lines[kind] : undefined
      if (line === undefined) refuse('a line begins with log, witness, group, quorum or #')
      line?.(words)
    },
    end: (): Policy =>
      quorum === undefined ? refuse('A policy has a line `quorum`.') : { logs, witnesses, urls, groups, quorum },
  }
}

/**
 * Reads a policy file (C2SP tlog-policy). Every key in it is checked here, where it enters.
 *
 * @throws Fault INVALID_INPUT, BAD_PUBLIC_KEY naming the first line that does not fit.
 */
export const parsePolicy = (bytes: Uint8Array): Policy => {
  if (bytes.length > POLICY_BYTES_MAX) refuse(`A policy is at most ${POLICY_BYTES_MAX} bytes.`)
  let text: string
  try {
    text = fromUtf8(bytes)
  } catch {
    return refuse('A policy is UTF-8.')
  }
  const policy = reader()
  for (const [i, line] of text.split('\n').entries()) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(line)) refuse(`Line ${i + 1}: it holds a control character.`)
    const words = line.split(/[ \t]+/).filter((word) => word !== '')
    if (words.length === 0 || words[0]?.startsWith('#') === true) continue
    try {
      policy.take(words)
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      throw new Fault(cause.code, `Line ${i + 1}: ${cause.message}`, cause.details)
    }
  }
  return policy.end()
}

/** The policy `log VKEY`, `quorum none`: one log, and no witness asked for. @throws Fault as {@link parsePolicy} */
export const policyOfLog = (vkey: string): Policy => ({
  logs: [keyOf(vkey, ED25519_NOTE, [])],
  witnesses: new Map(),
  urls: new Map(),
  groups: new Map(),
  quorum: null,
})

/**
 * Whether enough of the policy's witnesses have signed. Only signatures that were verified count, and each key once:
 * C2SP lets a name stand in one group only, so one witness counts in one way only.
 */
export const quorumMet = (policy: Policy, signatures: readonly VerifiedSignature[]): boolean => {
  const { witnesses, groups, quorum } = policy
  const holds = (name: string): boolean => {
    const witness = witnesses.get(name)
    if (witness !== undefined) return signatures.some(({ verifier }) => sameKey(verifier, witness))
    const group = groups.get(name)
    return group !== undefined && group.members.filter(holds).length >= group.threshold
  }
  return quorum === null || holds(quorum)
}
