import { expect, test } from 'vitest'
import type { FinalAnswer } from '../clients/call-until-answered.ts'
import { planSimpleCall } from '../clients/planned-call.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import { type CallCase, type Faults, judge } from './verdict.ts'

const NO_FAULTS = {
  duplicated: 0,
  missing: 0,
  different: 0,
  stuck: 0,
  contradicted: 0,
  needlesslyUnknown: 0,
  unrecorded: 0,
}

function answeredCase(
  kind: RecoveryKind,
  final: FinalAnswer,
  ...repeated: readonly FinalAnswer[]
): CallCase {
  return { call: planSimpleCall(1, { kind }), final, repeated }
}

function doneAnswer(receipt: string): FinalAnswer {
  return { end: 'done', data: JSON.stringify({ receipt, item: 'item-1' }) }
}

type Truth = {
  readonly made?: readonly string[]
  readonly entries?: readonly number[]
  readonly left?: string
  readonly unrecorded?: number
  readonly neverSent?: boolean
}

async function faultsOf(
  one: CallCase,
  { made = [], entries = [], left, unrecorded = 0, neverSent = false }: Truth,
): Promise<Record<keyof Faults, number>> {
  const { item, key } = one.call
  const ledger = {
    unsettled: async () => (left === undefined ? [] : [{ key, state: left }]),
    stateOf: async () => undefined,
    entries: async () => entries.map((number) => ({ item, number })),
    unrecorded: async () => unrecorded,
    neverSent: async () => new Set(neverSent ? [key] : []),
    isPinned: async () => false,
    steps: async () => 0,
    orphans: async () => [],
  }
  const vendor = {
    url: '',
    made: () => made.map((receipt) => ({ kind: 'none', item, key: '', receipt })),
    fail: async () => undefined,
    stop: () => undefined,
  }
  const { faults } = await judge([one], ledger, vendor)
  // erased: the same names, each with how many there are
  return Object.fromEntries(
    Object.entries(faults).map(([name, lines]) => [name, lines.length]),
  ) as Record<keyof Faults, number>
}

test('one effect, told as it was done and told so again, is no fault', async () => {
  expect(
    await faultsOf(answeredCase('sameKey', doneAnswer('a'), doneAnswer('a')), { made: ['a'] }),
  ).toEqual(NO_FAULTS)
  expect(
    await faultsOf(answeredCase('transaction', doneAnswer('entry-3')), { entries: [3] }),
  ).toEqual(NO_FAULTS)
})

test('two effects for one key are seen, at the vendor and in our own table', async () => {
  expect(await faultsOf(answeredCase('none', doneAnswer('a')), { made: ['a', 'b'] })).toEqual({
    ...NO_FAULTS,
    duplicated: 1,
  })
  expect(
    await faultsOf(answeredCase('transaction', doneAnswer('entry-3')), { entries: [3, 4] }),
  ).toEqual({
    ...NO_FAULTS,
    duplicated: 1,
  })
})

test('what is told as done and nowhere to be found is missing', async () => {
  expect(await faultsOf(answeredCase('sameKey', doneAnswer('a')), {})).toEqual({
    ...NO_FAULTS,
    missing: 1,
  })
})

test('another answer under the same key, or one that is not of the effect, is different', async () => {
  expect(
    await faultsOf(answeredCase('sameKey', doneAnswer('a'), doneAnswer('b')), { made: ['a'] }),
  ).toEqual({
    ...NO_FAULTS,
    different: 1,
  })
  expect(
    await faultsOf(answeredCase('sameKey', doneAnswer('a'), { end: 'refused' }), { made: ['a'] }),
  ).toEqual({
    ...NO_FAULTS,
    different: 1,
  })
  expect(await faultsOf(answeredCase('sameKey', doneAnswer('b')), { made: ['a'] })).toEqual({
    ...NO_FAULTS,
    different: 1,
  })
})

test('a client without an answer and a row without an end are stuck', async () => {
  expect(await faultsOf(answeredCase('sameKey', { end: 'no-answer', last: 'silent' }), {})).toEqual(
    {
      ...NO_FAULTS,
      stuck: 1,
    },
  )
  expect(
    await faultsOf(answeredCase('sameKey', doneAnswer('a')), { made: ['a'], left: 'queued' }),
  ).toEqual({
    ...NO_FAULTS,
    stuck: 1,
  })
})

test('who comes again and is told nothing is stuck', async () => {
  const silent: FinalAnswer = { end: 'no-answer', last: 'silent' }
  expect(await faultsOf(answeredCase('sameKey', doneAnswer('a'), silent), { made: ['a'] })).toEqual(
    {
      ...NO_FAULTS,
      stuck: 1,
    },
  )
  expect(await faultsOf(answeredCase('none', { end: 'unknown' }, silent), { made: ['a'] })).toEqual(
    {
      ...NO_FAULTS,
      stuck: 1,
    },
  )
})

test('what was refused or denied must not have happened', async () => {
  expect(await faultsOf(answeredCase('none', { end: 'refused' }), { made: ['a'] })).toEqual({
    ...NO_FAULTS,
    contradicted: 1,
  })
  expect(await faultsOf(answeredCase('none', { end: 'denied' }), { made: ['a'] })).toEqual({
    ...NO_FAULTS,
    contradicted: 1,
  })
})

test('unknown is honest only where nobody can know', async () => {
  expect(await faultsOf(answeredCase('none', { end: 'unknown' }), { made: ['a'] })).toEqual(
    NO_FAULTS,
  )
  expect(
    await faultsOf(answeredCase('none', { end: 'unknown' }, doneAnswer('a')), { made: ['a'] }),
  ).toEqual(NO_FAULTS)
  expect(await faultsOf(answeredCase('none', { end: 'unknown' }), { neverSent: true })).toEqual({
    ...NO_FAULTS,
    needlesslyUnknown: 1,
  })
  expect(await faultsOf(answeredCase('sameKey', { end: 'unknown' }), {})).toEqual({
    ...NO_FAULTS,
    needlesslyUnknown: 1,
  })
  expect(await faultsOf(answeredCase('transaction', { end: 'unknown' }), {})).toEqual({
    ...NO_FAULTS,
    needlesslyUnknown: 1,
  })
})

test('what is done without a record is seen', async () => {
  expect(
    await faultsOf(answeredCase('sameKey', doneAnswer('a')), { made: ['a'], unrecorded: 2 }),
  ).toEqual({
    ...NO_FAULTS,
    unrecorded: 1,
  })
})
