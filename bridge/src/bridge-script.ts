import { browserScript } from './build-script.ts'

/** What the bridge loads where the browser has an agent of its own (WebMCP). */
export const webMcpScript = browserScript({
  built: new URL('./site-web-mcp.js', import.meta.url),
  source: new URL('./page/web-mcp.ts', import.meta.url),
})

/** The script that a site includes: `<script src="…/site/bridge.js" data-key="pk_…" defer>`. */
export const bridgeScript = browserScript({
  built: new URL('./site-bridge.js', import.meta.url),
  source: new URL('./page/bridge.ts', import.meta.url),
})
