import { Buffer } from 'node:buffer'
import { contractSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { awaitAnswer, type Progress } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { startEmulator } from '@surehand/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRuntime } from '../fixtures/local-world.ts'
import { createDayPreview, previewEvents } from './create-day-preview.ts'
import type { PreviewOrder } from './day-previews-port.ts'
import { routes } from './emulators/veo.ts'
import { createShelf, MIA, mediaWorld } from './fixtures/media-world.ts'
import { localDayPreviews } from './providers/local-day-previews.ts'
import { FRAMES_PER_SECOND, framesOf } from './providers/preview-timing.ts'
import { boxIn, mp4Seconds, veoDayPreviews } from './providers/veo-day-previews.ts'

const shelf = createShelf()
const signal = new AbortController().signal
const emulator = await startEmulator({ routes })
afterAll(() => emulator.stop())

// the contract's cases run a dozen times: on the vendor's emulator, where a film takes no time to
// make
contractSuite(createDayPreview, {
  open: mediaWorld(() => {
    const access = {
      baseUrl: emulator.url,
      key: 'k',
      fetchFor: () => fetch,
      pause: async () => undefined,
    }
    const veo = veoDayPreviews({ ...access, ...shelf, values: memoryStores().values })
    // who waits for progress waits for ever in a world whose clock stands
    return {
      providers: { dayPreviews: { ...veo, progress: async () => null } },
      effects: () => emulator.effects().length,
    }
  }),
})

const BASE = { timezone: 'Europe/Berlin', source: 'text' } as const
const ORDER: PreviewOrder = {
  tenant: 'home',
  idempotencyKey: 'k1',
  date: '2026-06-20',
  style: 'documentary',
  events: [{ title: 'Midsummer Night Jazz', time: '20:00', place: 'City Park Pavilion' }],
}

describe('a day preview made here', () => {
  const reported: Progress[] = []
  let film: Buffer
  let answer: Record<string, unknown>

  beforeAll(async () => {
    const runtime = openRuntime([createDayPreview], { dayPreviews: localDayPreviews(shelf) })
    runtime.start()
    // a day without events is one card: the real clock's minute is enough for it on a busy machine
    const input = { date: '2026-06-20', events: [] }
    const outcome = await runtime.call({
      tool: createDayPreview.id,
      input,
      caller: MIA,
      surface: 'test',
    })
    expect(outcome.status).toBe('accepted')
    const waiting = {
      clock: systemClock(),
      waitMs: 100_000,
      signal,
      until: 'end',
      onProgress: (progress: Progress) => void reported.push(progress),
    } as const
    const done = await awaitAnswer(runtime, MIA, outcome.facts.callId, waiting)
    if (done?.status !== 'done') throw new Error(JSON.stringify(done))
    answer = done.data as Record<string, unknown>
    film = Buffer.from(shelf.artifacts.get(String(answer.videoUrl))?.bytes ?? [])
    await runtime.stop()
  })

  test('is an MP4 with H.264 in it, with as many frames and seconds as it says', () => {
    const frames = framesOf('title', 0)
    expect(answer).toMatchObject({ provider: 'local', durationSeconds: frames / FRAMES_PER_SECOND })
    expect(film.toString('latin1', 4, 8)).toBe('ftyp')
    expect(mp4Seconds(film)).toBeCloseTo(Number(answer.durationSeconds), 1)
    const samples = inside(film, ['moov', 'trak', 'mdia', 'minf', 'stbl'])
    expect(boxIn(samples, 'stsz')?.readUInt32BE(8)).toBe(frames)
    const described = boxIn(samples, 'stsd') ?? Buffer.alloc(0)
    expect(described.toString('latin1', 12, 16)).toBe('avc1')
    expect([described.readUInt16BE(40), described.readUInt16BE(42)]).toEqual([1280, 720])
  })

  test('tells how far it is, and never less than before', () => {
    const shares = reported.map(({ fraction = -1 }) => fraction)
    expect(shares.length).toBeGreaterThan(0)
    expect(shares).toEqual([...shares].sort((left, right) => left - right))
    expect(shares.at(-1)).toBeGreaterThan(0)
  })
})

test('progress comes frame by frame, and ends with the film', async () => {
  const previews = localDayPreviews(shelf)
  const shares: number[] = []
  const made = previews.create(ORDER, signal)
  for (let after = -1; ; ) {
    const progress = await previews.progress({ idempotencyKey: 'k1', after }, signal)
    if (progress === null) break
    after = progress.fraction
    shares.push(after)
  }
  const { durationSeconds } = await made
  expect(durationSeconds).toBe((framesOf('title', 1) + framesOf('event', 1)) / FRAMES_PER_SECOND)
  expect([shares[0], shares.length]).toEqual([0, 1 + Math.floor(durationSeconds)])
})

test('who leaves ends the thread that draws, and nothing is kept', async () => {
  const before = shelf.artifacts.size
  const leave = new AbortController()
  const left = localDayPreviews(shelf).create({ ...ORDER, idempotencyKey: 'k2' }, leave.signal)
  leave.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(shelf.artifacts.size).toBe(before)
})

test('a title that cannot be drawn is refused with nothing done', async () => {
  const order = { ...ORDER, events: [{ title: 'งานวัด', time: '20:00' }] }
  await expect(localDayPreviews(shelf).create(order, signal)).rejects.toMatchObject({
    code: 'TOOL_INVALID_FIELD_VALUE',
    effect: 'none',
  })
})

test('events are shown in the order of the day, in the time of their place', () => {
  const events = [
    { ...BASE, title: 'Dinner', startTime: '2026-06-20T19:30' },
    { ...BASE, title: 'Call', startTime: '2026-06-20T15:00:00Z', location: { name: 'Home' } },
    { ...BASE, title: 'Birthday', startTime: '2026-06-20' },
    {
      ...BASE,
      title: 'Night',
      startTime: '2026-06-20T23:30:00-07:00',
      timezone: 'America/Los_Angeles',
    },
  ]
  expect(previewEvents(events)).toEqual([
    { title: 'Birthday', time: 'All day' },
    { title: 'Call', time: '17:00', place: 'Home' },
    { title: 'Dinner', time: '19:30' },
    { title: 'Night', time: '23:30' },
  ])
})

function inside(file: Buffer, path: readonly string[]): Buffer {
  return path.reduce((container, name) => boxIn(container, name) ?? Buffer.alloc(0), file)
}
