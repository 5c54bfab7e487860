import type { App } from '../app.ts'

const HEADERS = {
  'content-type': 'text/calendar; charset=utf-8',
  'cache-control': 'private, max-age=300',
  'x-content-type-options': 'nosniff',
}
const NONE = 'There is no such feed, or no longer.\n'

/** What is due, for a calendar that knows the secret address; through the same line of stages as every call. */
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
    return new Response('The feed cannot be read now.\n', { status: 503 })
  return new Response((outcome.data as { readonly calendar: string }).calendar, {
    headers: HEADERS,
  })
}
