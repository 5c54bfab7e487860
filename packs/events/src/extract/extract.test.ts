import { contractSuite, fakeClock } from '@surehand/conformance'
import { createRuntime, definePack, memoryStores, type Tool, ToolError } from '@surehand/core'
import type { OcrPort } from '@surehand/reading'
import { type ModelEmulator, startModelEmulator } from '@surehand/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { ANN, localWorld } from '../fixtures/local-world.ts'
import type { PagesPort } from '../url/pages-port.ts'
import type { EventModelPort } from './event-model-port.ts'
import { eventsExtract } from './extract.ts'
import { flyer } from './fixtures/flyer.ts'
import { aiSdkModel } from './providers/ai-sdk-model.ts'
import { noModel } from './providers/no-model.ts'

const lines = flyer(
  [50, 'Herbstkonzert'],
  [20, 'Samstag, 12. Dezember, 20 Uhr'],
  [18, 'Stadthalle Lindau'],
)
const ocr: OcrPort = {
  read: async () => ({
    text: lines.map(({ text }) => text).join('\n'),
    lines,
    confidence: 0.9,
    cleaned: false,
    width: 800,
    height: 1000,
  }),
}
const pages: PagesPort = {
  expand: async ({ url }) => ({
    url,
    jsonLd: [{ '@type': 'Event', name: 'Book Fair', startDate: '2026-12-05T10:00' }],
    html: '<h1>Book Fair</h1>',
  }),
}

contractSuite(eventsExtract, {
  open: localWorld(() => ({ providers: { ocr, pages, eventModel: noModel() } })),
})

const clock = fakeClock(Date.parse('2026-11-18T09:00:00Z'))
const open = (eventModel: EventModelPort = noModel()) =>
  createRuntime({
    packs: [definePack({ name: 'tested', tools: [eventsExtract as Tool] })],
    stores: memoryStores({ clock }),
    clock,
    providers: { ocr, pages, eventModel },
  })
const call = (input: unknown, model?: EventModelPort) =>
  open(model).call({ tool: 'events.extract', input, caller: ANN, surface: 'test' })

describe('the source', () => {
  test('is a text, in the time zone of the caller', async () => {
    expect(await call({ text: 'Dinner tomorrow at 8pm' })).toMatchObject({
      status: 'done',
      data: {
        event: {
          title: 'Dinner',
          startTime: '2026-11-19T20:00:00+01:00',
          timezone: 'Europe/Berlin',
        },
        provider: 'rules',
      },
    })
  })

  test('is a page', async () => {
    expect(await call({ url: 'https://town.example.com/fair' })).toMatchObject({
      data: {
        event: {
          title: 'Book Fair',
          startTime: '2026-12-05T10:00:00+01:00',
          source: 'url',
          sourceMetadata: { originalUrl: 'https://town.example.com/fair' },
        },
      },
    })
  })

  test('is a picture', async () => {
    expect(await call({ imageBytes: 'aGFsbG8=' })).toMatchObject({
      data: {
        event: { title: 'Herbstkonzert', startTime: '2026-12-12T20:00:00+01:00', source: 'flyer' },
      },
    })
  })

  test.each([[{}], [{ text: 'a', url: 'https://a.example.com' }]])(
    'is exactly one of them: %j is refused',
    async (input) => {
      expect(await call(input)).toMatchObject({
        status: 'failed',
        error: { code: 'TOOL_INVALID_INPUT' },
      })
    },
  )

  test('is missing: that is an error, not an event', async () => {
    const gone: PagesPort = {
      expand: async () => Promise.reject(new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No such page.')),
    }
    const runtime = createRuntime({
      packs: [definePack({ name: 'tested', tools: [eventsExtract as Tool] })],
      stores: memoryStores(),
      providers: { ocr, pages: gone, eventModel: noModel() },
    })
    const outcome = await runtime.call({
      tool: 'events.extract',
      input: { url: 'https://a.example.com/' },
      caller: ANN,
      surface: 'test',
    })
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_RESOURCE_NOT_FOUND' } })
  })
})

describe('with a model', () => {
  let emulator: ModelEmulator | undefined
  afterEach(async () => {
    await emulator?.stop()
    emulator = undefined
  })

  const reading = {
    title: 'Autumn concert',
    description: null,
    startDay: '2026-12-12',
    startTime: '20:00',
    endDay: null,
    endTime: '22:30',
    timeZone: null,
    placeName: 'Stadthalle',
    placeAddress: 'Seestraße 4',
    recurrence: null,
  }
  const text = 'Concert on 12 December at 8pm in the Stadthalle'

  async function callWithModel(
    thought: string,
    wish: { readonly key?: string; readonly model?: string } = {},
  ) {
    emulator = await startModelEmulator({ script: () => ({ text: thought }) })
    const model = aiSdkModel({
      baseUrl: `${emulator.url}/v1`,
      key: wish.key ?? 'k-1',
      model: wish.model ?? 'gpt-5-mini',
      fetchFor: () => fetch,
    })
    return { emulator, outcome: await call({ text }, model) }
  }

  test('its answer is merged, with a higher confidence where the rules agree', async () => {
    const { outcome, emulator: models } = await callWithModel(JSON.stringify(reading))
    expect(outcome).toMatchObject({
      status: 'done',
      degraded: false,
      data: {
        provider: 'model',
        event: {
          title: 'Autumn concert',
          startTime: '2026-12-12T20:00:00+01:00',
          endTime: '2026-12-12T22:30:00+01:00',
          location: { name: 'Stadthalle', address: 'Seestraße 4' },
        },
        confidence: { date: 0.96, time: 0.95, place: 0.93 },
      },
    })
    expect(JSON.stringify(models.conversations()[0]?.turns)).toContain(
      'Today is 2026-11-18 in Europe/Berlin',
    )
  })

  test('a different date than that of the rules gives a note and a low confidence', async () => {
    const { outcome } = await callWithModel(JSON.stringify({ ...reading, startDay: '2026-12-13' }))
    expect(outcome).toMatchObject({
      data: {
        event: { startTime: '2026-12-13T20:00:00+01:00' },
        confidence: { date: 0.55 },
        alternatives: { starts: ['2026-12-12T20:00:00+01:00'] },
      },
    })
    expect(JSON.stringify(outcome)).toContain('please check')
  })

  test.each([
    ['an answer that is not JSON', 'Sure, here is your event!', {}],
    ['an answer of another shape', '{"title": 5}', {}],
    ['a missing model', '{}', { model: 'nobody' }],
  ])('%s: the rules read the event, with a warning', async (_what, answer, options) => {
    const { outcome } = await callWithModel(answer, options)
    expect(outcome).toMatchObject({
      status: 'done',
      degraded: true,
      data: { provider: 'rules', event: { startTime: '2026-12-12T20:00:00+01:00' } },
    })
  })

  test.each(['500', '429', 'malformed', 'reset'] as const)(
    'that fails with %s: the rules read the event',
    async (kind) => {
      emulator = await startModelEmulator({ script: () => ({ text: JSON.stringify(reading) }) })
      emulator.fail({ kind })
      const model = aiSdkModel({
        baseUrl: `${emulator.url}/v1`,
        key: 'k-1',
        model: 'gpt-5-mini',
        fetchFor: () => fetch,
      })
      const outcome = await call({ text }, model)
      expect(outcome).toMatchObject({ status: 'done', degraded: true, data: { provider: 'rules' } })
      expect(JSON.stringify(outcome)).toContain('This is a fallback answer: The model')
    },
  )

  test('that fails for a page: the page is still read', async () => {
    const model: EventModelPort = {
      read: async () =>
        Promise.reject(
          new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'The model is unavailable.', {
            details: { reader: 'model' },
          }),
        ),
    }
    expect(await call({ url: 'https://town.example.com/fair' }, model)).toMatchObject({
      status: 'done',
      degraded: true,
      data: { event: { title: 'Book Fair' } },
    })
  })

  test('whose key is refused for a page: the page is still read', async () => {
    emulator = await startModelEmulator({ script: () => ({ text: '{}' }) })
    const model = aiSdkModel({
      baseUrl: `${emulator.url}/v1`,
      key: '',
      model: 'gpt-5-mini',
      fetchFor: () => fetch,
    })
    expect(await call({ url: 'https://town.example.com/fair' }, model)).toMatchObject({
      status: 'done',
      degraded: true,
      data: { event: { title: 'Book Fair' } },
    })
  })

  test('invalid rules and zones in its answer are ignored', async () => {
    const { outcome } = await callWithModel(
      JSON.stringify({
        ...reading,
        timeZone: 'Mars/Base',
        recurrence: ['DROP TABLE', 'RRULE:FREQ=WEEKLY;BYDAY=TU'],
        startDay: '2026-02-31',
      }),
    )
    expect(outcome).toMatchObject({
      data: {
        event: {
          timezone: 'Europe/Berlin',
          startTime: '2026-12-12T20:00:00+01:00',
          recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TU'],
        },
      },
    })
  })
})
