import { defineTool } from '@surehand/core'
import { Url } from '@surehand/documents'
import { z } from 'zod'
import { siteReader } from './site-reader-port.ts'
import { backgroundGates, operatorPermissions } from './siteops-contract.ts'

export const respectRobots = defineTool({
  id: 'siteops.respectRobots',
  title: 'Check robots.txt',
  category: 'siteops',
  description:
    'Says whether robots.txt of a site allows a crawler to read an address (RFC 9309). It is advice of the site, not an authorization. Runs in the background only.',
  input: z.object({
    url: Url,
    userAgent: z
      .string()
      .regex(/^[A-Za-z_-]{1,64}$/)
      .default('SurehandBot'),
  }),
  output: z.object({
    allowed: z.boolean(),
    crawlDelayMs: z.number().optional(),
    sitemaps: z.array(z.string()),
  }),
  contract: {
    effect: 'none',
    auth: 'service',
    permissions: operatorPermissions,
    latencyBudget: '400ms',
    timeout: '10s',
    retries: 1,
    gates: backgroundGates,
    cache: '10m',
  },
  ports: { reader: siteReader },
  examples: [{ name: 'a page', input: { url: 'https://shop.example/products/roses' } }],
  execute: async ({ input: { url, userAgent }, caller, ports, signal }) => {
    const request = { tenant: caller.tenant, url, userAgent }
    const { allowed, crawlDelayMs, sitemaps } = await ports.reader.robots(request, signal)
    return {
      allowed,
      ...(crawlDelayMs === undefined ? {} : { crawlDelayMs }),
      sitemaps: [...sitemaps],
    }
  },
})
