import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, type TestContext, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import type { Database } from '../database.ts'
import { enqueueJob } from '../jobs.ts'
import { defineStep } from '../step.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'

type Nodes = {
  readonly url: string
  readonly node: Database
  readonly other: Database
  readonly enqueue: (callId: string) => Promise<void>
}

/** Two nodes on a database of their own. */
async function openNodes({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Nodes> {
  const url = await createDatabase(inject('postgres'))
  const [node, other] = [await openPostgresDatabase({ url }), await openPostgresDatabase({ url })]
  onTestFinished(async () => {
    await Promise.all([node.close(), other.close()])
  })
  return {
    url,
    node,
    other,
    enqueue: (callId) => node.step(enqueueJob, { job: { tenant: 'acme', callId }, delayMs: 0 }),
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20)
}

test.concurrent('two nodes share the jobs, and each job is done once', async (context) => {
  const { node, other, enqueue } = await openNodes(context)
  const done: string[] = []
  const shares = [0, 0]
  const names = Array.from({ length: 200 }, (_, index) => `call-${index}`)
  for (const [index, database] of [node, other].entries())
    database.work(async ({ callId }) => {
      await pause(5)
      shares[index] = (shares[index] ?? 0) + 1
      done.push(callId)
    })
  await Promise.all(names.map((name) => enqueue(name)))
  await until(() => done.length >= names.length)
  await pause(1_500)
  expect(done.toSorted()).toEqual(names.toSorted())
  expect(shares.every((share) => share > 0)).toBe(true)
})

test.concurrent('a job is there with its step or not at all', async (context) => {
  const { node, other, enqueue } = await openNodes(context)
  const woken: string[] = []
  node.work(async ({ callId }) => void woken.push(callId))
  const broken = defineStep('test.broken', { mode: 'durable', statements: 'many' }, async (sql) => {
    await sql.enqueue({ tenant: 'acme', callId: 'never' }, 0)
    throw new TypeError('enough')
  })
  await expect(other.step(broken, undefined)).rejects.toThrow('enough')
  await enqueue('then')
  await until(() => woken.length > 0)
  await pause(1_500)
  expect(woken).toEqual(['then'])
})

test.concurrent('a job a killed node had taken comes to another', async (context) => {
  const { url, other, enqueue } = await openNodes(context)
  const child = spawn(process.execPath, [
    '--no-warnings',
    join(import.meta.dirname, 'fixtures', 'works-and-hangs.ts'),
    url,
  ])
  await enqueue('orphan')
  const [result] = await once(child.stdout, 'data')
  expect(String(result).trim()).toBe('orphan')
  child.kill('SIGKILL')
  const woken: string[] = []
  other.work(async ({ callId }) => void woken.push(callId))
  await until(() => woken.length > 0)
  expect(woken).toEqual(['orphan'])
})

test.concurrent('a job that takes longer than its heartbeat is not given to a second node', async (context) => {
  const { node, other, enqueue } = await openNodes(context)
  const taken: string[] = []
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  for (const database of [node, other])
    database.work(async ({ callId }) => {
      taken.push(callId)
      await finished
    })
  await enqueue('long')
  await until(() => taken.length > 0)
  await pause(18_000)
  finish()
  expect(taken).toEqual(['long'])
})

test.concurrent('a job that fails comes again', async (context) => {
  const { node, enqueue } = await openNodes(context)
  let tries = 0
  node.work(async () => {
    tries++
    if (tries === 1) throw new Error('not yet')
  })
  await enqueue('twice')
  await until(() => tries === 2)
})

test.concurrent('what comes while nobody works any more waits until somebody does again', async (context) => {
  const { node, enqueue } = await openNodes(context)
  const woken: string[] = []
  const stop = node.work(async ({ callId }) => void woken.push(callId))
  await stop()
  await enqueue('waits')
  await pause(1_500)
  expect(woken).toEqual([])
  node.work(async ({ callId }) => void woken.push(callId))
  await until(() => woken.length > 0)
  expect(woken).toEqual(['waits'])
})
