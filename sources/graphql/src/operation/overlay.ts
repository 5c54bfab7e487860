import { BOUNDS } from '../schema/bounds.ts'
import { type Field, isList, nameOf, type SchemaModel } from '../schema/schema-model.ts'
import type { Terms } from './operation.ts'

/** What an importer specifies for one operation in addition to the schema. */
export type OverlayEntry = Terms & {
  /** True allows it as a tool, false leaves it out. */
  readonly action?: boolean
  readonly title?: string
  readonly description?: string
}

/** By operation: `query.viewer`, `mutation.createIssue`, `query.repository.issues`. */
export type Overlay = Readonly<Record<string, OverlayEntry>>

/** The terms without the fields that matter only while importing. */
export function termsOf({ action: _, title: __, description: ___, ...terms }: OverlayEntry): Terms {
  return terms
}

// An idempotency key must not replace headers that authenticate or describe the request.
const RESERVED = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'proxy-authorization',
  'transfer-encoding',
])

/** Whether a header may carry a call's idempotency key. */
export function isKeyHeader(header: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(header) && !RESERVED.has(header.toLowerCase())
}

export type OperationChoice = { readonly allow?: readonly string[]; readonly overlay?: Overlay }

/** An operation of a schema. One with a `reason` does not become a tool. */
export type Listed = {
  readonly source: string
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly fields: readonly Field[]
  readonly entry: OverlayEntry
  readonly reason: string | undefined
}

export type Listing = { readonly listed: readonly Listed[]; readonly unmatched: readonly string[] }

const ALL_MUTATIONS = 'mutation.*'
const NONE: OverlayEntry = {}

/**
 * Lists every operation of a schema, the paths that the importer chose, and the entries that match
 * no operation.
 */
export function listOperations(
  model: SchemaModel,
  { allow = [], overlay = {} }: OperationChoice,
): Listing {
  const allowed = new Set(allow)
  const entryOf = (source: string): OverlayEntry =>
    Object.hasOwn(overlay, source) ? (overlay[source] ?? NONE) : NONE
  const roots = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    rootFields(model, kind).map((field): Listed => {
      const source = `${kind}.${field.name}`
      const entry = entryOf(source)
      return {
        source,
        kind,
        fields: [field],
        entry,
        reason: reasonToLeaveOut(kind, entry, allowed.has(ALL_MUTATIONS) || allowed.has(source)),
      }
    }),
  )
  const known = new Set([ALL_MUTATIONS, ...roots.map(({ source }) => source)])
  const further = [...new Set([...allow, ...Object.keys(overlay)])]
    .filter((source) => !known.has(source))
    .sort()
  const paths = further.map((source) => ({ source, found: resolvePath(source, model) }))
  return {
    listed: [
      ...roots,
      ...paths.flatMap(({ source, found }): readonly Listed[] => {
        const entry = entryOf(source)
        const isWanted = allowed.has(source) || entry.action === true
        return found.ok && isWanted
          ? [
              {
                source,
                kind: 'query',
                fields: found.fields,
                entry,
                reason: reasonToLeaveOut('query', entry, true),
              },
            ]
          : []
      }),
    ].map((one, index) =>
      index < BOUNDS.operations
        ? one
        : { ...one, reason: `the schema has more than ${BOUNDS.operations} operations` },
    ),
    unmatched: paths.flatMap(({ source, found }) =>
      found.ok ? [] : [`${source}: ${found.reason}`],
    ),
  }
}

function rootFields(model: SchemaModel, kind: Listed['kind']): readonly Field[] {
  const name = model[kind]
  const type = name === undefined ? undefined : model.types.get(name)
  return type?.kind === 'object' ? type.fields : []
}

function reasonToLeaveOut(
  kind: Listed['kind'],
  { action }: OverlayEntry,
  isAllowed: boolean,
): string | undefined {
  if (kind === 'subscription') return 'a subscription has no end, and a call has one'
  if (action === false) return 'the overlay leaves it out'
  return kind === 'mutation' && action !== true && !isAllowed
    ? 'mutations become tools only when they are on the allow-list'
    : undefined
}

function resolvePath(source: string, model: SchemaModel): ReturnType<typeof findPath> {
  const [kind, ...names] = source.split('.')
  if (kind !== 'query' || model.query === undefined)
    return { ok: false, reason: 'the schema has no such operation' }
  return findPath(model.query, names, model)
}

type FoundPath =
  | { readonly ok: true; readonly fields: readonly Field[] }
  | { readonly ok: false; readonly reason: string }

const LONGEST = 5

/** Follows a path of field names from a root type. */
function findPath(root: string, names: readonly string[], model: SchemaModel): FoundPath {
  if (names.length > LONGEST)
    return { ok: false, reason: `its path is longer than ${LONGEST} fields` }
  const fields: Field[] = []
  let owner = root
  for (const name of names) {
    const type = model.types.get(owner)
    const field =
      type?.kind === 'object' || type?.kind === 'interface'
        ? type.fields.find((one) => one.name === name)
        : undefined
    if (field === undefined) return { ok: false, reason: `${owner} has no field "${name}"` }
    const before = fields.at(-1)
    if (before !== undefined && isList(before.type))
      return {
        ok: false,
        reason: `"${before.name}" is a list, and a path cannot lead through a list`,
      }
    fields.push(field)
    owner = nameOf(field.type)
  }
  return { ok: true, fields }
}
