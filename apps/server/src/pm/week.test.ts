import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { runCli, type Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { type Clock, systemClock } from '@surehand/core/ports'
import { houseCaller } from '@surehand/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'
import { runPm } from './pm.ts'

// the week in which the clocks go forward: Monday, 23 to Sunday, 29 March 2026, in Berlin
const ZONE = 'Europe/Berlin'

let serving: RunningServer
let agent: Client
let shiftMs = 0
const home = mkdtempSync(join(tmpdir(), 'surehand-week-'))

const clock: Clock = { ...systemClock(), now: () => Date.now() + shiftMs }

/** Moves to that moment: `2026-03-23T08:00+01:00`. */
function moveTo(moment: string): void {
  shiftMs = Date.parse(moment) - Date.now()
}

beforeAll(async () => {
  moveTo('2026-03-23T07:00+01:00')
  process.env.XDG_STATE_HOME = home
  const env = { SUREHAND_PORT: '0', SUREHAND_BUILT_IN: 'personal', SUREHAND_LOG_LEVEL: 'silent' }
  const config = await readConfig({ env, folder: home })
  serving = await serve(config, createLog(config), { clock })
  const by = houseCaller(config.home)
  await serving.app.desk.principals.put(by, 'ann', {
    name: 'Ann',
    roles: ['user', 'power_user'],
    timeZone: ZONE,
  })
  const { token } = await serving.app.desk.tokens.create(by, {
    principal: 'ann',
    name: 'her assistant',
    actor: 'ai_agent',
  })
  agent = new Client(
    { name: 'assistant', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${serving.addresses.publicUrl}/mcp`), {
      requestInit,
    }),
  )
})
afterAll(async () => {
  await agent.close()
  await serving.stop()
})

type Data = Readonly<Record<string, unknown>>

/** The assistant's way. */
async function byMcp(name: string, args: object): Promise<Data> {
  const { structuredContent, isError, content } = await agent.callTool({
    name,
    arguments: { ...args },
  })
  expect([isError ?? false, isError === true ? content : ''], name).toEqual([false, ''])
  return structuredContent as Data
}

/** Ann's own way, at her terminal. */
async function pm(...words: readonly string[]): Promise<string> {
  const { app } = serving
  const caller = (await app.identity.ofSession({
    id: 'cli',
    tenant: app.config.home,
    principal: 'ann',
    expiresAt: Infinity,
  })) as Caller
  const pieces: string[] = []
  const screen = () =>
    new Writable({ write: (chunk, _, done) => done(void pieces.push(String(chunk))) })
  const terminal: Terminal = { stdin: Readable.from([]), stdout: screen(), stderr: screen() }
  const code = await runCli({
    argv: ['pm', ...words],
    env: { HOME: home },
    terminal,
    version: '0.0.0',
    openLocal: async () => ({
      runtime: app.runtime,
      caller,
      audit: app.audit,
      close: async () => undefined,
    }),
    commands: [{ name: 'pm', summary: '', usage: '', use: runPm }],
  })
  expect([code, pieces.join('')], words.join(' ')).toEqual([0, expect.any(String)])
  return pieces.join('')
}

test('a week, kept with an assistant and at a terminal, ends in a review that is right', async () => {
  // Monday: what is on the mind goes into the inbox, and two habits begin
  await pm('habit', 'add', 'Read ten pages', '--remind', '21:30')
  await pm('habit', 'add', 'Run', '--frequency', 'weekly')
  await pm('project', 'add', 'Move app', '--by', '2026-04-30')
  await pm('capture', 'Call the movers tomorrow 10:00 !high ~20m')
  await byMcp('task__capture', { text: 'Cancel the old lease by Friday !high' })
  await byMcp('task__capture', { text: 'Learn the ukulele' })
  expect(await pm('inbox')).toContain('Learn the ukulele')
  await byMcp('task__clarify', {
    task: 'Call the movers',
    to: 'next_action',
    project: 'Move app',
  })
  await byMcp('task__clarify', {
    task: 'Cancel the old lease',
    to: 'next_action',
    project: 'Move app',
    energy: 'low',
  })
  await byMcp('task__clarify', { task: 'ukulele', to: 'someday_maybe' })
  moveTo('2026-03-23T22:00+01:00')
  await pm('did', 'Read')

  // Tuesday: a call, an hour of work
  moveTo('2026-03-24T09:55+01:00')
  expect(await pm('today')).toMatch(/Call the movers.*2026-03-24 10:00/)
  await pm('done', '1')
  await pm('work', 'start', 'Sorting the cellar')
  moveTo('2026-03-24T10:55+01:00')
  await pm('work', 'stop', '--focus', '4')
  await pm('did', 'Run')
  moveTo('2026-03-24T22:00+01:00')
  await byMcp('habit__record_completion', { habit_name: 'Read ten pages', quality: 5 })

  // Wednesday is forgotten. Thursday: it is too late to mend that, but not to go on
  moveTo('2026-03-26T22:10+01:00')
  await pm('did', 'Read')

  // Friday: the lease is not cancelled, and slips
  moveTo('2026-03-27T22:00+01:00')
  await pm('did', 'Read')

  // Saturday night: work over midnight, into the short night
  moveTo('2026-03-28T21:00+01:00')
  await pm('did', 'Read')
  moveTo('2026-03-28T23:30+01:00')
  await pm('work', 'start', 'Floor plan')
  moveTo('2026-03-29T00:30+01:00')
  await pm('work', 'stop', '--focus', '3')

  // Sunday: the clocks have gone forward
  moveTo('2026-03-29T22:30+02:00')
  await byMcp('habit__record_completion', { habit_name: 'Read ten pages' })
  await byMcp('task__complete', { task: 'Cancel the old lease' })

  const review = await byMcp('time__review_weekly', {})
  expect(review).toMatchObject({
    week: '2026-W13',
    from: '2026-03-23',
    to: '2026-03-29',
    time_zone: ZONE,
    captured_count: 3,
    inbox_count: 0,
  })
  expect(review.completed).toMatchObject({ count: 2 })
  // due on Friday, done on Sunday: it slipped within the week, and is not overdue any more
  expect(review.overdue).toMatchObject({ count: 0 })
  expect(review.deep_work).toMatchObject({ minutes: 120, session_count: 2 })
  const habits = review.habits as readonly { readonly name: string; readonly streak?: unknown }[]
  expect(habits.map(({ name }) => name).toSorted()).toEqual(['Read ten pages', 'Run'])

  // six of seven days, four in a row since Thursday, over the night of 23 hours
  const read = (await byMcp('habit__status', { habit_name: 'Read ten pages' })) as {
    streak: { current: number; longest: number }
    completion: Data
  }
  expect(read.streak).toMatchObject({ current: 4, longest: 4 })
  expect(read.completion).toMatchObject({ total: 6 })

  // each day has its own minutes, though the second session went over midnight
  const report = (await byMcp('time__deep_work_report', {})) as {
    by_day: readonly { day: string; minutes: number }[]
  }
  const minutes = new Map(report.by_day.map(({ day, minutes }) => [day, minutes]))
  expect([minutes.get('2026-03-24'), minutes.get('2026-03-28'), minutes.get('2026-03-29')]).toEqual(
    [60, 30, 30],
  )

  const told = await pm('review', 'weekly')
  expect(told).toContain('Call the movers')
  expect(told).toContain('Cancel the old lease')
})

test('what the assistant may not, it is told; the person at the terminal may', async () => {
  const { isError, content } = await agent.callTool({
    name: 'project__update',
    arguments: { project_name: 'Move app', phase: 'packing' },
  })
  expect([isError, JSON.stringify(content)]).toEqual([
    true,
    expect.stringContaining('project.write'),
  ])
  expect(await pm('projects')).toContain('Move app')
})

test('a calendar subscribes to what is due, under an address that can be taken away', async () => {
  await pm('capture', 'Send the postcard tomorrow')
  const [address = ''] = (await pm('feed')).split('\n')
  // any free port was taken, which no address knows beforehand
  const fetched = (url: string) => fetch(serving.addresses.publicUrl + new URL(url).pathname)
  const feed = await fetched(address)
  expect([feed.status, feed.headers.get('content-type')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
  ])
  const text = await feed.text()
  expect(text).toMatch(/^BEGIN:VCALENDAR/)
  expect(text).toContain('Send the postcard')
  expect((await pm('feed')).split('\n')[0]).toBe(address)
  const [renewed = ''] = (await pm('feed', 'renew')).split('\n')
  expect([(await fetched(address)).status, (await fetched(renewed)).status]).toEqual([404, 200])
  await pm('feed', 'close')
  expect((await fetched(renewed)).status).toBe(404)
})
