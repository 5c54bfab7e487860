import { type Caller, ToolError } from '@surehand/core'
import type { ImportDesk, ImportForm, ImportReport, ImportView } from '@surehand/imports'
import { z } from 'zod'
import { leavingApp } from '../leaving.ts'
import type { Surface } from '../options.ts'
import { bodyOf, fitting, jsonOf } from '../query.ts'
import type { Route } from '../route.ts'
import type { WireContext } from '../wire.ts'

const MOST_DOCUMENT_BYTES = 32 * 1_048_576

const Form = z.strictObject({
  kind: z.string().min(1).max(32),
  from: z.json().default(null),
  settings: z.json().exactOptional(),
  /** The document's text, where whoever imports holds it. */
  document: z.string().min(1).exactOptional(),
  /** 0: only when somebody says so. */
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

/** Sources of tools that tenants bring: documents, schemas, mounted servers. Who may is the desk's business. */
export const importRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/imports',
    command: 'imports.list',
    summary: 'What this house has imported and mounted.',
    answer: async (_, caller, surface) => ({
      imports: (await deskOf(surface).list(caller)).map(view),
    }),
  },
  {
    method: 'GET',
    path: '/v1/imports/:name',
    command: 'imports.get',
    summary: 'One of them, with what is held back and what changed in it.',
    answer: async (context, caller, surface) =>
      view(await deskOf(surface).get(caller, nameOf(context))),
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/preview',
    command: 'imports.preview',
    summary: 'What would become of a document; nothing is taken in.',
    answer: async (context, caller, surface) =>
      reportView(
        await deskOf(surface).preview(
          caller,
          nameOf(context),
          await formOf(context, caller, surface),
          leavingApp(context),
        ),
      ),
  },
  {
    method: 'PUT',
    path: '/v1/imports/:name',
    command: 'imports.put',
    summary: 'Imports a document or mounts a server; whoever does accepts it as it is.',
    async answer(context, caller, surface) {
      const added = await deskOf(surface).add(
        caller,
        nameOf(context),
        await formOf(context, caller, surface),
        leavingApp(context),
      )
      return { ...view(added.view), report: reportView(added.report) }
    },
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/refresh',
    command: 'imports.refresh',
    summary: 'Fetches the document again; what changed is held back until it is accepted.',
    answer: async (context, caller, surface) =>
      view(await deskOf(surface).refresh(caller, nameOf(context), leavingApp(context))),
  },
  {
    method: 'POST',
    path: '/v1/imports/:name/accept',
    command: 'imports.accept',
    summary: 'Accepts what changed; `document` is the hash of what was looked at.',
    answer: async (context, caller, surface) =>
      view(
        await deskOf(surface).accept(
          caller,
          nameOf(context),
          await bodyOf(context, surface, Acceptance),
        ),
      ),
  },
  {
    method: 'DELETE',
    path: '/v1/imports/:name',
    command: 'imports.remove',
    summary: 'Takes a source and its tools away.',
    async answer(context, caller, surface) {
      const name = nameOf(context)
      await deskOf(surface).remove(caller, name)
      return { name, removed: true }
    },
  },
]

function nameOf(context: WireContext): string {
  return context.req.param('name') ?? ''
}

// whoever may not import is told so before anybody reads megabytes for them
async function formOf(context: WireContext, caller: Caller, surface: Surface): Promise<ImportForm> {
  await surface.runtime.administration.list(caller, 'tool')
  const { refresh_seconds: refreshSeconds, ...form } = fitting(
    Form,
    await jsonOf(context, surface, MOST_DOCUMENT_BYTES),
  )
  return { ...form, ...(refreshSeconds === undefined ? {} : { refreshSeconds }) }
}

function view({ importedBy, refreshSeconds, ...rest }: ImportView): object {
  return { ...rest, imported_by: importedBy, refresh_seconds: refreshSeconds }
}

function reportView({ leftOut, ...rest }: ImportReport): object {
  return { ...rest, left_out: leftOut }
}

function deskOf({ imports }: Surface): ImportDesk {
  if (imports === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'Nothing can be imported here: this server was started without that.',
    )
  return imports
}
