import { contractSuite } from '@surehand/conformance'
import { createRuntime, definePack, memoryStores, type Tool, ToolError } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { ANN, localWorld } from '../fixtures/local-world.ts'
import type { PagesPort } from '../url/pages-port.ts'
import { eventsExtract } from './extract.ts'
import { callExtract, ocr, pages } from './fixtures/extract-world.ts'
import { noModel } from './providers/no-model.ts'

contractSuite(eventsExtract, {
  open: localWorld(() => ({ providers: { ocr, pages, eventModel: noModel() } })),
})

describe('the source', () => {
  test('is a text, in the time zone of the caller', async () => {
    expect(await callExtract({ text: 'Dinner tomorrow at 8pm' })).toMatchObject({
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
    expect(await callExtract({ url: 'https://town.example.com/fair' })).toMatchObject({
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
    expect(await callExtract({ imageBytes: 'aGFsbG8=' })).toMatchObject({
      data: {
        event: { title: 'Herbstkonzert', startTime: '2026-12-12T20:00:00+01:00', source: 'flyer' },
      },
    })
  })

  test.each([[{}], [{ text: 'a', url: 'https://a.example.com' }]])(
    'is exactly one of them: %j is refused',
    async (input) => {
      expect(await callExtract(input)).toMatchObject({
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
