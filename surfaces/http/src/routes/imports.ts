import { type Caller, ToolError } from '@surehand/core'
import type { ImportForm, ImportReport, ImportsApi, ImportView } from '@surehand/imports'
import { z } from 'zod'
import { disconnectSignalOf } from '../disconnect-signal.ts'
import type { HttpContext } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { parseAs, parseBody, readJson } from '../parse-request.ts'
import type { Route } from '../route.ts'

const MAX_DOCUMENT_BYTES = 32 * 1_048_576

const Form = z.strictObject({
  kind: z.string().min(1).max(32),
  from: z.json().default(null),
  settings: z.json().exactOptional(),
  /** The text of the document, where the client uploads it. */
  document: z.string().min(1).exactOptional(),
  /** 0: refreshed only on request. */
  refresh_seconds: z
    .union([
      z.literal(0),
      z
        .int()
        .min(30)
        .max(7 * 86_400),
    ])
    .exactOptional(),
})
const Acceptance = z.strictObject({
  document: z.string().length(64),
  tools: z.array(z.string().min(1).max(200)).max(10_000).exactOptional(),
})

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
    handle: async (_, caller, surface) => ({
      imports: (await importsOf(surface).list(caller)).map(view),
    }),
  },
  {
    method: 'GET',
    path: '/v1/imports/:name',
    command: 'imports.get',
    summary: 'Returns one import, with its quarantined tools and their changes.',
    handle: async (context, caller, surface) =>
      view(await importsOf(surface).get(caller, nameOf(context))),
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/preview',
    command: 'imports.preview',
    summary: 'Shows which tools a document would give, without importing it.',
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
    handle: async (context, caller, surface) =>
      view(await importsOf(surface).refresh(caller, nameOf(context), disconnectSignalOf(context))),
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/accept',
    command: 'imports.accept',
    summary: 'Accepts changed tools. `document` is the hash of the document that was reviewed.',
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

function view({ importedBy, refreshSeconds, ...rest }: ImportView): object {
  return { ...rest, imported_by: importedBy, refresh_seconds: refreshSeconds }
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
