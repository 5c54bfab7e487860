import { defineTool } from '@surehand/core'
import { Path } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf } from '../visitor-contract.ts'
import { navigationContract } from './navigation-contract.ts'

export const goto = defineTool({
  id: 'navigation.goto',
  title: 'Go to a page',
  category: 'navigation',
  description:
    "Opens a page of the site in the visitor's tab. It answers as soon as the page was told; the page itself loads afterwards. Go on planning meanwhile: if the page cannot be opened, the visitor's tab reports it and stays where it is.",
  input: z.object({ path: Path }),
  output: z.object({
    dispatched: z.literal(true),
    path: z.string(),
    commandId: z.string().describe('Under this id the page reports what became of it.'),
    connected: z
      .boolean()
      .describe('Whether a tab of the visitor is open; if not, it goes there when it is.'),
  }),
  contract: navigationContract('150ms'),
  ports: { page: pageBridge, sites: siteContracts },
  examples: [
    { name: 'a category', input: { path: '/products?colour=red' } },
    { name: 'the start page', input: { path: '/' } },
  ],
  execute: async ({ input: { path }, caller, ports, signal }) => {
    const { commandId, isConnected } = await ports.page.dispatch(
      { ...pageOf(caller), command: { do: 'goto', path } },
      signal,
    )
    return { dispatched: true as const, path, commandId, connected: isConnected }
  },
})
