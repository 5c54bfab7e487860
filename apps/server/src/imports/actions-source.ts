import { ToolError } from '@surehand/core'
import type { SourceKind } from '@surehand/imports'
import { actionsKind } from '@surehand/site/actions'
import { pageToolsKind } from '@surehand/site/page-tools'
import { createSend, fetchDocument, importCall, type OutboundContext } from './create-send.ts'

/** The part of the port `pageBridge` that performs actions. */
type Page = {
  readonly perform: (
    request: {
      readonly tenant: string
      readonly session: string
      readonly command: object
      readonly idempotencyKey: string
    },
    signal: AbortSignal,
  ) => Promise<{ readonly url?: string; readonly answer?: string }>
}

/** Tools from a site itself, performed in the visitor's page: its actions.json, and WebMCP. */
export function sitePageKinds(
  parts: OutboundContext & Pick<Parameters<typeof pageToolsKind>[0], 'values'>,
  page: () => object | undefined,
): readonly SourceKind[] {
  const perform: Page['perform'] = (request, signal) => {
    const bridge = page() as Page | undefined
    if (bridge === undefined)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        'The pack "site" is not configured, so no page can be reached.',
        { effect: 'none' },
      )
    return bridge.perform(request, signal)
  }
  const actions = actionsKind({
    perform({ tenant, session, action, selector, params, idempotencyKey }, signal) {
      const target = selector === undefined ? {} : { selector }
      const command = { do: 'act', action, params, ...target }
      return perform({ tenant, session, command, idempotencyKey }, signal)
    },
    fetchDocument: (url, { name, by, signal }) =>
      fetchDocument(createSend(parts, {}), url, importCall(name, by), signal),
  })
  return [actions, pageToolsKind({ values: parts.values, invoke: perform })]
}
