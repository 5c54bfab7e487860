import { ToolError } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import { isRecord, sha256 } from '@surehand/core/internal'
import type { SourceRequest } from '@surehand/vault'
import { own, ownText } from '../document/record.ts'
import type {
  BodyPlan,
  FieldPlan,
  Operation,
  ParameterPlan,
  ServerPlan,
} from '../operation/operation.ts'
import { invalidArgument } from './invalid-argument.ts'
import { percent, percentLiteral } from './percent.ts'
import { joinWithin, refuseEscape } from './safe-path.ts'
import {
  cookieText,
  headerValue,
  type Pair,
  pathValue,
  queryPairs,
  stylePairs,
  textOf,
} from './serialize-parameter.ts'

export type RequestSettings = ServerSettings & {
  /** How many bytes of an answer are read at most. */
  readonly maxBytes?: number
}

const MAX_BYTES = 5 * 1024 * 1024

/** Builds the request of a call, complete except for credentials. */
export function buildRequest(
  { plan, contract }: Operation,
  call: Pick<ForeignCall, 'input' | 'idempotencyKey'>,
  settings: RequestSettings,
): SourceRequest {
  const given = plan.parameters.flatMap((parameter) => {
    const value = own(call.input, parameter.argument)
    return value === undefined || value === null ? leaveOut(parameter) : [{ parameter, value }]
  })
  const of = (place: ParameterPlan['in']) => given.filter(({ parameter }) => parameter.in === place)
  const query = [
    ...fixedPairs(plan.query, of('path')),
    ...of('query').flatMap(({ parameter, value }) => queryPairs(parameter, value)),
  ]
  const cookies = of('cookie')
    .map(({ parameter, value }) => cookieText(parameter, value))
    .filter((text) => text !== '')
  const encoded = plan.body === null ? undefined : bodyOf(plan.body, own(call.input, 'body'))
  const headers: Record<string, string> = { accept: plan.accept }
  for (const { parameter, value } of of('header'))
    headers[parameter.name.toLowerCase()] = headerValue(parameter, value)
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  if (encoded !== undefined) headers['content-type'] = encoded.contentType
  if (plan.idempotencyHeader !== null && contract.by === 'writeOnce')
    headers[plan.idempotencyHeader.toLowerCase()] = call.idempotencyKey
  const search = query.map((pair) => pair.join('=')).join('&')
  return {
    method: plan.method,
    url: joinWithin(
      baseUrl(plan.server, settings),
      fillPath(plan.path, of('path')),
      search === '' ? '' : `?${search}`,
    ),
    headers,
    ...(encoded === undefined ? {} : { body: encoded.body }),
    security: plan.security,
    maxBytes: settings.maxBytes ?? MAX_BYTES,
  }
}

type Given = { readonly parameter: ParameterPlan; readonly value: unknown }

function leaveOut({ argument, isRequired, in: place }: ParameterPlan): readonly Given[] {
  if (isRequired && place === 'path')
    throw invalidArgument(argument, 'is missing, and without it the path would lead elsewhere')
  return []
}

// The pairs that the path itself holds. An encoded value cannot leave its pair.
function fixedPairs(pairs: Operation['plan']['query'], given: readonly Given[]): readonly Pair[] {
  const values = new Map(
    given.map(({ parameter, value }) => [parameter.name, percent(textOf(value))]),
  )
  return pairs.map(([name, template]) => [
    percentLiteral(name),
    template
      .split(/\{([^{}]+)\}/)
      .map((part, index) => (index % 2 === 0 ? percentLiteral(part) : (values.get(part) ?? '')))
      .join(''),
  ])
}

function fillPath(template: string, all: readonly Given[]): string {
  const given = all.filter(({ parameter }) => template.includes(`{${parameter.name}}`))
  const values = new Map(
    given.map(({ parameter, value }) => [parameter.name, fillSegment(parameter, value)]),
  )
  const segments = template.split('/').map((segment) => {
    if (!segment.includes('{')) return percentLiteral(segment)
    // Every second part is the name of a parameter.
    const filled = segment
      .split(/\{([^{}]+)\}/)
      .map((part, index) => (index % 2 === 0 ? percentLiteral(part) : (values.get(part) ?? '')))
    // Two harmless arguments can form ".." together.
    refuseEscape(given[0]?.parameter.argument ?? '', filled.join(''))
    return filled.join('')
  })
  return segments.join('/')
}

function fillSegment(parameter: ParameterPlan, value: unknown): string {
  for (const text of listTexts(value)) refuseEscape(parameter.argument, text)
  return pathValue(parameter, value)
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(listTexts)
}

export type EncodedBody = { readonly contentType: string; readonly body: Uint8Array | string }

// Without arguments a form is still sent if the vault fills a field of it.
function bodyOf(plan: BodyPlan, value: unknown): EncodedBody | undefined {
  if (plan.slots.length === 0) return value === undefined ? undefined : encodeBody(plan, value)
  const given = entriesOf(value ?? {}).filter(([name]) => !plan.slots.includes(name))
  return encodeBody(plan, Object.fromEntries(given))
}

/** Encodes a body in the media type of the operation. */
function encodeBody(plan: BodyPlan, value: unknown): EncodedBody {
  switch (plan.kind) {
    case 'json':
      return { contentType: plan.mediaType, body: JSON.stringify(value) }
    case 'text':
      return {
        contentType: plan.mediaType.includes('charset')
          ? plan.mediaType
          : `${plan.mediaType}; charset=utf-8`,
        body: textOf(value),
      }
    case 'binary':
      return { contentType: plan.mediaType, body: decodeBase64(value, 'body') }
    case 'form':
      return {
        contentType: 'application/x-www-form-urlencoded',
        body: formPairs(plan, value)
          .map((pair) => pair.join('='))
          .join('&'),
      }
    case 'multipart':
      return encodeMultipart(plan, value)
  }
}

const PLAIN: FieldPlan = {
  isBinary: false,
  contentType: null,
  style: null,
  explode: true,
  allowReserved: false,
}

function formPairs({ fields }: BodyPlan, value: unknown): readonly Pair[] {
  return entriesOf(value).flatMap(([name, member]) =>
    fieldPairs(name, member, own(fields, name) === undefined ? PLAIN : (fields[name] ?? PLAIN)),
  )
}

function fieldPairs(name: string, value: unknown, field: FieldPlan): readonly Pair[] {
  const { style, explode, allowReserved, contentType } = field
  // Without a style, the field's content type decides; objects are JSON unless the document says
  // otherwise.
  if (style === null && contentType !== null && contentType.includes('json'))
    return stylePairs({ name, style: 'form', explode: false, allowReserved }, JSON.stringify(value))
  if (style === null && isRecord(value))
    return stylePairs({ name, style: 'form', explode: false, allowReserved }, JSON.stringify(value))
  return stylePairs(
    { name, style: style ?? 'form', explode: style === null ? true : explode, allowReserved },
    value,
  )
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (!isRecord(value))
    throw invalidArgument('body', 'must be an object, because it is sent as a form')
  return Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
}

type Part = {
  readonly name: string
  readonly filename: string | undefined
  readonly contentType: string
  readonly content: Uint8Array
}

function encodeMultipart({ fields, mediaType }: BodyPlan, value: unknown): EncodedBody {
  const parts = entriesOf(value).flatMap(([name, member]) =>
    partsOf(name, member, fields[name] ?? PLAIN),
  )
  const boundary = boundaryFor(parts)
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${partHeader(part)}\r\n\r\n`),
    part.content,
    Buffer.from('\r\n'),
  ])
  const body = new Uint8Array(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]))
  return { contentType: `${mediaType}; boundary=${boundary}`, body }
}

// A hash of the contents, so that the same call gives the same bytes. It is too long to occur in a
// part by accident.
function boundaryFor(parts: readonly Part[]): string {
  return `surehand-${sha256(parts.map((part) => `${part.name} ${Buffer.from(part.content).toString('base64')}`).join(' ')).slice(0, 40)}`
}

function partsOf(name: string, value: unknown, field: FieldPlan): readonly Part[] {
  if (Array.isArray(value)) return value.flatMap((one) => partsOf(name, one, field))
  if (field.isBinary) return [filePart(name, value, field)]
  const isObject = typeof value === 'object' && value !== null
  const contentType =
    field.contentType ?? (isObject ? 'application/json' : 'text/plain; charset=utf-8')
  return [
    {
      name,
      filename: undefined,
      contentType,
      content: Buffer.from(isObject ? JSON.stringify(value) : textOf(value)),
    },
  ]
}

function filePart(name: string, value: unknown, { contentType }: FieldPlan): Part {
  const mediaType =
    ownText(value, 'media_type') ?? contentType?.split(',')[0]?.trim() ?? 'application/octet-stream'
  if (!/^[\w.+-]+\/[\w.+-]+(?:; ?[\w.=-]+)*$/.test(mediaType))
    throw invalidArgument('body', `has no valid media type for "${name}"`)
  return {
    name,
    filename: ownText(value, 'filename') ?? name,
    contentType: mediaType,
    content: decodeBase64(own(value, 'base64'), 'body'),
  }
}

function partHeader({ name, filename, contentType }: Part): string {
  const file = filename === undefined ? '' : `; filename="${escapeQuotes(filename)}"`
  return `Content-Disposition: form-data; name="${escapeQuotes(name)}"${file}\r\nContent-Type: ${contentType}`
}

// Escaped as browsers do: a quote or a line break would begin another header.
function escapeQuotes(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** Decodes base64 strictly. */
function decodeBase64(text: unknown, argument: string): Uint8Array<ArrayBuffer> {
  const plain = typeof text === 'string' ? text.replaceAll(/[\r\n]/g, '') : ''
  if (typeof text !== 'string' || plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain))
    throw invalidArgument(argument, 'is not valid base64')
  return Uint8Array.from(Buffer.from(plain, 'base64'))
}

/** Set by the tenant, never by a model. */
type ServerSettings = {
  /** Replaces the document's own server. */
  readonly baseUrl?: string
  /** Replace servers of single operations, by their URL as written in the document. */
  readonly bases?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
}

/** The base URL of an operation's requests. No argument can leave its origin and path. */
function baseUrl(server: ServerPlan, settings: ServerSettings): URL {
  const given = server.isMain ? settings.baseUrl : undefined
  const text =
    given ??
    ownMember(settings.bases, server.url) ??
    fillVariables(server, settings.variables ?? {})
  if (!URL.canParse(text))
    throw serverError(`"${text.slice(0, 200)}" is no address; set the server's base URL`)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw serverError(`${url.protocol} is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw serverError('it holds a user name or a password')
  if (url.search !== '' || url.hash !== '') throw serverError('it has a query or a fragment')
  return url
}

function fillVariables(
  { url, variables }: ServerPlan,
  values: Readonly<Record<string, string>>,
): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = ownMember(variables, name)
    const value = ownMember(values, name) ?? variable?.default ?? ''
    if (value === '') throw serverError(`its variable "${name}" has no value`)
    if (variable?.values && !variable.values.includes(value))
      throw serverError(`its variable "${name}" must be one of ${variable.values.join(', ')}`)
    // A variable may be a port, a host or a path with slashes, but it must not add a user name or a
    // query.
    if (/[@?#\\\s]/.test(value))
      throw serverError(
        `its variable "${name}" contains a character that would change the meaning of the address`,
      )
    return value
  })
}

function ownMember<T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function serverError(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The server of this tool can't be used: ${why}.`,
    { effect: 'none' },
  )
}
