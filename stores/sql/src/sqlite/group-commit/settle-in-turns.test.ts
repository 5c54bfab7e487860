import { setImmediate as turn } from 'node:timers/promises'
import { askForSmallParts } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import { addNote } from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'
import { settleInTurns } from './settle-in-turns.ts'

function workFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Works for longer than a turn may take. */
function workLong(): void {
  workFor(2)
}

test('results of one batch whose callers work long are handed out over several turns', async () => {
  const { step } = await openFixture({ groupCommit: 'on' })
  await step(addNote, { id: 'before', text: 'text' })
  const order: number[] = []
  const written = Array.from({ length: 40 }, (_, index) =>
    step(addNote, { id: `note-${index}`, text: 'text' }).then(() => {
      order.push(index)
      workLong()
    }),
  )
  // A result at the end of the last turn, and one at the start of the next.
  let mostInTurn = 0
  for (let before = 0; order.length < written.length; before = order.length) {
    await turn()
    mostInTurn = Math.max(mostInTurn, order.length - before)
  }
  expect(mostInTurn).toBeLessThanOrEqual(2)
  expect(order).toEqual(written.map((_, index) => index))
})

test('batches that are answered in one turn share its time', async () => {
  const done: string[] = []
  const settlements = settleInTurns(() => undefined)
  settlements.add([
    () => {
      done.push('first')
      workLong()
    },
  ])
  settlements.add([() => done.push('second')])
  expect(done).toEqual(['first'])
  await turn()
  await turn()
  expect(done).toEqual(['first', 'second'])
})

test('while small parts are wanted, fewer are handed out in a turn', async () => {
  askForSmallParts(1_000_000)
  const done: number[] = []
  const settlements = settleInTurns(() => undefined)
  const settle = (index: number) => () => {
    done.push(index)
    workFor(0.5)
  }
  settlements.add(Array.from({ length: 6 }, (_, index) => settle(index)))
  let mostInTurn = done.length
  for (let before = done.length; !settlements.areDone(); before = done.length) {
    await turn()
    mostInTurn = Math.max(mostInTurn, done.length - before)
  }
  askForSmallParts(0)
  // One at the end of the last turn, and one at the start of the next.
  expect(mostInTurn).toBeLessThanOrEqual(2)
  expect(done).toEqual([0, 1, 2, 3, 4, 5])
})

test('closing waits until every result was handed out', async () => {
  const { step, close } = await openFixture({ groupCommit: 'on' })
  let ended = 0
  const written = Array.from({ length: 40 }, (_, index) =>
    step(addNote, { id: `note-${index}`, text: 'text' }).then(() => {
      ended++
      workLong()
    }),
  )
  await close()
  expect(ended).toBe(written.length)
})
