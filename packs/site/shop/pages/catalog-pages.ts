import { z } from 'zod'
import { findNextSlot } from '../booking/slots.ts'
import { CATEGORIES, findCategory, findProduct, PRODUCTS } from '../catalog/catalog.ts'
import { describeProduct, type ProductView, summarizeProduct } from '../catalog/describe.ts'
import { filterProducts } from '../catalog/filter.ts'
import type { Product } from '../catalog/product.ts'
import { JOURNAL } from '../content/journal.ts'
import { notFound } from '../refusal.ts'
import { type Html, html } from '../web/html.ts'
import type { Visit } from '../web/route.ts'
import { formSecrets, renderPage } from './layout.ts'
import {
  breadcrumbData,
  breadcrumbs,
  formatDate,
  formatDay,
  formatMoney,
  formatTime,
  productGrid,
} from './parts.ts'

const Filter = z.object({
  colour: z.string().max(32).catch(''),
  max: z.coerce.number().int().min(1).max(99_999).optional().catch(undefined),
  sort: z.enum(['featured', 'price', '-price', 'name']).catch('featured'),
})
type Filter = z.output<typeof Filter>

export function shopPage(visit: Visit): Response {
  const { shop, url, params } = visit
  const { slug } = params
  const category = slug === undefined ? undefined : findCategory(slug)
  if (slug !== undefined && category === undefined) throw notFound('This category')
  const filter = Filter.parse(Object.fromEntries(url.searchParams))
  const products = filterProducts(shop, {
    category: slug,
    colour: filter.colour === '' ? undefined : filter.colour,
    maxPrice: filter.max === undefined ? undefined : filter.max * 100,
    sort: filter.sort,
  })
  const name = category?.name ?? 'Everything'
  const description = category?.description ?? 'All that is in the shop, from both floors.'
  const steps = [
    ['/', 'Home'],
    [url.pathname, name],
  ] as const
  const main = html`<div class="wrap">${breadcrumbs(steps)}
<header class="page-head"><h1>${name}</h1><p class="lead">${description}</p></header>
${filterForm(url.pathname, filter, slug)}
<p class="count" role="status">${products.length === 1 ? '1 product' : `${products.length} products`}</p>
${products.length === 0 ? html`<p>Nothing fits. <a href="${url.pathname}" data-action="filter.clear">Show all of it</a>.</p>` : productGrid(products.map((product) => summarizeProduct(shop, product)))}
</div>`
  return renderPage(visit, {
    title: name,
    description,
    main,
    jsonLd: [breadcrumbData(shop.origin, steps), listData(shop.origin, name, products)],
  })
}

function filterForm(path: string, filter: Filter, category: string | undefined): Html {
  const own = PRODUCTS.filter((product) => category === undefined || product.category === category)
  const colours = [...new Set(own.flatMap((product) => product.colours))].sort()
  const option = (value: string, label: string, chosen: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`
  return html`<form class="filter" action="${path}" method="get" data-action="filter.form" aria-label="Filter">
  <div><label for="colour">Colour</label><select id="colour" name="colour" data-action="filter.colour">${option('', 'Any', filter.colour)}${colours.map((colour) => option(colour, colour, filter.colour))}</select></div>
  <div><label for="max">Price up to, euros</label><input id="max" name="max" type="number" min="1" max="99999" inputmode="numeric" value="${filter.max ?? ''}" data-action="filter.maxPrice"></div>
  <div><label for="sort">Sort by</label><select id="sort" name="sort" data-action="filter.sort">${option('featured', 'Our choice', filter.sort)}${option('price', 'Price, low first', filter.sort)}${option('-price', 'Price, high first', filter.sort)}${option('name', 'Name', filter.sort)}</select></div>
  <button class="quiet" type="submit" data-action="filter.apply">Apply</button>
</form>`
}

function listData(origin: string, name: string, products: readonly Product[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    itemListElement: products.map(({ id }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: `${origin}/products/${id}`,
    })),
  }
}

export function productPage(visit: Visit): Response {
  const { shop, params } = visit
  const product = findProduct(params.id ?? '')
  if (product === undefined) throw notFound('This product')
  const view = describeProduct(shop, product)
  const category = CATEGORIES.find(({ slug }) => slug === product.category)
  const steps = [
    ['/', 'Home'],
    [`/shop/${product.category}`, category?.name ?? ''],
    [`/products/${product.id}`, product.name],
  ] as const
  const related = PRODUCTS.filter(
    (other) => other.category === product.category && other.id !== product.id,
  ).slice(0, 4)
  const main = html`<div class="wrap">${breadcrumbs(steps)}
<article class="product">
  <img class="product-picture" src="/images/${product.id}.svg" alt="Drawing: ${product.name}" width="600" height="720">
  <div class="product-text"><p class="eyebrow">${category?.name}</p><h1>${view.name}</h1>
    <p class="lead">${view.summary}</p>${buyForm(visit, view, product)}
    <p>${product.description.slice(product.summary.length + 1)}</p>
    <ul class="ticks">${view.details.map((detail) => html`<li>${detail}</li>`)}</ul></div>
</article>
<section aria-labelledby="related"><div class="section-head"><h2 id="related">Beside it on the shelf</h2></div>${productGrid(
    related.map((other) => summarizeProduct(shop, other)),
    3,
  )}</section></div>`
  return renderPage(visit, {
    title: view.name,
    description: view.summary,
    main,
    jsonLd: [productData(view), breadcrumbData(shop.origin, steps)],
  })
}

function buyForm(visit: Visit, view: ProductView, product: Product): Html {
  const first = view.variants.find(({ inStock }) => inStock)
  const label = Object.keys(product.variants[0]?.attributes ?? {})[0] ?? 'Variant'
  const variants = view.variants.map(
    ({ variantId, name, price, inStock, available }) =>
      html`<label class="choice"><input type="radio" name="variantId" value="${variantId}" required data-action="product.chooseVariant" data-price="${formatMoney(price)}"${variantId === first?.variantId && html` checked`}${!inStock && html` disabled`}><span><b>${name}</b><span>${inStock ? formatMoney(price) : 'Sold out'}</span>${inStock && available < 10 && html`<small>${available} left</small>`}</span></label>`,
  )
  if (first === undefined)
    return html`<p class="price big">Sold out</p><p>Write to us, and we tell you when it is back.</p>`
  return html`<form class="buy" action="/cart/lines" method="post" data-action="product.form" data-enhance="cart">
  ${formSecrets(visit)}<input type="hidden" name="productId" value="${view.productId}">
  <p class="price big" id="price" aria-live="polite">${formatMoney(first.price)}</p>
  <fieldset><legend>${label}</legend><div class="choices">${variants}</div></fieldset>
  <div class="buy-row"><div><label for="quantity">Quantity</label><input id="quantity" name="quantity" type="number" min="1" max="999" value="1" required inputmode="numeric" data-action="product.quantity"></div>
  <div class="grow"><label for="notes">Notes <span class="small">(a card text, measures)</span></label><input id="notes" name="notes" maxlength="400" data-action="product.notes" autocomplete="off"></div></div>
  <button class="wide" type="submit" data-action="product.addToCart">Add to the cart</button>
</form>`
}

function productData(view: ProductView): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    productID: view.productId,
    name: view.name,
    description: view.description,
    image: view.image,
    url: view.url,
    color: view.colours.join(', '),
    offers: view.variants.map(({ variantId, sku, name, price, inStock }) => ({
      '@type': 'Offer',
      identifier: variantId,
      sku,
      name,
      price: (price.amount / 100).toFixed(2),
      priceCurrency: price.currency,
      availability: `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`,
      url: view.url,
    })),
  }
}

export function homePage(visit: Visit): Response {
  const { shop } = visit
  const featured = PRODUCTS.filter(({ isFeatured }) => isFeatured)
    .slice(0, 8)
    .map((product) => summarizeProduct(shop, product))
  const main = html`${hero()}
<section class="wrap" aria-labelledby="featured"><div class="section-head"><h2 id="featured">This week in the window</h2><a href="/shop" data-action="nav.open">Everything in the shop</a></div>
${productGrid(featured, 3)}</section>
${categories()}
${fittings(visit)}
${journal()}`
  return renderPage(visit, {
    title: 'Thorn & Thimble',
    description:
      'Roses and bouquets from the ground floor, shirts and suits from upstairs. A small florist and tailor.',
    main,
    jsonLd: [storeData(shop.origin)],
  })
}

function hero(): Html {
  return html`<section class="hero" aria-labelledby="hero-title">
  <div class="hero-text"><p class="eyebrow">Lindengasse 7, Vienna</p>
    <h1 id="hero-title">Cut flowers <i>below</i>, cut cloth <i>above</i>.</h1>
    <p class="lead">Two sisters, one narrow building. Rosa ties bouquets on the ground floor, Iris cuts jackets upstairs, and the staircase smells of both.</p>
    <p class="buttons"><a class="button" href="/shop/roses" data-action="nav.open">Choose roses</a> <a class="button quiet" href="/appointments/fitting" data-action="nav.open">Book a fitting</a></p></div>
  <div class="hero-pictures" aria-hidden="true"><img class="hero-one" src="/images/red-roses.svg" alt="" width="600" height="720"><img class="hero-two" src="/images/navy-suit-jacket.svg" alt="" width="600" height="720"><img class="hero-three" src="/images/blush-garden-roses.svg" alt="" width="600" height="720"></div>
</section>`
}

function categories(): Html {
  return html`<section class="wrap" aria-labelledby="rooms"><h2 id="rooms" class="hidden">Categories</h2><ul class="rooms">
${CATEGORIES.map(
  ({ slug, name, description }) =>
    html`<li><a href="/shop/${slug}" data-action="nav.open"><span class="rooms-name">${name}</span><span class="rooms-what">${description}</span></a></li>`,
)}</ul></section>`
}

function fittings({ shop }: Visit): Html {
  const next = findNextSlot(shop, 'fitting')
  return html`<section class="band" aria-labelledby="fitting"><div class="band-inner">
  <img src="/images/check-waistcoat.svg" alt="" width="600" height="720" loading="lazy">
  <div><p class="eyebrow">Upstairs</p><h2 id="fitting">A fitting takes forty-five minutes and lasts for years.</h2>
  <p>On Tuesdays, Thursdays and Friday afternoons. Bring the shoes that you will wear.</p>
  ${next !== undefined && html`<p class="next">Next: <time datetime="${new Date(next.startMs).toISOString()}">${formatDay(next.startMs)}, ${formatTime(next.startMs)}</time></p>`}
  <p><a class="button" href="/appointments/fitting" data-action="nav.open">See all times</a></p></div></div></section>`
}

function journal(): Html {
  const newest = JOURNAL.slice(0, 3)
  return html`<section class="wrap" aria-labelledby="journal"><div class="section-head"><h2 id="journal">From the journal</h2><a href="/journal" data-action="nav.open">All articles</a></div>
<ul class="stories">${newest.map(
    ({ slug, title, summary, published, picture }) =>
      html`<li><img src="/images/${findProduct(picture)?.id ?? 'red-roses'}.svg" alt="" width="600" height="720" loading="lazy"><div><p class="small"><time datetime="${published}">${formatDate(published)}</time></p><h3><a href="/journal/${slug}" data-action="article.open">${title}</a></h3><p>${summary}</p></div></li>`,
  )}</ul></section>`
}

function storeData(origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': ['Florist', 'Store'],
    name: 'Thorn & Thimble',
    url: origin,
    image: `${origin}/images/red-roses.svg`,
    priceRange: '€€',
    address: {
      '@type': 'PostalAddress',
      streetAddress: 'Lindengasse 7',
      postalCode: '1070',
      addressLocality: 'Vienna',
      addressCountry: 'AT',
    },
    openingHoursSpecification: {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
      opens: '10:00',
      closes: '18:00',
    },
    potentialAction: {
      '@type': 'SearchAction',
      target: `${origin}/search?q={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  }
}
