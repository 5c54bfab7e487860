import type { PackRoute, PackServices } from '@surehand/core/host'
import { z } from 'zod'
import { type PageOrder, PageReport } from '../bridge-messages.ts'
import { reconcilePayment } from '../planner/after-decision.ts'
import { PHRASES } from '../planner/phrases.ts'
import { readTalk } from '../planner/run-turn.ts'
import { pathOf } from '../planner/talk.ts'
import { callAsVisitor } from './call-as-visitor.ts'
import { type SessionHub, sessionHub } from './session-hub.ts'
import type { Visitor } from './visitor.ts'
import { json, visitorRoute } from './visitor-route.ts'

const TabId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
const HEARTBEAT_MS = 15_000

const streamRoute = visitorRoute({
  method: 'GET',
  path: '/site/stream',
  async handle({ request, visitor, services }) {
    const { searchParams } = new URL(request.url)
    const tab = { ...pick(visitor), tab: TabId.parse(searchParams.get('tab')) }
    const after = request.headers.get('last-event-id') ?? searchParams.get('after') ?? undefined
    return new Response(streamEvents(sessionHub(services), tab, after, request.signal), {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    })
  },
})

type Hub = ReturnType<typeof sessionHub>
type Tab = Parameters<Hub['subscribe']>[0]

function streamEvents(
  hub: Hub,
  tab: Tab,
  after: string | undefined,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const ended = new AbortController()
  const within = AbortSignal.any([signal, ended.signal])
  const encoder = new TextEncoder()
  return new ReadableStream({
    async start(controller) {
      // Proxies close a connection that is silent for a minute.
      const heartbeat = setInterval(
        () => controller.enqueue(encoder.encode(': still here\n\n')),
        HEARTBEAT_MS,
      )
      try {
        controller.enqueue(encoder.encode(': connected\n\n'))
        for await (const { id, event } of hub.subscribe(tab, { after, signal: within }))
          controller.enqueue(
            encoder.encode(`id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`),
          )
        controller.close()
      } catch (thrown) {
        if (!within.aborted) controller.error(thrown)
      } finally {
        clearInterval(heartbeat)
      }
    },
    cancel() {
      ended.abort()
    },
  })
}

const ReportsBody = z.object({ tab: TabId, reports: z.array(PageReport).min(1).max(50) })

const reportsRoute = visitorRoute({
  method: 'POST',
  path: '/site/reports',
  body: ReportsBody,
  async handle({ visitor, body: { tab, reports }, services }) {
    const hub = sessionHub(services)
    for (const report of reports) {
      await hub.receive({ ...pick(visitor), tab }, report)
      if (report.type === 'hello' || report.type === 'status')
        await reconcilePayment({
          services,
          visitor,
          publish: (event) => hub.publish(visitor, event),
        })
      const hasFailed =
        (report.type === 'status' && report.state === 'failed') ||
        (report.type === 'error' && report.code === 'navigation_failed')
      if (hasFailed && report.id !== undefined)
        await reconcileNavigation({ services, visitor, hub }, report.id)
    }
    return json({ received: reports.length })
  },
})

function pick({ tenant, session }: { tenant: string; session: string }) {
  return { tenant, session }
}

/** The event stream to the widget, and its reports. */
export const CHANNEL_ROUTES: readonly PackRoute[] = [streamRoute, reportsRoute]

type Context = {
  readonly services: PackServices
  readonly visitor: Visitor
  readonly hub: SessionHub
}

const KEPT_MS = 5 * 60_000

/**
 * After a page could not be opened: says so, and tries the page that is nearest to it, once. The
 * page itself has taken its highlights back. A goto that a later one replaced is not mentioned.
 */
async function reconcileNavigation(context: Context, commandId: string): Promise<void> {
  const { services, visitor, hub } = context
  const { tenant, session } = visitor
  const gotos = (await hub.orders(visitor)).flatMap(toGoto)
  const failed = gotos.at(-1)
  if (failed?.id !== commandId) return
  // A report may arrive twice, and from two nodes.
  const place = `site/lost/${session}/${commandId}`
  const change = { expected: undefined, value: 'told', ttlMs: KEPT_MS }
  if (!(await services.values.replace(tenant, place, change))) return
  const { language } = await readTalk(services, visitor)
  const say = (text: string) =>
    hub.publish(visitor, { kind: 'turn', turn: 'page', type: 'agent_delta', text })
  const isSecond = await services.values.get(tenant, `site/second/${session}/${commandId}`)
  const other = isSecond === undefined ? await findNear(context, failed.path) : undefined
  if (other === undefined) return say(PHRASES[language].lostPage(failed.path))
  await say(PHRASES[language].tryingPage(failed.path, other))
  const input = { path: other }
  const answer = await callAsVisitor(services, visitor, { tool: 'navigation.goto', input })
  const { commandId: second } = (answer.data ?? {}) as { commandId?: string }
  if (second !== undefined)
    await services.values.set(tenant, `site/second/${session}/${second}`, failed.path, KEPT_MS)
}

function toGoto({ id, command }: PageOrder) {
  return command.do === 'goto' ? [{ id, path: command.path }] : []
}

/** The page that the words of a path lead to; otherwise the one above it. */
async function findNear({ services, visitor }: Context, path: string): Promise<string | undefined> {
  const [plain = ''] = path.split(/[?#]/)
  const query = plain.match(/[\p{L}\p{N}]+/gu)?.join(' ')
  if (query === undefined) return undefined
  const input = { query: query.slice(0, 200) }
  const answer = await callAsVisitor(services, visitor, { tool: 'search.siteSearch', input })
  const { items = [] } = (answer.data ?? {}) as { items?: readonly { readonly url: string }[] }
  const found = items.map(({ url }) => pathOf(url)).find((one) => one !== path && one !== plain)
  return found ?? (plain.replace(/\/[^/]*\/?$/, '') || '/')
}
