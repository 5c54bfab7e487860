import { isToolError, ToolError } from '@surehand/core'
import { errorRow } from '@surehand/core/host'

/**
 * For reads that can do without their vendor: its no (a key it won't take, a thing it does not
 * know) is its trouble, and the tool's stand-in answers. What our own way out refuses stays a
 * refusal: nobody is told that a private address merely failed.
 */
export function asVendorsTrouble(thrown: unknown): never {
  if (!isToolError(thrown) || !isRefusal(thrown) || !isVendorsNo(thrown)) throw thrown
  throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', thrown.message, {
    cause: thrown,
    details: thrown.details ?? {},
  })
}

function isRefusal({ code }: ToolError): boolean {
  return errorRow(code).status === 'failed' && !errorRow(code).retryable
}

// only a status that a vendor sent is told as one
function isVendorsNo({ code, details }: ToolError): boolean {
  return code === 'TOOL_RESOURCE_NOT_FOUND' || details?.provider_status !== undefined
}
