import { isRecord, sha256 } from '@surehand/core/internal'
import { own, ownText } from '../document/record.ts'
import type { BodyPlan, FieldPlan } from '../operation/operation.ts'
import { invalidArgument } from './invalid-argument.ts'
import { type Pair, stylePairs, textOf } from './serialize-parameter.ts'

export type EncodedBody = { readonly contentType: string; readonly body: Uint8Array | string }

/** Encodes a body in the media type of the operation. */
export function encodeBody(plan: BodyPlan, value: unknown): EncodedBody {
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
