import { timeOf } from '@surehand/dates'
import type { ProductSummary } from '../catalog/describe.ts'
import { type Money, TIME_ZONE } from '../shop.ts'
import { type Html, html } from '../web/html.ts'

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const
const WEEKDAYS = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  ...DATE,
  timeZone: TIME_ZONE,
})
const DATES = new Intl.DateTimeFormat('en-GB', { ...DATE, timeZone: 'UTC' })
const EUROS = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })

export function formatMoney({ amount }: Money): string {
  return EUROS.format(amount / 100)
}

/** Thursday 19 November 2026 */
export function formatDay(atMs: number): string {
  return WEEKDAYS.format(atMs)
}

export function formatTime(atMs: number): string {
  return timeOf(atMs, TIME_ZONE)
}

export function formatDate(day: string): string {
  return DATES.format(Date.parse(day))
}

export function productCard(product: ProductSummary, level: 2 | 3 = 2): Html {
  const { productId, name, summary, priceFrom, inStock } = product
  const title = html`<a href="/products/${productId}" data-action="product.open">${name}</a>`
  return html`<li class="card">
  <img class="card-picture" src="/images/${productId}.svg" alt="" width="600" height="720" loading="lazy" decoding="async">
  <div class="card-text">${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
  <p class="card-summary">${summary}</p>
  <p class="price">${inStock ? html`from ${formatMoney(priceFrom)}` : 'Sold out'}</p></div>
</li>`
}

export function productGrid(products: readonly ProductSummary[], level: 2 | 3 = 2): Html {
  return html`<ul class="grid">${products.map((product) => productCard(product, level))}</ul>`
}

export function breadcrumbs(steps: readonly (readonly [path: string, name: string])[]): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
  ${steps.map(([path, name], index) =>
    index === steps.length - 1
      ? html`<li><span aria-current="page">${name}</span></li>`
      : html`<li><a href="${path}" data-action="nav.open">${name}</a></li>`,
  )}</ol></nav>`
}

export function breadcrumbData(
  origin: string,
  steps: readonly (readonly [path: string, name: string])[],
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([path, name], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  }
}

/** What went wrong with a form, above it. */
export function alert(message: string | undefined): Html | undefined {
  return message === undefined
    ? undefined
    : html`<p class="alert" role="alert" tabindex="-1">${message}</p>`
}
