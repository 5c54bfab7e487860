import { readFile } from 'node:fs/promises'
import { bridgeScript, browserScript, frameScript, webMcpScript } from '@surehand/bridge'
import type { PackRoute } from '@surehand/core/host'
import { findSiteOfKey } from '../session/site-data.ts'

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
  fileRoute('/site/frame.js', 'text/javascript', frameScript),
  fileRoute('/site/web-mcp.js', 'text/javascript', webMcpScript),
]

type WidgetPage = {
  readonly key: string
  readonly name: string
  readonly origins: readonly string[]
  readonly locales: readonly string[]
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const ICONS = {
  talk: '<path d="M4 5.5A2.5 2.5 0 0 1 6.5 3h11A2.5 2.5 0 0 1 20 5.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.6 4.2c-.5.4-1.2.1-1.2-.5V15A2.5 2.5 0 0 1 4 12.5z"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  microphone:
    '<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5 11a7 7 0 0 0 14 0M12 18v3"/>',
  send: '<path d="M5 12h14m-6-6 6 6-6 6"/>',
}

const icon = (name: keyof typeof ICONS): string =>
  `<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">${ICONS[name]}</svg>`

/** The page in the frame. Its texts are set by the script, in the visitor's language. */
function widgetPage({ key, name, origins, locales }: WidgetPage): string {
  const data = { key, origins: origins.join(' '), locales: locales.join(' ') }
  const attributes = Object.entries(data)
    .map(([attribute, value]) => `data-${attribute}="${escapeHtml(value)}"`)
    .join(' ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<link rel="stylesheet" href="/site/widget.css">
<script src="/site/widget.js" defer ${attributes}></script>
</head>
<body class="closed">
<main>
<h1 class="hidden-label">${escapeHtml(name)}</h1>
<button id="launcher" type="button" aria-expanded="false" aria-controls="panel">${icon('talk')}</button>
<section id="panel" aria-labelledby="title" hidden>
  <header>
    <div><h2 id="title">${escapeHtml(name)}</h2><p id="state" role="status"></p></div>
    <button id="close" type="button">${icon('close')}</button>
  </header>
  <div id="log" role="log" tabindex="0"></div>
  <section id="approval" aria-labelledby="approval-title" tabindex="-1" hidden>
    <div id="approval-text" tabindex="0">
      <h3 id="approval-title"></h3>
      <p id="approval-changed" hidden></p>
      <dl id="approval-facts"></dl>
    </div>
    <p id="approval-hint"></p>
    <div class="buttons">
      <button id="deny" type="button"></button>
      <button id="approve" type="button"></button>
    </div>
  </section>
  <section id="consent" aria-labelledby="consent-text" hidden>
    <p id="consent-text"></p>
    <div class="buttons">
      <button id="consent-no" type="button"></button>
      <button id="consent-yes" type="button"></button>
    </div>
  </section>
  <p id="caption" aria-hidden="true"></p>
  <form id="ask" autocomplete="off">
    <label for="text" class="hidden-label"></label>
    <input id="text" maxlength="1000" enterkeyhint="send">
    <button id="microphone" type="button" aria-pressed="false" hidden>${icon('microphone')}</button>
    <button id="send" type="submit">${icon('send')}</button>
  </form>
</section>
</main>
</body>
</html>`
}
