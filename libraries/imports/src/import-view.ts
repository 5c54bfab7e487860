import type { Tool } from '@surehand/core'
import { compareDefinitions, toDefinition } from '@surehand/documents'
import type { Imports, OpenImport } from './imports.ts'
import type { RefusedDocument } from './refused-documents.ts'
import type { RefusedRequest } from './refused-requests.ts'

/** A tool that cannot be called until an administrator accepts it. */
export type QuarantinedTool = {
  readonly id: string
  readonly held: string
  readonly differences: readonly string[]
}

export type ImportView = {
  readonly name: string
  readonly kind: string
  readonly from: unknown
  readonly settings: unknown
  readonly document: string
  readonly importedBy: string
  readonly refreshSeconds: number
  readonly tools: number
  readonly held: readonly QuarantinedTool[]
  readonly trouble?: string
  /** The current document is too large to be stored. The tools stay as they were accepted. */
  readonly refused?: RefusedDocument
  /** Requests that egress did not let out, of the last seven days. */
  readonly refusals: readonly RefusedRequest[]
}

type Place = { readonly tenant: string; readonly name: string }
type Differences = ReadonlyMap<string, readonly string[]>

// The accepted tools are made again from the accepted document, so that differences can be
// described in words.
export async function describeDifferences(
  { tenant, name }: Place,
  one: OpenImport,
  imports: Imports,
): Promise<Differences> {
  const { pin, record, tools } = one
  if (
    pin === undefined ||
    record === undefined ||
    tools.every(({ quarantineReason }) => quarantineReason === undefined)
  )
    return new Map()
  const source = { tenant, name, kind: pin.kind, settings: pin.settings, from: record.from }
  const before = await imports.documents.get(tenant, pin.document).then(
    (document) => imports.loader.open(document, source),
    () => undefined,
  )
  const accepted = new Map((before?.tools ?? []).map((tool) => [tool.id, tool]))
  const differences = tools
    .filter(({ quarantineReason }) => quarantineReason !== undefined)
    .map(({ tool }) => [tool.id, compareTools(accepted.get(tool.id), tool)] as const)
  await before?.close?.()
  return new Map(differences)
}

const NO_DATES = { createdAt: 0, updatedAt: 0 }

function compareTools(before: Tool | undefined, now: Tool): readonly string[] {
  if (before === undefined) return []
  const { differences } = compareDefinitions(
    toDefinition(before, NO_DATES),
    toDefinition(now, NO_DATES),
  )
  const words =
    before.description === now.description
      ? []
      : [`description: "${before.description}" became "${now.description}"`]
  // A document can keep its descriptions and change what is sent, or where.
  const way =
    before.fingerprint?.() === now.fingerprint?.() ? [] : ['the request that it sends has changed']
  return [...differences, ...words, ...way]
}

type ViewFacts = {
  readonly differences: Differences
  readonly refused: RefusedDocument | undefined
  readonly refusals: readonly RefusedRequest[] | undefined
}

/** The administrator's view of a source. */
export function toImportView(
  name: string,
  { record, tools, problem }: OpenImport,
  { differences, refused, refusals = [] }: ViewFacts,
): ImportView {
  const held = tools.flatMap(({ tool, quarantineReason }) =>
    quarantineReason === undefined
      ? []
      : [{ id: tool.id, held: quarantineReason, differences: differences.get(tool.id) ?? [] }],
  )
  return {
    name,
    kind: record?.kind ?? '',
    from: hideQuery(record?.from),
    settings: record?.settings ?? null,
    document: record?.document ?? '',
    importedBy: record?.importedBy ?? '',
    refreshSeconds: record?.refreshSeconds ?? 0,
    tools: tools.length - held.length,
    held,
    ...(problem === undefined ? {} : { trouble: problem }),
    ...(refused === undefined ? {} : { refused }),
    refusals,
  }
}

// The query may contain a token.
function hideQuery(from: unknown): unknown {
  if (typeof from !== 'object' || from === null) return from ?? null
  return Object.fromEntries(
    Object.entries(from).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replace(/\?.*$/s, '?…') : value,
    ]),
  )
}
