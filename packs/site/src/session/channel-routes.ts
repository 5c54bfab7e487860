import type { PackRoute } from '@surehand/core/host'
import { z } from 'zod'
import { PageReport } from '../bridge-messages.ts'
import { reconcilePayment } from '../planner/after-decision.ts'
import { reconcileNavigation } from '../planner/reconcile-navigation.ts'
import { sessionHub } from './session-hub.ts'
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
