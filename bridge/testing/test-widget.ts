import { linkToPage, type PageLink } from '../src/widget/page-link.ts'
import type { Report } from '../src/widget/read-report.ts'

// The widget of the tests: the real link to the page, and nothing else.

declare global {
  interface Window {
    link: PageLink
    statuses: Report[]
    connections: string[]
  }
}

const { origins = '' } = (document.currentScript as HTMLScriptElement).dataset
window.statuses = []
window.connections = []
window.link = linkToPage({
  origins: origins.split(' '),
  onStatus: (report) => window.statuses.push(report),
  onConnect: ({ origin }) => window.connections.push(origin),
})
