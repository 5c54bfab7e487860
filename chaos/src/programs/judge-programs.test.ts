import { expect, test } from 'vitest'
import type { Line, Step, Write } from '../pack/program.ts'
import {
  judgePrograms,
  type ProgramEnd,
  type ProgramFaults,
  type StoredEffect,
} from './judge-programs.ts'
import type { Plan } from './plan.ts'

const NO_FAULTS = { state: 0, answer: 0, doubled: 0, stuckRuns: 0, diverged: 0 }
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

function planOf(...steps: readonly Step[]): Plan {
  return {
    program: { id: 'p1', step: { do: 'sequence', steps } },
    who: { tenant: 'north', principal: 'ann' },
    key: 'k',
    answerAt: () => 'yes',
    verdictAt: () => 'approve',
    isMisunderstoodAt: () => false,
  }
}

function faultsOf(
  plan: Plan,
  end: ProgramEnd,
  held: readonly string[],
  again?: ProgramEnd,
): Record<keyof ProgramFaults, number> {
  const all = held.map((item, index): StoredEffect => ({ item, receipt: `r${index}` }))
  const { faults } = judgePrograms([{ plan, end, again }], all)
  // erased: the same names, each with how many there are
  return Object.fromEntries(
    Object.entries(faults).map(([name, lines]) => [name, lines.length]),
  ) as Record<keyof ProgramFaults, number>
}

function doneEnd(...receipts: readonly string[]): ProgramEnd {
  return {
    end: 'done',
    lines: receipts.map((value, index): Line => ({ place: `0.${index}`, what: 'made', value })),
  }
}

function failedEnd(
  undone: readonly string[],
  notUndone: readonly string[],
  code = 'TOOL_INVALID_FIELD_VALUE',
): ProgramEnd {
  return { end: 'failed', code, undone, notUndone }
}

test('a program that did what the model says, and says so each time, has no fault', () => {
  expect(
    faultsOf(planOf(write, write), doneEnd('r0', 'r1'), ['p1.0.0', 'p1.0.1'], doneEnd('r0', 'r1')),
  ).toEqual(NO_FAULTS)
  const plan = planOf(undoable, write, refused)
  expect(faultsOf(plan, failedEnd(['0.0'], ['0.1']), ['p1.0.0', 'p1.0.1', 'undo.p1.0.0'])).toEqual(
    NO_FAULTS,
  )
})

test('missing, unexpected, doubled and uncompensated effects are detected', () => {
  expect(faultsOf(planOf(write, write), doneEnd('r0', 'r0'), ['p1.0.0'])).toEqual({
    ...NO_FAULTS,
    state: 1,
    answer: 1,
  })
  expect(faultsOf(planOf(write), doneEnd('r0'), ['p1.0.0', 'p1.0.7'])).toEqual({
    ...NO_FAULTS,
    state: 1,
  })
  expect(faultsOf(planOf(write), doneEnd('r0'), ['p1.0.0', 'p1.0.0'])).toEqual({
    ...NO_FAULTS,
    doubled: 1,
  })
  expect(faultsOf(planOf(undoable), doneEnd('r0'), ['p1.0.0', 'undo.p1.0.0'])).toEqual({
    ...NO_FAULTS,
    state: 1,
  })
  expect(faultsOf(planOf(undoable, refused), failedEnd(['0.0'], []), ['p1.0.0'])).toEqual({
    ...NO_FAULTS,
    state: 1,
  })
})

test('an answer other than the model’s, than the receipts, or than before is seen', () => {
  expect(faultsOf(planOf(write), doneEnd('r7'), ['p1.0.0'])).toEqual({ ...NO_FAULTS, answer: 1 })
  expect(faultsOf(planOf(write), { end: 'done', lines: [] }, ['p1.0.0'])).toEqual({
    ...NO_FAULTS,
    answer: 1,
  })
  expect(faultsOf(planOf(write), doneEnd('r0'), ['p1.0.0'], failedEnd([], []))).toEqual({
    ...NO_FAULTS,
    answer: 1,
  })
  expect(faultsOf(planOf(write), failedEnd([], ['0.0']), ['p1.0.0'])).toEqual({
    ...NO_FAULTS,
    answer: 1,
  })
  expect(
    faultsOf(planOf(write, refused), failedEnd([], ['0.0'], 'TOOL_STORAGE_ERROR'), ['p1.0.0']),
  ).toEqual({ ...NO_FAULTS, answer: 1 })
  expect(faultsOf(planOf(write, refused), failedEnd([], []), ['p1.0.0'])).toEqual({
    ...NO_FAULTS,
    answer: 1,
  })
})

test('a program may have started parallel steps when one of them failed', () => {
  const plan = planOf({ do: 'parallel', atMost: 2, steps: [undoable, refused] })
  expect(faultsOf(plan, failedEnd([], []), [])).toEqual(NO_FAULTS)
  expect(faultsOf(plan, failedEnd(['0.0.0'], []), ['p1.0.0.0', 'undo.p1.0.0.0'])).toEqual(NO_FAULTS)
  expect(faultsOf(plan, failedEnd([], []), ['undo.p1.0.0.0'])).toEqual({ ...NO_FAULTS, state: 1 })
})

test('a program without an end is stuck, and one that diverged says so', () => {
  expect(faultsOf(planOf(write), { end: 'no-answer', last: 'silent' }, [])).toEqual({
    ...NO_FAULTS,
    stuckRuns: 1,
  })
  expect(faultsOf(planOf(write), { end: 'diverged', message: 'at 0.0' }, [])).toEqual({
    ...NO_FAULTS,
    diverged: 1,
  })
})
