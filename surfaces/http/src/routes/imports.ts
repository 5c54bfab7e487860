import { type Caller, ToolError } from '@surehand/core'
import type { ImportForm, ImportReport, ImportsApi, ImportView as Viewed } from '@surehand/imports'
import { z } from 'zod'
import { disconnectSignalOf } from '../disconnect-signal.ts'
import type { HttpContext } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { PageQuery, pageOf, pageReturned, pageView, readPage } from '../paging.ts'
import { parseAs, parseBody, parseQuery, readJson } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const MAX_DOCUMENT_BYTES = 32 * 1_048_576

const Form = z.strictObject({
  kind: z.string().min(1).max(32),
  from: z.unknown().default(null).describe('Where the document is, in the form of its kind.'),
  settings: z.unknown().exactOptional(),
  document: z.string().min(1).exactOptional().describe('The document itself, to upload it.'),
  refresh_seconds: z
    .union([
      z.literal(0),
      z
        .int()
        .min(30)
        .max(7 * 86_400),
    ])
    .exactOptional()
    .describe('0: refreshed only on request.'),
})
const Acceptance = z.strictObject({
  document: z.string().length(64),
  tools: z.array(z.string().min(1).max(200)).max(10_000).exactOptional(),
})

const DOCUMENT = '8f0e5c1d7b2a4936c5e8d1f0a7b3924e6c8d5f1a0b7e3c9d2f4a6b8c0e1d3f57'
const SOURCE = {
  kind: 'openapi',
  from: { url: 'https://api.example.com/openapi.json' },
  settings: { servers: ['https://api.example.com'] },
}
const REPORT = {
  operations: 13,
  taken: ['petstore.listPets'],
  left_out: [{ operation: 'POST /upload', reason: 'Its body is a file.' }],
  losses: [],
  tokens: 1_480,
}
const VIEW = {
  ...SOURCE,
  name: 'petstore',
  document: DOCUMENT,
  tools: 12,
  held: [],
  refusals: [],
  imported_by: 'root',
  refresh_seconds: 300,
}

const Reasons = z.object({ reason: z.string(), suggestions: z.array(z.string()) })
const ImportView = z
  .object({
    name: z.string(),
    kind: z.string(),
    from: z.unknown(),
    settings: z.unknown(),
    document: z.string().describe('The hash of the document in use.'),
    tools: z.int().describe('How many can be called.'),
    held: z
      .array(z.object({ id: z.string(), held: z.string(), differences: z.array(z.string()) }))
      .describe('Tools that are quarantined until they are accepted.'),
    trouble: z.string().optional(),
    refused: Reasons.optional().describe('Why the current document is not in use.'),
    refusals: z
      .array(
        z.object({
          host: z.string(),
          reason: z.string(),
          suggestion: z.string(),
          at: z.string().meta({ format: 'date-time' }),
        }),
      )
      .describe('Requests that were not sent in the last seven days, and why; the newest first.'),
    imported_by: z.string(),
    refresh_seconds: z.int(),
  })
  .meta({ id: 'Import' })
const ImportNeed = z.union([
  z.object({
    kind: z.literal('credential'),
    tools: z.int(),
    alternatives: z.array(
      z.object({ credentials: z.array(z.string()), commands: z.array(z.string()) }),
    ),
  }),
  z.object({
    kind: z.literal('server'),
    tools: z.int(),
    problem: z.string(),
    fix: z.string(),
  }),
])
const ReportView = z
  .object({
    operations: z.int(),
    taken: z.array(z.string()),
    left_out: z.array(z.object({ operation: z.string(), reason: z.string() })),
    losses: z.array(z.object({ tool: z.string(), what: z.string() })),
    tokens: z.int().describe('What the tools cost in the context of a model, estimated.'),
    unmatched: z
      .array(z.string())
      .optional()
      .describe('Names that the importer chose and that match no operation.'),
    needs: z
      .array(ImportNeed)
      .optional()
      .describe('What is missing before the tools can be called.'),
  })
  .meta({ id: 'ImportReport' })
const returned: Documented = { schema: () => ImportView, example: VIEW }

/**
 * The sources of tenant tools: documents, schemas, mounted servers. The imports API checks who may
 * do what.
 */
export const importRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/imports',
    command: 'imports.list',
    summary: 'Lists what the tenant has imported and mounted.',
    query: PageQuery,
    returns: pageReturned(returned),
    async handle(context, caller, surface) {
      const wanted = readPage('imports.list', parseQuery(context, PageQuery))
      const all = await importsOf(surface).list(caller)
      return pageView(
        'imports.list',
        pageOf(all, wanted, ({ name }) => name),
        view,
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/imports/:name',
    command: 'imports.get',
    summary: 'Returns one import, with its quarantined tools and their changes.',
    returns: returned,
    handle: async (context, caller, surface) =>
      view(await importsOf(surface).get(caller, nameOf(context))),
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/preview',
    command: 'imports.preview',
    summary: 'Shows which tools a document would give, without importing it.',
    body: { schema: () => Form, example: SOURCE },
    returns: { schema: () => ReportView, example: REPORT },
    handle: async (context, caller, surface) =>
      reportView(
        await importsOf(surface).preview(
          caller,
          nameOf(context),
          await readForm(context, caller, surface),
          disconnectSignalOf(context),
        ),
      ),
  },
  {
    method: 'PUT',
    path: '/v1/imports/:name',
    command: 'imports.put',
    summary: 'Imports a document or mounts a server, and accepts its tools as they are.',
    body: { schema: () => Form, example: SOURCE },
    returns: {
      schema: () => ImportView.extend({ report: ReportView }).meta({ id: 'AddedImport' }),
      example: { ...VIEW, report: REPORT },
    },
    async handle(context, caller, surface) {
      const added = await importsOf(surface).add(
        caller,
        nameOf(context),
        await readForm(context, caller, surface),
        disconnectSignalOf(context),
      )
      return { ...view(added.view), report: reportView(added.report) }
    },
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/refresh',
    command: 'imports.refresh',
    summary: 'Fetches the document again. Changed tools are quarantined until they are accepted.',
    returns: returned,
    handle: async (context, caller, surface) =>
      view(await importsOf(surface).refresh(caller, nameOf(context), disconnectSignalOf(context))),
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/accept',
    command: 'imports.accept',
    summary: 'Accepts changed tools. `document` is the hash of the document that was reviewed.',
    body: {
      schema: () => Acceptance,
      example: { document: DOCUMENT, tools: ['petstore.listPets'] },
    },
    returns: returned,
    handle: async (context, caller, surface) =>
      view(
        await importsOf(surface).accept(
          caller,
          nameOf(context),
          await parseBody(context, surface, Acceptance),
        ),
      ),
  },
  {
    method: 'DELETE',
    path: '/v1/imports/:name',
    command: 'imports.remove',
    summary: 'Removes an import and its tools.',
    returns: {
      schema: () => z.object({ name: z.string(), removed: z.literal(true) }),
      example: { name: 'petstore', removed: true },
    },
    async handle(context, caller, surface) {
      const name = nameOf(context)
      await importsOf(surface).remove(caller, name)
      return { name, removed: true }
    },
  },
]

function nameOf(context: HttpContext): string {
  return context.req.param('name') ?? ''
}

// Rights are checked first, so that megabytes are not read for a caller who may not import.
async function readForm(
  context: HttpContext,
  caller: Caller,
  surface: Surface,
): Promise<ImportForm> {
  await surface.runtime.administration.list(caller, 'tool')
  const { refresh_seconds: refreshSeconds, ...form } = parseAs(
    Form,
    await readJson(context, surface, MAX_DOCUMENT_BYTES),
  )
  return { ...form, ...(refreshSeconds === undefined ? {} : { refreshSeconds }) }
}

function view({ importedBy, refreshSeconds, refused, refusals, ...rest }: Viewed): object {
  return {
    ...rest,
    refusals: refusals.map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
    ...(refused === undefined
      ? {}
      : { refused: { reason: refused.says, suggestions: refused.mend } }),
    imported_by: importedBy,
    refresh_seconds: refreshSeconds,
  }
}

function reportView({ leftOut, ...rest }: ImportReport): object {
  return { ...rest, left_out: leftOut }
}

function importsOf({ imports }: Surface): ImportsApi {
  if (imports === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'This server does not import tools. Start it with the imports API to use this path.',
    )
  return imports
}
