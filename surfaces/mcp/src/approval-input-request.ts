import type { InputRequest } from '@modelcontextprotocol/server'
import { relayVerdict, type ShownRequest } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'
import { declaresForms, declaresUrls } from './capabilities.ts'
import type { Surface } from './options.ts'
import type { ToolsCall } from './request.ts'

export const APPROVAL_KEY = 'approval'

type Requester = Pick<ToolsCall, 'caller' | 'capabilities'> & { readonly isLegacy?: boolean }

/**
 * The approval request as the client may show it to its user: the URL of the decision page where
 * the client opens URLs, a form where its host may relay the decision. Undefined where neither
 * would be accepted.
 */
export function approvalInputRequest(
  approval: Approval,
  requester: Requester,
  surface: Surface,
): InputRequest | undefined {
  if (declaresUrls(requester.capabilities) && surface.approvalUrl !== undefined)
    return urlInputRequest(
      { id: approval.id, message: approval.asks, url: surface.approvalUrl(approval.id) },
      requester,
    )
  // The approvals API refuses every other relayed decision, so the user is not asked in vain.
  const mayBeRelayed =
    approval.kind === 'confirm' &&
    approval.reversible &&
    surface.hostOf(requester.caller) !== undefined
  if (!mayBeRelayed || !declaresForms(requester.capabilities)) return undefined
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `${approval.asks}\n\n${approval.shown}`,
      requestedSchema: {
        type: 'object',
        properties: {
          confirm: {
            type: 'boolean',
            title: 'Approve',
            description: 'Without approval nothing is done.',
          },
        },
        required: ['confirm'],
      },
    },
  }
}

/** Asks the client to open a page. Only the revisions of 2025 give the request an id. */
export function urlInputRequest(
  page: { readonly id: string; readonly message: string; readonly url: string },
  { isLegacy = false }: Requester,
): InputRequest {
  const { id: elicitationId, message, url } = page
  return {
    method: 'elicitation/create',
    params: { mode: 'url', message, url, ...(isLegacy ? { elicitationId } : {}) } as never,
  }
}

type Verdict = 'approve' | 'deny' | 'open'

/** The decision in the user's answer; a dialog that was closed decides nothing. */
export function readVerdict(answer: unknown): Verdict {
  if (!isRecord(answer)) return 'open'
  if (answer.action === 'decline') return 'deny'
  if (answer.action !== 'accept' || !isRecord(answer.content)) return 'open'
  return answer.content.confirm === true ? 'approve' : 'deny'
}

/**
 * Relays a decision to the approvals API. A closed dialog, or a host that is not trusted, leaves
 * the request open.
 */
export async function relay(
  verdict: Verdict,
  request: ShownRequest,
  { caller }: Requester,
  surface: Surface,
): Promise<void> {
  const host = surface.hostOf(caller)
  if (verdict === 'open' || host === undefined) return
  await relayVerdict(surface.runtime.approvals, verdict, request, { caller, host })
}
