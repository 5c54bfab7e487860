import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bridgeScript, buildScript, frameScript, webMcpScript } from '../src/browser-script.ts'

/** A request that a form or a page sent to the site. */
export type Received = {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: string
}

export type Origin = {
  readonly origin: string
  /** By path; a function sees the request. */
  readonly pages: Map<
    string,
    string | ((request: IncomingMessage, response: ServerResponse) => void)
  >
  readonly received: Received[]
  readonly close: () => Promise<void>
}

/** A web server of its own origin. Its pages may load scripts and frames from `friends` alone. */
export async function openOrigin(friends: () => readonly string[] = () => []): Promise<Origin> {
  const pages: Origin['pages'] = new Map()
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const path = request.url ?? '/'
    received.push({
      method: request.method ?? '',
      path,
      type: String(request.headers['content-type'] ?? ''),
      body,
    })
    const page = pages.get(path) ?? pages.get(path.replace(/\?.*/, ''))
    if (typeof page === 'function') return page(request, response)
    const others = friends().join(' ')
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'self'; script-src 'self' 'nonce-page' 'inline-speculation-rules' ${others}; frame-src 'self' ${others}; style-src 'self'`,
    })
    response.end(page ?? '<!doctype html><title>Not found</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export type TestPages = {
  readonly site: Origin
  readonly widget: Origin
  readonly evil: Origin
  /** The script tag of a site's page. */
  readonly tag: string
  readonly close: () => Promise<void>
}

/** A site with the bridge, the widget's origin, and somebody else's. */
export async function openPages(): Promise<TestPages> {
  const widget = await openOrigin()
  // The site shows an advertisement of somebody else, so its policy alone does not protect it.
  const site: Origin = await openOrigin(() => [widget.origin, evil.origin])
  const evil: Origin = await openOrigin(() => [widget.origin, site.origin])
  const [bridge, frame, webMcp, testWidget] = await Promise.all([
    bridgeScript(),
    frameScript(),
    webMcpScript(),
    buildScript(new URL('./test-widget.ts', import.meta.url)),
  ])
  const script = (text: string) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(text)
  }
  widget.pages.set('/site/bridge.js', script(bridge))
  widget.pages.set('/site/frame.js', script(frame))
  widget.pages.set('/site/web-mcp.js', script(webMcp))
  widget.pages.set('/site/test-widget.js', script(testWidget))
  widget.pages.set(
    '/site/widget',
    `<!doctype html><title>widget</title><script defer src="/site/test-widget.js" data-origins="${site.origin}"></script>`.replace(
      'defer ',
      '',
    ),
  )
  return {
    site,
    widget,
    evil,
    tag: `<script src="${widget.origin}/site/bridge.js" data-key="pk_test" defer></script>`,
    close: async () => {
      await Promise.all([site.close(), widget.close(), evil.close()])
    },
  }
}
