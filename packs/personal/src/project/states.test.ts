import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requireTransition, TRANSITIONS } from './project.ts'
import { PROJECT_STATES, type ProjectState } from './shapes.ts'

const state = fc.constantFrom(...PROJECT_STATES)

function outcome(from: ProjectState, to: ProjectState): unknown {
  try {
    requireTransition('Balcony', from, to)
    return 'allowed'
  } catch (thrown) {
    return (thrown as { details: unknown }).details
  }
}

test('a state may stay, or become what its row names; what is refused says from, to and what is allowed', () => {
  fc.assert(
    fc.property(state, state, (from, to) => {
      const isAllowed = from === to || TRANSITIONS[from].includes(to)
      expect(outcome(from, to)).toEqual(
        isAllowed ? 'allowed' : { field: 'state', from, to, allowed: TRANSITIONS[from] },
      )
    }),
  )
})

test('from every state one can come to every other', () => {
  const reached = (from: ProjectState): ReadonlySet<ProjectState> => {
    const found = new Set<ProjectState>([from])
    for (const one of found) for (const next of TRANSITIONS[one]) found.add(next)
    return found
  }
  for (const from of PROJECT_STATES)
    expect([...reached(from)].sort()).toEqual([...PROJECT_STATES].sort())
})
