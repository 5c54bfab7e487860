import { findProduct } from '../catalog/catalog.ts'
import { summarizeProduct } from '../catalog/describe.ts'
import { search } from '../content/search.ts'
import { html } from '../web/html.ts'
import type { Visit } from '../web/route.ts'
import { renderPage } from './layout.ts'
import { productGrid } from './parts.ts'

export function searchPage(visit: Visit): Response {
  const { shop, url } = visit
  const query = (url.searchParams.get('q') ?? '').slice(0, 1000)
  const hits = query.trim() === '' ? [] : search(shop, query)
  const products = hits.flatMap(({ productId }) => {
    const product = productId === undefined ? undefined : findProduct(productId)
    return product === undefined ? [] : [summarizeProduct(shop, product)]
  })
  const pages = hits.filter(({ kind }) => kind !== 'catalog')
  const count = hits.length === 1 ? '1 result' : `${hits.length} results`
  const main = html`<div class="wrap"><header class="page-head"><h1>${query.trim() === '' ? 'Search' : html`“${query}”`}</h1><p class="lead" role="status">${count}</p></header>
${hits.length === 0 && html`<p>Try a colour, a flower, or a price: <a href="/search?q=red+roses+under+40" data-action="search.example">red roses under 40</a>.</p>`}
${products.length > 0 && productGrid(products)}
${pages.length > 0 && html`<section aria-labelledby="pages"><h2 id="pages">To read</h2><ul class="results">${pages.map(({ title, snippet, url: to }) => html`<li><a href="${new URL(to).pathname}" data-action="article.open">${title}</a><p>${snippet}</p></li>`)}</ul></section>`}</div>`
  return renderPage(visit, {
    title: query === '' ? 'Search' : `Search: ${query.slice(0, 60)}`,
    description: 'Search the shop.',
    main,
    isPrivate: true,
  })
}
