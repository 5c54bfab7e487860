import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackDemo, PackServices } from '@surehand/core/host'
import { ACTIONS_FILE } from '../../shop/discovery/actions.ts'
import { type LaunchedShop, type LaunchOptions, launchShop } from '../../shop/launch-shop.ts'
import { SiteContract } from '../contract/site-contract.ts'

/**
 * The demo of the site pack: a florist and tailor in a process of its own, connected as the site of
 * the tenant, with the widget on its pages.
 */
export const startSiteDemo: PackDemo = async ({ folder, publicUrl }) => {
  const shop = await launchOnSamePort({ folder, returnOrigins: [new URL(publicUrl).origin] })
  return {
    environment: { SITE_SHOP_URL: shop.url },
    seed: (services) => connectShop(services, shop),
    links: [{ title: 'Thorn & Thimble, the demo shop', url: shop.url }],
    stop: shop.stop,
  }
}

// The address is part of the contract, and of carts that are open in a browser.
async function launchOnSamePort(options: LaunchOptions): Promise<LaunchedShop> {
  const file = join(options.folder, 'port.txt')
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  const shop = await launchShop({ ...options, port }).catch(() => launchShop(options))
  writeFileSync(file, String(shop.port))
  return shop
}

/** Stores the contract of the shop, puts the script on its pages and reads them into the index. */
async function connectShop(services: PackServices, shop: LaunchedShop): Promise<void> {
  const contract = demoContract(shop.url)
  const version = createHash('sha256').update(JSON.stringify(contract)).digest('hex')
  await callTool(services, 'site.connect', { contract }, `demo/contract/${version}`)
  const created = await callTool(
    services,
    'site.create_key',
    { name: 'Demo shop' },
    'demo/publishable-key',
  )
  const { key } = created as { readonly key: string }
  shop.embed({ script: `${services.publicUrl}/site/bridge.js`, data: { key } })
  // Not awaited: the server should be ready before eighty pages are read. Where it fails, the hourly
  // schedule reads them; the failure is in the log, as that of every call.
  callTool(services, 'site.refresh_index', {}, `demo/index/${services.now()}`).catch(() => {})
}

async function callTool(
  services: PackServices,
  tool: string,
  input: object,
  idempotencyKey: string,
): Promise<unknown> {
  const caller = services.systemCaller(services.home)
  const outcome = await services.call({ tool, input, caller, surface: 'demo', idempotencyKey })
  if (outcome.status === 'done') return outcome.data
  throw new Error(`The demo shop was not connected: ${tool} was answered "${outcome.status}".`, {
    cause: outcome.status === 'failed' ? outcome.error : undefined,
  })
}

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
