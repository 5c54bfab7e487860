import { linkToPage, type PageLink } from '../src/widget/page-link.ts'
import type { Report } from '../src/widget/read-report.ts'

// The widget of the tests: the real link to the page, and nothing else.

declare global {
  interface Window {
    link: PageLink
    statuses: Report[]
    connections: string[]
    pageTools: readonly string[]
    calls: object[]
  }
}

const { origins = '' } = (document.currentScript as HTMLScriptElement).dataset
window.statuses = []
window.connections = []
window.pageTools = []
window.calls = []
window.link = linkToPage({
  origins: origins.split(' '),
  onStatus: (report) => window.statuses.push(report),
  onConnect({ origin, isCalled }) {
    window.connections.push(origin)
    if (isCalled) window.link.resize('opened')
  },
  tools: {
    list: async () => [
      {
        name: 'commerce__addToCart',
        description: 'Adds to the cart.',
        inputSchema: { type: 'object', properties: { quantity: { type: 'integer' } } },
        annotations: { readOnlyHint: false },
      },
    ],
    async call(call) {
      window.calls.push(call)
      return { content: [{ type: 'text', text: 'added' }] }
    },
    onPageTools: (tools) => {
      window.pageTools = tools
    },
  },
})
