import { type Caller, ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import type { z } from 'zod'
import {
  acceptImport,
  createPin,
  type ImportsApiOptions,
  prepareOrRefuse,
  removeImport,
  requireImport,
  storeImport,
  updateDocument,
} from './change-imports.ts'
import { refuseTooMany } from './import-limits.ts'
import { ImportName, ImportRecord } from './import-record.ts'
import { describeDifferences, type ImportView, toImportView } from './import-view.ts'
import { currentRefusal } from './refused-documents.ts'
import type { ImportReport } from './source-kind.ts'

export type ImportForm = {
  readonly kind: string
  /** Where the document is, in the form that the kind of source reads. */
  readonly from: unknown
  readonly settings?: unknown
  /** The document itself, if the caller sends it instead of an address. */
  readonly document?: string
  readonly refreshSeconds?: number
}

/** Lets administrators import sources of tools, review changes in them, and accept the changes. */
export type ImportsApi = {
  /** Reports what would become of a document. Nothing is stored. */
  readonly preview: (
    by: Caller,
    name: string,
    form: ImportForm,
    signal: AbortSignal,
  ) => Promise<ImportReport>
  /** Imports a source. The caller thereby accepts it as it is now. */
  readonly add: (
    by: Caller,
    name: string,
    form: ImportForm,
    signal: AbortSignal,
  ) => Promise<{ view: ImportView; report: ImportReport }>
  readonly list: (by: Caller) => Promise<readonly ImportView[]>
  readonly get: (by: Caller, name: string) => Promise<ImportView>
  /** Fetches the document again. Tools that changed are quarantined until they are accepted. */
  readonly refresh: (by: Caller, name: string, signal: AbortSignal) => Promise<ImportView>
  /** `document` is the hash of the reviewed document. Without `tools`, all tools are accepted. */
  readonly accept: (
    by: Caller,
    name: string,
    what: { readonly document: string; readonly tools?: readonly string[] },
  ) => Promise<ImportView>
  readonly remove: (by: Caller, name: string) => Promise<void>
}

const DEFAULT_REFRESH_SECONDS = 300

export function createImportsApi(options: ImportsApiOptions): ImportsApi {
  const { administration, imports } = options
  return {
    preview: async (by, name, form, signal) =>
      (await readForm(options, by, { name, form, signal })).report,
    async add(by, name, form, signal) {
      await administration.list(by, 'tool')
      await imports.load(by.tenant)
      // Checked before anything is fetched, and again when the import is stored.
      refuseTooMany({ tenant: by.tenant, name, kind: form.kind }, options)
      const { kind, from, settings, document, report } = await readForm(options, by, {
        name,
        form,
        signal,
      })
      refuseUnmatched(report)
      const record: ImportRecord = ImportRecord.parse({
        kind: form.kind,
        from,
        settings,
        document: sha256(document),
        importedBy: by.principal,
        refreshSeconds: form.refreshSeconds ?? DEFAULT_REFRESH_SECONDS,
      })
      const source = await imports.loader.open(document, { tenant: by.tenant, name, ...record })
      const pin = createPin(record, source.tools, { generator: kind.generator, by })
      await source.close?.()
      await imports.withTenantLock(by.tenant, () =>
        storeImport(options, by, { name, record, pin, document }),
      )
      return { view: await viewImport(options, by, name), report }
    },
    async list(by) {
      await administration.list(by, 'tool')
      await imports.load(by.tenant)
      const [refused, refusals] = await Promise.all([
        imports.refused.list(by.tenant),
        imports.refusedRequests.list(by.tenant),
      ])
      return [...imports.list(by.tenant)].map(([name, one]) =>
        toImportView(name, one, {
          differences: new Map(),
          refused: currentRefusal(refused.get(name), one.record?.document),
          refusals: refusals.get(name),
        }),
      )
    },
    get: (by, name) => viewImport(options, by, name),
    async refresh(by, name, signal) {
      const { kind, from, settings } = (await requireImport(options, by, name)).record
      const document = await imports.loader
        .kindOf(kind)
        .fetch(from, { tenant: by.tenant, name, settings, by, signal })
      await updateDocument(options, by, name, document)
      return viewImport(options, by, name)
    },
    async accept(by, name, what) {
      await imports.withTenantLock(by.tenant, () => acceptImport(options, by, { name, ...what }))
      return viewImport(options, by, name)
    },
    remove: (by, name) => imports.withTenantLock(by.tenant, () => removeImport(options, by, name)),
  }
}

type ReadRequest = {
  readonly name: string
  readonly form: ImportForm
  readonly signal: AbortSignal
}

async function readForm(
  { administration, imports, isReserved }: ImportsApiOptions,
  by: Caller,
  { name, form, signal }: ReadRequest,
) {
  await administration.list(by, 'tool')
  const parsed = ImportName.safeParse(name)
  if (!parsed.success)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `The name "${name}" ${describeIssue(parsed.error)}.`,
    )
  if (isReserved?.(name))
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `The name "${name}" is used by Surehand itself or by a pack. Choose another one, such as "my_${name}".`,
    )
  checkRefreshSeconds(form.refreshSeconds)
  const kind = imports.loader.kindOf(form.kind)
  const from = form.document !== undefined && form.from === null ? null : kind.readFrom(form.from)
  const settings = kind.readSettings(form.settings, from)
  const source = { tenant: by.tenant, name, settings }
  const document = form.document ?? (await kind.fetch(from, { ...source, by, signal }))
  const { report } = await prepareOrRefuse(() => kind.prepare(document, source))
  return { kind, from, settings, document, report }
}

/**
 * A misspelt name in `allow` would leave a tool out, and one in an overlay would leave a tool without
 * the contract that it is to have. A preview reports such names instead.
 */
function refuseUnmatched({ unmatched = [] }: ImportReport): void {
  if (unmatched.length === 0) return
  const names = unmatched.slice(0, 5).map((name) => `"${visibleText(name)}"`)
  const more = unmatched.length > names.length ? ` and ${unmatched.length - names.length} more` : ''
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `The settings name ${names.join(', ')}${more}, which the source does not have. Nothing was imported.`,
    { suggestions: ['Preview the import to see the names that the source has.'] },
  )
}

function checkRefreshSeconds(seconds: number | undefined): void {
  if (seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0)) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'refreshSeconds must be a whole number of seconds, or 0 to never fetch the document again.',
  )
}

async function viewImport(
  options: ImportsApiOptions,
  by: Caller,
  name: string,
): Promise<ImportView> {
  const one = await requireImport(options, by, name)
  const differences = await describeDifferences({ tenant: by.tenant, name }, one, options.imports)
  const refused = (await options.imports.refused.list(by.tenant)).get(name)
  return toImportView(name, one, {
    differences,
    refused: currentRefusal(refused, one.record.document),
    refusals: (await options.imports.refusedRequests.list(by.tenant)).get(name),
  })
}

function describeIssue(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'is not valid'
}
