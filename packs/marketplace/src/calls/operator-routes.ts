import { readFileSync } from 'node:fs'
import type { PackRequest, PackRoute } from '@surehand/core/host'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Operator of the marketplace</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2024; }
  button { font: inherit; padding: 0.3rem 0.8rem; border-radius: 0.5rem; border: 1px solid #8b8d98; background: #fff; }
  button:disabled { color: #8b8d98; border-color: #d9d9e0; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: 0.4rem 0.6rem 0.4rem 0; border-bottom: 1px solid #e0e1e6; vertical-align: top; }
  td:last-child { white-space: nowrap; }
</style>
<h1>Operator of the marketplace</h1>
<h2>Calls</h2>
<p>While this page is ready, marketplace.start_call connects clients with this browser.</p>
<p><button id="ready">I am ready</button> <span id="status" role="status">Not ready.</span></p>
<audio id="voice" autoplay></audio>
<h2>Conversations</h2>
<p>A conversation that you take over or pause gets no automatic messages until it is handed back.</p>
<p id="trouble" role="alert"></p>
<table>
  <thead><tr><th>Client</th><th>Need</th><th>State</th><th>Who answers</th><th></th></tr></thead>
  <tbody id="requests"></tbody>
</table>
<script type="module" src="/marketplace/operator.js"></script>
</html>
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; media-src blob: mediastream:; frame-ancestors 'none'"

/** The page on which an operator waits for calls and takes over conversations. */
export const OPERATOR_ROUTES: readonly PackRoute[] = [
  { method: 'GET', path: '/marketplace/operator', auth: 'person', handle: showPage },
  { method: 'GET', path: '/marketplace/operator.js', auth: 'none', handle: showScript },
  serveTool('POST', 'offer', 'marketplace.offer_call'),
  serveTool('GET', 'call', 'marketplace.get_current_call'),
  serveTool('GET', 'requests', 'marketplace.list_requests'),
  serveTool('POST', 'mode', 'marketplace.set_conversation_mode'),
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

/** A part of the page: what a tool answers to this person. The tool decides who may. */
function serveTool(method: 'GET' | 'POST', name: string, tool: string): PackRoute {
  const handle = async ({ request, caller, services }: PackRequest): Promise<Response> => {
    if (caller === undefined) return new Response('', { status: 401 })
    const outcome = await services.call({
      tool,
      input: {},
      ...(method === 'POST' ? { json: await request.text() } : {}),
      caller,
      surface: 'operator-page',
      // A button that is pressed again means it again.
      repeat: 'meant',
    })
    return outcome.status === 'done'
      ? Response.json(outcome.data)
      : new Response('This was not done. Only operators of the marketplace may do it.\n', {
          status: 403,
        })
  }
  return { method, path: `/marketplace/operator/${name}`, auth: 'person', handle }
}
