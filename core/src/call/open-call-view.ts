import type { OpenCall } from './call-row.ts'

/** A call under way as programs outside read it. */
export type OpenCallView = {
  readonly call_id: string
  readonly principal: string
  readonly tool: string
  readonly tool_version: string
  readonly state: string
  readonly created_at: string
  readonly updated_at: string
}

export function openCallView({
  callId,
  principal,
  toolId,
  toolVersion,
  state,
  createdAt,
  updatedAt,
}: OpenCall): OpenCallView {
  return {
    call_id: callId,
    principal,
    tool: toolId,
    tool_version: toolVersion,
    state,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
}
