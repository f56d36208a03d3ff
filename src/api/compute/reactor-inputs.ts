import Type from 'typebox'
import { closed, count, finite, integer, nodeId, oneOf, pageLimit, pageOffset, preset, text } from '#core/schema.ts'
import { STEPS_MAX } from '#numerics/reactor/schema.ts'

/** What the endpoints of reactors take. */

/** Seconds that a long-poll or an observation may wait, unless it says less. */
const WAIT_SECONDS_DEFAULT = 25
const WAIT_SECONDS_MAX = 60
/** Steps that one observation answered at once may take. */
const OBSERVED_MAX = 64
/** Rows of one page of a trajectory, and of one with proofs. */
export const PAGE_MAX = 500
export const PROVED_PAGE_MAX = 50
const ROWS_DEFAULT = 50
const SHARE_CHARS_MAX = 128

/** The reactor that a call is about. */
const reactor = () =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{32}$',
      title: 'WhichReactor',
      description: 'Id of the reactor; the newest one of the caller when left out.',
    }),
  )

const wait = () =>
  preset(
    finite({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      default: WAIT_SECONDS_DEFAULT,
      description: 'The longest wait before it answers anyhow.',
      'x-unit': 's',
    }),
  )

const afterStep = (description: string) => Type.Optional(count({ maximum: STEPS_MAX, description }))

export const stepInput = closed({
  reactor: reactor(),
  step: Type.Optional(
    integer({
      minimum: 1,
      maximum: STEPS_MAX,
      description: 'The number that the step must get: a repeat of the call then takes no second one.',
    }),
  ),
  publish: Type.Optional(
    Type.Boolean({
      description: 'Whether the envelope stands in the public record; as the account has set if left out.',
    }),
  ),
})

const observeMembers = {
  reactor: reactor(),
  steps: Type.Optional(
    integer({
      minimum: 1,
      maximum: STEPS_MAX,
      description: 'Steps after which it ends; the contract’s when left out.',
    }),
  ),
  of: Type.Optional(
    text(64, {
      minLength: 1,
      description: 'Ends it by a condition: value, errorPct, errorSum or a observed quantity.',
    }),
  ),
  op: Type.Optional(oneOf(['<', '<=', '>', '>='], { description: 'How it is compared; with `of`.' })),
  than: Type.Optional(finite({ description: 'With what; with `of`.' })),
} as const

export const watchInput = closed({
  ...observeMembers,
  after: afterStep('Begins after this step, as Last-Event-ID does; with the next one when left out.'),
})

export const observeInput = closed({
  ...observeMembers,
  steps: preset(
    integer({ minimum: 1, maximum: OBSERVED_MAX, default: 1, description: 'Steps after which it answers.' }),
  ),
  after: afterStep('Begins after this step; with the next one when left out.'),
  wait: wait(),
})

export const reactorInput = closed({ reactor: reactor() })

export const trajectoryInput = closed({
  reactor: reactor(),
  after: afterStep('The last step that the reader has.'),
  limit: preset(
    integer({
      minimum: 1,
      maximum: PAGE_MAX,
      default: ROWS_DEFAULT,
      description: 'Rows of the page; 50 at most with proofs.',
    }),
  ),
  proofs: preset(
    Type.Boolean({ default: false, description: 'Whether each row carries its entry and the proof of it.' }),
  ),
  rerun: preset(
    Type.Boolean({
      default: false,
      description:
        'Whether the second half is computed again: from the state after half the steps to the newest digest.',
    }),
  ),
})

export const nextInput = closed({
  reactor: reactor(),
  after: afterStep('The last step that the caller has; the newest one when left out.'),
  wait: wait(),
  node: Type.Optional(
    Type.String({ ...nodeId(), description: 'Node on which the reactor runs, if it is another one.' }),
  ),
  share: Type.Optional(
    text(SHARE_CHARS_MAX, { minLength: 1, description: 'Share token of its machine there, if that is private.' }),
  ),
})

/** A page of the caller's reactors. */
export const listInput = closed({ limit: pageLimit(), offset: pageOffset() })
