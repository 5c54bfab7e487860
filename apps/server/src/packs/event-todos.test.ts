import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, toEnvelope } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'

test('the to-dos of an event are on the task list of the person, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-todos-'))
  const config = await readConfig({
    env: { SUREHAND_BUILT_IN: 'personal,events', SUREHAND_DATA: folder },
    folder,
  })
  const app = await createApp(config)
  onTestFinished(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  const { identity, identityApi, runtime } = app
  await identityApi.principals.put(systemCaller(config.home), 'ann', {
    name: 'Ann',
    roles: ['user'],
  })
  const caller = (await identity.authenticateSession({
    id: 's1',
    tenant: config.home,
    principal: 'ann',
    expiresAt: Infinity,
  })) as Caller
  const call = async (tool: string, input: object, idempotencyKey = tool) =>
    toEnvelope(await runtime.call({ tool, input, caller, surface: 'test', idempotencyKey }))

  const todos = [
    { title: 'Buy tickets for Monday', dueDate: '2027-05-10T23:30:00-08:00' },
    { title: 'Pack', notes: 'Both bags.' },
  ]
  const written = await call('tasks.write', { eventId: 'evt_1', todos })
  const { taskIds } = written.data as { readonly taskIds: readonly string[] }
  await call('tasks.write', { eventId: 'evt_1', todos })
  expect((await call('task.list', {})).data).toMatchObject({
    tasks: [
      { id: taskIds[0], title: 'Buy tickets for Monday', due: { day: '2027-05-10' } },
      { id: taskIds[1], title: 'Pack' },
    ],
  })
  expect((await call('task.details', { task: 'Pack' })).data).toMatchObject({
    notes: 'Both bags.\nFor the event evt_1.',
  })
})
