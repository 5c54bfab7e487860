import { expect, test } from 'vitest'
import { doInTurn, letLightPass } from './small-parts.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Keeps the event loop busy for so long. */
function work(forMs: number): void {
  const untilMs = performance.now() + forMs
  while (performance.now() < untilMs);
}

/** Notes what happens in each turn of the event loop until all parts are done. */
async function turnsOf(done: string[], parts: number): Promise<readonly (readonly string[])[]> {
  const turns: string[][] = []
  for (let seen = 0; seen < parts; seen = done.length) {
    await nextTurn()
    if (done.length > seen) turns.push(done.slice(seen))
  }
  return turns
}

test('a part that takes long ends the turn, and the others go on in the next ones, in their order', async () => {
  const done: string[] = []
  for (const name of ['a', 'b', 'c'])
    doInTurn(() => {
      done.push(name)
      work(1)
    })
  expect(done).toEqual([])
  expect(await turnsOf(done, 3)).toEqual([['a'], ['b'], ['c']])
})

test('what a part leads to in the same turn of the event loop counts as the part', async () => {
  const done: string[] = []
  for (const name of ['a', 'b'])
    doInTurn(async () => {
      await null
      done.push(name)
      work(1)
    })
  expect(await turnsOf(done, 2)).toEqual([['a'], ['b']])
})

test('a part that throws does not stop the others', async () => {
  const thrown: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', (error) => thrown.push(error.message))
  const done: string[] = []
  doInTurn(() => {
    throw new Error('broken')
  })
  doInTurn(() => void done.push('next'))
  while (done.length === 0) await nextTurn()
  for (const listener of listeners) process.on('uncaughtException', listener)
  expect(thrown).toEqual(['broken'])
})

test('when a light client has asked, the parts wait for one more turn', async () => {
  const done: string[] = []
  letLightPass()
  doInTurn(() => void done.push('part'))
  setImmediate(() => done.push('light'))
  while (done.length < 2) await nextTurn()
  expect(done).toEqual(['light', 'part'])
})
