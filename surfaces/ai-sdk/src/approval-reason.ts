import type { ShownRequest } from '@surehand/core/host'
import type { Approval } from '@surehand/core/ports'

const REFERENCE = /^surehand:([^\s:]{1,200}):([0-9a-f]{64})$/

/** An approval request as it is shown in a chat. */
export type ApprovalReason = ShownRequest & {
  /**
   * Everything the person must see: the question, the input as it would be run, and where else it
   * can be decided.
   */
  readonly text: string
}

/**
 * Writes the `reason` of an approval request, the only field of ours that comes back with UI
 * messages. Its last line has the id of the request and the digest of what is shown above; it is a
 * reference, not a proof.
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

/**
 * Reads the `approval.requestReason` of a UI message, to show its text; undefined if Surehand did
 * not write it.
 */
export function readReason(reason: string | undefined): ApprovalReason | undefined {
  const lines = (reason ?? '').split('\n')
  const [, id, digest] = REFERENCE.exec(lines.pop() ?? '') ?? []
  return id === undefined || digest === undefined
    ? undefined
    : { id, digest, text: lines.join('\n') }
}
