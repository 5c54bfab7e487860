import type { Caller, ToolErrorCode } from '@surehand/core'
import { ToolError } from '@surehand/core'
import { z } from 'zod'
import type { V1Adapter } from './v1-adapter.ts'

/** What a v1 function gives back: whether it worked, a sentence, and the data. */
export type V1Answer<D = unknown> = readonly [ok: boolean, message: string, data: D | null]

/** A function as v1 has them: keyword arguments in, a triple out. */
export type V1Function<A = Record<string, unknown>, D = unknown> = (
  args: A,
) => V1Answer<D> | Promise<V1Answer<D>>

const Triple = z.tuple([z.boolean(), z.string(), z.unknown()])

/**
 * A v1 function as the `execute` of a v2 tool: true gives the data, false fails with the code its
 * message speaks of.
 */
export function fromV1Function<A, D>(
  run: V1Function<A, D>,
): (execution: { readonly input: A }) => Promise<D> {
  return async ({ input }) => {
    const answer = Triple.safeParse(await run(input))
    if (!answer.success)
      throw new ToolError(
        'TOOL_INVALID_OUTPUT',
        'The v1 function gave back no (ok, message, data).',
      )
    const [ok, message, data] = answer.data
    if (ok) return data as D // the tool's output schema checks it next
    const code = codeOf(message)
    throw new ToolError(
      code,
      message === '' ? 'The v1 function did not work and does not say why.' : message,
      {
        ...(data === null || data === undefined ? {} : { details: { v1_data: data } }),
        // the function ended and refused: without this, a write would be left with an unknown
        // outcome
        ...(code === 'TOOL_INTERNAL_ERROR' ? { effect: 'refused' } : {}),
      },
    )
  }
}

/** A v2 tool as v1 code calls it: keyword arguments in, a triple out. */
export function toV1Function(
  adapter: Pick<V1Adapter, 'callV1'>,
  tool: string,
  caller: Caller,
): V1Function {
  return async (args) => {
    const { success, message, data } = await adapter.callV1({ tool, args }, caller)
    return [success, message, data]
  }
}

const SPOKEN: readonly (readonly [ToolErrorCode, RegExp])[] = [
  [
    'TOOL_RESOURCE_NOT_FOUND',
    /\bnot found\b|\b(?:does not|doesn't|do not|don't) exist\b|\bno such\b/,
  ],
  ['TOOL_RESOURCE_ALREADY_EXISTS', /\balready exists?\b|\bduplicate\b/],
  ['TOOL_INVALID_INPUT', /\binvalid\b|\bmust be\b|\brequired\b/],
  [
    'TOOL_INSUFFICIENT_PERMISSIONS',
    /\bpermissions?\b|\bnot allowed\b|\bdenied\b|\bunauthori[sz]ed\b/,
  ],
  ['TOOL_CONFIGURATION_ERROR', /\bnot initiali[sz]ed\b|\buninitiali[sz]ed\b|\bnot configured\b/],
]
// a habit may be called "Duplicate keys": names in quotes say nothing about the trouble
const QUOTED = /(?<=^|[\s(:])(?:'[^']*'|"[^"]*"|`[^`]*`|“[^”]*”|‘[^’]*’)(?=$|[\s).,;:!?])/g

/**
 * The code a v1 message speaks of; the first that it mentions, for "permission required" is about
 * permission.
 */
export function codeOf(message: string): ToolErrorCode {
  const text = message.toLowerCase().replace(QUOTED, '')
  let first: { readonly code: ToolErrorCode; readonly at: number } = {
    code: 'TOOL_INTERNAL_ERROR',
    at: text.length,
  }
  for (const [code, words] of SPOKEN) {
    const at = text.search(words)
    if (at >= 0 && at < first.at) first = { code, at }
  }
  return first.code
}
