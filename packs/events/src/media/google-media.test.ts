import { memoryStores } from '@surehand/core'
import { encodeImageBytes } from '@surehand/reading'
import { drawFlyer } from '@surehand/reading/fixtures/flyer'
import { type Emulator, type FaultForm, startEmulator } from '@surehand/testing'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRuntime } from '../fixtures/local-world.ts'
import type { PreviewOrder } from './day-previews-port.ts'
import { routes as gemini } from './emulators/gemini-image.ts'
import { routes as imagen } from './emulators/imagen.ts'
import { routes as veo } from './emulators/veo.ts'
import { type ArtifactStore, createArtifacts, MIA } from './fixtures/media-world.ts'
import { flashImageEdit } from './flash-image-edit.ts'
import { generatePoster } from './generate-poster.ts'
import type { PosterOrder } from './posters-port.ts'
import { geminiImageCleanUp } from './providers/gemini-image-clean-up.ts'
import { imagenPosters } from './providers/imagen-posters.ts'
import { veoDayPreviews } from './providers/veo-day-previews.ts'
import { fetchVideo } from './providers/veo-operations.ts'

const signal = new AbortController().signal
let emulator: Emulator
let artifactStore: ArtifactStore
let values: ReturnType<typeof memoryStores>['values']
const startVendor = async (routes: Parameters<typeof startEmulator>[0]['routes']) => {
  emulator = await startEmulator({ routes })
}
const access = () => ({
  baseUrl: emulator.url,
  key: 'secret-key',
  fetchFor: () => fetch,
  model: 'gemini-3.1-flash-image',
  pause: async () => undefined,
  ...artifactStore,
  values,
})

beforeEach(() => {
  artifactStore = createArtifacts()
  values = memoryStores().values
})
afterEach(() => emulator.stop())

// Faults of a vendor, with the error code and the effect that is reported.
const FAULTS: readonly (readonly [string, FaultForm, string, string])[] = [
  ['is rate limited', { kind: '429', retryAfterSeconds: 7 }, 'TOOL_RATE_LIMIT_EXCEEDED', 'none'],
  ['fails', { kind: '500' }, 'TOOL_EXTERNAL_SERVICE_ERROR', 'possible'],
  [
    'fails after the effect',
    { kind: '500', when: 'after' },
    'TOOL_EXTERNAL_SERVICE_ERROR',
    'possible',
  ],
  ['closes the connection after the effect', { kind: 'reset' }, 'TOOL_NETWORK_ERROR', 'possible'],
  ['truncates its answer', { kind: 'malformed' }, 'TOOL_EXTERNAL_SERVICE_ERROR', 'possible'],
]

describe('Gemini', () => {
  beforeEach(() => startVendor(gemini))
  const edit = (image: Uint8Array) =>
    geminiImageCleanUp(access()).edit(
      { tenant: 'home', image, operations: ['denoise', 'enhance_text'] },
      signal,
    )

  test('receives the picture and returns one; the emulator is named as provider', async () => {
    const image = await drawFlyer([['Hello', 90]])
    expect(await edit(image)).toEqual({
      image: Buffer.from(image),
      mediaType: 'image/png',
      provider: 'gemini (emulator)',
    })
  })

  test('receives an accepted type: a GIF is sent as PNG', async () => {
    const gif = new Uint8Array(
      await sharp(await drawFlyer([['Hello', 90]]))
        .gif()
        .toBuffer(),
    )
    expect((await edit(gif)).mediaType).toBe('image/png')
  })

  test.each(FAULTS)('that %s gives a ToolError', async (_, fault, code) => {
    emulator.fail(fault)
    await expect(edit(await drawFlyer([['Hello', 90]]))).rejects.toMatchObject({ code })
  })

  test.each(FAULTS)('that %s gives the original picture as a fallback', async (_, fault) => {
    emulator.fail(fault)
    const imageBytes = encodeImageBytes(await drawFlyer([['Hello', 90]]))
    const runtime = openRuntime([flashImageEdit], { imageCleanUp: geminiImageCleanUp(access()) })
    const outcome = await runtime.call({
      tool: flashImageEdit,
      input: { imageBytes },
      caller: MIA,
    })
    expect(outcome).toMatchObject({
      status: 'done',
      source: 'fallback',
      data: { processedImageBytes: imageBytes },
    })
  })

  test('that refuses the key gives the original picture as a fallback', async () => {
    const unreachable = {
      ...access(),
      fetchFor: () =>
        ((url: string, init: RequestInit) => fetch(url, { ...init, headers: {} })) as typeof fetch,
    }
    const imageBytes = encodeImageBytes(await drawFlyer([['Hello', 90]]))
    const runtime = openRuntime([flashImageEdit], { imageCleanUp: geminiImageCleanUp(unreachable) })
    const outcome = await runtime.call({ tool: flashImageEdit, input: { imageBytes }, caller: MIA })
    expect(outcome).toMatchObject({
      status: 'done',
      source: 'fallback',
      data: { processedImageBytes: imageBytes },
    })
  })

  test('that is slow still answers', async () => {
    emulator.fail({ kind: 'slow', delayMs: 60 })
    expect((await edit(await drawFlyer([['Hello', 90]]))).provider).toBe('gemini (emulator)')
  })

  test('that hangs is aborted with the call', async () => {
    emulator.fail({ kind: 'hang' })
    const leave = new AbortController()
    const image = await drawFlyer([['Hello', 90]])
    const left = geminiImageCleanUp(access()).edit(
      { tenant: 'home', image, operations: ['denoise'] },
      leave.signal,
    )
    leave.abort()
    await expect(left).rejects.toThrow(/abort/)
  })

  test('receives no request for an invalid picture', async () => {
    await expect(edit(new TextEncoder().encode('<svg/>'))).rejects.toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
    })
  })
})

const POSTER: PosterOrder = {
  tenant: 'home',
  idempotencyKey: 'k1',
  title: 'Jazz',
  style: 'modern',
  width: 540,
  height: 960,
}

describe('a model that makes pictures', () => {
  beforeEach(() => startVendor(imagen))
  // One runtime per test, because its ledger stores the keys.
  const openRuntimeForTest = () => {
    const runtime = openRuntime([generatePoster], { posters: imagenPosters(access()) })
    return (eventTitle: string) =>
      runtime.call({
        tool: generatePoster,
        input: { eventTitle },
        caller: MIA,
        idempotencyKey: 'k1',
      })
  }

  test.each([
    ['gemini-3.1-flash-image', 'gemini (emulator)'],
    ['imagen-4.0-generate-001', 'imagen (emulator)'],
  ])('%s makes a poster of the requested size', async (model, named) => {
    const { bytes, url, provider } = await imagenPosters({ ...access(), model }).generate(
      { ...POSTER, description: 'Saturday\n8 pm' },
      signal,
    )
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 540, height: 960 })
    expect([artifactStore.artifacts.has(url), provider]).toEqual([true, named])
    expect(emulator.effects().map(({ effect }) => effect)).toEqual([
      { charged: 1, prompt: expect.stringContaining('"Saturday · 8 pm"') },
    ])
  })

  test.each(FAULTS)(
    'that %s reports whether it may have charged',
    async (_, fault, code, effect) => {
      emulator.fail(fault)
      await expect(imagenPosters(access()).generate(POSTER, signal)).rejects.toMatchObject({
        code,
        effect,
      })
    },
  )

  test('that closed the connection after charging is not called again: the outcome is unknown', async () => {
    const call = openRuntimeForTest()
    emulator.fail({ kind: 'reset' })
    expect(await call('Jazz')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    })
    expect(await call('Jazz')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    })
    expect(emulator.effects()).toHaveLength(1)
  })

  test('that was rate limited may be called again under the same key', async () => {
    const call = openRuntimeForTest()
    emulator.fail({ kind: '429' })
    expect(await call('Jazz')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RATE_LIMIT_EXCEEDED' },
    })
    expect(await call('Jazz')).toMatchObject({ status: 'done', source: 'executed' })
    expect(await call('Jazz')).toMatchObject({ status: 'done', source: 'replayed' })
    expect(emulator.effects()).toHaveLength(1)
  })

  test('that filters a picture gives a refusal, also on replay', async () => {
    const call = openRuntimeForTest()
    expect(await call('FORBIDDEN')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INVALID_FIELD_VALUE' },
    })
    expect(await call('FORBIDDEN')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INVALID_FIELD_VALUE' },
    })
  })

  test('finds a poster by its key and tenant only', async () => {
    const posters = imagenPosters(access())
    const { url } = await posters.generate(POSTER, signal)
    expect(await posters.find({ idempotencyKey: 'k1', args: POSTER }, signal)).toMatchObject({
      url,
    })
    expect(await posters.find({ idempotencyKey: 'k2', args: POSTER }, signal)).toBeNull()
    expect(
      await posters.find({ idempotencyKey: 'k1', args: { ...POSTER, tenant: 'other' } }, signal),
    ).toBeNull()
  })

  test('refuses a wrong key', async () => {
    const unreachable = {
      ...access(),
      fetchFor: () =>
        ((url: string, init: RequestInit) => fetch(url, { ...init, headers: {} })) as typeof fetch,
    }
    await expect(imagenPosters(unreachable).generate(POSTER, signal)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
    })
  })
})

const PREVIEW: PreviewOrder = {
  tenant: 'home',
  idempotencyKey: 'k1',
  date: '2026-06-20',
  style: 'cinematic',
  events: [{ title: 'Jazz', time: '20:00', place: 'Park' }],
}

describe('Veo', () => {
  beforeEach(() => startVendor(veo))

  test('is polled until the video is finished, and its duration is read', async () => {
    const previews = veoDayPreviews(access())
    const [preview, progress] = await Promise.all([
      previews.create(PREVIEW, signal),
      previews.progress({ idempotencyKey: 'k1', after: -1 }, signal),
    ])
    expect(preview).toEqual({
      url: expect.any(String),
      durationSeconds: 4,
      provider: 'veo (emulator)',
    })
    expect(progress).toMatchObject({
      fraction: 0,
      message: expect.stringContaining('reports no progress'),
    })
    expect(artifactStore.artifacts.get(preview.url)?.mediaType).toBe('video/mp4')
    expect(emulator.effects().map(({ effect }) => effect)).toMatchObject([
      { prompt: expect.stringContaining('20:00: Jazz, at Park') },
    ])
  })

  test.each(FAULTS)(
    'that %s when a video is ordered reports whether it may have charged',
    async (_, fault, code, effect) => {
      emulator.fail(fault, { target: { method: 'POST' } })
      await expect(veoDayPreviews(access()).create(PREVIEW, signal)).rejects.toMatchObject({
        code,
        effect,
      })
    },
  )

  test.each(FAULTS)(
    'that %s during polling is looked up again, and charges once',
    async (_, fault) => {
      const previews = veoDayPreviews(access())
      emulator.fail(fault, { target: { method: 'GET' } })
      await expect(previews.create(PREVIEW, signal)).rejects.toMatchObject({
        code: expect.stringMatching(/^TOOL_/),
      })
      expect(await previews.find({ idempotencyKey: 'k1', args: PREVIEW }, signal)).toMatchObject({
        durationSeconds: 4,
      })
      expect(emulator.effects()).toHaveLength(1)
    },
  )

  test('finds nothing under an unknown key', async () => {
    expect(
      await veoDayPreviews(access()).find({ idempotencyKey: 'other', args: PREVIEW }, signal),
    ).toBeNull()
  })

  test('that filters a video gives a final refusal', async () => {
    const order = { ...PREVIEW, events: [{ title: 'FORBIDDEN', time: '20:00' }] }
    await expect(veoDayPreviews(access()).create(order, signal)).rejects.toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      effect: 'refused',
      details: { source_code: 'RAI_FILTERED' },
    })
  })

  test('is the only origin that receives the key', async () => {
    const sent: (readonly [string, string | null])[] = []
    const watching = ((url: string, init: RequestInit) => {
      sent.push([new URL(url).host, new Headers(init.headers).get('x-goog-api-key')])
      return Promise.resolve(new Response('film'))
    }) as typeof fetch
    const watched = {
      baseUrl: 'https://vendor.example',
      key: 'secret-key',
      fetchFor: () => watching,
    }
    for (const uri of [
      'https://vendor.example/a',
      'https://evil.example/a',
      'http://vendor.example/a',
      'https://vendor.example:8443/a',
    ])
      await fetchVideo(watched, { tenant: 'home', uri }, signal)
    expect(sent).toEqual([
      ['vendor.example', 'secret-key'],
      ['evil.example', null],
      ['vendor.example', null],
      ['vendor.example:8443', null],
    ])
  })
})
