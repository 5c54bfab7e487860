import { CATEGORIES } from '../catalog/catalog.ts'
import { readCart } from '../selling/carts.ts'
import type { Shop } from '../shop.ts'
import { type Html, html, scriptJson } from '../web/html.ts'
import type { Visit } from '../web/route.ts'
import { csrfToken } from '../web/visitor.ts'

export type Page = {
  readonly title: string
  readonly description: string
  readonly main: Html
  readonly language?: string
  /** Objects of schema.org. */
  readonly jsonLd?: readonly object[]
  /** Payment and personal pages are kept out of search engines. */
  readonly isPrivate?: true
  readonly status?: number
}

const NAME = 'Thorn & Thimble'

/** A whole page, with header, navigation and footer. */
export function renderPage(visit: Visit, page: Page): Response {
  const { shop, url } = visit
  const count = cartCount(visit)
  const { markup } = html`<!doctype html>
<html lang="${page.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title === NAME ? `${NAME} · Florist and tailor` : `${page.title} · ${NAME}`}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbf7f0" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#1a1615" media="(prefers-color-scheme: dark)">
${page.isPrivate && html`<meta name="robots" content="noindex">`}
<link rel="canonical" href="${shop.origin}${url.pathname}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="/assets/fraunces.woff2" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="/assets/noto-sans.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/assets/shop.css">
<link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="${NAME}">
<script src="/assets/shop.js" defer></script>
<script type="speculationrules">${scriptJson(speculationRules())}</script>
${(page.jsonLd ?? []).map((data) => html`<script type="application/ld+json">${scriptJson(data)}</script>`)}
${embedScript(shop)}
</head>
<body>
<a class="skip" href="#main" data-action="nav.skip">Skip to the content</a>
${header(url, count)}
<main id="main" tabindex="-1">${page.main}</main>
${footer(visit)}
<div class="toast" role="status" aria-live="polite" id="toast"></div>
</body>
</html>
`
  return new Response(markup, {
    status: page.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

function embedScript({ settings }: Shop): Html | undefined {
  if (settings.embed === undefined) return undefined
  const { script, data } = settings.embed
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  return html`<script src="${script}" defer${attributes}></script>`
}

/** How many pieces the browser's cart has. */
export function cartCount({ shop, visitor }: Visit): number {
  if (visitor.cartId === undefined) return 0
  const row = shop.store.one('select state from carts where cart_id = ?', visitor.cartId)
  if (row?.state !== 'open') return 0
  return readCart(shop, visitor.cartId).lines.reduce((sum, { quantity }) => sum + quantity, 0)
}

function navLink(path: string, name: string, url: URL): Html {
  const isHere = url.pathname === path
  return html`<li><a href="${path}" data-action="nav.open"${isHere && html` aria-current="page"`}>${name}</a></li>`
}

function header(url: URL, count: number): Html {
  const links = html`${CATEGORIES.map(({ slug, name }) => navLink(`/shop/${slug}`, name, url))}
    ${navLink('/appointments', 'Appointments', url)}
    ${navLink('/journal', 'Journal', url)}`
  const pieces = count === 1 ? '1 piece' : `${count} pieces`
  return html`<header class="top">
  <p class="notice">A demo shop: nothing is delivered, no money is taken.</p>
  <div class="bar">
    <a class="brand" href="/" data-action="nav.home"><span class="brand-name">Thorn <i>&amp;</i> Thimble</span><span class="brand-what">Florist and tailor</span></a>
    <search class="find"><form action="/search" method="get" data-action="search.form">
      <label class="hidden" for="site-search">Search the shop</label>
      <input id="site-search" name="q" type="search" placeholder="Red roses under 40" maxlength="1000" data-action="search.query" autocomplete="off">
      <button type="submit" data-action="search.submit"><span class="hidden">Search</span>${ICONS.search}</button>
    </form></search>
    <a class="bag" href="/cart" data-action="cart.open" aria-label="Cart, ${pieces}">${ICONS.bag}<span class="bag-count" id="cart-count" aria-hidden="true">${count}</span></a>
  </div>
  <nav class="menu" aria-label="Shop"><ul>${links}</ul></nav>
</header>`
}

function footer(visit: Visit): Html {
  return html`<footer class="foot">
  <div class="foot-grid">
    <section aria-labelledby="foot-visit"><h2 id="foot-visit">Visit</h2>
      <p>Lindengasse 7<br>1070 Vienna</p><p>Tuesday to Saturday<br>10 to 18 o’clock</p></section>
    <nav aria-label="Help"><h2>Help</h2><ul>
      <li><a href="/help/delivery" data-action="nav.open">Collection and delivery</a></li>
      <li><a href="/help/returns" data-action="nav.open">Returns</a></li>
      <li><a href="/help/appointments" data-action="nav.open">Appointments</a></li>
      <li><a href="/help/sizes" data-action="nav.open">Sizes</a></li>
      <li><a href="/help/payment" data-action="nav.open">Payment and coupons</a></li>
      <li><a href="/help/api" data-action="nav.open">For programs and agents</a></li>
      <li><a href="/contact" data-action="nav.open">Write to us</a></li></ul></nav>
    <section aria-labelledby="foot-letter"><h2 id="foot-letter">A letter a month</h2>
      <p>What is in season, and which evening in the workshop is free.</p>
      <form class="letter" action="/newsletter" method="post" data-action="newsletter.form">
        ${formSecrets(visit)}
        <label for="letter-email">E-mail address</label>
        <div class="joined"><input id="letter-email" name="email" type="email" required maxlength="254" autocomplete="email" data-action="newsletter.email">
        <button class="quiet" type="submit" data-action="newsletter.subscribe">Subscribe</button></div>
      </form></section>
  </div>
  <p class="small">Drawn, written and run as a demonstration. The people and the address are invented.</p>
</footer>`
}

/** The hidden fields of every form that changes something. */
export function formSecrets({ shop, visitor }: Visit): Html {
  return html`<input type="hidden" name="_csrf" value="${csrfToken(shop, visitor)}"><input type="hidden" name="_key" value="${shop.newId('key')}">`
}

const ICONS = {
  search: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/></svg>`,
  bag: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M5 8h14l1 12.5H4L5 8Z"/><path d="M8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5"/></svg>`,
}

/**
 * What the browser may load before it is needed: pages that only show something. Pages of the cart,
 * of payments and of holds are never loaded beforehand.
 */
function speculationRules(): object {
  const safe = [
    '/',
    '/shop',
    '/shop/*',
    '/products/*',
    '/appointments',
    '/journal',
    '/journal/*',
    '/help',
    '/help/*',
  ]
  return {
    prefetch: [{ where: { href_matches: safe }, eagerness: 'moderate' }],
    prerender: [{ where: { href_matches: ['/products/*', '/shop/*'] }, eagerness: 'conservative' }],
  }
}
