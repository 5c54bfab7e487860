import type { App } from '../app.ts'

const HEADERS = {
  'content-type': 'text/calendar; charset=utf-8',
  'cache-control': 'private, max-age=300',
  'x-content-type-options': 'nosniff',
}
const NONE = 'This feed does not exist, or no longer exists.\n'

/**
 * Serves the feed to a calendar that knows its secret address. The call goes through the same
 * pipeline as every other.
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
  const outcome = await runtime.call({
    tool: 'data.calendar_feed',
    input: {},
    caller,
    surface: 'feed',
  })
  if (outcome.status !== 'done')
    return new Response('The feed cannot be read now. Try again later.\n', { status: 503 })
  return new Response((outcome.data as { readonly calendar: string }).calendar, {
    headers: HEADERS,
  })
}
