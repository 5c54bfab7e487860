import { html, page } from '@surehand/http'
import type { App } from '../app.ts'
import { VERSION } from '../version.ts'
import type { Addresses } from './addresses.ts'

/** Says what runs here and how to connect. It names no token and needs none. */
export function startPage({ runtime, config }: App, { publicUrl }: Addresses): Response {
  const tools = runtime.tools()
  const rows = tools.map(
    ({ id, title, contract }) =>
      html`<dt><code>${id}</code></dt><dd>${title}${contract.isWrite ? ' (changes something)' : ''}</dd>`,
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
<p>Every call is checked, allowed, asked for where a person must say yes, done once, and written down.</p>
${config.demo ? html`<p class="note">This is the demo: a shop of pretence. Its tokens stand in the terminal that started it.</p>` : ''}
<h2>For people</h2><p><a href="/approvals">What waits for a yes</a></p>
<h2>For an MCP client</h2><p>Put this into its configuration, with a token of yours:</p><pre><code>${client}</code></pre>
<h2>For anything that speaks HTTP</h2><pre><code>${curl}</code></pre><p>What there is: <code>${publicUrl}/openapi.json</code> (with a token).</p>
<h2>${String(tools.length)} tools</h2><dl>${rows}</dl>
<h2>For whoever watches it</h2><p><code>/healthz</code>, <code>/readyz</code>, <code>/metrics</code></p><p class="small">Version ${VERSION}</p></main>`
  return page(body, { title: 'Surehand' })
}

function exampleOf(tool: ReturnType<App['runtime']['tools']>[number] | undefined): string {
  return JSON.stringify(tool?.examples[0]?.input ?? {})
}
