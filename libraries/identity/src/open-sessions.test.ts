import { memoryStores } from '@surehand/core'
import { beforeEach, expect, test } from 'vitest'
import { type OpenSessions, publicSessionId, storedOpenSessions } from './open-sessions.ts'
import type { Session } from './sessions.ts'

const START = Date.parse('2026-02-01T10:00:00Z')
const HOUR_MS = 3_600_000
const ANN = { tenant: 'home', principal: 'ann' }
let nowMs = START
let timers: (() => void)[] = []
const clock = {
  now: () => nowMs,
  ticks: () => nowMs,
  after: (_: number, run: () => void) => {
    timers.push(run)
    return () => undefined
  },
}
let nodes: readonly [OpenSessions, OpenSessions]

beforeEach(() => {
  nowMs = START
  timers = []
  const { values } = memoryStores({ clock })
  nodes = [storedOpenSessions(values, clock), storedOpenSessions(values, clock)]
})

const sessionOf = (id: string, more: Partial<Session> = {}): Session => ({
  ...{ id, ...ANN, expiresAt: START + 8 * HOUR_MS },
  ...more,
})

async function runTimers(): Promise<void> {
  const due = timers
  timers = []
  for (const run of due) run()
  await new Promise((resolve) => setImmediate(resolve))
}

test('a use is listed to the minute, whichever node noticed it', async () => {
  const session = sessionOf('one', { token: 't1' })
  await nodes[0].add(session, 'Firefox on Linux')
  const listed = {
    id: publicSessionId(session),
    startedAt: START,
    expiresAt: session.expiresAt,
    client: 'Firefox on Linux',
    signedInWith: 'token',
    token: 't1',
  }
  expect(await nodes[1].list(ANN)).toEqual([{ ...listed, lastUsedAt: START }])
  nowMs = START + HOUR_MS
  nodes[1].note(session)
  expect(await nodes[0].list(ANN)).toEqual([{ ...listed, lastUsedAt: START }])
  await runTimers()
  expect(await nodes[0].list(ANN)).toEqual([{ ...listed, lastUsedAt: nowMs }])
  nowMs += 30_000
  nodes[1].note(session)
  expect(timers).toEqual([])
})

test('sessions that begin on two nodes at once are all listed, the newest first', async () => {
  const sessions = Array.from({ length: 10 }, (_, count) => sessionOf(`number ${count}`))
  await Promise.all(
    sessions.map((session, count) => nodes[count % 2 === 0 ? 0 : 1].add(session, 'Another client')),
  )
  nowMs += 1
  await nodes[0].add(sessionOf('newest'), 'curl')
  const listed = await nodes[1].list(ANN)
  expect(listed).toHaveLength(11)
  expect(listed[0]).toMatchObject({ client: 'curl', signedInWith: 'link' })
})

test('a session that ended is refused on every node, and a use of it does not bring it back', async () => {
  const [ended, stays] = [sessionOf('ended'), sessionOf('stays')]
  for (const session of [ended, stays]) await nodes[0].add(session, 'curl')
  nodes[0].note(ended)
  await nodes[0].end(ANN, [{ id: publicSessionId(ended), expiresAt: ended.expiresAt }])
  await runTimers()
  expect([await nodes[1].hasEnded(ended), await nodes[1].hasEnded(stays)]).toEqual([true, false])
  expect((await nodes[1].list(ANN)).map(({ id }) => id)).toEqual([publicSessionId(stays)])
})

test('a session is off the list when it has expired, and others have lists of their own', async () => {
  await nodes[0].add(sessionOf('short', { expiresAt: START + HOUR_MS }), 'curl')
  await nodes[0].add(sessionOf('foreign', { tenant: 'globex' }), 'curl')
  await nodes[0].add(sessionOf('other', { principal: 'bob' }), 'curl')
  expect(await nodes[0].list(ANN)).toHaveLength(1)
  nowMs += HOUR_MS
  expect(await nodes[0].list(ANN)).toEqual([])
})
