import { ToolError } from '@surehand/core'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'

/** Sends a body to Gemini's generateContent and returns the first candidate of its answer. */
export async function generateContent<Candidate extends z.ZodType>(
  { baseUrl, key, fetchFor, model }: VendorAccess & { readonly model: string },
  order: { readonly tenant: string; readonly body: object; readonly candidate: Candidate },
  signal: AbortSignal,
): Promise<z.output<Candidate> | undefined> {
  const answer = await sendJson(
    fetchFor(order.tenant),
    {
      vendor: 'Gemini',
      url: `${baseUrl}/v1beta/models/${model}:generateContent`,
      method: 'POST',
      headers: { 'x-goog-api-key': key },
      body: order.body,
      signal,
    },
    z.object({
      candidates: z.array(order.candidate).default([]),
      promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
    }),
  )
  const blocked = answer.promptFeedback?.blockReason
  if (blocked !== undefined)
    throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `Gemini refused to answer (${blocked}).`)
  return answer.candidates[0]
}
