import type { InputRequest } from '@modelcontextprotocol/server'
import { relayVerdict, type ShownRequest } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'
import { declaresForms, declaresUrls } from './capabilities.ts'
import type { Surface } from './options.ts'
import type { ToolsCall } from './request.ts'

export const APPROVAL_KEY = 'approval'

type Asker = Pick<ToolsCall, 'caller' | 'capabilities'>

/**
 * The question as the client may put it to its person: with the decision page's address where the client opens pages,
 * as a form where a host may relay the yes. Undefined where neither would be accepted.
 */
export function approvalInputRequest(
  approval: Approval,
  asker: Asker,
  surface: Surface,
): InputRequest | undefined {
  if (declaresUrls(asker.capabilities) && surface.approvalUrl !== undefined)
    return {
      method: 'elicitation/create',
      params: {
        mode: 'url',
        message: approval.asks,
        url: surface.approvalUrl(approval.id),
      } as never,
    }
  // asking in vain is worse than not asking: the desk refuses these whoever relays them
  const mayBeRelayed =
    approval.kind === 'confirm' && approval.reversible && surface.hostOf(asker.caller) !== undefined
  if (!mayBeRelayed || !declaresForms(asker.capabilities)) return undefined
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
            title: 'Yes, do it',
            description: 'Nothing is done without it.',
          },
        },
        required: ['confirm'],
      },
    },
  }
}

type Verdict = 'approve' | 'deny' | 'open'

/** What the person's answer means; a dialog that was closed decides nothing. */
export function readVerdict(answer: unknown): Verdict {
  if (!isRecord(answer)) return 'open'
  if (answer.action === 'decline') return 'deny'
  if (answer.action !== 'accept' || !isRecord(answer.content)) return 'open'
  return answer.content.confirm === true ? 'approve' : 'deny'
}

/** Hands a relayed verdict to the desk; a dialog that was closed, or a host nobody knows, leaves the question open. */
export async function relay(
  verdict: Verdict,
  question: ShownRequest,
  { caller }: Asker,
  surface: Surface,
): Promise<void> {
  const host = surface.hostOf(caller)
  if (verdict === 'open' || host === undefined) return
  await relayVerdict(surface.runtime.approvals, verdict, question, { caller, host })
}
