import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { runCli, type Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { type Clock, systemClock } from '@surehand/core/ports'
import { systemCaller } from '@surehand/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'
import { runPm } from './pm.ts'

// The week in which the clocks go forward: Monday, 23 to Sunday, 29 March 2026, in Berlin.
const ZONE = 'Europe/Berlin'

let serving: RunningServer
let agent: Client
let shiftMs = 0
const home = mkdtempSync(join(tmpdir(), 'surehand-week-'))

const clock: Clock = { ...systemClock(), now: () => Date.now() + shiftMs }

/** Moves the clock to an instant such as `2026-03-23T08:00+01:00`. */
function moveTo(moment: string): void {
  shiftMs = Date.parse(moment) - Date.now()
}

beforeAll(async () => {
  moveTo('2026-03-23T07:00+01:00')
  process.env.XDG_STATE_HOME = home
  const env = { SUREHAND_PORT: '0', SUREHAND_BUILT_IN: 'personal', SUREHAND_LOG_LEVEL: 'silent' }
  const config = await readConfig({ env, folder: home })
  serving = await serve(config, createLog(config), { clock })
  const by = systemCaller(config.home)
  await serving.app.identityApi.principals.put(by, 'ann', {
    name: 'Ann',
    roles: ['user', 'power_user'],
    timeZone: ZONE,
  })
  const { token } = await serving.app.identityApi.tokens.create(by, {
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

/** A call by the assistant. */
async function byMcp(name: string, args: object): Promise<Data> {
  const { structuredContent, isError, content } = await agent.callTool({
    name,
    arguments: { ...args },
    _meta: { 'surehand/envelope': true },
  })
  expect([isError ?? false, isError === true ? content : ''], name).toEqual([false, ''])
  return structuredContent as Data
}

/** A command by Ann at her terminal. */
async function pm(...words: readonly string[]): Promise<string> {
  const { app } = serving
  const caller = (await app.identity.authenticateSession({
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

test('a week of calls by an assistant and commands at a terminal ends in a correct review', async () => {
  // Monday: tasks are captured into the inbox, and two habits begin.
  await pm('habit', 'add', 'Read ten pages', '--remind', '21:30')
  await pm('habit', 'add', 'Run', '--frequency', 'weekly')
  await pm('project', 'add', 'Move flat', '--by', '2026-04-30')
  await pm('capture', 'Call the movers tomorrow 10:00 !high ~20m')
  await byMcp('task__capture', { text: 'Cancel the old lease by Friday !high' })
  await byMcp('task__capture', { text: 'Learn the ukulele' })
  expect(await pm('inbox')).toContain('Learn the ukulele')
  await byMcp('task__clarify', {
    task: 'Call the movers',
    to: 'next_action',
    project: 'Move flat',
  })
  await byMcp('task__clarify', {
    task: 'Cancel the old lease',
    to: 'next_action',
    project: 'Move flat',
    energy: 'low',
  })
  await byMcp('task__clarify', { task: 'ukulele', to: 'someday_maybe' })
  moveTo('2026-03-23T22:00+01:00')
  await pm('did', 'Read')

  // Tuesday: a phone call, and an hour of work.
  moveTo('2026-03-24T09:55+01:00')
  expect(await pm('today')).toMatch(/Call the movers.*2026-03-24 10:00/)
  await pm('done', '1')
  await pm('work', 'start', 'Sorting the cellar')
  moveTo('2026-03-24T10:55+01:00')
  await pm('work', 'stop', '--focus', '4')
  await pm('did', 'Run')
  moveTo('2026-03-24T22:00+01:00')
  await byMcp('habit__record_completion', { habit_name: 'Read ten pages', quality: 5 })

  // Wednesday is missed. On Thursday it cannot be recorded any more, and the habits continue.
  moveTo('2026-03-26T22:10+01:00')
  await pm('did', 'Read')

  // Friday: the lease is not cancelled in time, so the task slips.
  moveTo('2026-03-27T22:00+01:00')
  await pm('did', 'Read')

  // Saturday night: work past midnight, into the night that is an hour shorter.
  moveTo('2026-03-28T21:00+01:00')
  await pm('did', 'Read')
  moveTo('2026-03-28T23:30+01:00')
  await pm('work', 'start', 'Floor plan')
  moveTo('2026-03-29T00:30+01:00')
  await pm('work', 'stop', '--focus', '3')

  // Sunday: the clocks have gone forward.
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
  // Due on Friday and done on Sunday: it slipped within the week and is no longer overdue.
  expect(review.overdue).toMatchObject({ count: 0 })
  expect(review.deep_work).toMatchObject({ minutes: 120, session_count: 2 })
  const habits = review.habits as readonly { readonly name: string; readonly streak?: unknown }[]
  expect(habits.map(({ name }) => name).toSorted()).toEqual(['Read ten pages', 'Run'])

  // Six of seven days, four in a row since Thursday, across the night of 23 hours.
  const read = (await byMcp('habit__status', { habit_name: 'Read ten pages' })) as {
    streak: { current: number; longest: number }
    completion: Data
  }
  expect(read.streak).toMatchObject({ current: 4, longest: 4 })
  expect(read.completion).toMatchObject({ total: 6 })

  // Each day has its own minutes, though the second session went past midnight.
  const report = (await byMcp('time__deep_work_report', {})) as {
    by_day: readonly { day: string; minutes: number }[]
  }
  const minutes = new Map(report.by_day.map(({ day, minutes }) => [day, minutes]))
  expect([minutes.get('2026-03-24'), minutes.get('2026-03-28'), minutes.get('2026-03-29')]).toEqual(
    [60, 30, 30],
  )

  const refusal = await pm('review', 'weekly')
  expect(refusal).toContain('Call the movers')
  expect(refusal).toContain('Cancel the old lease')
})

test('a call that the assistant may not make is refused with its reason; the person may make it', async () => {
  const { isError, content } = await agent.callTool({
    name: 'project__update',
    arguments: { project_name: 'Move flat', phase: 'packing' },
  })
  expect([isError, JSON.stringify(content)]).toEqual([
    true,
    expect.stringContaining('project.write'),
  ])
  expect(await pm('projects')).toContain('Move flat')
})

test('tasks of the last list are clarified and delegated', async () => {
  await pm('capture', 'Read about heat pumps')
  await pm('capture', 'Order the boxes')
  const inbox = (await pm('inbox')).split('\n')
  const numberOf = (title: string) =>
    /^\s*(\d+)/.exec(inbox.find((line) => line.includes(title)) ?? '')?.[1] ?? ''
  await pm('clarify', numberOf('heat pumps'), 'someday')
  await pm('delegate', numberOf('the boxes'), 'Bob', '--by', 'in a week')
  expect(await pm('someday')).toContain('Read about heat pumps')
  expect(await pm('waiting')).toMatch(/Order the boxes.*waits for Bob/)
})

test('after a flight to Tokyo every screen has the days and hours of Tokyo', async () => {
  // Tuesday, 01:00 in Tokyo; in Berlin it is still Monday, 18:00.
  moveTo('2026-03-31T01:00+09:00')
  await pm('zone', 'Asia/Tokyo')
  await pm('capture', 'Buy tea today 18:00')
  await pm('work', 'start', 'Slides')
  moveTo('2026-03-31T02:00+09:00')
  await pm('work', 'stop')
  const [date] = (await pm('today')).split('\n')
  expect(date).toBe('2026-03-31')
  expect(await pm('today')).toMatch(/Buy tea.*2026-03-31 18:00/)
  expect((await pm('plan')).split('\n')[0]).toBe('2026-03-31')
  const day = async (tool: string) => JSON.stringify(await byMcp(tool, {}))
  for (const tool of ['habit__today_plan', 'time__plan_day', 'time__deep_work_report']) {
    const shown = await day(tool)
    expect([tool, shown.includes('Asia/Tokyo'), shown.includes('Europe/Berlin')]).toEqual([
      tool,
      true,
      false,
    ])
  }
  const report = (await byMcp('time__deep_work_report', {})) as {
    by_day: readonly { day: string; minutes: number }[]
  }
  expect(report.by_day.find(({ day: one }) => one === '2026-03-31')).toMatchObject({ minutes: 60 })
  await pm('zone', ZONE)
  expect((await pm('today')).split('\n')[0]).toBe('2026-03-30')
})

test('a function of v1 is called with its arguments', async () => {
  expect(await pm('v1', 'create_habit', 'habit_name=Stretch', 'minutes=5')).toContain(
    '30 June 2027',
  )
  expect(await pm('habits')).toContain('Stretch')
  expect(await pm('v1')).toContain('create_habit')
})

test('a calendar program subscribes to due dates at an address that can be revoked', async () => {
  await pm('capture', 'Send the postcard tomorrow')
  const [address = ''] = (await pm('feed')).split('\n')
  // A free port was chosen, which the address cannot contain beforehand.
  const fetchCalendar = (url: string) => fetch(serving.addresses.publicUrl + new URL(url).pathname)
  const feed = await fetchCalendar(address)
  expect([feed.status, feed.headers.get('content-type')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
  ])
  const text = await feed.text()
  expect(text).toMatch(/^BEGIN:VCALENDAR/)
  expect(text).toContain('Send the postcard')
  expect((await pm('feed')).split('\n')[0]).toBe(address)
  const [renewed = ''] = (await pm('feed', 'renew')).split('\n')
  expect([(await fetchCalendar(address)).status, (await fetchCalendar(renewed)).status]).toEqual([
    404, 200,
  ])
  await pm('feed', 'close')
  expect((await fetchCalendar(renewed)).status).toBe(404)
})
