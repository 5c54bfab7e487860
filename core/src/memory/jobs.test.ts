import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { memoryJobs } from './memory-stores.ts'

test('a job runs outside of what is stored for the request that enqueued it', async () => {
  const request = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const jobs = memoryJobs(systemClock())
  const stop = jobs.work(async () => {
    seen.push(request.getStore())
  })
  request.run('the request', () => jobs.enqueue({ tenant: 'acme', callId: 'call_1' }, 0))
  await expect.poll(() => seen).toEqual([undefined])
  await stop()
})
