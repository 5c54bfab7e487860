import type { ApprovalView } from '@surehand/core/host'
import { safeLine } from './safe-text.ts'
import {
  isSpelledOut,
  oneLine,
  parseShown,
  SPELLED_OUT_NOTE,
  shownLines,
  valueLines,
} from './shown.ts'

const KINDS: Readonly<Record<string, string>> = {
  confirm: 'a confirmation',
  consent: 'consent of the person concerned',
  admin: "an administrator's approval",
}

/** Everything the person who decides must see, untruncated. */
export function approvalPage(approval: ApprovalView): readonly string[] {
  const shown = parseShown(approval)
  const isFinal = shown.reversible === false
  return [
    ...shownLines(shown.asks),
    '',
    ...(isFinal ? ['!! This cannot be undone.'] : []),
    ...(isSpelledOut(approval) ? [SPELLED_OUT_NOTE] : []),
    ...(isFinal || isSpelledOut(approval) ? [''] : []),
    `State:       ${safeLine(approval.state)}${decisionWords(approval)}`,
    `Caller:      ${shown.actor === 'ai_agent' ? 'an AI agent acting for ' : ''}${oneLine(shown.asked_by)}`,
    ...(shown.edited_by === undefined ? [] : [`Changed by:  ${oneLine(shown.edited_by)}`]),
    `Tool:        ${oneLine(shown.title)} (${oneLine(shown.tool)}, version ${oneLine(shown.version)})`,
    `Effect:      ${oneLine(shown.effect)}, ${isFinal ? 'cannot be undone' : 'can be undone'}`,
    `Requires:    ${KINDS[approval.kind] ?? safeLine(approval.kind)}`,
    `Created at:  ${safeLine(approval.created_at)}`,
    `Expires at:  ${safeLine(approval.expires_at)}`,
    `Call:        ${safeLine(approval.call_id)}`,
    ...(approval.url === undefined ? [] : [`In a browser: ${safeLine(approval.url)}`]),
    '',
    'Complete input:',
    ...valueLines(shown.input).map((line) => `  ${line}`),
    '',
    `Digest of this request: ${safeLine(approval.digest)}`,
  ]
}

function decisionWords({ decision }: ApprovalView): string {
  if (decision === undefined) return ''
  const reason =
    typeof decision.reason === 'string' && decision.reason !== ''
      ? `: ${safeLine(decision.reason)}`
      : ''
  return ` (${safeLine(decision.verdict)} by ${safeLine(decision.by)} at ${safeLine(decision.at)}${reason})`
}
