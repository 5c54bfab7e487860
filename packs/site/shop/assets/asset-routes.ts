import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findProduct } from '../catalog/catalog.ts'
import { draw } from '../pictures/draw.ts'
import { notFound } from '../refusal.ts'
import { text } from '../web/respond.ts'
import type { Route } from '../web/route.ts'

const DAY_SECONDS = 24 * 60 * 60
const require = createRequire(import.meta.url)

function serveFile(path: string, file: string, contentType: string): Route {
  // The bundle has these files beside it.
  const bytes = readFileSync(new URL(file, import.meta.url), 'utf8')
  return { method: 'GET', path, handle: () => text(bytes, contentType) }
}

function serveFont(path: string, file: string): Route {
  const bytes = readFileSync(require.resolve(`@fontsource-variable/${file}`))
  return {
    method: 'GET',
    path,
    handle: () =>
      new Response(bytes, {
        headers: {
          'content-type': 'font/woff2',
          'cache-control': `public, max-age=${30 * DAY_SECONDS}, immutable`,
        },
      }),
  }
}

export const ASSET_ROUTES: readonly Route[] = [
  serveFile('/assets/shop.css', './shop.css', 'text/css'),
  serveFile('/assets/shop.js', './shop.js', 'text/javascript'),
  serveFont('/assets/fraunces.woff2', 'fraunces/files/fraunces-latin-standard-normal.woff2'),
  serveFont('/assets/fraunces-italic.woff2', 'fraunces/files/fraunces-latin-standard-italic.woff2'),
  serveFont('/assets/noto-sans.woff2', 'noto-sans/files/noto-sans-latin-wght-normal.woff2'),
  {
    method: 'GET',
    path: '/images/:name.svg',
    handle({ params }) {
      const product = findProduct(params.name ?? '')
      if (product === undefined) throw notFound('This picture')
      return text(draw(product.picture, product.name), 'image/svg+xml', DAY_SECONDS)
    },
  },
  {
    method: 'GET',
    path: '/favicon.svg',
    handle: () => text(FAVICON, 'image/svg+xml', DAY_SECONDS),
  },
]

const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#7c2233"/><g fill="none" stroke="#f8efe6" stroke-width="3.4" stroke-linecap="round"><path d="M32 50V30"/><path d="M32 42c-8 0-12-4-13-10 7 0 12 3 13 10Z"/><circle cx="32" cy="21" r="9"/><path d="M32 21c3-2 5 1 3 4s-8 2-8-3 6-8 11-5"/></g></svg>`
