import type { ShownRequest } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'

const REFERENCE = /^surehand:([^\s:]{1,200}):([0-9a-f]{64})$/

/** What a decider is shown in a chat, and what it was about. */
export type ApprovalReason = ShownRequest & {
  /** Everything a decider must see: the question, the input as it would be run, and where else it is decided. */
  readonly text: string
}

/**
 * The reason of an approval request: it is the one thing of ours that comes back with UI messages.
 * Its last line names the question and the digest of what is shown above; it is a reference, not a proof.
 */
export function writeReason(approval: Approval, place: string): string {
  return [
    approval.asks,
    '',
    approval.shown,
    '',
    place,
    `surehand:${approval.id}:${approval.digest}`,
  ].join('\n')
}

/** The reason of a UI message's `approval.requestReason`, for whoever shows it; undefined where it is not one of ours. */
export function readReason(reason: string | undefined): ApprovalReason | undefined {
  const lines = (reason ?? '').split('\n')
  const [, id, digest] = REFERENCE.exec(lines.pop() ?? '') ?? []
  return id === undefined || digest === undefined
    ? undefined
    : { id, digest, text: lines.join('\n') }
}
