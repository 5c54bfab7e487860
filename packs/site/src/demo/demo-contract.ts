import { ACTIONS_FILE } from '../../shop/discovery/actions.ts'
import { SiteContract } from '../contract/site-contract.ts'

const EUR = 'EUR'
/** 500.00: more than one visitor of a demo needs, and less than a made-to-measure jacket. */
const SPEND_LIMIT = 50_000

/** The reviewed contract of the demo shop, as `surehand site inspect` would write it. */
export function demoContract(shopUrl: string): SiteContract {
  return SiteContract.parse({
    version: 1,
    name: 'Thorn & Thimble',
    origins: [shopUrl],
    locales: ['en', 'de'],
    jsonLd: ['Florist', 'Store', 'Product', 'ItemList', 'BreadcrumbList', 'Service', 'BlogPosting'],
    landmarks: [
      { role: 'banner', selector: 'header.top' },
      { role: 'navigation', name: 'Shop', selector: 'nav.menu' },
      { role: 'search', selector: 'search' },
      { role: 'main', selector: 'main' },
      { role: 'contentinfo', selector: 'footer.foot' },
    ],
    actions: ACTIONS_FILE.actions,
    sitemap: `${shopUrl}/sitemap.xml`,
    robots: `${shopUrl}/robots.txt`,
    openapi: `${shopUrl}/openapi.json`,
    graphql: `${shopUrl}/graphql`,
    search: `${shopUrl}/api/search?q={query}`,
    speculationRules: true,
    likelyPaths: ['/shop/roses', '/shop/bouquets', '/appointments'],
    // Starting a checkout reserves nothing; the order does.
    commerce: { adapter: 'shop', url: shopUrl, checkoutTakesPayment: false },
    booking: { adapter: 'shop', url: shopUrl },
    forms: [
      { selector: 'form[data-action="search.form"]', confirm: false },
      { selector: 'form[data-action="filter.form"]', confirm: false },
      { selector: 'form[data-action="product.form"]', confirm: false },
      { selector: 'form[data-action="contact.form"]', confirm: true, path: '/contact' },
      { selector: 'form[data-action="newsletter.form"]', confirm: true },
    ],
    spendLimit: { amount: SPEND_LIMIT, currency: EUR },
    handoff: `${shopUrl}/contact`,
  })
}
