import { expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { workJobs } from './jobs.ts'

test('jobs that are due together are started in turns of their own, so that others are served in between', async () => {
  const due = ['a', 'b', 'c'].map((callId, at) => ({
    number: at,
    tries: 1,
    job: { tenant: 'acme', callId },
  }))
  // The first lease takes them all.
  const step = async ({ name }: { readonly name: string }): Promise<unknown> => {
    if (name === 'sqlite.areJobsDue') return due.length > 0
    return name === 'sqlite.leaseJobs' ? due.splice(0) : undefined
  }
  let turn = 0
  const count = (): void => {
    turn++
    if (turns.length < 3) setImmediate(count)
  }
  const turns: number[] = []
  setImmediate(count)
  const stop = workJobs(
    { step: step as Database['step'], onEnqueued: () => () => undefined },
    async () => void turns.push(turn),
  )
  await expect.poll(() => turns.length).toBe(3)
  await stop()
  expect(new Set(turns).size).toBe(3)
})
