import { findNextSlot } from '../booking/slots.ts'
import { CATEGORIES, findProduct, PRODUCTS } from '../catalog/catalog.ts'
import { summarizeProduct } from '../catalog/describe.ts'
import { JOURNAL } from '../content/journal.ts'
import { type Html, html } from '../web/html.ts'
import type { Visit } from '../web/route.ts'
import { renderPage } from './layout.ts'
import { formatDate, formatDay, formatTime, productGrid } from './parts.ts'

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
