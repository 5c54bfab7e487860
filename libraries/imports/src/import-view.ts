import type { Tool } from '@surehand/core'
import { compareDefinitions, toDefinition } from '@surehand/core/internal'
import type { Imports, OpenImport } from './imports.ts'
import type { RefusedDocument } from './refused-documents.ts'

/** A tool that waits for somebody to look at it. */
export type HeldTool = {
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
  readonly held: readonly HeldTool[]
  readonly trouble?: string
  /** What its source has by now, and is too much to be taken in: its tools go on as they were accepted. */
  readonly refused?: RefusedDocument
}

type Place = { readonly tenant: string; readonly name: string }
type Differences = ReadonlyMap<string, readonly string[]>

// what was accepted is made once more from its own document: differences are told in words, not in hashes
export async function differencesOf(
  { tenant, name }: Place,
  one: OpenImport,
  imports: Imports,
): Promise<Differences> {
  const { pin, record, brought } = one
  if (pin === undefined || record === undefined || brought.every(({ held }) => held === undefined))
    return new Map()
  const source = { tenant, name, kind: pin.kind, settings: pin.settings, from: record.from }
  const before = await imports.documents.get(tenant, pin.document).then(
    (document) => imports.workshop.open(document, source),
    () => undefined,
  )
  const accepted = new Map((before?.tools ?? []).map((tool) => [tool.id, tool]))
  const differences = brought
    .filter(({ held }) => held !== undefined)
    .map(({ tool }) => [tool.id, wordsOf(accepted.get(tool.id), tool)] as const)
  await before?.close?.()
  return new Map(differences)
}

const NO_DATES = { createdAt: 0, updatedAt: 0 }

function wordsOf(before: Tool | undefined, now: Tool): readonly string[] {
  if (before === undefined) return []
  const { differences } = compareDefinitions(
    toDefinition(before, NO_DATES),
    toDefinition(now, NO_DATES),
  )
  const words =
    before.description === now.description
      ? []
      : [`description: "${before.description}" became "${now.description}"`]
  // documents that keep their words and change where they lead
  const way =
    before.fingerprint?.() === now.fingerprint?.() ? [] : ['what is sent, or where, has changed']
  return [...differences, ...words, ...way]
}

type Seen = { readonly differences: Differences; readonly refused: RefusedDocument | undefined }

/** A source as administrators see it. */
export function viewOf(
  name: string,
  { record, brought, trouble }: OpenImport,
  { differences, refused }: Seen,
): ImportView {
  const held = brought.flatMap(({ tool, held }) =>
    held === undefined ? [] : [{ id: tool.id, held, differences: differences.get(tool.id) ?? [] }],
  )
  return {
    name,
    kind: record?.kind ?? '',
    from: shownPlace(record?.from),
    settings: record?.settings ?? null,
    document: record?.document ?? '',
    importedBy: record?.importedBy ?? '',
    refreshSeconds: record?.refreshSeconds ?? 0,
    tools: brought.length - held.length,
    held,
    ...(trouble === undefined ? {} : { trouble }),
    ...(refused === undefined ? {} : { refused }),
  }
}

// some write a token into an address
function shownPlace(from: unknown): unknown {
  if (typeof from !== 'object' || from === null) return from ?? null
  return Object.fromEntries(
    Object.entries(from).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replace(/\?.*$/s, '?…') : value,
    ]),
  )
}
