import { ToolError } from '@surehand/core'

export type Refusal = {
  /** `host:port`, never more of the URL: its path and query may hold secrets. */
  readonly where: string
  readonly why: string
  readonly todo: string
}

/** What egress will not do. Nothing has left, and trying again changes nothing. */
export function refusal({ where, why, todo }: Refusal): ToolError {
  return new ToolError('TOOL_RESOURCE_ACCESS_DENIED', `${where} is not reached: ${why}. ${todo}`, {
    effect: 'none',
    details: { host: where, reason: why },
    suggestions: [todo],
  })
}

/** What was handed in and can not be sent. The value is not told: it may be a secret. */
export function unsendable(what: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', what, { effect: 'none' })
}
