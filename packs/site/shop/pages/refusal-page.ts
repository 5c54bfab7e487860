import type { Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'
import { html } from '../web/html.ts'

/** The page for what cannot be done. It is small: the request may not even have a visitor. */
export function refusalPage({ origin }: Shop, { status, title, message }: Refusal): Response {
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Thorn &amp; Thimble</title><meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/shop.css"></head>
<body class="refusal"><main id="main"><p class="eyebrow">${status}</p><h1>${title}</h1><p class="lead">${message}</p>
<p><a class="button" href="${origin}/" data-action="nav.home">To the front page</a> <a class="button quiet" href="/cart" data-action="cart.open">To the cart</a></p></main></body></html>
`
  return new Response(markup, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}
