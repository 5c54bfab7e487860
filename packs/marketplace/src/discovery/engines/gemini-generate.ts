import { ToolError } from '@surehand/core'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'

const PromptFeedback = z.object({ blockReason: z.string().optional() })

function makeAnswer<Candidate extends z.ZodType>(candidate: Candidate) {
  return z.object({
    candidates: z.array(candidate).default([]),
    promptFeedback: PromptFeedback.optional(),
  })
}

// Made once for each kind of candidate: making a schema takes longer than reading an answer with it.
const answers = new WeakMap<z.ZodType, z.ZodType>()

function answerWith<Candidate extends z.ZodType>(
  candidate: Candidate,
): ReturnType<typeof makeAnswer<Candidate>> {
  const known = answers.get(candidate) ?? makeAnswer(candidate)
  answers.set(candidate, known)
  // erased: what is kept under a candidate was made from it
  return known as ReturnType<typeof makeAnswer<Candidate>>
}

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
    answerWith(order.candidate),
  )
  const blocked = answer.promptFeedback?.blockReason
  if (blocked !== undefined)
    throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `Gemini refused to answer (${blocked}).`)
  return answer.candidates[0]
}
