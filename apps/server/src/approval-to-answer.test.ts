import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Caller } from '@surehand/core'
import { expect, test, vi } from 'vitest'
import { createApp } from './app.ts'
import { readConfig } from './config/read-config.ts'

const ann: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['shop.buy'],
}

test('an approval wakes the worker: the answer is there though no timer has run out since', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-wake-'))
  const config = await readConfig({
    env: {},
    folder,
    overrides: { demo: true, logLevel: 'silent' },
  })
  const app = await createApp({ ...config, packs: [] })
  const { runtime } = app
  try {
    const { identityApi } = app
    await identityApi.principals.put({ ...ann, principal: 'root', roles: ['admin'] }, 'ann', {
      roles: ['user'],
      capabilities: ['shop.buy'],
    })
    // No poll of the worker ever comes due: only a wake-up can continue the call.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    runtime.start()
    const asked = await runtime.call({
      tool: 'shop.buy',
      input: { productId: 'tea' },
      caller: ann,
      surface: 'test',
      idempotencyKey: 'wake',
    })
    if (asked.status !== 'pending') return expect.fail(asked.status)
    const { id, digest } = asked.approval
    await runtime.approvals.decide(ann, id, { verdict: 'approve', digest })
    const isDone = async (): Promise<boolean> =>
      (await runtime.answer(ann, asked.facts.callId))?.status === 'done'
    while (!(await isDone())) await setImmediate()
    expect(await runtime.answer(ann, asked.facts.callId)).toMatchObject({
      status: 'done',
      data: { productId: 'tea' },
    })
  } finally {
    vi.useRealTimers()
    await app.close()
    rmSync(folder, { recursive: true })
  }
})
