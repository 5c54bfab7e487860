import { isRecord } from '@surehand/core/internal'
import { isVisible } from '../document/clip-text.ts'
import { LeftOut } from '../document/left-out.ts'
import { type Fields, own, ownRecord, ownText } from '../document/record.ts'
import { followReference } from '../document/references.ts'
import type { Library } from '../schema/library.ts'
import type { BodyPlan, FieldPlan, ParameterStyle } from './operation.ts'
import { type CredentialSlot, isCredential } from './security.ts'

/**
 * The body of an operation in the media type that was chosen for it. Its schema is not read yet.
 */
export type Body = Pick<BodyPlan, 'isRequired' | 'mediaType' | 'kind'> & {
  readonly media: Fields
  readonly description: string | undefined
  /** Fields of a form that carry a credential. */
  readonly slots: readonly CredentialSlot[]
}

export type BodyForm = {
  readonly plan: BodyPlan
  readonly schema: unknown
  readonly description: string | undefined
}

const BASE64 = { type: 'string', contentEncoding: 'base64', description: 'The bytes, in base64.' }
const FILE = {
  type: 'object',
  description: 'A file.',
  properties: {
    base64: BASE64,
    filename: { type: 'string', maxLength: 200 },
    media_type: { type: 'string', maxLength: 100 },
  },
  required: ['base64'],
  additionalProperties: false,
}

/** Reads the request body in the best supported of its media types. */
export function readBody(operation: Fields, library: Library): Body | undefined {
  const written = own(operation, 'requestBody')
  if (written === undefined) return undefined
  const form = followReference(library, written, 'the request body')
  const content = ownRecord(form, 'content') ?? {}
  const types = Object.keys(content).toSorted(
    (left, right) => rank(left) - rank(right) || (left < right ? -1 : 1),
  )
  const [mediaType] = types
  if (mediaType === undefined) return undefined
  const media = isRecord(content[mediaType]) ? content[mediaType] : {}
  const kind = kindOf(mediaType)
  if (hasFields(kind) && isFieldless(own(media, 'schema'), library)) return undefined
  return {
    isRequired: own(form, 'required') === true,
    mediaType: /[*]/.test(mediaType)
      ? kind === 'json'
        ? 'application/json'
        : 'application/octet-stream'
      : mediaType,
    kind,
    media,
    description: ownText(form, 'description'),
    slots: hasFields(kind) ? findSlots(own(media, 'schema'), library) : [],
  }
}

function findSlots(schema: unknown, library: Library): readonly CredentialSlot[] {
  const { properties, required } = flattenForm(schema, library)
  return Object.keys(properties).flatMap((name) => {
    const description = ownText(followOrUndefined(properties[name], library), 'description') ?? ''
    return isVisible(name) && isCredential(name, description)
      ? [{ scheme: name, name, in: 'form', isRequired: required.includes(name) }]
      : []
  })
}

function hasFields(kind: BodyPlan['kind']): boolean {
  return kind === 'form' || kind === 'multipart'
}

/** How a body is encoded, and the schema of the `body` argument. */
export function planBody(
  { isRequired, mediaType, kind, media, description, slots }: Body,
  library: Library,
): BodyForm {
  const written = own(media, 'schema')
  const names = slots.map(({ name }) => name)
  const schema = names.length === 0 ? written : withoutFields(written, names, library)
  const plan = {
    // A form whose only required field comes from the vault is no argument that is required.
    isRequired: isRequired && (names.length === 0 || hasRequired(schema)),
    mediaType,
    kind,
    fields: hasFields(kind) ? planFields(schema, media, library) : {},
    slots: names,
  }
  return { plan, schema: schemaFor(plan, schema, library), description }
}

function withoutFields(schema: unknown, names: readonly string[], library: Library): unknown {
  const { properties, required } = flattenForm(schema, library)
  const form = followOrUndefined(schema, library)
  const others = own(form, 'additionalProperties')
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !names.includes(name)),
    ),
    required: required.filter((name) => !names.includes(String(name))),
    ...(others === undefined ? {} : { additionalProperties: others }),
  }
}

function hasRequired(schema: unknown): boolean {
  const required = own(schema, 'required')
  return Array.isArray(required) && required.length > 0
}

function rank(mediaType: string): number {
  const type = essence(mediaType)
  if (type === 'application/json') return 0
  if (type === 'application/merge-patch+json') return 1
  if (type.endsWith('+json')) return 2
  if (type === 'application/x-www-form-urlencoded') return 3
  if (type === 'multipart/form-data') return 4
  if (type === '*/*') return 5
  if (type.startsWith('text/')) return 6
  return /xml|yaml/.test(type) ? 7 : 8
}

/** A media type without its parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

function kindOf(mediaType: string): BodyPlan['kind'] {
  const type = essence(mediaType)
  if (!/^[\w.+*-]+\/[\w.+*-]+$/.test(type))
    throw new LeftOut(`the media type "${mediaType.slice(0, 60)}" of its body is not supported`)
  if (
    type === '*/*' ||
    type === 'application/*' ||
    type === 'application/json' ||
    type.endsWith('+json')
  )
    return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('multipart/')) return 'multipart'
  return type.startsWith('text/') || /xml|yaml|javascript|graphql|csv/.test(type)
    ? 'text'
    : 'binary'
}

function schemaFor(
  { kind, mediaType, fields }: BodyPlan,
  schema: unknown,
  library: Library,
): unknown {
  switch (kind) {
    case 'json':
    case 'form':
      return schema ?? {}
    case 'text':
      return { type: 'string', description: `A text of the type ${mediaType}.` }
    case 'binary':
      return BASE64
    case 'multipart':
      return withFiles(schema, fields, library)
  }
}

// A file is passed as an object with content and name, so the schema of its field is replaced.
function withFiles(schema: unknown, fields: BodyPlan['fields'], library: Library): unknown {
  const flat = flattenForm(schema, library)
  const properties = Object.entries(flat.properties).map(([name, inner]) => {
    const isMany = own(followOrUndefined(inner, library), 'type') === 'array'
    if (fields[name]?.isBinary !== true) return [name, inner] as const
    return [
      name,
      isMany
        ? { type: 'array', items: FILE, description: own(inner, 'description') }
        : { ...FILE, description: ownText(inner, 'description') ?? FILE.description },
    ] as const
  })
  return { type: 'object', properties: Object.fromEntries(properties), required: flat.required }
}

function planFields(schema: unknown, media: Fields, library: Library): BodyPlan['fields'] {
  const encoding = ownRecord(media, 'encoding') ?? {}
  const { properties } = flattenForm(schema, library)
  const names = Object.keys(properties).filter((name) => name !== '__proto__')
  return Object.fromEntries(
    names.map((name) => [name, planField(properties[name], own(encoding, name), library)]),
  )
}

const STYLES: readonly ParameterStyle[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']

function planField(schema: unknown, encoding: unknown, library: Library): FieldPlan {
  const inner = followOrUndefined(schema, library)
  const items =
    own(inner, 'type') === 'array' ? followOrUndefined(own(inner, 'items'), library) : inner
  const style = STYLES.find((one) => one === own(encoding, 'style')) ?? null
  const explode = own(encoding, 'explode')
  const contentType = ownText(encoding, 'contentType') ?? null
  return {
    isBinary:
      own(items, 'format') === 'binary' ||
      (own(items, 'contentMediaType') !== undefined && own(items, 'contentEncoding') === undefined),
    contentType: contentType === null || /[\r\n]/.test(contentType) ? null : contentType,
    style,
    explode:
      typeof explode === 'boolean'
        ? explode
        : style === null || style === 'form' || style === 'deepObject',
    allowReserved: own(encoding, 'allowReserved') === true,
  }
}

type Flat = { readonly properties: Fields; readonly required: readonly unknown[] }

// Collects the fields of a form from its schema, references and allOf.
function flattenForm(schema: unknown, library: Library, depth = 0): Flat {
  const form = followOrUndefined(schema, library)
  const parts = [own(form, 'allOf'), own(form, 'anyOf'), own(form, 'oneOf')].flatMap((list) =>
    Array.isArray(list) && depth < 3 ? list.slice(0, 20) : [],
  )
  const inner = parts.map((part) => flattenForm(part, library, depth + 1))
  const required = own(form, 'required')
  const all = own(form, 'allOf') === undefined ? [] : inner.flatMap((one) => one.required)
  return {
    properties: Object.assign(
      {},
      ...inner.map((one) => one.properties),
      ownRecord(form, 'properties'),
    ),
    required: [...(Array.isArray(required) ? required : []), ...all],
  }
}

function followOrUndefined(schema: unknown, library: Library): unknown {
  let current = schema
  for (let step = 0; step < 8; step++) {
    const reference = ownText(current, '$ref')
    if (reference === undefined) return current
    current = library.target(reference)
  }
  return current
}

function isFieldless(schema: unknown, library: Library): boolean {
  const form = followOrUndefined(schema, library)
  const properties = ownRecord(form, 'properties')
  const others = own(form, 'additionalProperties')
  return (
    properties !== undefined &&
    Object.keys(properties).length === 0 &&
    (others === undefined || others === false) &&
    own(form, 'allOf') === undefined
  )
}
