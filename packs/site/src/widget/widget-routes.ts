import { readFile } from 'node:fs/promises'
import { bridgeScript, browserScript, webMcpScript } from '@surehand/bridge'
import type { PackRoute } from '@surehand/core/host'
import { findSiteOfKey } from '../session/site-data.ts'
import { widgetPage } from './widget-page.ts'

const widgetScript = browserScript({
  built: new URL('./site-widget.js', import.meta.url),
  source: new URL('./browser/widget.ts', import.meta.url),
})

// Sites include the script by its name alone, so browsers must ask for it again now and then.
const CACHE = 'public, max-age=300'

const pageRoute: PackRoute = {
  method: 'GET',
  path: '/site/widget',
  auth: 'none',
  async handle({ request, services }) {
    const key = new URL(request.url).searchParams.get('key') ?? ''
    const site = await findSiteOfKey(services.query, key)
    if (site === undefined)
      return new Response('This publishable key is not valid.', {
        status: 404,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      })
    const { name, origins, locales } = site.contract
    return new Response(widgetPage({ key, name, origins, locales }), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          // The browser itself refuses to show the widget in a page of anyone else.
          `frame-ancestors ${origins.join(' ')}`,
        ].join('; '),
        'cross-origin-resource-policy': 'cross-origin',
        'permissions-policy': 'microphone=(self)',
      },
    })
  },
}

/** A file that pages of every site may load. */
const fileRoute = (path: string, type: string, read: () => Promise<string>): PackRoute => ({
  method: 'GET',
  path,
  auth: 'none',
  handle: async () =>
    new Response(await read(), {
      headers: {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': CACHE,
        'cross-origin-resource-policy': 'cross-origin',
      },
    }),
})

/** The files of the widget and of the bridge. */
export const WIDGET_ROUTES: readonly PackRoute[] = [
  pageRoute,
  fileRoute('/site/widget.js', 'text/javascript', widgetScript),
  fileRoute('/site/widget.css', 'text/css', () =>
    readFile(new URL('./site-widget.css', import.meta.url), 'utf8'),
  ),
  fileRoute('/site/bridge.js', 'text/javascript', bridgeScript),
  fileRoute('/site/web-mcp.js', 'text/javascript', webMcpScript),
]
