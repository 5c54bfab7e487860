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
import { createArtifacts, MIA, mediaWorld } from './fixtures/media-world.ts'
import { localDayPreviews } from './providers/local-day-previews.ts'
import { cardFrames, FRAMES_PER_SECOND } from './providers/preview-timing.ts'
import { findBox, mp4Seconds, veoDayPreviews } from './providers/veo-day-previews.ts'

const artifactStore = createArtifacts()
const signal = new AbortController().signal
const emulator = await startEmulator({ routes })
afterAll(() => emulator.stop())

// The contract suite makes a dozen videos: it runs on the vendor's emulator, which takes no time.
contractSuite(createDayPreview, {
  open: mediaWorld(() => {
    const access = {
      baseUrl: emulator.url,
      key: 'k',
      fetchFor: () => fetch,
      model: 'veo-3.1-generate-preview',
      pause: async () => undefined,
    }
    const veo = veoDayPreviews({ ...access, ...artifactStore, values: memoryStores().values })
    // With a fake clock, waiting for progress would never end.
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

describe('a local day preview', () => {
  const reported: Progress[] = []
  let video: Buffer
  let answer: Record<string, unknown>

  beforeAll(async () => {
    const runtime = openRuntime([createDayPreview], {
      dayPreviews: localDayPreviews(artifactStore),
    })
    runtime.start()
    // A day without events is one card, which renders within the timeout also on a busy machine.
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
    video = Buffer.from(artifactStore.artifacts.get(String(answer.videoUrl))?.bytes ?? [])
    await runtime.stop()
  })

  test('is an MP4 with H.264, with the reported frames and seconds', () => {
    const frames = cardFrames('title', 0)
    expect(answer).toMatchObject({ provider: 'local', durationSeconds: frames / FRAMES_PER_SECOND })
    expect(video.toString('latin1', 4, 8)).toBe('ftyp')
    expect(mp4Seconds(video)).toBeCloseTo(Number(answer.durationSeconds), 1)
    const samples = inside(video, ['moov', 'trak', 'mdia', 'minf', 'stbl'])
    expect(findBox(samples, 'stsz')?.readUInt32BE(8)).toBe(frames)
    const entry = findBox(samples, 'stsd') ?? Buffer.alloc(0)
    expect(entry.toString('latin1', 12, 16)).toBe('avc1')
    expect([entry.readUInt16BE(40), entry.readUInt16BE(42)]).toEqual([1280, 720])
  })

  test('reports progress that never decreases', () => {
    const shares = reported.map(({ fraction = -1 }) => fraction)
    expect(shares.length).toBeGreaterThan(0)
    expect(shares).toEqual([...shares].sort((left, right) => left - right))
    expect(shares.at(-1)).toBeGreaterThan(0)
  })
})

test('progress is reported every second and ends with the video', async () => {
  const previews = localDayPreviews(artifactStore)
  const shares: number[] = []
  const made = previews.create(ORDER, signal)
  for (let after = -1; ; ) {
    const progress = await previews.progress({ idempotencyKey: 'k1', after }, signal)
    if (progress === null) break
    after = progress.fraction
    shares.push(after)
  }
  const { durationSeconds } = await made
  expect(durationSeconds).toBe(
    (cardFrames('title', 1) + cardFrames('event', 1)) / FRAMES_PER_SECOND,
  )
  expect([shares[0], shares.length]).toEqual([0, 1 + Math.floor(durationSeconds)])
})

test('an abort ends the thread, and nothing is stored', async () => {
  const before = artifactStore.artifacts.size
  const controller = new AbortController()
  const aborted = localDayPreviews(artifactStore).create(
    { ...ORDER, idempotencyKey: 'k2' },
    controller.signal,
  )
  controller.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  expect(artifactStore.artifacts.size).toBe(before)
})

test('a title that cannot be drawn is refused without effect', async () => {
  const order = { ...ORDER, events: [{ title: 'งานวัด', time: '20:00' }] }
  await expect(localDayPreviews(artifactStore).create(order, signal)).rejects.toMatchObject({
    code: 'TOOL_INVALID_FIELD_VALUE',
    effect: 'none',
  })
})

test('events are shown in order, with the local time of their place', () => {
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
  return path.reduce((container, name) => findBox(container, name) ?? Buffer.alloc(0), file)
}
