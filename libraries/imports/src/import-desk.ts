import { type Caller, isToolError, type Tool, ToolError } from '@surehand/core'
import { type AdminApi, definitionHash } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import type { z } from 'zod'
import { documentsOf, type ImportLimits, refuseTooLarge, refuseTooMany } from './import-limits.ts'
import { ImportName, ImportRecord, type PinRecord } from './import-record.ts'
import { differencesOf, type ImportView, viewOf } from './import-view.ts'
import type { Imports, OpenImport } from './imports.ts'
import { refusedBeside } from './refused-documents.ts'
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
  readonly preview: (
    by: Caller,
    name: string,
    form: ImportForm,
    signal: AbortSignal,
  ) => Promise<ImportReport>
  /** Whoever imports a source accepts it as it is. */
  readonly add: (
    by: Caller,
    name: string,
    form: ImportForm,
    signal: AbortSignal,
  ) => Promise<{ view: ImportView; report: ImportReport }>
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

export type ImportDeskOptions = {
  readonly administration: AdminApi
  readonly imports: Imports
  readonly limits: ImportLimits
}

const DEFAULT_REFRESH_SECONDS = 300

export function importDesk(options: ImportDeskOptions): ImportDesk {
  const { administration, imports } = options
  return {
    preview: async (by, name, form, signal) =>
      (await read(options, by, { name, form, signal })).report,
    async add(by, name, form, signal) {
      await administration.list(by, 'tool')
      await imports.load(by.tenant)
      // before anything is fetched for nothing
      refuseTooMany({ tenant: by.tenant, name, kind: form.kind }, options)
      const { kind, from, settings, document, report } = await read(options, by, {
        name,
        form,
        signal,
      })
      const record: ImportRecord = ImportRecord.parse({
        kind: form.kind,
        from,
        settings,
        document: sha256(document),
        importedBy: by.principal,
        refreshSeconds: form.refreshSeconds ?? DEFAULT_REFRESH_SECONDS,
      })
      const source = await imports.workshop.open(document, { tenant: by.tenant, name, ...record })
      const pin = pinOf(record, source.tools, { generator: kind.generator, by })
      await source.close?.()
      await imports.oneAtATime(by.tenant, () => keep(options, by, { name, record, pin, document }))
      return { view: await view(options, by, name), report }
    },
    async list(by) {
      await administration.list(by, 'tool')
      await imports.load(by.tenant)
      const refused = await imports.refused.list(by.tenant)
      return [...imports.list(by.tenant)].map(([name, one]) =>
        viewOf(name, one, {
          differences: new Map(),
          refused: refusedBeside(refused.get(name), one.record?.document),
        }),
      )
    },
    get: (by, name) => view(options, by, name),
    async refresh(by, name, signal) {
      const { kind, from, settings } = (await known(options, by, name)).record
      const document = await imports.workshop
        .kindOf(kind)
        .fetch(from, { tenant: by.tenant, name, settings, by, signal })
      await takeDocument(options, by, name, document)
      return view(options, by, name)
    },
    async accept(by, name, what) {
      await imports.oneAtATime(by.tenant, () => accept(options, by, { name, ...what }))
      return view(options, by, name)
    },
    remove: (by, name) => imports.oneAtATime(by.tenant, () => remove(options, by, name)),
  }
}

type Made = {
  readonly name: string
  readonly record: ImportRecord
  readonly pin: PinRecord
  readonly document: string
}

async function keep(
  options: ImportDeskOptions,
  by: Caller,
  { name, record, pin, document }: Made,
): Promise<void> {
  const { imports } = options
  await imports.load(by.tenant)
  refuseTooMany({ tenant: by.tenant, name, kind: record.kind }, options)
  await refuseTooLarge(
    { document, settings: record.settings },
    { tenant: by.tenant, name },
    options,
  )
  const before = imports.list(by.tenant).get(name)
  await withDocument(options, { tenant: by.tenant, document }, async () => {
    // the pin first: a source without one is held back whole, never let through
    await put(options, by, { kind: 'pin', id: name, value: pin })
    await put(options, by, { kind: 'tool', id: name, value: record, document })
  })
  await imports.refused.forget({ tenant: by.tenant, name })
  if (before !== undefined) await forgetUnnamed(imports, by.tenant, before)
}

type Acceptance = {
  readonly name: string
  readonly document: string
  readonly tools?: readonly string[]
}

async function accept(
  options: ImportDeskOptions,
  by: Caller,
  { name, ...what }: Acceptance,
): Promise<void> {
  const { imports } = options
  const { record, pin, brought } = await known(options, by, name)
  if (what.document !== record.document) throw changedMeanwhile(name, record)
  const { generator } = imports.workshop.kindOf(record.kind)
  const chosen = brought
    .filter(({ tool }) => what.tools === undefined || what.tools.includes(tool.id))
    .map(({ tool }) => tool)
  refuseUnknown(what.tools, chosen, name)
  const fresh = pinOf(record, chosen, { generator, by })
  // what is not accepted yet is told against the document that was
  const some = {
    ...(pin ?? fresh),
    isWhole: false,
    tools: { ...pin?.tools, ...fresh.tools },
    acceptedBy: by.principal,
  }
  await put(options, by, { kind: 'pin', id: name, value: what.tools === undefined ? fresh : some })
  if (what.tools === undefined) await forgetUnnamed(imports, by.tenant, { pin })
}

async function remove(options: ImportDeskOptions, by: Caller, name: string): Promise<void> {
  const { administration, imports } = options
  const [recordItem, pinItem] = await Promise.all([
    administration.get(by, 'tool', name),
    administration.get(by, 'pin', name),
  ])
  if (recordItem === undefined && pinItem === undefined) throw notImported(name)
  const before = imports.list(by.tenant).get(name)
  await put(options, by, { kind: 'tool', id: name, value: undefined })
  await put(options, by, { kind: 'pin', id: name, value: undefined })
  await imports.refused.forget({ tenant: by.tenant, name })
  if (before !== undefined) await forgetUnnamed(imports, by.tenant, before)
}

/** The document as it is by now; what changed with it is held back, on every node. One that can't be read leaves everything as it was. */
export async function takeDocument(
  options: ImportDeskOptions,
  by: Caller,
  name: string,
  document: string,
): Promise<void> {
  const { imports } = options
  const { record, recordItem } = await known(options, by, name)
  const place = { tenant: by.tenant, name }
  const hash = sha256(document)
  // it may have grown too large and shrunk again
  if (hash === record.document) return imports.refused.forget(place)
  await imports.workshop
    .kindOf(record.kind)
    .prepare(document, { tenant: by.tenant, name, settings: record.settings })
  await imports.oneAtATime(by.tenant, async () => {
    if ((await known(options, by, name)).record.document === hash) return
    await refuseTooLarge({ document, settings: record.settings }, place, options).catch(
      async (thrown: unknown) => {
        if (isToolError(thrown) && thrown.code === 'TOOL_INPUT_TOO_LARGE')
          await imports.refused.note(place, record.document, thrown)
        throw thrown
      },
    )
    const value = { ...record, document: hash }
    await withDocument(options, { tenant: by.tenant, document }, () =>
      change(options, by, {
        kind: 'tool',
        id: name,
        value,
        document,
        expected: recordItem.version,
      }),
    )
    await imports.refused.forget(place)
    await forgetUnnamed(imports, by.tenant, { record })
  })
}

type Kept = { readonly tenant: string; readonly document: string }

/** The document before whatever names it; gone again where that could not be written. */
async function withDocument(
  { imports }: ImportDeskOptions,
  { tenant, document }: Kept,
  write: () => Promise<void>,
): Promise<void> {
  const hash = await imports.documents.put(tenant, document)
  try {
    await write()
  } catch (thrown) {
    // what went wrong is told, not that a document nobody names was left behind
    await forgetUnnamed(imports, tenant, { record: { document: hash } }).catch(() => undefined)
    throw thrown
  }
}

/** What a source was made of before, unless something still is. */
async function forgetUnnamed(
  imports: Imports,
  tenant: string,
  before: Parameters<typeof documentsOf>[0],
): Promise<void> {
  // by what is written now: another node may have named it meanwhile
  await imports.load(tenant)
  const named = new Set([...imports.list(tenant).values()].flatMap(documentsOf))
  for (const document of documentsOf(before))
    if (!named.has(document)) await imports.documents.forget(tenant, document)
}

type Readable = OpenImport & { readonly record: ImportRecord }

async function known(
  { administration, imports }: ImportDeskOptions,
  by: Caller,
  name: string,
): Promise<Readable> {
  // who may look is the desk's business
  await administration.list(by, 'tool')
  await imports.load(by.tenant)
  const found = imports.list(by.tenant).get(name)
  if (found === undefined) throw notImported(name)
  const { record } = found
  if (record === undefined)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', found.trouble ?? `"${name}" can not be read.`)
  return { ...found, record }
}

type Wanted = { readonly name: string; readonly form: ImportForm; readonly signal: AbortSignal }

async function read(
  { administration, imports }: ImportDeskOptions,
  by: Caller,
  { name, form, signal }: Wanted,
) {
  await administration.list(by, 'tool')
  const parsed = ImportName.safeParse(name)
  if (!parsed.success)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `The name "${name}" ${problemOf(parsed.error)}.`,
    )
  refuseRefresh(form.refreshSeconds)
  const kind = imports.workshop.kindOf(form.kind)
  const settings = kind.readSettings(form.settings)
  const from = form.document !== undefined && form.from === null ? null : kind.readFrom(form.from)
  const source = { tenant: by.tenant, name, settings }
  const document = form.document ?? (await kind.fetch(from, { ...source, by, signal }))
  return { kind, from, settings, document, report: (await kind.prepare(document, source)).report }
}

function refuseRefresh(seconds: number | undefined): void {
  if (seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0)) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'How often a document is fetched again is a whole number of seconds; 0: never.',
  )
}

type Change = {
  readonly kind: 'tool' | 'pin'
  readonly id: string
  readonly value: unknown
  /** What the value is made of. */
  readonly document?: string
  readonly expected: number | undefined
}

async function change(
  { administration, imports }: ImportDeskOptions,
  by: Caller,
  { document, expected, ...form }: Change,
): Promise<void> {
  await administration.change(by, { ...form, ...(expected === undefined ? {} : { expected }) })
  // another node that replaced the same document may have forgotten it before this named it
  if (document !== undefined) await imports.documents.put(by.tenant, document)
  await imports.load(by.tenant)
}

// over whatever stands there: half of an import that a crash left must not be in the way of a whole one
async function put(
  options: ImportDeskOptions,
  by: Caller,
  form: Omit<Change, 'expected'>,
): Promise<void> {
  const before = await options.administration.get(by, form.kind, form.id)
  if (before === undefined && form.value === undefined) return
  await change(options, by, { ...form, expected: before?.version })
}

async function view(options: ImportDeskOptions, by: Caller, name: string): Promise<ImportView> {
  const one = await known(options, by, name)
  const differences = await differencesOf({ tenant: by.tenant, name }, one, options.imports)
  const refused = (await options.imports.refused.list(by.tenant)).get(name)
  return viewOf(name, one, { differences, refused: refusedBeside(refused, one.record.document) })
}

function notImported(name: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `Nothing was imported as "${name}".`)
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

function refuseUnknown(
  wanted: readonly string[] | undefined,
  chosen: readonly Tool[],
  name: string,
): void {
  const missing = (wanted ?? []).filter((id) => !chosen.some((tool) => tool.id === id))
  if (missing.length > 0)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `"${name}" has no tool called ${missing.join(', ')}.`,
    )
}

function changedMeanwhile(name: string, { document }: ImportRecord): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${name}" has changed since you looked: look at it again, then accept it.`,
    {
      details: {
        validation_errors: [
          { field: 'document', error: `is by now ${document}`, provided_value: null },
        ],
      },
    },
  )
}
