import { type Caller, isToolError, type Tool, ToolError } from '@surehand/core'
import { type AdminApi, definitionHash } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import { type ImportLimits, listDocuments, refuseTooLarge, refuseTooMany } from './import-limits.ts'
import type { ImportRecord, PinRecord } from './import-record.ts'
import type { Imports, OpenImport } from './imports.ts'

export type ImportsApiOptions = {
  /** Names that no import may have, such as those of packs. Default: none. */
  readonly isReserved?: (name: string) => boolean
  readonly administration: AdminApi
  readonly imports: Imports
  readonly limits: ImportLimits
}

type NewImport = {
  readonly name: string
  readonly record: ImportRecord
  readonly pin: PinRecord
  readonly document: string
}

export async function storeImport(
  options: ImportsApiOptions,
  by: Caller,
  { name, record, pin, document }: NewImport,
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
  await withStoredDocument(options, { tenant: by.tenant, document }, async () => {
    // The pin is written first: a crash in between leaves a source whose tools are all quarantined,
    // never callable.
    await putItem(options, by, { kind: 'pin', id: name, value: pin })
    await putItem(options, by, { kind: 'tool', id: name, value: record, document })
  })
  await imports.refused.clear({ tenant: by.tenant, name })
  if (before !== undefined) await deleteUnreferenced(imports, by.tenant, before)
}

type Acceptance = {
  readonly name: string
  readonly document: string
  readonly tools?: readonly string[]
}

export async function acceptImport(
  options: ImportsApiOptions,
  by: Caller,
  { name, ...what }: Acceptance,
): Promise<void> {
  const { imports } = options
  const { record, pin, tools } = await requireImport(options, by, name)
  if (what.document !== record.document) throw changedMeanwhileError(name, record)
  const { generator } = imports.loader.kindOf(record.kind)
  const chosen = tools
    .filter(({ tool }) => what.tools === undefined || what.tools.includes(tool.id))
    .map(({ tool }) => tool)
  checkToolIds(what.tools, chosen, name)
  const fresh = createPin(record, chosen, { generator, by })
  // The pin keeps the accepted document: tools that are still quarantined are compared with it.
  const some = {
    ...(pin ?? fresh),
    isWhole: false,
    tools: { ...pin?.tools, ...fresh.tools },
    acceptedBy: by.principal,
  }
  await putItem(options, by, {
    kind: 'pin',
    id: name,
    value: what.tools === undefined ? fresh : some,
  })
  if (what.tools === undefined) await deleteUnreferenced(imports, by.tenant, { pin })
}

export async function removeImport(
  options: ImportsApiOptions,
  by: Caller,
  name: string,
): Promise<void> {
  const { administration, imports } = options
  const [recordItem, pinItem] = await Promise.all([
    administration.get(by, 'tool', name),
    administration.get(by, 'pin', name),
  ])
  if (recordItem === undefined && pinItem === undefined) throw notImportedError(name)
  const before = imports.list(by.tenant).get(name)
  await putItem(options, by, { kind: 'tool', id: name, value: undefined })
  await putItem(options, by, { kind: 'pin', id: name, value: undefined })
  await imports.refused.clear({ tenant: by.tenant, name })
  await imports.refusedRequests.clear({ tenant: by.tenant, name })
  if (before !== undefined) await deleteUnreferenced(imports, by.tenant, before)
}

/**
 * A document that cannot be read is a mistake of the request that names it, not of the
 * configuration of this server.
 */
export async function prepareOrRefuse<T>(prepare: () => T | Promise<T>): Promise<T> {
  try {
    return await prepare()
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code !== 'TOOL_CONFIGURATION_ERROR') throw thrown
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', thrown.message, {
      suggestions: ['Check that the address or file is the document itself, not a page about it.'],
      cause: thrown,
    })
  }
}

/**
 * Stores a new version of a document. Changed tools are quarantined on every node. A document that
 * cannot be read changes nothing.
 */
export async function updateDocument(
  options: ImportsApiOptions,
  by: Caller,
  name: string,
  document: string,
): Promise<void> {
  const { imports } = options
  const { record, recordItem } = await requireImport(options, by, name)
  const place = { tenant: by.tenant, name }
  const hash = sha256(document)
  // A document that had grown too large may be back to its stored version.
  if (hash === record.document) return imports.refused.clear(place)
  const kind = imports.loader.kindOf(record.kind)
  await prepareOrRefuse(() =>
    kind.prepare(document, { tenant: by.tenant, name, settings: record.settings }),
  )
  await imports.withTenantLock(by.tenant, async () => {
    if ((await requireImport(options, by, name)).record.document === hash) return
    await refuseTooLarge({ document, settings: record.settings }, place, options).catch(
      async (thrown: unknown) => {
        if (isToolError(thrown) && thrown.code === 'TOOL_INPUT_TOO_LARGE')
          await imports.refused.note(place, record.document, thrown)
        throw thrown
      },
    )
    const value = { ...record, document: hash }
    await withStoredDocument(options, { tenant: by.tenant, document }, () =>
      changeItem(options, by, {
        kind: 'tool',
        id: name,
        value,
        document,
        expected: recordItem.version,
      }),
    )
    await imports.refused.clear(place)
    await deleteUnreferenced(imports, by.tenant, { record })
  })
}

type TenantDocument = { readonly tenant: string; readonly document: string }

/**
 * Stores the document before the record that refers to it, and deletes it again if writing the
 * record fails.
 */
async function withStoredDocument(
  { imports }: ImportsApiOptions,
  { tenant, document }: TenantDocument,
  write: () => Promise<void>,
): Promise<void> {
  const hash = await imports.documents.put(tenant, document)
  try {
    await write()
  } catch (thrown) {
    // The original error matters more than a document that could not be deleted.
    await deleteUnreferenced(imports, tenant, { record: { document: hash } }).catch(() => undefined)
    throw thrown
  }
}

/** Deletes a source's previous documents unless another source still refers to them. */
async function deleteUnreferenced(
  imports: Imports,
  tenant: string,
  before: Parameters<typeof listDocuments>[0],
): Promise<void> {
  // Reads the current records: another node may refer to the document by now.
  await imports.load(tenant)
  const named = new Set([...imports.list(tenant).values()].flatMap(listDocuments))
  for (const document of listDocuments(before))
    if (!named.has(document)) await imports.documents.delete(tenant, document)
}

type ReadableImport = OpenImport & { readonly record: ImportRecord }

export async function requireImport(
  { administration, imports }: ImportsApiOptions,
  by: Caller,
  name: string,
): Promise<ReadableImport> {
  // Throws unless the caller may administer tools.
  await administration.list(by, 'tool')
  await imports.load(by.tenant)
  const found = imports.list(by.tenant).get(name)
  if (found === undefined) throw notImportedError(name)
  const { record } = found
  if (record === undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      found.problem ?? `The import "${name}" cannot be read.`,
    )
  return { ...found, record }
}

type ItemChange = {
  readonly kind: 'tool' | 'pin'
  readonly id: string
  readonly value: unknown
  /** The document that the value refers to. */
  readonly document?: string
  readonly expected: number | undefined
}

async function changeItem(
  { administration, imports }: ImportsApiOptions,
  by: Caller,
  { document, expected, ...form }: ItemChange,
): Promise<void> {
  await administration.change(by, { ...form, ...(expected === undefined ? {} : { expected }) })
  // Another node may have deleted the same document just before this record referred to it.
  if (document !== undefined) await imports.documents.put(by.tenant, document)
  await imports.load(by.tenant)
}

// Overwrites what is there: an import that a crash left incomplete must not block a new one.
async function putItem(
  options: ImportsApiOptions,
  by: Caller,
  form: Omit<ItemChange, 'expected'>,
): Promise<void> {
  const before = await options.administration.get(by, form.kind, form.id)
  if (before === undefined && form.value === undefined) return
  await changeItem(options, by, { ...form, expected: before?.version })
}

function notImportedError(name: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `There is no import named "${name}". List the imports with \`surehand import list\`.`,
  )
}

export function createPin(
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

function checkToolIds(
  wanted: readonly string[] | undefined,
  chosen: readonly Tool[],
  name: string,
): void {
  const missing = (wanted ?? []).filter((id) => !chosen.some((tool) => tool.id === id))
  if (missing.length > 0)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `The import "${name}" has no tool ${missing.join(', ')}.`,
    )
}

function changedMeanwhileError(name: string, { document }: ImportRecord): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${name}" has changed since you reviewed it. Review it again, then accept it.`,
    {
      details: {
        validation_errors: [
          { field: 'document', error: `is now ${document}`, provided_value: null },
        ],
      },
    },
  )
}
