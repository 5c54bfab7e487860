import { expect, test } from 'vitest'
import type { Step, Write } from '../pack/program.ts'
import { predictOutcome } from './model.ts'
import type { Plan } from './plan.ts'

const write: Write = {
  do: 'write',
  kind: 'sameKey',
  manner: 'patient',
  undo: null,
  isRefused: false,
  changesWithCode: false,
}
const undoable: Write = { ...write, undo: 'none' }
const refused: Write = { ...write, isRefused: true }
const asked: Write = { ...write, manner: 'patientApproval' }

function planOf(
  steps: readonly Step[],
  says: Partial<Pick<Plan, 'answerAt' | 'verdictAt'>> = {},
): Plan {
  return {
    program: { id: 'p1', step: { do: 'sequence', steps } },
    who: { tenant: 'north', principal: 'ann' },
    key: 'k',
    answerAt: () => 'yes',
    verdictAt: () => 'approve',
    isMisunderstoodAt: () => false,
    ...says,
  }
}

const due = (place: string, more: object = {}) => ({
  place,
  item: `p1.${place}`,
  isCertain: true,
  hasUndo: false,
  ...more,
})
const INVALID = 'TOOL_INVALID_FIELD_VALUE'

test('what a program writes is named by its place, and by what was said before it', () => {
  const plan = planOf([write, { do: 'ask', ways: null }, undoable], { answerAt: () => 'blue' })
  expect(predictOutcome(plan)).toMatchObject({
    effects: [due('0.0'), due('0.2', { item: 'p1.0.2=blue', hasUndo: true })],
    lines: [
      { place: '0.0', what: 'made', value: undefined },
      { place: '0.1', what: 'said', value: 'blue' },
      { place: '0.2', what: 'made', value: undefined },
    ],
    failures: [],
  })
})

test('an answer decides the way, and a branch keeps what was said in it to itself', () => {
  const ways = [write, { do: 'sequence', steps: [] }] as const
  expect(predictOutcome(planOf([{ do: 'ask', ways }])).effects).toEqual([
    due('0.0.yes', { item: 'p1.0.0.yes=yes' }),
  ])
  expect(predictOutcome(planOf([{ do: 'ask', ways }], { answerAt: () => 'no' })).effects).toEqual(
    [],
  )
  const inside = planOf([
    { do: 'parallel', atMost: 2, steps: [{ do: 'ask', ways: null }, write] },
    write,
  ])
  expect(predictOutcome(inside).effects).toEqual([due('0.0.1'), due('0.1')])
})

test('nothing comes after a failure', () => {
  expect(predictOutcome(planOf([undoable, refused, write]))).toMatchObject({
    effects: [due('0.0', { hasUndo: true })],
    failures: [{ place: '0.1', code: INVALID }],
  })
  expect(predictOutcome(planOf([asked, write], { verdictAt: () => 'deny' }))).toMatchObject({
    effects: [],
    failures: [{ place: '0.0', code: 'TOOL_APPROVAL_DENIED' }],
  })
})

test('what stands beside a failure may have been begun; what comes behind it in turn was not', () => {
  const steps = [write, { do: 'sequence', steps: [write, refused] }, write] as const
  expect(predictOutcome(planOf([{ do: 'parallel', atMost: 3, steps }])).effects).toEqual([
    due('0.0.0', { isCertain: false }),
    due('0.0.1.0'),
    due('0.0.2', { isCertain: false }),
  ])
  expect(predictOutcome(planOf([{ do: 'parallel', atMost: 1, steps }])).effects).toEqual([
    due('0.0.0'),
    due('0.0.1.0'),
  ])
})

test('a loop does the same at every item, and a failure that is caught is a line of the answer', () => {
  expect(
    predictOutcome(planOf([{ do: 'loop', items: ['a', 'b'], atMost: 1, step: write }])).effects,
  ).toEqual([due('0.0.a'), due('0.0.b')])
  expect(predictOutcome(planOf([{ do: 'try', step: refused }, write]))).toMatchObject({
    effects: [due('0.1')],
    lines: [{ place: '0.0', what: 'failed', value: INVALID }, { place: '0.1' }],
    failures: [],
  })
})
