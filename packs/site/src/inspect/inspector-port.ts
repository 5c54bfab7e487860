import { definePort } from '@surehand/core'
import type { SiteEvidence } from './site-evidence.ts'

/** Looks at a site from outside, as an agent would. */
export type SiteInspector = {
  readonly look: (
    request: { readonly tenant: string; readonly url: string },
    signal: AbortSignal,
  ) => Promise<SiteEvidence>
}

export const siteInspector = definePort<SiteInspector>(
  'siteInspector',
  { look: 'read' },
  { host: ({ url }: { readonly url: string }) => URL.parse(url)?.host },
)
