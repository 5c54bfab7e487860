import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import type { HttpEnv } from '../../http-env.ts'
import { SAFE_HEADERS } from '../../reply.ts'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5d2a"/><path d="M8 17l5.5 5.5L24 11" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`

// Browsers keep these for an hour: they change only with the version of the server.
const CACHE = { ...SAFE_HEADERS, 'cache-control': 'public, max-age=3600' }

/** The icon and the script of the pages. */
export function addAssetRoutes(app: Hono<HttpEnv>): void {
  const scripts = new Map<string, string>()
  for (const path of ['/favicon.svg', '/favicon.ico'])
    app.get(
      path,
      () => new Response(ICON, { headers: { ...CACHE, 'content-type': 'image/svg+xml' } }),
    )
  for (const name of ['pages.js', 'push-worker.js'])
    app.get(`/${name}`, () => {
      const text = scripts.get(name) ?? readFileSync(new URL(name, import.meta.url), 'utf8')
      scripts.set(name, text)
      return new Response(text, {
        headers: { ...CACHE, 'content-type': 'text/javascript; charset=utf-8' },
      })
    })
}
