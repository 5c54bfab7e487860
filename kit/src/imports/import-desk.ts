import { type AdminDesk, type Caller, definitionHash, type Tool, ToolError } from '@surehand/core'
import type { z } from 'zod'
import { ImportName, type ImportRecord, type PinRecord } from './import-record.ts'
import { differencesOf, type ImportView, viewOf } from './import-view.ts'
import type { Imports, OpenImport } from './imports.ts'
import type { ImportReport } from './source-kind.ts'

export type ImportForm = {
  readonly kind: string
  /** Where the document is; what a kind understands. */
  readonly from: unknown
  readonly settings?: unknown
  /** The document itself, where whoever imports holds it. */
  readonly document?: string
  readonly refreshSeconds?: number
}

/** Where administrators bring sources of tools, look at what changed in them, and accept it. */
export type ImportDesk = {
  /** What would become of a document; nothing is taken in. */
  readonly preview: (by: Caller, name: string, form: ImportForm, signal: AbortSignal) => Promise<ImportReport>
  /** Whoever imports a source accepts it as it is. */
  readonly add: (by: Caller, name: string, form: ImportForm, signal: AbortSignal) => Promise<{ view: ImportView; report: ImportReport }>
  readonly list: (by: Caller) => Promise<readonly ImportView[]>
  readonly get: (by: Caller, name: string) => Promise<ImportView>
  /** Fetches the document again; what changed is held back until it is accepted. */
  readonly refresh: (by: Caller, name: string, signal: AbortSignal) => Promise<ImportView>
  /** `document`: what was looked at. Without `tools`, all of them. */
  readonly accept: (
    by: Caller,
    name: string,
    what: { readonly document: string; readonly tools?: readonly string[] },
  ) => Promise<ImportView>
  readonly remove: (by: Caller, name: string) => Promise<void>
}

export type ImportDeskOptions = { readonly administration: AdminDesk; readonly imports: Imports }

const DEFAULT_REFRESH_SECONDS = 300

export function importDesk(options: ImportDeskOptions): ImportDesk {
  const { administration, imports } = options
  return {
    preview: async (by, name, form, signal) => (await read(options, by, { name, form, signal })).report,
    async add(by, name, form, signal) {
      const { kind, settings, document, report } = await read(options, by, { name, form, signal })
      await imports.load(by.tenant)
      const before = imports.list(by.tenant).get(name)
      const record: ImportRecord = {
        kind: form.kind,
        from: form.from as never,
        settings: settings as never,
        document: await imports.documents.put(by.tenant, document),
        importedBy: by.principal,
        refreshSeconds: form.refreshSeconds ?? DEFAULT_REFRESH_SECONDS,
      }
      const source = imports.workshop.open(document, { tenant: by.tenant, name, kind: form.kind, settings, from: form.from })
      const pin = pinOf(record, source.tools, { generator: kind.generator, by })
      await source.close?.()
      // the pin first: a source without one is held back whole, never let through
      await change(options, by, { kind: 'pin', id: name, value: pin, expected: before?.pinItem?.version })
      await change(options, by, { kind: 'tool', id: name, value: record, expected: before?.recordItem.version })
      return { view: await view(options, by, name), report }
    },
    async list(by) {
      await administration.list(by, 'tool')
      await imports.load(by.tenant)
      return [...imports.list(by.tenant)].map(([name, one]) => viewOf(name, one, new Map()))
    },
    get: (by, name) => view(options, by, name),
    async refresh(by, name, signal) {
      const { record } = await known(options, by, name)
      const { kind, from, settings } = record
      const document = await imports.workshop.kindOf(kind).fetch(from, { tenant: by.tenant, name, settings, by, signal })
      await takeDocument(options, by, name, document)
      return view(options, by, name)
    },
    async accept(by, name, what) {
      const { record, pin, pinItem, brought } = await known(options, by, name)
      if (what.document !== record.document) throw changedMeanwhile(name, record)
      const { generator } = imports.workshop.kindOf(record.kind)
      const chosen = brought.filter(({ tool }) => what.tools === undefined || what.tools.includes(tool.id)).map(({ tool }) => tool)
      refuseUnknown(what.tools, chosen, name)
      const fresh = pinOf(record, chosen, { generator, by })
      const value = what.tools === undefined ? fresh : { ...fresh, isWhole: false, tools: { ...pin?.tools, ...fresh.tools } }
      await change(options, by, { kind: 'pin', id: name, value, expected: pinItem?.version })
      return view(options, by, name)
    },
    async remove(by, name) {
      const { recordItem, pinItem } = await known(options, by, name)
      await change(options, by, { kind: 'tool', id: name, value: undefined, expected: recordItem.version })
      if (pinItem !== undefined) await change(options, by, { kind: 'pin', id: name, value: undefined, expected: pinItem.version })
    },
  }
}

/** The document as it is by now; what changed with it is held back, on every node. */
export async function takeDocument(
  { administration, imports }: ImportDeskOptions,
  by: Caller,
  name: string,
  document: string,
): Promise<void> {
  const options = { administration, imports }
  const { record, recordItem } = await known(options, by, name)
  const hash = await imports.documents.put(by.tenant, document)
  if (hash === record.document) return
  await change(options, by, { kind: 'tool', id: name, value: { ...record, document: hash }, expected: recordItem.version })
}

async function known({ administration, imports }: ImportDeskOptions, by: Caller, name: string): Promise<OpenImport> {
  // who may look is the desk's business
  await administration.list(by, 'tool')
  await imports.load(by.tenant)
  const found = imports.list(by.tenant).get(name)
  if (found === undefined) throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `Nothing was imported as "${name}".`)
  return found
}

type Wanted = { readonly name: string; readonly form: ImportForm; readonly signal: AbortSignal }

async function read({ administration, imports }: ImportDeskOptions, by: Caller, { name, form, signal }: Wanted) {
  await administration.list(by, 'tool')
  const parsed = ImportName.safeParse(name)
  if (!parsed.success) throw new ToolError('TOOL_INVALID_FIELD_VALUE', `The name "${name}" ${problemOf(parsed.error)}.`)
  const kind = imports.workshop.kindOf(form.kind)
  const settings = kind.readSettings(form.settings)
  const source = { tenant: by.tenant, name, settings }
  const document = form.document ?? (await kind.fetch(form.from, { ...source, by, signal }))
  return { kind, settings, document, report: kind.prepare(document, source).report }
}

type Change = { readonly kind: 'tool' | 'pin'; readonly id: string; readonly value: unknown; readonly expected: number | undefined }

async function change({ administration, imports }: ImportDeskOptions, by: Caller, { expected, ...form }: Change): Promise<void> {
  await administration.change(by, { ...form, ...(expected === undefined ? {} : { expected }) })
  await imports.load(by.tenant)
}

async function view(options: ImportDeskOptions, by: Caller, name: string): Promise<ImportView> {
  const one = await known(options, by, name)
  return viewOf(name, one, await differencesOf({ tenant: by.tenant, name }, one, options.imports))
}

function pinOf(
  record: ImportRecord,
  tools: readonly Tool[],
  { generator, by }: { readonly generator: string; readonly by: Caller },
): PinRecord {
  return {
    kind: record.kind,
    isWhole: true,
    document: record.document,
    settings: record.settings,
    generator,
    tools: Object.fromEntries(tools.map((tool) => [tool.id, definitionHash(tool)])),
    acceptedBy: by.principal,
  }
}

function problemOf(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'is none'
}

function refuseUnknown(wanted: readonly string[] | undefined, chosen: readonly Tool[], name: string): void {
  const missing = (wanted ?? []).filter((id) => !chosen.some((tool) => tool.id === id))
  if (missing.length > 0) throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `"${name}" has no tool called ${missing.join(', ')}.`)
}

function changedMeanwhile(name: string, { document }: ImportRecord): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `"${name}" has changed since you looked: look at it again, then accept it.`, {
    details: { validation_errors: [{ field: 'document', error: `is by now ${document}`, provided_value: null }] },
  })
}
