import { parentPort } from 'node:worker_threads'
import type { PageRequest, ThreadMessage } from './page-reader.ts'
import { readPage } from './read-page.ts'

parentPort?.on('message', ({ html, url }: PageRequest) => {
  parentPort?.postMessage('started' satisfies ThreadMessage)
  parentPort?.postMessage(readPage(html, url) satisfies ThreadMessage)
})
