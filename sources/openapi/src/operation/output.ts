import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { type Fields, own, ownRecord } from '../document/record.ts'
import { followReference } from '../document/references.ts'
import type { Library } from '../schema/library.ts'
import { essence } from './body.ts'

export type Answers = { readonly accept: string; readonly schema: unknown }

// The responses with a success status, or the default response.
function successResponses(operation: Fields, library: Library): readonly Fields[] {
  const responses = ownRecord(operation, 'responses') ?? {}
  const statuses = Object.keys(responses)
    .filter((status) => /^2(?:\d\d|XX)$/i.test(status))
    .toSorted()
  const good =
    statuses.length > 0 ? statuses : Object.keys(responses).filter((status) => status === 'default')
  return good.map((status) =>
    orEmpty(() => followReference(library, responses[status], 'a response')),
  )
}

/** Whether answers have a Link header for the next page. */
export function hasLinks(operation: Fields, library: Library): boolean {
  return successResponses(operation, library).some((response) =>
    Object.keys(ownRecord(response, 'headers') ?? {}).some((name) => name.toLowerCase() === 'link'),
  )
}

/** The schema of an operation's JSON answer, and the Accept header that asks for it. */
export function readAnswers(operation: Fields, library: Library): Answers {
  const contents = successResponses(operation, library).map(
    (response) => ownRecord(response, 'content') ?? {},
  )
  const types = [...new Set(contents.flatMap((content) => Object.keys(content)))].filter((type) =>
    /^[\w.+*-]+\/[\w.+*-]+(?:;[\w=; .-]*)?$/.test(type),
  )
  const json = types
    .filter((type) => isJson(essence(type)))
    .toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1))
  const schemas = contents.flatMap((content) => {
    const type = json.find((one) => isRecord(content[one]))
    const schema = type === undefined ? undefined : own(content[type], 'schema')
    return schema === undefined ? [] : [schema]
  })
  return { accept: chooseAccept(json, types), schema: mergeSchemas(schemas) }
}

function chooseAccept(json: readonly string[], types: readonly string[]): string {
  if (json[0] !== undefined) return `${essence(json[0])}, */*;q=0.1`
  return types.length === 0
    ? '*/*'
    : `${types.toSorted().slice(0, 5).map(essence).join(', ')}, */*;q=0.1`
}

export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json')
}

function mergeSchemas(schemas: readonly unknown[]): unknown {
  const [only, ...others] = schemas
  if (others.length === 0) return only
  const distinct = [
    ...new Map(
      schemas.map((schema) => [JSON.stringify(own(schema, '$ref') ?? schema), schema]),
    ).values(),
  ]
  return distinct.length === 1 ? only : { anyOf: distinct }
}

// An answer whose schema cannot be read is left without a description.
function orEmpty(read: () => Fields): Fields {
  try {
    return read()
  } catch {
    return {}
  }
}

const SHAPE = {
  status: { type: 'integer' },
  text: { type: 'string' },
  artifact: {
    type: 'object',
    properties: {
      media_type: { type: 'string' },
      bytes: { type: 'integer' },
      sha256: { type: 'string' },
      base64: { type: 'string' },
    },
    required: ['media_type', 'bytes', 'sha256'],
  },
  location: { type: 'string' },
  next: { type: 'object', description: 'Arguments to add to the same call for the next page.' },
  truncated: { type: 'string', description: 'What is missing of a large answer.' },
}

/**
 * The schema of a tool's answer: an object for every content type, because model APIs require one.
 */
export function outputShape({ $defs, ...data }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { ...SHAPE, data },
    required: ['status'],
    ...($defs === undefined ? {} : { $defs }),
  }
}
