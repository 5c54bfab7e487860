import { createRuntime, definePack, memoryStores, type Tool, ToolError } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { calendarRead } from '../calendar/calendar-read.ts'
import { calendarWrite } from '../calendar/calendar-write.ts'
import { directionsEstimate } from '../directions/directions-estimate.ts'
import { ANN } from '../fixtures/local-world.ts'
import { createDayPreview } from '../media/create-day-preview.ts'
import { flashImageEdit } from '../media/flash-image-edit.ts'
import { generatePoster } from '../media/generate-poster.ts'
import { placesResolve } from '../places/places-resolve.ts'
import { tasksWrite } from '../tasks/tasks-write.ts'
import { timezoneResolve } from '../timezone/timezone-resolve.ts'
import { urlExpand } from '../url/url-expand.ts'
import { adkTools } from './adk-tools.ts'

const TOOLS = [
  calendarRead,
  calendarWrite,
  placesResolve,
  timezoneResolve,
  directionsEstimate,
  urlExpand,
  flashImageEdit,
  generatePoster,
  createDayPreview,
  tasksWrite,
] as readonly Tool[]
const NAMES = [
  'calendar_read',
  'calendar_write',
  'places_resolve',
  'time_zone_resolve',
  'directions_estimate',
  'url_expand',
  'media_flash_image_edit',
  'media_imagen3_generate_poster',
  'media_veo_create_day_preview',
  'tasks_write',
]
const WINDOW = {
  calendarId: 'primary',
  timeMin: '2026-11-20T17:00:00Z',
  timeMax: '2026-11-20T23:00:00Z',
}

function open(read: () => Promise<unknown> = async () => [], caller = ANN) {
  const anyProvider = new Proxy(
    {},
    {
      get: () => async () =>
        Promise.reject(new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The service is unreachable.')),
      has: () => true,
    },
  )
  const ports = [...new Set(TOOLS.flatMap((tool) => [...tool.ports.values()]))]
  const empty = Object.fromEntries(
    ports.map((port) => [
      port.name,
      Object.fromEntries(
        [...port.methods.keys()].map((method) => [
          method,
          (anyProvider as Record<string, unknown>)[method],
        ]),
      ),
    ]),
  )
  const providers = {
    ...empty,
    calendar: {
      read,
      write: async () => ({
        id: 'e1',
        htmlLink: 'https://calendar.example.com/e1',
        created: '2026-11-18T09:00:00Z',
      }),
    },
  }
  const runtime = createRuntime({
    packs: [definePack({ name: 'tried', tools: TOOLS })],
    stores: memoryStores(),
    providers,
  })
  const tools = adkTools(runtime, caller)
  return {
    tools,
    execute: (name: string, params: unknown) =>
      tools.find((tool) => tool.name === name)?.execute(params),
  }
}

describe('the tools of an agent engine', () => {
  test("have the document's names, in its order, each with a description and a schema", () => {
    const { tools } = open()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    for (const { description, parameters } of tools)
      expect([description.length > 10, parameters.type]).toEqual([true, 'object'])
  })

  test('return the data itself', async () => {
    expect(await open().execute('calendar_read', WINDOW)).toEqual({ events: [] })
    expect(
      await open().execute('calendar_write', {
        calendarId: 'primary',
        event: { summary: 'Fair', start: { dateTime: '2026-12-05', timeZone: 'UTC' } },
      }),
    ).toMatchObject({ id: 'e1' })
  })

  test('say when the calendar could not be read', async () => {
    const { execute } = open(async () =>
      Promise.reject(new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The calendar is unreachable.')),
    )
    expect(await execute('calendar_read', WINDOW)).toMatchObject({
      events: [],
      degraded: true,
      warnings: [expect.stringContaining('The calendar is unreachable.')],
    })
  })

  test('throw the ToolError', async () => {
    await expect(open().execute('calendar_read', { calendarId: 'primary' })).rejects.toMatchObject({
      code: expect.stringMatching(/^TOOL_/),
    })
    await expect(
      open(undefined, { ...ANN, capabilities: [] }).execute('calendar_read', WINDOW),
    ).rejects.toMatchObject({
      code: 'TOOL_CAPABILITY_MISSING',
    })
  })
})
