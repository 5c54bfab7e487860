import { Buffer } from 'node:buffer'
import { ToolError } from '@surehand/core'
import type { ImportRecord, PinRecord } from './import-record.ts'
import type { Imports } from './imports.ts'

/**
 * How much one tenant may import, and the settings that limit it. Concurrent imports on several
 * nodes may exceed a limit by one each: the limits bound growth and need not be exact.
 */
export type ImportLimits = {
  readonly sources: readonly SourceLimit[]
  /** Of all stored documents, including the tool lists of MCP servers. */
  readonly bytes: { readonly most: number; readonly setting: string }
}

export type SourceLimit = {
  readonly kinds: readonly string[]
  readonly called: string
  readonly most: number
  readonly setting: string
}

type LimitContext = { readonly imports: Imports; readonly limits: ImportLimits }
type NewSource = { readonly tenant: string; readonly name: string; readonly kind: string }

const REMOVE = 'Remove an import that is no longer used: surehand import remove NAME.'

/**
 * Refuses a source beyond the tenant's limit. One of the same name is replaced and does not count
 * twice.
 */
export function refuseTooMany(
  { tenant, name, kind }: NewSource,
  { imports, limits }: LimitContext,
): void {
  const limit = limits.sources.find(({ kinds }) => kinds.includes(kind))
  if (limit === undefined) return
  const alike = [...imports.list(tenant)].filter(
    ([other, { record }]) => other !== name && limit.kinds.includes(record?.kind ?? ''),
  )
  if (alike.length < limit.most) return
  const present = alike.length
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `A tenant may have at most ${limit.most} ${limit.called}, and this one has ${present}.`,
    {
      details: { limit: limit.most, present },
      suggestions: [REMOVE, suggestRaising(limit.setting)],
    },
  )
}

type SizedDocument = { readonly document: string; readonly settings: unknown }

/**
 * Refuses a document that exceeds the tenant's limit together with those of other sources. The
 * document that it replaces is not counted, although it is stored until the new one is accepted:
 * otherwise a change near the limit could not be quarantined.
 */
export async function refuseTooLarge(
  { document, settings }: SizedDocument,
  { tenant, name }: Omit<NewSource, 'kind'>,
  { imports, limits }: LimitContext,
): Promise<void> {
  const others = [...imports.list(tenant)].filter(([other]) => other !== name).map(([, one]) => one)
  const hashes = new Set(others.flatMap(listDocuments))
  let bytes = Buffer.byteLength(document) + settingsBytes([settings])
  for (const { record, pin } of others) bytes += settingsBytes([record?.settings, pin?.settings])
  for (const hash of hashes) bytes += await imports.documents.size(tenant, hash)
  const { most, setting } = limits.bytes
  if (bytes <= most) return
  throw new ToolError(
    'TOOL_INPUT_TOO_LARGE',
    `A tenant's documents and settings may take at most ${formatMegabytes(most)} MB, and with this one they would take ${formatMegabytes(bytes)} MB.`,
    {
      details: { max_bytes: most, bytes },
      suggestions: [REMOVE, 'Import a shorter document.', suggestRaising(setting)],
    },
  )
}

type DocumentHashes = {
  readonly record?: Pick<ImportRecord, 'document'> | undefined
  readonly pin?: Pick<PinRecord, 'document'> | undefined
}

/** The hashes of a source's current document and of the accepted one. */
export function listDocuments({ record, pin }: DocumentHashes): readonly string[] {
  return [record, pin].flatMap((one) => (one === undefined ? [] : [one.document]))
}

/**
 * Settings can contain long overlays. If the current and the accepted settings are equal, they
 * count once.
 */
function settingsBytes(settings: readonly unknown[]): number {
  const texts = new Set(
    settings.filter((one) => one !== undefined).map((one) => JSON.stringify(one)),
  )
  return [...texts].reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)
}

function suggestRaising(setting: string): string {
  return `Ask the operator to raise the setting ${setting}.`
}

/** For messages: "30.5". */
export function formatMegabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
