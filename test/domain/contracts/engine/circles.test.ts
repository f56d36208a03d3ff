// Goal: contracts that set each other off in circles end, with an outcome for each level, and a storm that the node
// itself enters does not use up what callers may enter. Method: a real node; contracts that call themselves, that call
// and tell each other; outcomes against the chain, and the quota of callers asked afterwards.
import assert from 'node:assert/strict'
import { EVENTS_MAX } from '#domain/machines/quota.ts'
import { suite } from '../../../kit/suite.ts'
import { codeOf } from '../contract-kit.ts'
import { counting, entriesOf, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, circles')

const DEPTH = 8
const budget = { failures_in_row: 100 }
const set = { kind: 'set', n: { $: 'context.n + 1' } }
