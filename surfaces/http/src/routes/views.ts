import { type Caller, type Pack, ToolError } from '@surehand/core'
import type { PackView, ViewContext } from '@surehand/core/host'
import { toPage } from '@surehand/core/ports'
import { ViewListItemSchema, ViewSchema } from '@surehand/edge/api'
import type { Surface } from '../options.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'

const LONGEST_FIELD = 200
const EXAMPLE = {
  pack: 'weather',
  name: 'today',
  title: 'Weather today',
  summary: 'The weather of one city.',
}

type FoundView = { readonly pack: Pack; readonly view: PackView }

/** Pages that packs bring to the console. */
export const viewRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/views',
    command: 'views.list',
    summary: 'Lists the views of the packs whose tools you may use.',
    query: PageQuery,
    returns: pageReturned({ schema: () => ViewListItemSchema, example: EXAMPLE }),
    async handle(context, caller, surface) {
      const { limit, after } = readPage('views.list', parseQuery(context, PageQuery))
      const all = (await listViews(caller, surface)).map(
        ({ pack, view: { name, title, summary } }) => ({ pack: pack.name, name, title, summary }),
      )
      const idOf = (view: { pack: string; name: string }) => `${view.pack}/${view.name}`
      const from = after === undefined ? 0 : all.findIndex((view) => idOf(view) === after) + 1
      return pageView('views.list', toPage(all.slice(from, from + limit + 1), limit, idOf))
    },
  },
  {
    method: 'GET',
    path: '/v1/views/:pack/:name',
    command: 'views.get',
    summary:
      'Shows a view of a pack as blocks of text, tables, timelines, maps and pictures. Its fields are given as query parameters.',
    returns: {
      schema: () => ViewSchema,
      example: { ...EXAMPLE, fields: [], refresh: null, blocks: [{ kind: 'text', text: 'Sunny' }] },
    },
    async handle(context, caller, surface) {
      const { pack, view } = await findView(context.req.param(), caller, surface)
      const fields = readFields(view, context.req.query())
      const { show } = await view.load()
      return {
        pack: pack.name,
        name: view.name,
        title: view.title,
        summary: view.summary,
        refresh: view.refresh ?? null,
        fields: Object.entries(view.fields ?? {}).map(([name, label]) => ({
          name,
          label,
          value: fields[name] ?? '',
        })),
        blocks: await show(viewContext({ pack, view }, { caller, fields, surface })),
      }
    },
  },
]

async function listViews(
  caller: Caller,
  { runtime, packs }: Surface,
): Promise<readonly FoundView[]> {
  const usable = new Set((await runtime.visibleTools(caller)).map(({ id }) => id))
  return packs.flatMap((pack) =>
    pack.views
      .filter(({ tools }) => tools.every((tool) => usable.has(tool)))
      .map((view) => ({ pack, view })),
  )
}

// One that the caller may not use is missing, as everything else is that others may see.
async function findView(
  { pack, name }: Record<string, string>,
  caller: Caller,
  surface: Surface,
): Promise<FoundView> {
  const found = (await listViews(caller, surface)).find(
    (one) => one.pack.name === pack && one.view.name === name,
  )
  if (found !== undefined) return found
  throw new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `There is no view ${pack}/${name}, or you may not use the tools that it reads.`,
  )
}

function readFields(
  { fields = {} }: PackView,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const value = query[name]?.trim().slice(0, LONGEST_FIELD) ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

type Viewing = {
  readonly caller: Caller
  readonly fields: Readonly<Record<string, string>>
  readonly surface: Surface
}

function viewContext(
  { pack, view }: FoundView,
  { caller, fields, surface: { runtime } }: Viewing,
): ViewContext {
  const owned = new Set(pack.tools.map(({ id }) => id))
  return {
    fields,
    async call(tool, input) {
      const found = pack.tools.find(({ id }) => id === tool)
      if (found === undefined || found.contract.isWrite || !view.tools.includes(tool))
        throw new TypeError(`The view ${pack.name}/${view.name} may not call ${tool}.`)
      const outcome = await runtime.call({ tool, input, caller, surface: 'http' })
      if (outcome.status === 'done') return outcome.data
      if (outcome.status === 'failed') throw outcome.error
      throw new TypeError(`${tool} did not answer at once.`)
    },
    async questions() {
      const open = await runtime.questions.listFor(caller, 'open')
      return open
        .filter(({ toolId, isSecret }) => owned.has(toolId) && !isSecret)
        .map(({ id, asks, draft, expiresAt }) => ({
          id,
          asks,
          draft: draft === '' ? undefined : (JSON.parse(draft) as unknown),
          expiresAt,
        }))
    },
  }
}
