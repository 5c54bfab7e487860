import type { PackRoute } from '@surehand/core/host'
import { z } from 'zod'
import { readSite } from '../session/site-data.ts'
import { json, problem, visitorRoute } from '../session/visitor-route.ts'

// Tools that pages register themselves (WebMCP), as the browsers of visitors report them. A visitor
// can report what they like, so a report makes no tool: it is what an owner can review and import.

const KEPT_MS = 30 * 24 * 3_600_000
const MOST_TOOLS = 100
const MOST_REPORTED = 50

const Definition = z.object({
  name: z.string().regex(/^[A-Za-z][\w.-]{0,63}$/),
  description: z.string().min(1).max(4_000),
  inputSchema: z.looseObject({ type: z.literal('object') }),
})
export type PageTool = z.output<typeof Definition> & {
  /** The text as the page has it: what is compared before a call. */
  readonly definition: string
}

/** A tool from the text that describes it; undefined where it is none. */
export function readPageTool(definition: string): PageTool | undefined {
  try {
    return { ...Definition.parse(JSON.parse(definition)), definition }
  } catch {
    return undefined
  }
}

/** The tools of an origin that were seen, the newest text of each name. */
export const SeenTools = z.object({
  origin: z.string(),
  tools: z.record(z.string(), z.string()),
})

export const seenToolsKey = (origin: string): string => `site/page-tools/${origin}`

const Body = z.object({
  origin: z.string().max(300),
  tools: z.array(z.string().max(16_000)).max(MOST_REPORTED),
})

/** Takes the report of a widget: which tools the page has registered itself. */
export const pageToolsRoute: PackRoute = visitorRoute({
  method: 'POST',
  path: '/site/page-tools',
  body: Body,
  maxBytes: 1_000_000,
  async handle({ visitor: { tenant }, body: { origin, tools }, services: { query, values } }) {
    const site = await readSite(query, tenant)
    if (site?.contract.origins.includes(origin) !== true)
      return problem(403, {
        code: 'TOOL_RESOURCE_ACCESS_DENIED',
        message: `${origin} is no origin of the site.`,
      })
    const stored = await values.get(tenant, seenToolsKey(origin))
    const before = stored === undefined ? {} : SeenTools.parse(JSON.parse(stored)).tools
    const seen = tools.flatMap((text) => {
      const tool = readPageTool(text)
      return tool === undefined ? [] : [[tool.name, text] as const]
    })
    const all = Object.entries({ ...before, ...Object.fromEntries(seen) }).slice(0, MOST_TOOLS)
    const next = JSON.stringify({
      origin,
      tools: Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    })
    if (next !== stored) await values.set(tenant, seenToolsKey(origin), next, KEPT_MS)
    return json({ received: seen.length })
  },
})
