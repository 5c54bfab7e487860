import type { Tool } from '@surehand/core'
import { curlSample, type Html, html, page } from '@surehand/http'
import type { App } from '../app.ts'
import { VERSION } from '../version.ts'
import type { Addresses } from './addresses.ts'

/**
 * The page that says what runs here and how to connect. It shows no token and needs none. `search`
 * narrows the list of tools for browsers without scripts.
 */
export function startPage(
  { runtime, config }: App,
  { publicUrl }: Pick<Addresses, 'publicUrl'>,
  search: string,
): Response {
  const tools = runtime.tools().filter(({ contract }) => contract.audience === 'everyone')
  const words = search.toLowerCase().split(/\s+/)
  const found = tools.filter((tool) => words.every((word) => searchedText(tool).includes(word)))
  const sample = sampleTool(tools)
  const body = html`<main><h1>Tools that AI agents can be trusted with</h1>
<p>Every call is validated, authorized, approved by a person where its contract requires it, made once, and recorded in the audit.</p>
${config.demo ? html`<p class="note">This is the demo with its demo shop: no money moves. The tokens are in the terminal that started the server.</p>` : ''}
<h2>For people</h2><p><a href="/console">The console</a>, and without scripts: <a href="/approvals">calls that wait for approval</a></p>
<h2>For an MCP client</h2>${config.oauth ? html`<p>Give it this address. It opens your browser, where you sign in and allow it:</p>${renderSample(`${publicUrl}/mcp`)}<p>A client that cannot do this gets one of your tokens:</p>` : html`<p>Put this into its configuration, with one of your tokens:</p>`}${renderSample(clientConfiguration(publicUrl))}
${sample === undefined ? '' : html`<h2>For any HTTP client</h2>${renderSample(curlSample(sample, publicUrl))}`}
<p>All paths and tools: <code>${publicUrl}/openapi.json</code> (with a token).</p>
<h2 id="tools">${tools.length} tools</h2>
<form class="search" role="search" action="/#tools"><input type="search" name="q" value="${search}" data-filter aria-label="Search tools" placeholder="Search tools" maxlength="200"><button>Search</button></form>
${found.length === 0 ? html`<p>No tool matches this.</p>` : html`<ul class="list" data-searched>${found.map(toolRow)}</ul>`}
<h2>For monitoring</h2><p><code>/healthz</code>, <code>/readyz</code>, <code>/metrics</code></p><p class="small">Version ${VERSION}</p></main>`
  return page(body, { title: 'Surehand', script: 'pages' })
}

function searchedText({ id, title, description }: Tool): string {
  return `${id}\n${title}\n${description}`.toLowerCase()
}

// A read with an example can be tried at once: it changes nothing and waits for no one.
function sampleTool(tools: readonly Tool[]): Tool | undefined {
  const tried = tools.filter(({ examples }) => examples.length > 0)
  return tried.find(({ contract }) => !contract.isWrite) ?? tried[0]
}

function toolRow({ id, title, description, contract }: Tool): Html {
  const tags = [
    ...(contract.isWrite ? [html` <span class="tag">writes</span>`] : []),
    ...(contract.approval === undefined ? [] : [html` <span class="tag">needs approval</span>`]),
  ]
  return html`<li><a href="/tools/${encodeURIComponent(id)}">${title}</a><span class="small"><code>${id}</code>${tags} ${firstSentence(description)}</span></li>`
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
}

function renderSample(text: string): Html {
  return html`<div class="sample"><pre><code>${text}</code></pre></div>`
}

function clientConfiguration(publicUrl: string): string {
  const surehand = {
    type: 'http',
    url: `${publicUrl}/mcp`,
    headers: { Authorization: 'Bearer YOUR_TOKEN' },
  }
  return JSON.stringify({ mcpServers: { surehand } }, undefined, 2)
}
