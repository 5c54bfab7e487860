import { joinCalendars } from '@surehand/icalendar'
import type { App } from '../app.ts'

const HEADERS = {
  'content-type': 'text/calendar; charset=utf-8',
  'cache-control': 'private, max-age=300',
  'x-content-type-options': 'nosniff',
}
/** The tools whose calendars are in the feed: what is due, and the own calendar. */
const FEEDS: readonly string[] = ['data.calendar_feed', 'calendar.feed']
const NONE = 'This feed does not exist, or no longer exists.\n'

/**
 * Serves the feed to a calendar that knows its secret address. Its calls go through the same
 * pipeline as all others.
 */
export async function feedPage(
  { feeds, identity, runtime }: App,
  tenant: string,
  file: string,
): Promise<Response> {
  const principal = await feeds.ownerOf(tenant, file)
  const caller =
    principal === undefined
      ? undefined
      : await identity.authenticateSession({
          id: 'feed',
          tenant,
          principal,
          expiresAt: Number.POSITIVE_INFINITY,
        })
  if (caller === undefined) return new Response(NONE, { status: 404 })
  const tools = runtime.tools().filter(({ id }) => FEEDS.includes(id))
  const parts: string[] = []
  for (const { id } of tools) {
    const outcome = await runtime.call({ tool: id, input: {}, caller, surface: 'feed' })
    // A part that is missing would make the calendar program delete what it showed of it.
    if (outcome.status !== 'done')
      return new Response('The feed cannot be read now. Try again later.\n', { status: 503 })
    parts.push((outcome.data as { readonly calendar: string }).calendar)
  }
  return new Response(joinCalendars(parts), { headers: HEADERS })
}
