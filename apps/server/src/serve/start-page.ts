import { html, page } from '@surehand/http'
import type { App } from '../app.ts'
import { VERSION } from '../version.ts'
import type { Addresses } from './addresses.ts'

/** The page that says what runs here and how to connect. It shows no token and needs none. */
export function startPage({ runtime, config }: App, { publicUrl }: Addresses): Response {
  const tools = runtime.tools()
  const rows = tools.map(
    ({ id, title, contract }) =>
      html`<dt><code>${id}</code></dt><dd>${title}${contract.isWrite ? ' (writes)' : ''}</dd>`,
  )
  const client = JSON.stringify(
    {
      mcpServers: {
        surehand: {
          type: 'http',
          url: `${publicUrl}/mcp`,
          headers: { Authorization: 'Bearer YOUR_TOKEN' },
        },
      },
    },
    undefined,
    2,
  )
  const curl = `curl ${publicUrl}/v1/tools/${tools[0]?.id ?? 'TOOL'}/call \\\n  -H 'Authorization: Bearer YOUR_TOKEN' -H 'Content-Type: application/json' \\\n  -d '${exampleOf(tools[0])}'`
  const body = html`<main><h1>Tools that AI agents can be trusted with</h1>
<p>Every call is validated, authorized, approved by a person where its contract requires it, made once, and recorded in the audit.</p>
${config.demo ? html`<p class="note">This is the demo with its demo shop: no money moves. The tokens are in the terminal that started the server.</p>` : ''}
<h2>For people</h2><p><a href="/approvals">Calls that wait for approval</a></p>
<h2>For an MCP client</h2><p>Put this into its configuration, with one of your tokens:</p><pre><code>${client}</code></pre>
<h2>For any HTTP client</h2><pre><code>${curl}</code></pre><p>All tools: <code>${publicUrl}/openapi.json</code> (with a token).</p>
<h2>${String(tools.length)} tools</h2><dl>${rows}</dl>
<h2>For monitoring</h2><p><code>/healthz</code>, <code>/readyz</code>, <code>/metrics</code></p><p class="small">Version ${VERSION}</p></main>`
  return page(body, { title: 'Surehand' })
}

function exampleOf(tool: ReturnType<App['runtime']['tools']>[number] | undefined): string {
  return JSON.stringify(tool?.examples[0]?.input ?? {})
}
