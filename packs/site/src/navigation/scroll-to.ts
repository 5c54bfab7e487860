import { defineTool } from '@surehand/core'
import { CssSelector } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf } from '../visitor-contract.ts'
import { navigationContract } from './navigation-contract.ts'

export const scrollTo = defineTool({
  id: 'navigation.scrollTo',
  title: 'Scroll to',
  category: 'navigation',
  description:
    'Scrolls the page to an element, to its top or to its bottom. "anchor" scrolls to the element that the address names after "#".',
  input: z
    .object({
      selector: CssSelector.optional(),
      to: z.enum(['top', 'bottom', 'anchor']).optional(),
    })
    .refine(({ selector, to }) => selector !== undefined || to !== undefined, {
      error: 'Give a selector, or top, bottom or anchor.',
      path: ['to'],
    }),
  output: z.object({ scrolled: z.literal(true) }),
  contract: navigationContract('100ms'),
  ports: { page: pageBridge, sites: siteContracts },
  examples: [
    { name: 'the reviews', input: { selector: '#reviews' } },
    { name: 'the end', input: { to: 'bottom' } },
  ],
  execute: async ({ input: { selector, to }, caller, ports, signal }) => {
    const command = {
      do: 'scrollTo',
      ...(selector === undefined ? {} : { selector }),
      ...(to === undefined ? {} : { to }),
    } as const
    await ports.page.show({ ...pageOf(caller), command }, signal)
    return { scrolled: true as const }
  },
})
