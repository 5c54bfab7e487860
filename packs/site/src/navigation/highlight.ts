import { defineTool } from '@surehand/core'
import { CssSelector } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf } from '../visitor-contract.ts'
import { navigationContract } from './navigation-contract.ts'

export const highlight = defineTool({
  id: 'navigation.highlight',
  title: 'Highlight an element',
  category: 'navigation',
  description:
    'Draws an outline around an element of the page for a moment, to show the visitor where the agent intends to click. If nothing matches, the error lists elements of the page that could be meant.',
  input: z.object({ selector: CssSelector }),
  output: z.object({ highlighted: z.string() }),
  contract: navigationContract('100ms'),
  ports: { page: pageBridge, sites: siteContracts },
  examples: [{ name: 'a button', input: { selector: '[data-action="product.addToCart"]' } }],
  execute: async ({ input: { selector }, caller, ports, signal }) => {
    await ports.page.show({ ...pageOf(caller), command: { do: 'highlight', selector } }, signal)
    return { highlighted: selector }
  },
})
