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

test('a state may stay or change as the table says; a refusal lists from, to and the allowed states', () => {
  fc.assert(
    fc.property(state, state, (from, to) => {
      const isAllowed = from === to || TRANSITIONS[from].includes(to)
      expect(outcome(from, to)).toEqual(
        isAllowed ? 'allowed' : { field: 'state', from, to, allowed: TRANSITIONS[from] },
      )
    }),
  )
})

test('every state can be reached from every other', () => {
  const findReachable = (from: ProjectState): ReadonlySet<ProjectState> => {
    const found = new Set<ProjectState>([from])
    for (const one of found) for (const next of TRANSITIONS[one]) found.add(next)
    return found
  }
  for (const from of PROJECT_STATES)
    expect([...findReachable(from)].sort()).toEqual([...PROJECT_STATES].sort())
})
