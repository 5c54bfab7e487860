import { expect } from 'vitest'
import type { OpenedStores, OpenStores } from './opened.ts'
import { aCall } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

const job = (callId: string) => ({ tenant: 'acme', callId })

/** Collects what a worker is handed. */
function collecting({ stores }: OpenedStores): {
  readonly woken: string[]
  readonly stop: () => Promise<void>
} {
  const woken: string[] = []
  return {
    woken,
    stop: stores.jobs.work(async ({ tenant, callId }) => void woken.push(`${tenant} ${callId}`)),
  }
}

export const jobPromises: Promises = {
  'a job that arrives while no worker runs waits for the next worker': async (opened) => {
    await opened.stores.jobs.enqueue(job('a'), 0)
    await opened.advance(10_000)
    const worker = collecting(opened)
    await opened.advance(5_000)
    await worker.stop()
    expect(worker.woken).toEqual(['acme a'])
  },
  'a job that arrives while a worker runs reaches it': async (opened) => {
    const worker = collecting(opened)
    for (const name of ['a', 'b']) await opened.stores.jobs.enqueue(job(name), 0)
    await opened.advance(5_000)
    await worker.stop()
    expect(worker.woken.toSorted()).toEqual(['acme a', 'acme b'])
  },
  'a delayed job is not early': async (opened) => {
    const worker = collecting(opened)
    await opened.stores.jobs.enqueue(job('a'), 60_000)
    await opened.advance(59_000)
    expect(worker.woken).toEqual([])
    await opened.advance(6_000)
    expect(worker.woken).toEqual(['acme a'])
    await worker.stop()
  },
  'a job that throws affects no other job': async ({ stores, advance }) => {
    const done: string[] = []
    const stop = stores.jobs.work(async ({ callId }) => {
      if (callId === 'bad') throw new Error('broken')
      done.push(callId)
    })
    for (const name of ['bad', 'good']) await stores.jobs.enqueue(job(name), 0)
    await advance(5_000)
    await stop()
    expect(done).toContain('good')
  },
  'a job that throws is delivered again, and not for ever': async ({ stores, advance }) => {
    let tries = 0
    const stop = stores.jobs.work(async () => {
      tries++
      throw new Error('broken')
    })
    await stores.jobs.enqueue(job('bad'), 0)
    await advance(60_000)
    expect(tries).toBeGreaterThan(1)
    await advance(24 * 3_600_000)
    const triesOfADay = tries
    await advance(24 * 3_600_000)
    await stop()
    expect(tries).toBe(triesOfADay)
  },
  'stopping waits for running jobs': async ({ stores, advance }) => {
    let finish: () => void = () => undefined
    const state = { isDone: false }
    const stop = stores.jobs.work(
      () =>
        new Promise((resolve) => {
          finish = () => {
            state.isDone = true
            resolve()
          }
        }),
    )
    await stores.jobs.enqueue(job('a'), 0)
    await advance(5_000)
    const stopped = stop().then(() => state.isDone)
    finish()
    expect(await stopped).toBe(true)
  },
  'a queued call comes with its wake-up': async (opened) => {
    const worker = collecting(opened)
    const call = aCall()
    await opened.stores.calls.queue(call, undefined)
    await opened.advance(5_000)
    await worker.stop()
    expect(worker.woken).toEqual([`acme ${call.callId}`])
  },
}

/** The promises of the queue: every wake-up arrives, at least once. */
export function jobSuite(name: string, open: OpenStores): void {
  registerSuite('jobs', name, open, jobPromises)
}
