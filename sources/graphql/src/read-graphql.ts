import { type Chooser, chooserOf } from './answer/choose-selection.ts'
import { type Built, buildOperation } from './operation/build-operation.ts'
import { endpointOf } from './operation/endpoint.ts'
import { type Listed, listOperations, type Wishes } from './operation/list-operations.ts'
import type { GraphqlOperation } from './operation/operation.ts'
import { operationNames } from './operation/operation-names.ts'
import { BOUNDS, refuseDocument } from './schema/bounds.ts'
import { readIntrospection } from './schema/read-introspection.ts'
import type { SchemaModel } from './schema/schema-model.ts'
import { readSdl } from './sdl/read-sdl.ts'

/** `allow`: `mutation.createIssue` or `mutation.*`; and paths such as `query.repository.issues`, which become tools of their own. */
export type GraphqlOptions = Wishes & {
  /** The namespace of its tools. */
  readonly name: string
  readonly endpoint: string
  /** Levels of objects within an answer's own; 3. */
  readonly maxDepth?: number
  /** Values of an answer, roughly, those of lists counted five times; 150. */
  readonly maxCost?: number
}

/** What became of every operation: a tool, or a reason. */
export type ImportReport = {
  readonly operations: number
  readonly tools: number
  readonly leftOut: readonly { readonly operation: string; readonly reason: string }[]
  readonly notes: readonly { readonly operation: string; readonly note: string }[]
  /** Parts of the schema that are no GraphQL. */
  readonly flaws: readonly string[]
  /** What was said of operations that the schema does not have. */
  readonly unmatched: readonly string[]
  /** What models are shown of all tools, in bytes; `catalogueTokens` tells it in tokens. */
  readonly bytes: number
}

export type GraphqlImport = {
  readonly operations: readonly GraphqlOperation[]
  readonly report: ImportReport
}

// of a selection and its schema, roughly: what is kept of a field
const BYTES_PER_FIELD = 100
const NAMESPACE = /^[a-z][a-z0-9_]{0,23}$/

/** A schema, as SDL, as JSON text or as the answer to an introspection, to operations that can become tools, and a report of all others. */
export function readGraphql(document: unknown, options: GraphqlOptions): GraphqlImport {
  const { name, maxDepth = 3, maxCost = 150 } = options
  if (!NAMESPACE.test(name)) throw refuseDocument(`"${name}" can't be the name of an import`)
  const endpoint = endpointOf(options.endpoint)
  const model = modelOf(document)
  const { listed, unmatched } = listOperations(model, options)
  if (listed.length === 0) throw refuseDocument('it has neither queries nor mutations')
  const made = makeOperations(listed, {
    name,
    endpoint,
    chooser: chooserOf(model, { maxDepth, maxCost }),
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

function modelOf(document: unknown): SchemaModel {
  if (typeof document !== 'string') return readIntrospection(document)
  if (document.length > BOUNDS.documentCharacters)
    throw refuseDocument(`it is longer than ${BOUNDS.documentCharacters} characters`)
  // a schema in its own language begins with a word, a text or a comment
  return /^[\s\uFEFF]*\{/.test(document) ? readIntrospection(parsed(document)) : readSdl(document)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw refuseDocument('it is no JSON')
  }
}

type Making = { readonly name: string; readonly endpoint: string; readonly chooser: Chooser }
type Made = { readonly source: string; readonly built: Built }

function makeOperations(
  listed: readonly Listed[],
  { name, endpoint, chooser }: Making,
): readonly Made[] {
  // over all of them: what is allowed today must not rename what was allowed before
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
        built: { ok: false, reason: 'its name could be taken for that of another operation' },
      }
    if (room <= 0)
      return {
        source,
        built: { ok: false, reason: `the tools before it take ${BOUNDS.totalBytes} bytes` },
      }
    const built = buildOperation(
      { id: `${name}.${own}`, kind, source, fields, entry, endpoint },
      chooser,
    )
    if (built.ok) room -= built.bytes + built.fields * BYTES_PER_FIELD
    return { source, built }
  })
}
