import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DEFERRABLE_STATES,
  mayBecome,
  requireTransition,
  TASK_STATES,
  type TaskState,
  TRANSITIONS,
} from './task-state.ts'

const state = fc.constantFrom(...TASK_STATES)

test('the table and the check agree on every pair, and a refusal lists from, to and the allowed states', () => {
  fc.assert(
    fc.property(state, state, (from, to) => {
      const attempt = () => requireTransition({ title: 'Sail', state: from }, to)
      if (mayBecome(from, to)) return attempt()
      expect(attempt).toThrow(
        expect.objectContaining({
          code: 'TOOL_INVALID_FIELD_VALUE',
          details: { from, to, allowed: TRANSITIONS[from] },
        }),
      )
    }),
  )
})

test('no sequence of transitions leads back to the inbox', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 30 }), (choices) => {
      let at: TaskState = 'inbox'
      for (const choice of choices) {
        const next: TaskState | undefined = TRANSITIONS[at][choice % TRANSITIONS[at].length]
        expect(next).toBeDefined()
        expect(next).not.toBe('inbox')
        at = next ?? at
      }
    }),
  )
})

test('from each state every other except the inbox can be reached', () => {
  for (const from of TASK_STATES) {
    const reached = new Set<TaskState>([from])
    for (const one of reached) for (const next of TRANSITIONS[one]) reached.add(next)
    expect(
      [...TASK_STATES].filter((one) => one !== 'inbox' && !reached.has(one)),
      from,
    ).toEqual([])
  }
})

test('completed, deleted and reference tasks cannot be completed or deferred', () => {
  expect(mayBecome('completed', 'completed')).toBe(false)
  expect(mayBecome('deleted', 'completed')).toBe(false)
  expect(mayBecome('reference', 'completed')).toBe(false)
  expect(DEFERRABLE_STATES).not.toContain('completed')
  expect(DEFERRABLE_STATES).not.toContain('deleted')
  expect(DEFERRABLE_STATES).not.toContain('reference')
})
