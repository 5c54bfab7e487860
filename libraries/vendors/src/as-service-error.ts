import { isToolError, ToolError } from '@surehand/core'
import { errorRow } from '@surehand/core/host'

/**
 * For a read whose tool has a fallback: rethrows a refusal by the vendor (an invalid key, an
 * unknown resource) as `TOOL_EXTERNAL_SERVICE_ERROR`, so that the fallback answers. A refusal by
 * our own egress is rethrown unchanged: a blocked address must not look like a vendor's failure.
 *
 * @example
 * const answer = await sendJson(fetchFor(tenant), request, Answer).catch(asServiceError)
 */
export function asServiceError(thrown: unknown): never {
  if (!isToolError(thrown) || !isPermanent(thrown) || !isFromVendor(thrown)) throw thrown
  throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', thrown.message, {
    cause: thrown,
    details: thrown.details ?? {},
  })
}

function isPermanent({ code }: ToolError): boolean {
  return errorRow(code).status === 'failed' && !errorRow(code).retryable
}

// Only errors made from a vendor's response have a `provider_status`.
function isFromVendor({ code, details }: ToolError): boolean {
  return code === 'TOOL_RESOURCE_NOT_FOUND' || details?.provider_status !== undefined
}
