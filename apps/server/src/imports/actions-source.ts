import { ToolError } from '@surehand/core'
import type { SourceKind } from '@surehand/imports'
import { actionsKind, type PerformAction } from '@surehand/site/actions'
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
  ) => Promise<{ readonly url?: string }>
}

/** Tools from the actions.json of a site; they are performed in the visitor's page. */
export function siteActionsKind(
  parts: OutboundContext,
  page: () => object | undefined,
): SourceKind {
  const perform: PerformAction = (
    { tenant, session, action, selector, params, idempotencyKey },
    signal,
  ) => {
    const bridge = page() as Page | undefined
    if (bridge === undefined)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        'The pack "site" is not configured, so no page can be reached.',
        { effect: 'none' },
      )
    const command = {
      do: 'act',
      action,
      params,
      ...(selector === undefined ? {} : { selector }),
    }
    return bridge.perform({ tenant, session, command, idempotencyKey }, signal)
  }
  return actionsKind({
    perform,
    fetchDocument: (url, { name, by, signal }) =>
      fetchDocument(createSend(parts, {}), url, importCall(name, by), signal),
  })
}
