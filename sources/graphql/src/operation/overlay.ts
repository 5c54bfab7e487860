import type { Terms } from './operation.ts'

/** What an importer specifies for one operation in addition to the schema. */
export type OverlayEntry = Terms & {
  /** True allows it as a tool, false leaves it out. */
  readonly action?: boolean
  readonly title?: string
  readonly description?: string
}

/** By operation: `query.viewer`, `mutation.createIssue`, `query.repository.issues`. */
export type Overlay = Readonly<Record<string, OverlayEntry>>

/** The terms without the fields that matter only while importing. */
export function termsOf({ action: _, title: __, description: ___, ...terms }: OverlayEntry): Terms {
  return terms
}

// An idempotency key must not replace headers that authenticate or describe the request.
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

/** Whether a header may carry a call's idempotency key. */
export function isKeyHeader(header: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(header) && !RESERVED.has(header.toLowerCase())
}
