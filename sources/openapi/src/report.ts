import { countTokens } from '@surehand/core/host'
import { clipVisible } from './document/clip-text.ts'
import type { OpenApiDocument } from './document/document.ts'
import { LeftOut } from './document/left-out.ts'
import type { OverlaidDocument } from './document/overlay.ts'
import { own, ownList, ownRecord, ownText } from './document/record.ts'
import {
  callbackNames,
  type Listed,
  type Omitted,
  operationIdOf,
} from './operation/list-operations.ts'
import type { Operation } from './operation/operation.ts'
import type { ReadOperation } from './operation/read-operation.ts'
import { matchesEntry, namesOf, type Selection } from './operation/select.ts'
import { planOrUndefined } from './operation/usable-plan.ts'
import type { SchemaLoss } from './schema/unit.ts'

/** Every operation of a document is a tool or is listed here with its reason. */
export type ImportReport = {
  readonly document: {
    readonly title: string
    readonly version: string
    readonly openapi: '3.0' | '3.1'
    readonly operations: number
    readonly servers: readonly string[]
    readonly notes: readonly string[]
  }
  readonly taken: number
  readonly leftOut: readonly {
    readonly key: string
    readonly operationId: string | null
    readonly reason: string
  }[]
  /** Tools whose name differs from the operationId. */
  readonly renamed: readonly { readonly toolId: string; readonly operationId: string }[]
  readonly losses: readonly ({ readonly toolId: string } & SchemaLoss)[]
  /** Parameters that a model must not fill. */
  readonly dropped: readonly {
    readonly toolId: string
    readonly parameter: string
    readonly reason: string
  }[]
  readonly paging: readonly { readonly toolId: string; readonly arguments: readonly string[] }[]
  /** Names in `allow` and `sidecar` that match no operation. */
  readonly unmatched: readonly string[]
  /** Approximate size of the input schemas. */
  readonly inputBytes: number
}

/**
 * Estimates how many tokens all tools take in a model's context. Counted on request, because it
 * takes longer than reading the document.
 */
export function catalogueTokens(operations: readonly Operation[]): number {
  return operations
    .filter((one) => planOrUndefined(one) !== undefined)
    .reduce((sum, one) => sum + operationTokens(one), 0)
}

export function operationTokens({ toolId, description, plan }: Operation): number {
  return countTokens(JSON.stringify({ name: toolId, description, parameters: plan.input }))
}

export type Reason = ImportReport['leftOut'][number]

/** What is known about a document once its operations are named. */
export type Facts = {
  readonly document: OpenApiDocument
  readonly laid: OverlaidDocument
  readonly listed: readonly Listed[]
  readonly selection: Selection
  /** Operations that were left out before their schemas were read. */
  readonly omitted: readonly Omitted[]
  readonly reasons: readonly Reason[]
}

/**
 * Reads the remaining schemas in the document's order, so that the limit for a whole document is
 * always reached at the same operation.
 */
export function createReport(
  read: readonly ReadOperation[],
  { document, laid, listed, omitted, selection, reasons }: Facts,
): ImportReport {
  const looked = read.map((one) => ({ ...one, planned: one.planned() }))
  const taken = looked
    .flatMap(({ planned, ...one }) => (planned instanceof LeftOut ? [] : [{ ...one, ...planned }]))
    .toSorted(compareByTool)
  const unusable = looked.flatMap(({ planned, listed }) =>
    planned instanceof LeftOut ? [toReason(listed, planned.message)] : [],
  )
  const leftOut = [
    ...reasons,
    ...unusable,
    ...omitted.map((one) => ({ ...one, operationId: null })),
    ...listCallbacks(listed),
  ]
  const info = ownRecord(laid.root, 'info')
  return {
    document: {
      title: clipVisible(ownText(info, 'title') ?? '', 200),
      version: clipVisible(String(own(info, 'version') ?? ''), 60),
      openapi: document.version,
      operations: listed.length + omitted.length,
      servers: ownList(laid.root, 'servers').flatMap((server) =>
        clipVisible(ownText(server, 'url') ?? '', 300),
      ),
      notes: [...document.notes, ...laid.notes],
    },
    taken: taken.length,
    leftOut: leftOut.toSorted((left, right) => (left.key < right.key ? -1 : 1)),
    renamed: taken.flatMap(({ operation: { toolId, operationId } }) =>
      operationId === null || toolId.endsWith(`.${operationId}`)
        ? []
        : [{ toolId, operationId: clipVisible(operationId, 200) }],
    ),
    losses: taken.flatMap(({ operation, losses }) =>
      losses.slice(0, 50).map((loss) => ({ toolId: operation.toolId, ...loss })),
    ),
    dropped: taken.flatMap(({ operation, dropped }) =>
      dropped.map(({ name, reason }) => ({
        toolId: operation.toolId,
        parameter: clipVisible(name, 100),
        reason,
      })),
    ),
    paging: taken
      .map(({ operation, paging }) => ({ toolId: operation.toolId, arguments: paging() }))
      .filter((one) => one.arguments.length > 0),
    unmatched: findUnmatched(listed, selection),
    inputBytes: taken.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function findUnmatched(
  listed: readonly Listed[],
  { allow, sidecar }: Selection,
): readonly string[] {
  const wanted = [...(Array.isArray(allow) ? allow : []), ...Object.keys(sidecar ?? {})]
  if (wanted.length === 0) return []
  const known = new Set(listed.flatMap(namesOf))
  return [...new Set(wanted)]
    .filter((entry) => !known.has(entry) && !listed.some((one) => matchesEntry(one, entry)))
    .toSorted()
}

export function compareByTool(
  left: Pick<ReadOperation, 'operation'>,
  right: Pick<ReadOperation, 'operation'>,
): number {
  return left.operation.toolId < right.operation.toolId ? -1 : 1
}

/** An operation that is left out, and why. */
export function toReason({ key, operation }: Listed, reason: string): Reason {
  return { key: clipVisible(key, 300), operationId: operationIdOf(operation) ?? null, reason }
}

function listCallbacks(listed: readonly Listed[]): readonly Reason[] {
  return listed.flatMap(({ key, operation }) =>
    callbackNames(operation).map((name) => ({
      key: clipVisible(`callback ${name} of ${key}`, 300),
      operationId: null,
      reason: 'a callback is called by the API, not by a tool',
    })),
  )
}
