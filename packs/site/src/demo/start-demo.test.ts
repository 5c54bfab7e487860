import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSiteApp, type SiteApp } from '../fixtures/site-app.ts'
import { startSiteDemo } from './start-demo.ts'

let app: SiteApp
let folder: string
const refreshed: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-site-demo-'))
  // The shop is stopped while its pages would be read.
  const siteCrawler = {
    async refresh({ tenant }: { readonly tenant: string }) {
      refreshed.push(tenant)
      return { read: 0, unchanged: 0, removed: 0, forbidden: 0, problems: [] }
    },
    embed: async () => ({ embedded: 0, left: 0 }),
  }
  app = await openSiteApp({ providers: { siteCrawler } })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('the shop is connected as the tenant’s site, with the script on its pages, again after a restart', async () => {
  const start = () => startSiteDemo({ folder, publicUrl: 'https://agent.example', tenant: 'shop' })
  const keys: (string | undefined)[] = []
  const addresses: (string | undefined)[] = []
  for (const _ of ['first', 'second']) {
    const demo = await start()
    const url = demo.environment.SITE_SHOP_URL ?? ''
    addresses.push(url)
    expect((await fetch(url)).headers.get('content-security-policy')).toContain("frame-src 'self';")
    await demo.seed?.(app.services)
    const [site] = await app.services.query('select body from site_contracts where tenant = ?', [
      'shop',
    ])
    expect(JSON.parse(String(site?.body))).toMatchObject({
      origins: [url],
      commerce: { adapter: 'shop', url },
      booking: { adapter: 'shop', url },
    })
    const { page, policy } = await readEmbedded(url)
    keys.push(
      /<script src="https:\/\/agent\.example\/site\/bridge\.js" defer data-key="(pk_[^"]+)">/.exec(
        page,
      )?.[1],
    )
    expect(policy).toContain("frame-src 'self' https://agent.example")
    await demo.stop()
    await expect(fetch(url)).rejects.toThrow()
  }
  expect(refreshed).toEqual(['shop', 'shop'])
  expect(keys[0]).toMatch(/^pk_/)
  expect(keys[1]).toBe(keys[0])
  expect(addresses[1]).toBe(addresses[0])
})

// The shop reads the script from its standard input, soon after it was written.
async function readEmbedded(url: string): Promise<{ page: string; policy: string }> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(url)
    const page = await response.text()
    if (page.includes('bridge.js'))
      return { page, policy: response.headers.get('content-security-policy') ?? '' }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The script is on no page.')
}
