import { canonicalJson, hashJson, isRecord, sha256 } from '@surehand/core/internal'
import { type Chooser, createChooser } from './answer/choose-selection.ts'
import { type Built, buildOperation } from './operation/build-operation.ts'
import type { GraphqlOperation } from './operation/operation.ts'
import { type Listed, listOperations, type OperationChoice } from './operation/overlay.ts'
import { BOUNDS, refuseDocument } from './schema/bounds.ts'
import { readIntrospection } from './schema/read-introspection.ts'
import type { SchemaModel } from './schema/schema-model.ts'
import { readSdl } from './sdl/read-sdl.ts'

/**
 * `allow` lists mutations (`mutation.createIssue`, `mutation.*`) and paths such as
 * `query.repository.issues` that become tools of their own.
 */
export type GraphqlOptions = OperationChoice & {
  /** The namespace of the tools. */
  readonly name: string
  readonly endpoint: string
  /** How many levels of objects an answer may contain; default 3. */
  readonly maxDepth?: number
  /** About how many values an answer may contain, with each list counted as five; default 150. */
  readonly maxCost?: number
}

/** Every operation is a tool or is left out for a reason. */
export type ImportReport = {
  readonly operations: number
  readonly tools: number
  readonly leftOut: readonly { readonly operation: string; readonly reason: string }[]
  readonly notes: readonly { readonly operation: string; readonly note: string }[]
  /** Parts of the schema that are not valid GraphQL. */
  readonly flaws: readonly string[]
  /** Entries of `allow` and `overlay` that match no operation of the schema. */
  readonly unmatched: readonly string[]
  /**
   * Size of all schemas and descriptions that models see; `catalogueTokens` estimates it in tokens.
   */
  readonly bytes: number
}

export type GraphqlImport = {
  readonly operations: readonly GraphqlOperation[]
  readonly report: ImportReport
}

// A rough size of one selected field and its output schema.
const BYTES_PER_FIELD = 100
const NAMESPACE = /^[a-z][a-z0-9_]{0,23}$/

/**
 * Reads a schema (SDL, JSON text, or a parsed introspection answer) and returns the operations that
 * can become tools, with a report on the others.
 */
export function readGraphql(document: unknown, options: GraphqlOptions): GraphqlImport {
  const { name, maxDepth = 3, maxCost = 150 } = options
  if (!NAMESPACE.test(name)) throw refuseDocument(`"${name}" cannot be the name of an import`)
  const endpoint = readEndpoint(options.endpoint)
  const model = readModel(document)
  const { listed, unmatched } = listOperations(model, options)
  if (listed.length === 0) throw refuseDocument('it has neither queries nor mutations')
  const made = makeOperations(listed, {
    name,
    endpoint,
    chooser: createChooser(model, { maxDepth, maxCost }),
  })
  const operations = made.flatMap(({ built }) => (built.ok ? [built.operation] : []))
  return {
    operations,
    report: {
      operations: listed.length,
      tools: operations.length,
      leftOut: made.flatMap(({ source, built }) =>
        built.ok ? [] : [{ operation: source, reason: built.reason }],
      ),
      notes: made.flatMap(({ source, built }) =>
        built.ok ? built.notes.map((note) => ({ operation: source, note })) : [],
      ),
      flaws: model.flaws,
      unmatched,
      bytes: made.reduce((sum, { built }) => sum + (built.ok ? built.bytes : 0), 0),
    },
  }
}

function readModel(document: unknown): SchemaModel {
  if (typeof document !== 'string') return readIntrospection(document)
  if (document.length > BOUNDS.documentCharacters)
    throw refuseDocument(`it is longer than ${BOUNDS.documentCharacters} characters`)
  // SDL never begins with a brace; an introspection answer always does.
  return /^[\s\uFEFF]*\{/.test(document)
    ? readIntrospection(parseJson(document))
    : readSdl(document)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw refuseDocument('it is not valid JSON')
  }
}

type OperationContext = {
  readonly name: string
  readonly endpoint: string
  readonly chooser: Chooser
}
type BuiltOperation = { readonly source: string; readonly built: Built }

function makeOperations(
  listed: readonly Listed[],
  { name, endpoint, chooser }: OperationContext,
): readonly BuiltOperation[] {
  // Names are assigned over all operations: allowing one more must not rename the others.
  const names = operationNames(
    listed.map(({ source, kind, fields }) => ({
      source,
      kind,
      fields: fields.map((field) => field.name),
    })),
    name,
  )
  let room: number = BOUNDS.totalBytes
  return listed.map(({ source, kind, fields, entry, reason }) => {
    const own = names.get(source)
    if (reason !== undefined || kind === 'subscription')
      return { source, built: { ok: false, reason: reason ?? 'it is a subscription' } }
    if (own === undefined)
      return {
        source,
        built: {
          ok: false,
          reason: 'its name cannot be told apart from the name of another operation',
        },
      }
    if (room <= 0)
      return {
        source,
        built: { ok: false, reason: `the tools before it already use ${BOUNDS.totalBytes} bytes` },
      }
    const built = buildOperation(
      { id: `${name}.${own}`, kind, source, fields, entry, endpoint },
      chooser,
    )
    if (built.ok) room -= built.bytes + built.fields * BYTES_PER_FIELD
    return { source, built }
  })
}

/** The URL that every request of this import is sent to. */
function readEndpoint(text: string): string {
  if (!URL.canParse(text)) throw refuseDocument('its endpoint is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuseDocument('its endpoint is neither https nor http')
  if (url.username !== '' || url.password !== '')
    throw refuseDocument(
      'its endpoint contains a user name or password: store it as a credential instead',
    )
  url.hash = ''
  return url.href
}

type UnnamedOperation = {
  readonly source: string
  readonly kind: string
  readonly fields: readonly string[]
}

const LONGEST_WIRE_NAME = 64
const HASH_LENGTH = 8

/**
 * A name for each operation, derived from its own fields only, so that the order of operations does
 * not matter. Names that are too long, or that differ from another only in case, get a hash of
 * their source. A name that still collides is left out.
 */
function operationNames(
  operations: readonly UnnamedOperation[],
  namespace: string,
): ReadonlyMap<string, string> {
  const room = LONGEST_WIRE_NAME - namespace.length - '__'.length
  const plain = Map.groupBy(operations, ({ fields }) => fields.join('_').toLowerCase())
  const named = operations.map((operation) => {
    const name = operation.fields.join('_')
    const isAlone = plain.get(name.toLowerCase())?.length === 1
    return {
      source: operation.source,
      name: isAlone && name.length <= room ? name : nameWithHash(operation, room),
    }
  })
  const final = Map.groupBy(named, ({ name }) => name.toLowerCase())
  return new Map(
    named.flatMap(({ source, name }) =>
      final.get(name.toLowerCase())?.length === 1 ? [[source, name]] : [],
    ),
  )
}

function nameWithHash({ source, kind, fields }: UnnamedOperation, room: number): string {
  const name = `${kind}_${fields.join('_')}`.slice(0, room - HASH_LENGTH - 1)
  return `${name}_${hashJson(source).slice(0, HASH_LENGTH)}`
}

/**
 * Changes whenever the same schema would become other tools, so that old cache entries are ignored.
 */
export const GENERATOR_VERSION = 'graphql-3'

/**
 * The cache key: schema, options and generator version. The tenant is not part of it, because the
 * same schema gives the same tools.
 */
export function cacheKey(text: string, options: GraphqlOptions): string {
  return sha256(
    `${GENERATOR_VERSION}\n${sha256(text)}\n${canonicalJson(JSON.parse(JSON.stringify(options)))}`,
  )
}

/** Encodes an import for a cache file. */
export function toCache({ operations, report }: GraphqlImport, key: string): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify({ version: GENERATOR_VERSION, key, operations, report }),
  )
}

/** Decodes a cache file; undefined if it is damaged or belongs to another key or generator. */
export function fromCache(bytes: Uint8Array, key: string): GraphqlImport | undefined {
  const entry = parseCached(new TextDecoder().decode(bytes))
  if (!isRecord(entry) || entry.version !== GENERATOR_VERSION || entry.key !== key) return undefined
  // Type erased: only `toCache` writes entries with this key and version.
  return { operations: entry.operations, report: entry.report } as GraphqlImport
}

function parseCached(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
