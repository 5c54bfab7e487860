import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caller, Outcome } from '@surehand/core'
import { awaitAnswer, fetchResult } from '@surehand/core/host'
import { type Clock, systemClock } from '@surehand/core/ports'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type App, createApp } from './app.ts'
import type { Config } from './config/read-config.ts'
import { readDemoConfig } from './fixtures/demo-config.ts'

const ann: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['shop.buy'],
}

let folder: string
let config: Config
let app: App
let options: { readonly clock: Clock }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-wake-'))
  config = {
    ...(await readDemoConfig({ env: {}, folder, overrides: { logLevel: 'silent' } })),
    packs: [],
  }
  app = await createApp(config)
  await app.identityApi.principals.put({ ...ann, principal: 'root', roles: ['admin'] }, 'ann', {
    roles: ['user'],
    capabilities: ['shop.buy'],
  })
  // No poll ever comes due, of the worker or of those who wait: only a wake-up can help them.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  options = { clock: systemClock() }
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  rmSync(folder, { recursive: true })
})

async function ask(key: string): Promise<Extract<Outcome, { status: 'pending' }>> {
  const asked = await app.runtime.call({
    tool: 'shop.buy',
    input: { productId: 'tea' },
    caller: ann,
    surface: 'test',
    idempotencyKey: key,
  })
  if (asked.status !== 'pending') return expect.fail(asked.status)
  return asked
}

/** Those who wait for one call: a request over HTTP or of a framework, and a model's tool. */
function waitFor(callId: string): readonly Promise<Outcome | undefined>[] {
  const waiting = { ...options, waitMs: 25_000, signal: undefined, until: 'end' } as const
  return [
    awaitAnswer(app.runtime, ann, callId, waiting),
    fetchResult(app.runtime, ann, { call_id: callId, wait_seconds: 25 }, options),
  ]
}

test('an approval wakes the worker, and its answer those who wait: no timer has run out since', async () => {
  app.runtime.start()
  const { approval, facts } = await ask('approved')
  const answers = waitFor(facts.callId)
  const { id, digest } = approval
  await app.runtime.approvals.decide(ann, id, { verdict: 'approve', digest })
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ status: 'done', data: { productId: 'tea' } })
})

test('a denial wakes those who wait', async () => {
  app.runtime.start()
  const { approval, facts } = await ask('denied')
  const answers = waitFor(facts.callId)
  const { id, digest } = approval
  await app.runtime.approvals.decide(ann, id, { verdict: 'deny', digest, reason: 'Not now.' })
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'TOOL_APPROVAL_DENIED' } })
})

test('a cancellation wakes those who wait', async () => {
  const { facts } = await ask('cancelled')
  const answers = waitFor(facts.callId)
  await app.runtime.cancel(ann, facts.callId)
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'TOOL_CANCELLED' } })
})

test('a command that approves in a process of its own has made the call when it is done', async () => {
  const { approval, facts } = await ask('by command')
  const command = await createApp(config)
  const { id, digest } = approval
  await command.runtime.approvals.decide(ann, id, { verdict: 'approve', digest })
  await command.close()
  expect(await app.runtime.answer(ann, facts.callId)).toMatchObject({
    status: 'done',
    data: { productId: 'tea' },
  })
})
