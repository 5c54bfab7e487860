import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { PreviewOrder } from '../day-previews-port.ts'

const Started = z.object({ name: z.string().regex(/^models\/[\w.-]+\/operations\/[\w.-]+$/) })

// ai.google.dev/gemini-api/docs/video: the URL of the video requires the key as well.
const Operation = z.object({
  done: z.boolean().default(false),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
  metadata: z.object({ model: z.string().optional() }).optional(),
  response: z
    .object({
      generateVideoResponse: z.object({
        generatedSamples: z.array(z.object({ video: z.object({ uri: z.url() }) })).default([]),
        raiMediaFilteredReasons: z.array(z.string()).default([]),
      }),
    })
    .optional(),
})

/** The state of an operation; `uri` is undefined while it runs. */
export type VeoState = { readonly uri: string | undefined; readonly model: string | undefined }

/** Orders a video; returns the name of the operation that makes it. */
export async function startVeo(
  access: VendorAccess & { readonly model: string },
  order: PreviewOrder,
  signal: AbortSignal,
): Promise<string> {
  const { baseUrl, key, fetchFor, model } = access
  const request = {
    vendor: 'Veo',
    url: `${baseUrl}/v1beta/models/${model}:predictLongRunning`,
    method: 'POST',
    headers: { 'x-goog-api-key': key },
    body: { instances: [{ prompt: buildPrompt(order) }], parameters: { aspectRatio: '16:9' } },
    signal,
  } as const
  return (await sendJson(fetchFor(order.tenant), request, Started)).name
}

function buildPrompt({ date, events, style }: PreviewOrder): string {
  const shots = events.map(
    ({ title, time, place }) => `${time}: ${title}${place === undefined ? '' : `, at ${place}`}`,
  )
  return `A ${style} preview of a day (${date}), one short shot for each of its events in this order, without any text on the screen: ${shots.join('; ') || 'a quiet day with nothing planned'}.`
}

/** Reads the state of an operation. */
export async function getVeoOperation(
  access: VendorAccess,
  { tenant, name }: { readonly tenant: string; readonly name: string },
  signal: AbortSignal,
): Promise<VeoState> {
  const request = {
    vendor: 'Veo',
    url: `${access.baseUrl}/v1beta/${name}`,
    headers: { 'x-goog-api-key': access.key },
    signal,
  } as const
  const { done, error, response, metadata } = await sendJson(
    access.fetchFor(tenant),
    request,
    Operation,
  )
  if (!done) return { uri: undefined, model: metadata?.model }
  if (error !== undefined) throw operationError(error)
  const made = response?.generateVideoResponse
  const uri = made?.generatedSamples[0]?.video.uri
  if (uri === undefined) throw filteredError(made?.raiMediaFilteredReasons.join(' '))
  return { uri, model: metadata?.model }
}

/** Fetches a video. The key is sent only to the vendor's own origin, whatever URL it names. */
export async function fetchVideo(
  access: VendorAccess,
  { tenant, uri }: { readonly tenant: string; readonly uri: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const headers =
    new URL(uri).origin === new URL(access.baseUrl).origin ? { 'x-goog-api-key': access.key } : {}
  try {
    const response = await access.fetchFor(tenant)(uri, { headers, signal })
    if (!response.ok)
      throw fromProviderStatus(
        response.status,
        `The video could not be fetched from Veo (${response.status}).`,
      )
    return new Uint8Array(await response.arrayBuffer())
  } catch (thrown) {
    // The video exists and was charged, so no error here means that the order was refused.
    throw isToolError(thrown)
      ? new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', thrown.message, {
          effect: 'possible',
          cause: thrown,
        })
      : fromNetworkFailure(thrown, 'Veo')
  }
}

const INVALID_ARGUMENT = 3

// The operation has ended without a video: the vendor refused the order.
function operationError({
  code,
  message,
}: {
  readonly code: number
  readonly message: string
}): ToolError {
  const ownCode =
    code === INVALID_ARGUMENT ? 'TOOL_INVALID_FIELD_VALUE' : 'TOOL_EXTERNAL_SERVICE_ERROR'
  return new ToolError(ownCode, `Veo failed: ${message}`, {
    effect: 'refused',
    details: { source_code: String(code) },
  })
}

function filteredError(reason = ''): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `Veo refused to make this video: ${reason || 'no reason given'}`,
    {
      effect: 'refused',
      details: { source_code: 'RAI_FILTERED' },
    },
  )
}
