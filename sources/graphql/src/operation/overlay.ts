import type { Terms } from './operation.ts'

/** What an importer says about one operation, beside the document. */
export type OverlayEntry = Terms & {
  /** True puts it on the allow-list, false leaves it out. */
  readonly action?: boolean
  readonly title?: string
  readonly description?: string
}

/** By operation: `query.viewer`, `mutation.createIssue`, `query.repository.issues`. */
export type Overlay = Readonly<Record<string, OverlayEntry>>

/** The terms alone, without what is only for the import. */
export function termsOf({ action: _, title: __, description: ___, ...terms }: OverlayEntry): Terms {
  return terms
}

// what says who is calling, or how, is not for a key to replace
const RESERVED = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'proxy-authorization',
  'transfer-encoding',
])

/** Whether a header may carry a call's key. */
export function isKeyHeader(header: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(header) && !RESERVED.has(header.toLowerCase())
}
