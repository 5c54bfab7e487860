import { ToolError } from '@surehand/core'
import { asServiceError, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { TimeZonesPort } from './time-zones-port.ts'

// Google reports errors with HTTP status 200 and a status in the body.
const Answer = z.union([
  z.object({
    status: z.literal('OK'),
    timeZoneId: z.string(),
    rawOffset: z.number(),
    dstOffset: z.number(),
  }),
  z.object({ status: z.string(), errorMessage: z.string().optional() }),
])

/** Google's Time Zone API. */
export function googleTimeZones({ baseUrl, key, fetchFor }: VendorAccess): TimeZonesPort {
  return {
    async resolve({ tenant, location, atMs }, signal) {
      const query = new URLSearchParams({
        location: `${location.lat},${location.lng}`,
        timestamp: String(Math.floor(atMs / 1000)),
        key,
      })
      const request = {
        vendor: 'Google Time Zone',
        url: `${baseUrl}/maps/api/timezone/json?${query}`,
        signal,
      }
      const answer = await sendJson(fetchFor(tenant), request, Answer).catch(asServiceError)
      if ('timeZoneId' in answer)
        return { timeZoneId: answer.timeZoneId, offsetSeconds: answer.rawOffset + answer.dstOffset }
      throw toToolError(answer)
    },
  }
}

function toToolError({
  status,
  errorMessage = 'no error message',
}: {
  readonly status: string
  readonly errorMessage?: string | undefined
}): ToolError {
  const message = `Google Time Zone: ${status} (${errorMessage}).`
  if (status === 'OVER_QUERY_LIMIT' || status === 'OVER_DAILY_LIMIT')
    return new ToolError('TOOL_RATE_LIMIT_EXCEEDED', message)
  if (status === 'REQUEST_DENIED') return new ToolError('TOOL_API_KEY_INVALID', message)
  return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', message)
}
