import { createHash } from 'node:crypto'
import { type Caller, ToolError } from '@surehand/core'
import { fromProviderStatus, type KeepFile, visibleText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { SourceAnswer } from '@surehand/vault'
import { clip } from '../document/clip-text.ts'
import { own, ownText } from '../document/record.ts'
import { essence } from '../operation/body.ts'
import type { Operation } from '../operation/operation.ts'
import { isJson } from '../operation/output.ts'
import { nextPage } from './next-page.ts'

export type AnswerSettings = {
  /** How many bytes of a JSON or text answer are returned at most. */
  readonly maxAnswerBytes?: number
  /** Binary answers up to this size are returned in base64; of larger ones only the digest. */
  readonly maxArtifactBytes?: number
  /** Stores what is too large for an answer; without it, that is cut. */
  readonly keep?: KeepFile
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

const LONG_TEXT_BYTES = 64 * 1024
const PREVIEW = 4_000

/**
 * The answer with a link to the whole body, where the answer holds only a part of it or a long
 * text. A body that cannot be stored leaves the answer as it is: the call has had its effect.
 */
export async function keepWhole(
  given: Given,
  { headers, body, isCut }: SourceAnswer,
  { caller, keep }: { readonly caller: Caller; readonly keep: KeepFile | undefined },
): Promise<Given> {
  const { text, truncated } = given
  const isLong = typeof text === 'string' && body.byteLength > LONG_TEXT_BYTES
  if (keep === undefined || isCut || (truncated === undefined && !isLong)) return given
  const mediaType = essence(headers['content-type'] ?? '') || 'application/octet-stream'
  const kept = await keep(caller, { bytes: body, mediaType }).catch(() => undefined)
  if (kept === undefined) return given
  return {
    ...given,
    ...(isLong ? { text: text.slice(0, PREVIEW).toWellFormed() } : {}),
    artifact: { ...describeBody(body, mediaType), ...kept },
    truncated: isLong
      ? `these are the first ${PREVIEW} characters; the artifact is the whole answer`
      : typeof given.artifact === 'object'
        ? `${body.byteLength} bytes are too many to hand on; the artifact is a link to them`
        : `${truncated}; the artifact is the whole answer`,
  }
}

function describeBody(body: Uint8Array, type: string) {
  return {
    media_type: type === '' ? 'application/octet-stream' : type,
    bytes: body.byteLength,
    sha256: createHash('sha256').update(body).digest('hex'),
  }
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
  const facts = describeBody(body, type)
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

function statusError(
  { plan, contract }: Operation,
  { status, headers, body }: SourceAnswer,
): ToolError {
  const json = parseJson(body.subarray(0, 64 * 1024))?.value
  const said = readMessage(body, json)
  const errors = listErrors(json)
  const wait = retryAfterMs(headers['retry-after'])
  const message = `The API answered ${status} to ${plan.method} ${plan.path}${said === '' ? '.' : `: ${said}`}`
  const details = {
    ...(said === '' ? {} : { provider_message: said }),
    ...(errors.length === 0 ? {} : { provider_errors: errors }),
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
  }
  // With an idempotency key, 409 can mean that the first attempt is still running.
  const isRefusal =
    status === 409 && (plan.idempotencyHeader === null || contract.by !== 'writeOnce')
  if (!isRefusal) return fromProviderStatus(status, message, details)
  return new ToolError('TOOL_RESOURCE_ALREADY_EXISTS', message, {
    effect: 'refused',
    details: { ...details, provider_status: status },
    suggestions: ['Read what is there now: the request conflicts with it, or repeats it.'],
  })
}

const MOST_ERRORS = 10

// Which field was wrong is often said only here.
function listErrors(json: unknown): readonly string[] {
  const found = own(json, 'errors') ?? own(own(json, 'error'), 'errors')
  const list = Array.isArray(found)
    ? found
    : isRecord(found)
      ? Object.entries(found).map(([field, what]) => ({ field, what }))
      : []
  return list
    .slice(0, MOST_ERRORS)
    .map((one) => showText(typeof one === 'string' ? one : (JSON.stringify(one) ?? '')))
}

// The message is untrusted text: it is bounded, and invisible characters are made visible.
function readMessage(body: Uint8Array, json: unknown): string {
  const text = new TextDecoder().decode(body.subarray(0, 64 * 1024))
  return showText((findMessage(json) ?? (isRecord(json) ? JSON.stringify(json) : text)).trim())
}

function showText(text: string): string {
  return visibleText(clip(text, MESSAGE).toWellFormed())
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
