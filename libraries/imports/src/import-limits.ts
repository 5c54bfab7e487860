import { Buffer } from 'node:buffer'
import { ToolError } from '@surehand/core'
import type { ImportRecord, PinRecord } from './import-record.ts'
import type { Imports } from './imports.ts'
import { megabytes } from './megabytes.ts'

/**
 * How much one tenant may bring, with the settings that say so. Whoever imports at the same moment may go over by as many as they are:
 * this bounds growth, it counts no money.
 */
export type ImportLimits = {
  readonly sources: readonly SourceLimit[]
  /** Of everything that is kept, listings of servers too. */
  readonly bytes: { readonly most: number; readonly setting: string }
}

export type SourceLimit = {
  readonly kinds: readonly string[]
  readonly called: string
  readonly most: number
  readonly setting: string
}

type Bound = { readonly imports: Imports; readonly limits: ImportLimits }
type Bringing = { readonly tenant: string; readonly name: string; readonly kind: string }

const REMOVE = 'Remove one that nobody uses any more: surehand import remove NAME.'

/** One more source: refused where the tenant has as many as the house allows. One of the same name is replaced, and counts once. */
export function refuseTooMany({ tenant, name, kind }: Bringing, { imports, limits }: Bound): void {
  const limit = limits.sources.find(({ kinds }) => kinds.includes(kind))
  if (limit === undefined) return
  const alike = [...imports.list(tenant)].filter(
    ([other, { record }]) => other !== name && limit.kinds.includes(record?.kind ?? ''),
  )
  if (alike.length < limit.most) return
  const present = alike.length
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `A tenant has at most ${limit.most} ${limit.called} in this house, and there are ${present}.`,
    {
      details: { limit: limit.most, present },
      suggestions: [REMOVE, raise(limit.setting)],
    },
  )
}

type Kept = { readonly document: string; readonly settings: unknown }

/**
 * One more document with its settings, beside those of other sources. What it replaces is not counted, though it is kept until the new one
 * is accepted: a change that did not fit beside it would not be held back.
 */
export async function refuseTooLarge(
  { document, settings }: Kept,
  { tenant, name }: Omit<Bringing, 'kind'>,
  { imports, limits }: Bound,
): Promise<void> {
  const others = [...imports.list(tenant)].filter(([other]) => other !== name).map(([, one]) => one)
  const hashes = new Set(others.flatMap(documentsOf))
  let bytes = Buffer.byteLength(document) + settingsBytes([settings])
  for (const { record, pin } of others) bytes += settingsBytes([record?.settings, pin?.settings])
  for (const hash of hashes) bytes += await imports.documents.size(tenant, hash)
  const { most, setting } = limits.bytes
  if (bytes <= most) return
  throw new ToolError(
    'TOOL_INPUT_TOO_LARGE',
    `A tenant's documents and settings take at most ${megabytes(most)} MB in this house, and with this one they would take ${megabytes(bytes)} MB.`,
    {
      details: { max_bytes: most, bytes },
      suggestions: [REMOVE, 'Import a shorter document.', raise(setting)],
    },
  )
}

type Made = {
  readonly record?: Pick<ImportRecord, 'document'> | undefined
  readonly pin?: Pick<PinRecord, 'document'> | undefined
}

/** The hashes of what a source is made of by now, and of what was accepted. */
export function documentsOf({ record, pin }: Made): readonly string[] {
  return [record, pin].flatMap((one) => (one === undefined ? [] : [one.document]))
}

/** Overlays and sidecars are as long as somebody makes them; the same ones are counted once, accepted or not. */
function settingsBytes(settings: readonly unknown[]): number {
  const texts = new Set(
    settings.filter((one) => one !== undefined).map((one) => JSON.stringify(one)),
  )
  return [...texts].reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)
}

function raise(setting: string): string {
  return `Ask who runs the house to raise the setting ${setting}.`
}
