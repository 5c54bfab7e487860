import { hash } from 'node:crypto'
import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed } from '@surehand/vault'
import { type OpenApiDocument, parseDocument, parseText } from './document/document.ts'
import { documentError } from './document/document-error.ts'
import { LeftOut } from './document/left-out.ts'
import { LIMITS } from './document/limits.ts'
import { applyOverlay, type OverlaidDocument } from './document/overlay.ts'
import { type Fields, own, ownText } from './document/record.ts'
import { readSidecarEntry, type SidecarEntry } from './operation/contract-plan.ts'
import { type Listed, listOperations } from './operation/list-operations.ts'
import type { Operation } from './operation/operation.ts'
import {
  type OperationRules,
  type ReadOperation,
  readOperation,
} from './operation/read-operation.ts'
import { keyParameters } from './operation/security.ts'
import {
  type Allow,
  findSidecarEntry,
  isMarkedAsAction,
  reasonToLeaveOut,
  type Selection,
} from './operation/select.ts'
import { mainServer } from './operation/servers.ts'
import { findPhrases } from './phrases/find-phrases.ts'
import type { ImportReport } from './report.ts'
import { compareByTool, createReport, type Reason, toReason } from './report.ts'
import { createLibrary } from './schema/library.ts'

const LONGEST = 56
// `namespace.operation` is written as `namespace__operation` on the wire.
const LONGEST_WIRE_NAME = 62

// Names that need no change.
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9-]|_(?!_|$))*$/

type Named = { readonly key: string; readonly operation: Fields }

/**
 * A name for every operation, by key. Names differ in more than case, and do not depend on the
 * order or number of other operations.
 */
function nameOperations(
  operations: readonly Named[],
  namespace: string,
): ReadonlyMap<string, string> {
  const longest = Math.min(LONGEST, LONGEST_WIRE_NAME - namespace.length)
  const wanted = operations.map(({ key, operation }) => ({ key, name: plainName(key, operation) }))
  const takers = countBy(wanted.map(({ name }) => fold(name)))
  const named = wanted.map(({ key, name }) => {
    const isShared = (takers.get(fold(name)) ?? 0) > 1
    return { key, name: isShared || name.length > longest ? withHash(name, key, longest) : name }
  })
  return new Map(resolveCollisions(named, longest).map(({ key, name }) => [key, name]))
}

// An operation may already have the name that another gets with its hash: then both are named by
// hash.
function resolveCollisions(
  named: readonly { readonly key: string; readonly name: string }[],
  longest: number,
): typeof named {
  const takers = countBy(named.map(({ name }) => fold(name)))
  if (takers.size === named.length) return named
  return named.map(({ key, name }) =>
    (takers.get(fold(name)) ?? 0) > 1
      ? { key, name: `op_${sha256(key).slice(0, longest - 3)}` }
      : { key, name },
  )
}

function plainName(key: string, operation: Fields): string {
  const written = ownText(operation, 'operationId')
  if (written !== undefined && PLAIN.test(written)) return written
  const words = (written ?? key.toLowerCase()).normalize('NFKC')
  const name = words
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  if (name === '') return `op_${sha256(key).slice(0, 8)}`
  return /^[A-Za-z]/.test(name) ? name : `op_${name}`
}

const VERB =
  /^(?:get|list|read|find|search|fetch|create|add|post|put|send|update|set|patch|replace|delete|remove|cancel|close|open|start|stop|run|enable|disable)/i
const LONGEST_TAIL = 20

// A name that begins with its verb keeps it. One that ends with it keeps its end as well, because
// the verb is what a model chooses by.
function withHash(name: string, key: string, longest: number): string {
  const hashed = sha256(key).slice(0, 8)
  const last = name.split(/[_-]/).at(-1) ?? ''
  const isVerbCut = !VERB.test(name) && VERB.test(last) && last.length <= LONGEST_TAIL
  const tail = isVerbCut && name.length > longest ? `${last}_${hashed}` : hashed
  return `${name.slice(0, longest - tail.length - 1).replace(/[_-]+$/, '')}_${tail}`
}

// Names are plain ASCII at this point.
function fold(name: string): string {
  return name.toLowerCase()
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

// Not core's `sha256`, which loads more of node:crypto on first use: that would slow down reading
// documents.
function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

export type OpenApiOptions = {
  /** The namespace of the tools. */
  readonly name: string
  /**
   * Default: operations that the document marks with `x-agent: { action: true }` or, if it marks
   * none, reads.
   */
  readonly allow?: Allow
  /** The importer's entries, by operationId or "METHOD /path". */
  readonly sidecar?: Readonly<Record<string, SidecarEntry>>
  /** An OpenAPI Overlay 1.0, as text or parsed. */
  readonly overlay?: string | Fields
  /** Where the document was fetched from; relative server URLs refer to it. */
  readonly address?: string
  /** Further origins that single operations may be sent to. */
  readonly origins?: readonly string[]
  /** Security requirements for operations whose document specifies none. */
  readonly security?: readonly (readonly SecurityNeed[])[]
  /** How large the schemas of one tool may be, in bytes. */
  readonly byteBudget?: { readonly input?: number; readonly output?: number }
  readonly maxOperations?: number
}

/**
 * `operations` are those that can be tools as far as is known before schemas are read; the schemas
 * of each are read on first use. `report` covers everything, so it reads every schema; it lists
 * operations whose schemas cannot be used as left out.
 */
export type OpenApiRead = {
  readonly operations: readonly Operation[]
  readonly report: ImportReport
}

const NAMESPACE = /^[a-z][a-z0-9_]{0,23}$/
const BUDGET = { input: 24 * 1024, output: 16 * 1024 } as const

/**
 * Reads an OpenAPI 3.0 or 3.1 document as JSON text, YAML text or an object. Every operation
 * becomes a tool or is left out for a reason.
 */
export function readOpenApi(source: string | Fields, options: OpenApiOptions): OpenApiRead {
  if (!NAMESPACE.test(options.name))
    throw documentError(
      `"${options.name.slice(0, 60)}" cannot be a namespace: use lower-case letters, digits and "_", at most 24 characters.`,
    )
  const document = parseDocument(source)
  const overlay = typeof options.overlay === 'string' ? parseText(options.overlay) : options.overlay
  if (overlay !== undefined && !isRecord(overlay))
    throw documentError('its overlay is not an object.')
  const laid =
    overlay === undefined
      ? withoutOverlay(document)
      : applyOverlay(copyIfShared(source, document), overlay)
  return readOperations(document, laid, options)
}

function withoutOverlay({ root }: OpenApiDocument): OverlaidDocument {
  return { root, fromImporter: new WeakSet(), notes: [] }
}

// An object that was passed in belongs to the caller and must not be changed.
function copyIfShared(source: string | Fields, { root }: OpenApiDocument): Fields {
  return typeof source === 'string' ? root : structuredClone(root)
}

function readOperations(
  document: OpenApiDocument,
  laid: OverlaidDocument,
  options: OpenApiOptions,
): OpenApiRead {
  const { operations: listed, omitted } = listOperations(laid.root)
  const selection = {
    allow: options.allow,
    sidecar: options.sidecar,
    isMarked: options.allow === undefined && listed.some(isMarkedAsAction),
  }
  const names = nameOperations(listed, options.name)
  const rules = createRules(laid.root, options)
  const results = listed.map((one) =>
    tryOperation(one, {
      selection,
      rules,
      said: laid.fromImporter,
      name: names.get(one.key) ?? '',
    }),
  )
  const read = results.flatMap((result) => ('operation' in result ? [result] : []))
  const limit = options.maxOperations ?? LIMITS.operations
  if (read.length > limit)
    throw documentError(
      `it has ${read.length} operations that would become tools, and the limit is ${limit}. List those you need in "allow".`,
    )
  const reasons = results.flatMap((result) => ('reason' in result ? [result] : []))
  const facts = { document, laid, listed, omitted, selection, reasons }
  let report: ImportReport | undefined
  return {
    operations: read.toSorted(compareByTool).map(({ operation }) => operation),
    get report() {
      report ??= createReport(read, facts)
      return report
    },
  }
}

function createRules(root: Fields, options: OpenApiOptions): OperationRules {
  return {
    namespace: options.name,
    root,
    library: createLibrary(root),
    findPhrases: findPhrases(root),
    keys: keyParameters(root),
    main: mainServer(root, options.address),
    address: options.address,
    origins: options.origins ?? [],
    inputBudget: options.byteBudget?.input ?? BUDGET.input,
    outputBudget: options.byteBudget?.output ?? BUDGET.output,
    whereUnsaid: options.security ?? [],
    securities: new Map(),
    contracts: new Map(),
    known: new Map(),
    bodies: new Map(),
    outputs: new Map(),
  }
}

type Attempt = {
  readonly selection: Selection
  readonly rules: OperationRules
  readonly said: WeakSet<object>
  readonly name: string
}

// One invalid operation must not make the whole document fail.
function tryOperation(
  listed: Listed,
  { selection, rules, said, name }: Attempt,
): ReadOperation | Reason {
  try {
    const hints = own(listed.operation, 'x-surehand')
    const given = readSidecarEntry(findSidecarEntry(listed, selection.sidecar), listed.key)
    const isSaid = isRecord(hints) && said.has(hints)
    const sidecar = isSaid ? { ...readSidecarEntry(hints, listed.key), ...given } : given
    const reason = reasonToLeaveOut(listed, sidecar, selection)
    if (reason !== undefined) return toReason(listed, reason)
    return readOperation({ listed, name, sidecar, hints: isSaid ? undefined : hints }, rules)
  } catch (error) {
    if (error instanceof LeftOut) return toReason(listed, error.message)
    throw error
  }
}
