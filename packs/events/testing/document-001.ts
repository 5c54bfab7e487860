import { type Requirement, requirementTable } from '@surehand/conformance'
import type { Tool } from '@surehand/core'
import { eventsPack } from '../src/pack.ts'

type Test = Requirement['test']

/** A tool as document 001 defines it. Fields are paths; a question mark ends an optional one. */
export type DocumentTool = {
  readonly name: string
  readonly id: string
  readonly request: string
  readonly response: string
  readonly timeoutMs?: number
  readonly retries?: number
  readonly cacheMs?: number
  readonly onFailure: string
  readonly where: string
  readonly test: Test
}

const at = (file: string, title: string): Test => ({ file: `packs/events/src/${file}`, title })

/** Every tool of the document, with every field, time and retry that it names. */
export const DOCUMENT_TOOLS: readonly DocumentTool[] = [
  {
    name: 'CalendarRead',
    id: 'calendar.read',
    request: 'calendarId timeMin timeMax singleEvents?',
    response:
      'events events.id events.summary events.start.dateTime events.start.timeZone events.end.dateTime events.end.timeZone events.location?',
    timeoutMs: 5_000,
    retries: 1,
    onFailure: 'an empty list, marked as degraded',
    where: 'calendar/calendar-read.ts',
    test: at(
      'calendar/calendar-tools.test.ts',
      'distinguishes a calendar that could not be read from an empty one',
    ),
  },
  {
    name: 'CalendarWrite',
    id: 'calendar.write',
    request:
      'calendarId event.summary event.description? event.start.dateTime event.start.timeZone event.end? event.end.dateTime event.end.timeZone event.location? event.reminders? event.reminders.useDefault',
    response: 'id htmlLink created',
    timeoutMs: 10_000,
    retries: 2,
    onFailure: 'the error of the calendar',
    where: 'calendar/calendar-write.ts',
    test: at(
      'calendar/calendar-tools.test.ts',
      'returns the error of the calendar, without a fallback',
    ),
  },
  {
    name: 'PlacesResolve',
    id: 'places.resolve',
    request: 'query regionCode?',
    response: 'placeId formattedAddress location.lat location.lng name?',
    timeoutMs: 5_000,
    retries: 1,
    cacheMs: 86_400_000,
    onFailure: 'null; the event keeps the text that was written',
    where: 'places/places-resolve.ts',
    test: at('capture/review.test.ts', 'no places'),
  },
  {
    name: 'TimeZoneResolve',
    id: 'timezone.resolve',
    request: 'location.lat location.lng timestamp?',
    response: 'timeZoneId offsetSeconds',
    timeoutMs: 3_000,
    retries: 1,
    onFailure: 'the zone of the caller, else UTC',
    where: 'timezone/timezone-resolve.ts',
    test: at(
      'timezone/timezone.test.ts',
      'without a provider, a caller without a valid time zone gets UTC',
    ),
  },
  {
    name: 'DirectionsEstimate',
    id: 'directions.estimate',
    request: 'origin.lat origin.lng destination.lat destination.lng mode? departureTime?',
    response: 'durationSeconds distanceMeters travelBufferMinutes',
    timeoutMs: 8_000,
    retries: 1,
    onFailure: 'a buffer of 15 minutes, marked as degraded',
    where: 'directions/directions-estimate.ts',
    test: at('directions/directions.test.ts', 'contractSuite(directionsEstimate'),
  },
  {
    name: 'UrlExpand',
    id: 'url.expand',
    request: 'url',
    response: 'title? description? imageUrl? siteName? oEmbed? openGraph?',
    timeoutMs: 10_000,
    retries: 1,
    onFailure: 'an empty object, marked as degraded',
    where: 'url/url-expand.ts',
    test: at('url/url.test.ts', 'with a private address is not fetched'),
  },
  {
    name: 'Media.FlashImage.edit',
    id: 'media.flashImage.edit',
    request: 'imageBytes operations?',
    response: 'processedImageBytes confidence?',
    timeoutMs: 15_000,
    retries: 0,
    onFailure: 'the original picture, with a warning',
    where: 'media/flash-image-edit.ts',
    test: at(
      'media/flash-image-edit.test.ts',
      'is a picture that was cut off: the original is returned, with a warning',
    ),
  },
  {
    name: 'Media.Imagen3.generatePoster',
    id: 'media.imagen3.generatePoster',
    request: 'eventTitle eventDescription? style? dimensions? dimensions.width dimensions.height',
    response: 'imageUrl imageBytes?',
    timeoutMs: 30_000,
    retries: 0,
    onFailure: 'an error',
    where: 'media/generate-poster.ts',
    test: at(
      'media/generate-poster.test.ts',
      'is a PNG of 1080×1920 at the returned URL, with its bytes only on request',
    ),
  },
  {
    name: 'Media.Veo.createDayPreview',
    id: 'media.veo.createDayPreview',
    request:
      'events events.title events.startTime events.endTime? events.location? events.timezone date style?',
    response: 'videoUrl durationSeconds',
    timeoutMs: 60_000,
    retries: 0,
    onFailure: 'an error; the work is a job with progress',
    where: 'media/create-day-preview.ts',
    test: at(
      'media/create-day-preview.test.ts',
      'is an MP4 with H.264, with the reported frames and seconds',
    ),
  },
  {
    name: 'TasksWrite',
    id: 'tasks.write',
    request: 'eventId todos todos.title todos.dueDate? todos.notes?',
    response: 'taskIds',
    onFailure: 'an error',
    where: 'tasks/tasks-write.ts',
    test: at('tasks/tasks.test.ts', 'the local list separates the tasks of two people'),
  },
]

/** What the document says beside its tools. */
export const FURTHER: readonly Requirement[] = [
  {
    says: '`AgentTool` has `name`, `description`, `parameters` as JSON Schema and `execute`',
    where: 'packs/events/src/adk/adk-tools.ts',
    test: at(
      'adk/adk-tools.test.ts',
      "have the document's names, in its order, each with a description and a schema",
    ),
  },
  {
    says: '`execute` returns the response itself',
    where: 'packs/events/src/adk/adk-tools.ts',
    test: at('adk/adk-tools.test.ts', 'return the data itself'),
  },
  {
    says: 'CalendarRead: "Return empty array on failure, log error"',
    where: 'packs/events/src/calendar/calendar-read.ts',
    test: at('adk/adk-tools.test.ts', 'say when the calendar could not be read'),
  },
  {
    says: 'CalendarWrite: "Throw on failure, user sees error message"',
    where: 'packs/events/src/calendar/calendar-write.ts',
    test: at('adk/adk-tools.test.ts', 'throw the ToolError'),
  },
  {
    says: 'PlacesResolve: "fallback to raw string in event"',
    where: 'packs/events/src/capture/place-event.ts',
    test: at('capture/review.test.ts', 'no places'),
  },
  {
    says: 'PlacesResolve: cached by query, and here by region as well',
    where: 'packs/events/src/places/places-resolve.ts',
    test: at('places/places.test.ts', 'a cached answer for one region is not used for another'),
  },
  {
    says: 'FlashImageEdit: `imageBytes` are base64, or bytes in process',
    where: 'packs/events/src/media/flash-image-edit.ts',
    test: at('media/flash-image-edit.test.ts', 'an in-process caller may pass bytes'),
  },
  {
    says: 'TasksWrite: the to-dos are among the tasks of the person',
    where: 'packs/events/src/tasks/providers/personal-todos.ts',
    test: {
      file: 'apps/server/src/packs/event-todos.test.ts',
      title: 'the to-dos of an event are on the task list of the person, once',
    },
  },
]

type Schema = { readonly [key: string]: unknown }

/** The fields of a tool's schema, as the document writes them; undefined for one that is missing. */
export function readField(
  schema: Schema,
  path: string,
): { readonly isRequired: boolean } | undefined {
  let node: Schema | undefined = schema
  let isRequired = true
  for (const step of path.split('.')) {
    const inner = objectOf(node, schema)
    const properties = (inner?.properties ?? {}) as Readonly<Record<string, Schema>>
    node = properties[step]
    if (node === undefined) return undefined
    isRequired = (inner?.required as readonly string[] | undefined)?.includes(step) === true
  }
  return { isRequired }
}

function objectOf(node: Schema | undefined, root: Schema): Schema | undefined {
  if (node === undefined) return undefined
  if (typeof node.$ref === 'string') {
    const name = node.$ref.split('/').at(-1) ?? ''
    return objectOf((root.$defs as Record<string, Schema> | undefined)?.[name], root)
  }
  const branches = (node.anyOf ?? node.oneOf) as readonly Schema[] | undefined
  if (branches !== undefined)
    return objectOf(
      branches.find(({ type, $ref }) => type !== 'null' || $ref !== undefined),
      root,
    )
  return node.type === 'array' ? objectOf(node.items as Schema, root) : node
}

export function toolOf(id: string): Tool {
  const tool = eventsPack.tools.find((one) => one.id === id)
  if (tool === undefined) throw new Error(`There is no tool ${id}.`)
  return tool
}

const seconds = (ms: number | undefined): string => (ms === undefined ? '' : `${ms / 1_000} s`)

/** The page docs/events-conformance.md. */
export function renderDocument001(): string {
  const rows = DOCUMENT_TOOLS.map(
    ({ name, id, timeoutMs, retries, cacheMs, onFailure, where, test, request, response }) =>
      `| ${name} | \`${id}\` | ${fieldsOf(request)} | ${fieldsOf(response)} | ${seconds(timeoutMs)} | ${retries ?? ''} | ${seconds(cacheMs)} | ${onFailure} | [${where}](../packs/events/src/${where}) | "${test.title}" in [${test.file.split('/').at(-1)}](../${test.file}) |`,
  )
  return `# Events: the document and the tools

Generated from what document 001 says (\`node packs/events/testing/write-conformance.ts\`). A test compares every field, timeout, number of retries and cache with the tool itself, looks for every file and test that is named here, and compares this page with them. An optional field ends with a question mark; where the document leaves a cell empty, so does this page.

## Tools

| document | tool | request | response | timeout | retries | cache | on failure | where | test |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Every tool is also called as its contract says, with wrong input, a provider that hangs and one that fails, and again under the same key, by the [contract suite](../conformance/src/contract-suite.ts).

## The rest of the document

${requirementTable(FURTHER)}
`
}

function fieldsOf(fields: string): string {
  return fields
    .split(' ')
    .map((field) => `\`${field}\``)
    .join(', ')
}
