import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/**
 * A browser script in one file, minified. The bundled command has it as a file beside itself;
 * otherwise it is built from its sources, once for each process.
 */
export function browserScript(options: {
  /** Where the bundled command has it. */
  readonly built: URL
  readonly source: URL
}): () => Promise<string> {
  let script: Promise<string> | undefined
  return () => {
    script ??= existsSync(options.built)
      ? readFile(options.built, 'utf8')
      : buildScript(options.source)
    return script
  }
}

/** Bundles a module and what it imports into one classic script. */
export async function buildScript(source: URL): Promise<string> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: source.pathname,
    platform: 'browser',
    // Repeated texts make the file larger.
    optimization: { inlineConst: false },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}

/** What the bridge loads where the browser has an agent of its own (WebMCP). */
export const webMcpScript = browserScript({
  built: new URL('./site-web-mcp.js', import.meta.url),
  source: new URL('./page/web-mcp.ts', import.meta.url),
})

/** What the bridge loads when the visitor reaches for the widget: its frame, and what talks to it. */
export const frameScript = browserScript({
  built: new URL('./site-frame.js', import.meta.url),
  source: new URL('./page/frame.ts', import.meta.url),
})

/** The script that a site includes: `<script src="…/site/bridge.js" data-key="pk_…" defer>`. */
export const bridgeScript = browserScript({
  built: new URL('./site-bridge.js', import.meta.url),
  source: new URL('./page/bridge.ts', import.meta.url),
})
