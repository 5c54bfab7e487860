import { ToolError } from '@surehand/core'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'

const Annotation = z.object({
  type: z.string(),
  url: z.string().optional(),
  title: z.string().optional(),
  start_index: z.int().optional(),
  end_index: z.int().optional(),
})
const Content = z.object({
  type: z.string(),
  text: z.string().optional(),
  annotations: z.array(Annotation).default([]),
})
const Answer = z.object({
  status: z.string(),
  error: z.object({ message: z.string() }).nullish(),
  output: z.array(z.object({ type: z.string(), content: z.array(Content).default([]) })),
})

export type ResponseContent = z.output<typeof Content>

/** Sends a body to OpenAI's Responses API and returns what its messages contain. */
export async function createResponse(
  { baseUrl, key, fetchFor }: VendorAccess,
  { tenant, body }: { readonly tenant: string; readonly body: object },
  signal: AbortSignal,
): Promise<readonly ResponseContent[]> {
  const answer = await sendJson(
    fetchFor(tenant),
    {
      vendor: 'OpenAI',
      url: `${baseUrl}/responses`,
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      // OpenAI would otherwise keep what it was sent for thirty days.
      body: { ...body, store: false },
      signal,
    },
    Answer,
  )
  if (answer.status === 'failed')
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `OpenAI could not answer: ${answer.error?.message ?? 'no reason given'}`,
    )
  return answer.output.flatMap(({ type, content }) => (type === 'message' ? content : []))
}
