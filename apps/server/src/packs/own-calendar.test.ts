import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, toEnvelope } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { feedPage } from './feed-page.ts'

const START = { dateTime: '2026-11-20T19:30:00', timeZone: 'Europe/Berlin' }

test('in an app of its own an event is written, read back, and fetched as the file its link names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-own-calendar-'))
  const config = await readConfig({
    env: { SUREHAND_BUILT_IN: 'events', SUREHAND_DATA: folder },
    folder,
  })
  const app = await createApp(config)
  onTestFinished(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  await app.identityApi.principals.put(systemCaller(config.home), 'ann', {
    name: 'Ann',
    roles: ['user'],
  })
  const caller: Caller = {
    tenant: config.home,
    principal: 'ann',
    actor: 'user',
    roles: ['user'],
    capabilities: ['calendar.read', 'calendar.write', 'data.export'],
    session: 's1',
    timeZone: 'Europe/Berlin',
  }
  const call = async (tool: string, input: object) =>
    toEnvelope(await app.runtime.call({ tool, input, caller, surface: 'test' }))

  const written = await call('calendar.write', {
    calendarId: 'primary',
    event: { summary: 'Jazz', start: START },
  })
  expect(written).toMatchObject({
    status: 'success',
    data: { htmlLink: expect.stringMatching(/\.ics$/) },
  })
  const read = await call('calendar.read', {
    calendarId: 'primary',
    timeMin: '2026-11-20',
    timeMax: '2026-11-21',
  })
  expect([read.data, read.metadata.degraded]).toMatchObject([
    { events: [{ summary: 'Jazz' }] },
    undefined,
  ])
  const { htmlLink } = written.data as { readonly htmlLink: string }
  const kept = await app.artifacts.find(config.home, htmlLink.split('/').at(-1) ?? '')
  expect([kept?.mediaType, new TextDecoder().decode(kept?.bytes)]).toEqual([
    'text/calendar',
    expect.stringContaining('SUMMARY:Jazz\r\n'),
  ])

  const { data: feed } = await call('data.feed_address', {})
  const [tenant = '', file = ''] = (feed as { readonly url: string }).url.split('/').slice(-2)
  const subscribed = await feedPage(app, tenant, file)
  expect([subscribed.headers.get('content-type'), await subscribed.text()]).toEqual([
    'text/calendar; charset=utf-8',
    expect.stringMatching(/SUMMARY:Jazz\r\n[\s\S]*END:VCALENDAR\r\n$/),
  ])
  await call('data.feed_address', { change: 'close' })
  expect((await feedPage(app, tenant, file)).status).toBe(404)
})
