import { readFileSync } from 'node:fs'
import type { PackRequest, PackRoute } from '@surehand/core/host'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calls to clients</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; }
  button { font: inherit; padding: 0.6rem 1.2rem; border-radius: 0.5rem; }
</style>
<h1>Calls to clients</h1>
<p>While this page is ready, marketplace.start_call connects clients with this browser.</p>
<p><button id="ready">I am ready</button></p>
<p id="status" role="status">Not ready.</p>
<audio id="voice" autoplay></audio>
<script type="module" src="/marketplace/operator.js"></script>
</html>
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; media-src blob: mediastream:; frame-ancestors 'none'"

/** The page on which an operator waits for calls. */
export const OPERATOR_ROUTES: readonly PackRoute[] = [
  { method: 'GET', path: '/marketplace/operator', auth: 'person', handle: showPage },
  { method: 'GET', path: '/marketplace/operator.js', auth: 'none', handle: showScript },
  { method: 'POST', path: '/marketplace/operator/offer', auth: 'person', handle: storeOffer },
  { method: 'GET', path: '/marketplace/operator/call', auth: 'person', handle: showCall },
]

async function showPage(): Promise<Response> {
  return new Response(PAGE, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  })
}

async function showScript(): Promise<Response> {
  return new Response(
    readFileSync(new URL('./browser/operator-page.js', import.meta.url), 'utf8'),
    {
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    },
  )
}

async function storeOffer({ request, caller, services }: PackRequest): Promise<Response> {
  if (caller === undefined) return new Response('', { status: 401 })
  const outcome = await services.call({
    tool: 'marketplace.offer_call',
    input: {},
    json: await request.text(),
    caller,
    surface: 'operator-page',
  })
  return outcome.status === 'done'
    ? Response.json(outcome.data)
    : new Response('The offer was not stored.\n', { status: 403 })
}

/** The newest call of the last hour, for the operator who may see it. */
async function showCall({ caller, services }: PackRequest): Promise<Response> {
  if (caller === undefined) return new Response('', { status: 401 })
  const outcome = await services.call({
    tool: 'marketplace.get_current_call',
    input: {},
    caller,
    surface: 'operator-page',
  })
  return outcome.status === 'done'
    ? Response.json(outcome.data)
    : new Response('Calls cannot be shown to this person.\n', { status: 403 })
}
