import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caller } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { erasePrincipal } from '../commands/principals.ts'
import { readConfig } from '../config/read-config.ts'

test('"forget me": what is kept goes, what calls hold of it goes, and the audit still verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-forget-'))
  const app = await createApp(
    await readConfig({
      env: { SUREHAND_BUILT_IN: 'personal', SUREHAND_LOG_LEVEL: 'silent' },
      folder,
    }),
  )
  const { runtime, stores, config } = app
  await app.identityApi.principals.put(systemCaller(config.home), 'ann', {
    name: 'Ann',
    roles: ['user', 'power_user'],
  })
  const ann = (await app.identity.authenticateSession({
    id: 's',
    tenant: config.home,
    principal: 'ann',
    expiresAt: Infinity,
  })) as Caller
  const call = (tool: string, input: unknown, idempotencyKey: string) =>
    runtime.call({ tool, input, caller: ann, surface: 'test', idempotencyKey })
  try {
    await call('task.capture', { text: 'Tell nobody about the surprise' }, 'k1')
    const feed = await call('data.feed_address', {}, 'k2')
    const asked = await call('data.delete_all', {}, 'k3')
    if (asked.status !== 'pending')
      throw new Error(`delete_all is ${asked.status}, and should ask first`)
    await runtime.approvals.decide(ann, asked.approval.id, {
      verdict: 'approve',
      digest: asked.approval.digest,
    })
    await expect
      .poll(async () => (await runtime.answer(ann, asked.facts.callId))?.status)
      .toBe('done')
    expect(await stores.database.query('select count(*) as n from pm_tasks', [])).toEqual([
      { n: 0 },
    ])

    await erasePrincipal(app, systemCaller(config.home), 'ann')
    const left = JSON.stringify([
      await stores.database.query('select * from calls', []),
      await stores.database.query('select * from approvals', []),
      await stores.database.query('select * from audit_records', []),
      await stores.database.query('select * from audit_segments', []),
    ])
    expect(left).not.toContain('surprise')
    const file = new URL(
      (feed.status === 'done' ? (feed.data as { url: string }) : { url: 'http://x/x' }).url,
    ).pathname
      .split('/')
      .at(-1)
    expect(await app.feeds.ownerOf(config.home, file ?? '')).toBeUndefined()
    expect(await app.audit.verify?.(config.home)).toMatchObject({ kind: 'intact', erasures: 2 })
  } finally {
    await app.close()
  }
})
