import { createHash } from 'node:crypto'
import { fromProviderStatus, visibleText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { SourceAnswer } from '@surehand/vault'
import { clip } from '../document/clip-text.ts'
import { own, ownText } from '../document/record.ts'
import { essence } from '../operation/body.ts'
import type { Operation, ParameterPlan } from '../operation/operation.ts'
import { isJson } from '../operation/output.ts'

export type AnswerSettings = {
  /** How many bytes of a JSON or text answer are returned at most. */
  readonly maxAnswerBytes?: number
  /** Binary answers up to this size are returned in base64; of larger ones only the digest. */
  readonly maxArtifactBytes?: number
}

const MAX_ANSWER_BYTES = 256 * 1024
const MAX_ARTIFACT_BYTES = 64 * 1024
const MESSAGE = 500

type Given = Readonly<Record<string, unknown>>

/**
 * Turns an API's response into the tool's answer by content type, bounded in size, with the
 * arguments of the next page. A failed status becomes an error.
 */
export function readAnswer(
  operation: Operation,
  answer: SourceAnswer,
  settings: AnswerSettings,
): Given {
  if (answer.status < 200 || answer.status >= 300) throw statusError(operation, answer)
  const { status, headers, body } = answer
  const location = headers.location === undefined ? {} : { location: clip(headers.location, 2_000) }
  if (body.byteLength === 0) return { status, ...location }
  return { status, ...location, ...contentOf(operation, answer, settings) }
}

function contentOf(operation: Operation, answer: SourceAnswer, settings: AnswerSettings): Given {
  const { headers, body, isCut } = answer
  const type = essence(headers['content-type'] ?? '')
  const maxBytes = settings.maxAnswerBytes ?? MAX_ANSWER_BYTES
  if (isJson(type) || (type === '' && looksLikeJson(body))) {
    const data = isCut ? undefined : parseJson(body)
    return data === undefined
      ? textAnswer(body, { isCut, maxBytes })
      : jsonAnswer(data, { operation, answer, maxBytes })
  }
  if (isText(type)) return textAnswer(body, { isCut, maxBytes })
  return artifactOf(answer, type, settings.maxArtifactBytes ?? MAX_ARTIFACT_BYTES)
}

type Json = { readonly value: unknown }

function parseJson(body: Uint8Array): Json | undefined {
  try {
    return { value: JSON.parse(new TextDecoder().decode(body)) }
  } catch {
    return undefined
  }
}

type JsonFacts = {
  readonly operation: Operation
  readonly answer: SourceAnswer
  readonly maxBytes: number
}

function jsonAnswer(
  { value }: Json,
  { operation, answer: { headers, body }, maxBytes }: JsonFacts,
): Given {
  const next = nextPage(operation, headers, value)
  const more = next === undefined ? {} : { next }
  if (body.byteLength <= maxBytes) return { data: value, ...more }
  const shorter = trimAnswer(value, body.byteLength, maxBytes)
  if (shorter === undefined) return { ...textAnswer(body, { isCut: false, maxBytes }), ...more }
  return { data: shorter.data, ...more, truncated: shorter.note }
}

function textAnswer(
  body: Uint8Array,
  { isCut, maxBytes }: { readonly isCut: boolean; readonly maxBytes: number },
): Given {
  const text = new TextDecoder().decode(body.subarray(0, maxBytes))
  if (!isCut && body.byteLength <= maxBytes) return { text }
  const whole = isCut ? 'more than the limit' : `${body.byteLength} bytes`
  return {
    text,
    truncated: `these are the first ${Math.min(body.byteLength, maxBytes)} bytes of ${whole}; ask for less at a time`,
  }
}

function artifactOf({ body, isCut }: SourceAnswer, type: string, maxBytes: number): Given {
  const facts = {
    media_type: type === '' ? 'application/octet-stream' : type,
    bytes: body.byteLength,
    sha256: createHash('sha256').update(body).digest('hex'),
  }
  if (isCut)
    return { artifact: facts, truncated: `the answer was cut off after ${body.byteLength} bytes` }
  if (body.byteLength > maxBytes)
    return {
      artifact: facts,
      truncated: `${body.byteLength} bytes are too many to hand on; ${maxBytes} are the most`,
    }
  return { artifact: { ...facts, base64: Buffer.from(body).toString('base64') } }
}

function isText(type: string): boolean {
  return (
    type.startsWith('text/') ||
    /(?:^|[/+])(?:xml|yaml|x-yaml|javascript|graphql|csv|x-ndjson|jsonl?|sql|x-www-form-urlencoded)$/.test(
      type,
    )
  )
}

function looksLikeJson(body: Uint8Array): boolean {
  return body[0] === 0x7b || body[0] === 0x5b
}

function statusError({ plan }: Operation, { status, headers, body }: SourceAnswer): Error {
  const said = readMessage(body)
  const wait = retryAfterMs(headers['retry-after'])
  return fromProviderStatus(
    status,
    `The API answered ${status} to ${plan.method} ${plan.path}${said === '' ? '.' : `: ${said}`}`,
    {
      ...(said === '' ? {} : { provider_message: said }),
      ...(wait === undefined ? {} : { retry_after_ms: wait }),
    },
  )
}

// The message is untrusted text: it is bounded, and invisible characters are made visible.
function readMessage(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 64 * 1024))
  const json = parseJson(body.subarray(0, 64 * 1024))?.value
  return visibleText(
    clip(
      (findMessage(json) ?? (isRecord(json) ? JSON.stringify(json) : text)).trim(),
      MESSAGE,
    ).toWellFormed(),
  )
}

function findMessage(json: unknown): string | undefined {
  const error = own(json, 'error')
  const found = [
    ownText(json, 'message'),
    ownText(error, 'message'),
    typeof error === 'string' ? error : undefined,
  ]
  return [
    ...found,
    ownText(json, 'detail'),
    ownText(json, 'error_description'),
    ownText(json, 'title'),
  ].find((text) => text !== undefined && text !== '')
}

function retryAfterMs(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : undefined
}

type Trimmed = { readonly data: unknown; readonly note: string }

/**
 * Shortens the longest list of a large answer and says so in a note; undefined if it has no list.
 */
function trimAnswer(data: unknown, bytes: number, maxBytes: number): Trimmed | undefined {
  if (Array.isArray(data)) return trimList(data, maxBytes)
  if (!isRecord(data)) return undefined
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  const sized = lists
    .map(([name, list]) => ({ name, list, size: JSON.stringify(list).length }))
    .toSorted((left, right) => right.size - left.size)
  const [longest] = sized
  if (longest === undefined || bytes - longest.size > maxBytes) return undefined
  const shorter = trimList(longest.list, maxBytes - (bytes - longest.size))
  return {
    data: { ...data, [longest.name]: shorter.data },
    note: `${longest.name}: ${shorter.note}`,
  }
}

function trimList(list: readonly unknown[], maxBytes: number): Trimmed {
  let bytes = 2
  let kept = 0
  for (const item of list) {
    bytes += JSON.stringify(item).length + 1
    if (bytes > maxBytes) break
    kept++
  }
  return {
    data: list.slice(0, kept),
    note: `the first ${kept} of ${list.length} items; ask for fewer at a time to see the others`,
  }
}

type Arguments = Readonly<Record<string, unknown>>

// Fields of an answer that hold a cursor, and the parameters that accept it.
const CURSORS: readonly {
  readonly at: readonly string[]
  readonly parameters: readonly string[]
}[] = [
  { at: ['response_metadata', 'next_cursor'], parameters: ['cursor'] },
  { at: ['metadata', 'continue'], parameters: ['continue'] },
  { at: ['nextPageToken'], parameters: ['pageToken', 'page_token'] },
  { at: ['next_page_token'], parameters: ['page_token', 'pageToken'] },
  { at: ['next_cursor'], parameters: ['cursor', 'next_cursor', 'after', 'start_cursor'] },
  { at: ['nextCursor'], parameters: ['cursor', 'after'] },
  { at: ['nextToken'], parameters: ['nextToken', 'next_token'] },
  { at: ['next_token'], parameters: ['next_token', 'pagination_token'] },
  { at: ['meta', 'next_token'], parameters: ['next_token', 'pagination_token'] },
  { at: ['meta', 'next_cursor'], parameters: ['cursor'] },
  { at: ['paging', 'cursors', 'after'], parameters: ['after'] },
  { at: ['next_page'], parameters: ['page'] },
]
const LINKS: readonly (readonly string[])[] = [
  ['next_page_uri'],
  ['next'],
  ['links', 'next'],
  ['_links', 'next', 'href'],
  ['meta', 'next_page_url'],
  ['paging', 'next'],
]

/** The arguments for the next page, if the answer refers to one. */
function nextPage(
  { plan }: Operation,
  headers: Readonly<Record<string, string>>,
  data: unknown,
): Arguments | undefined {
  const query = plan.parameters.filter(
    (parameter) => parameter.in === 'query' && parameter.scalar !== null,
  )
  if (query.length === 0) return undefined
  const link =
    parseLinkHeader(headers.link ?? '') ??
    LINKS.map((at) => memberAt(data, at)).find((found) => typeof found === 'string' && found !== '')
  return (
    (typeof link === 'string' ? fromLink(link, query) : undefined) ??
    fromCursor(data, query) ??
    fromLastItem(data, query)
  )
}

// RFC 8288. Parsed without one large pattern, which a hostile header could make run for long.
function parseLinkHeader(header: string): string | undefined {
  for (const part of header.slice(0, 8_192).split(/,\s*(?=<)/)) {
    const end = part.indexOf('>')
    if (
      part.startsWith('<') &&
      end > 0 &&
      /;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?/i.test(part.slice(end, end + 200))
    )
      return part.slice(1, end)
  }
  return undefined
}

function fromLink(link: string, query: readonly ParameterPlan[]): Arguments | undefined {
  const url = URL.canParse(link, 'https://document.invalid')
    ? new URL(link, 'https://document.invalid')
    : undefined
  const found = query.flatMap((parameter) => {
    const text = url?.searchParams.get(parameter.name)
    return text === null || text === undefined
      ? []
      : [[parameter.argument, toArgument(text, parameter)] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function fromCursor(data: unknown, query: readonly ParameterPlan[]): Arguments | undefined {
  for (const { at, parameters } of CURSORS) {
    const cursor = memberAt(data, at)
    const parameter = query.find(({ name }) => parameters.includes(name))
    if (
      parameter !== undefined &&
      (typeof cursor === 'number' ||
        (typeof cursor === 'string' && cursor !== '' && cursor.length <= 4_096))
    )
      return { [parameter.argument]: toArgument(String(cursor), parameter) }
  }
  return undefined
}

function fromLastItem(data: unknown, query: readonly ParameterPlan[]): Arguments | undefined {
  const items = own(data, 'data')
  const after = query.find(({ name }) => name === 'starting_after')
  if (own(data, 'has_more') !== true || !Array.isArray(items) || after === undefined)
    return undefined
  const id = ownText(items.at(-1), 'id')
  return id === undefined ? undefined : { [after.argument]: id }
}

function memberAt(data: unknown, at: readonly string[]): unknown {
  let current = data
  for (const name of at) current = isRecord(current) ? own(current, name) : undefined
  return current
}

function toArgument(text: string, { scalar }: ParameterPlan): unknown {
  if (scalar === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return scalar === 'flag' ? text === 'true' : text
}
