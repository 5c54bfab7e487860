import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import type { Fetch } from '@surehand/vendors'
import { shrinkPicture } from '../../media/shrink-picture.ts'
import { type EventModelPort, ModelReading, type ModelRequest } from '../event-model-port.ts'
import { writeQuestion } from '../write-question.ts'

export type AiSdkModelOptions = {
  /** The URL of an API that is compatible with OpenAI's, up to `/v1`. */
  readonly baseUrl: string
  readonly key: string
  /** The name of the model in that API. */
  readonly model: string
  readonly fetchFor: (tenant: string) => Fetch
  /** After this the rules read alone; less than the tool's own time, or nothing is read at all. */
  readonly timeoutMs: number
}

/** Small print stays readable; a larger picture costs more and is scaled down by the vendors. */
const LONGEST_SIDE = 1_600

/** A language model with OpenAI's chat API, which the AI SDK asks for an object of our schema. */
export function aiSdkModel(options: AiSdkModelOptions): EventModelPort {
  const { baseUrl, key, model, fetchFor, timeoutMs } = options
  return {
    async read(request, signal) {
      // Loaded on first use: the SDK is large, and most apps have no key.
      const [{ generateText, Output }, { createOpenAI }] = await Promise.all([
        import('ai'),
        import('@ai-sdk/openai'),
      ])
      const openai = createOpenAI({
        baseURL: baseUrl,
        apiKey: key,
        fetch: fetchFor(request.tenant),
      })
      try {
        const { system, prompt } = writeQuestion(request)
        const { output } = await generateText({
          model: openai.chat(model),
          output: Output.object({ schema: ModelReading, name: 'event' }),
          system,
          messages: [
            {
              role: 'user',
              content: [{ type: 'text', text: prompt }, ...(await toImageParts(request))],
            },
          ],
          abortSignal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          // The contract of the tool decides about retries.
          maxRetries: 0,
        })
        return ModelReading.parse(output)
      } catch (thrown) {
        throw signal.aborted ? thrown : toToolError(thrown)
      }
    },
  }
}

async function toImageParts({ image }: ModelRequest) {
  if (image === undefined) return []
  const data = await shrinkPicture(image, LONGEST_SIDE)
  return [{ type: 'file' as const, data, mediaType: 'image/jpeg' }]
}

// Errors of the SDK are recognised by name, because two copies of it have different classes.
function toToolError(thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown
  const { name, statusCode, message } = thrown as {
    readonly name?: string
    readonly statusCode?: number
    readonly message?: string
  }
  const details = { details: { reader: 'model' }, cause: thrown }
  if (name === 'AI_APICallError' && statusCode !== undefined && statusCode >= 400) {
    // A refused key is a case for the fallback as well: the rules still read the event.
    const code = statusCode === 429 ? 'TOOL_RATE_LIMIT_EXCEEDED' : 'TOOL_EXTERNAL_SERVICE_ERROR'
    const statusDetails = { ...fromProviderStatus(statusCode, '').details, reader: 'model' }
    return new ToolError(code, `The model refused with the status ${statusCode}.`, {
      details: statusDetails,
      cause: thrown,
    })
  }
  if (
    name === 'ZodError' ||
    (name?.startsWith('AI_') && (name !== 'AI_APICallError' || statusCode !== undefined))
  )
    return new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `The model sent an answer that cannot be read: ${message?.slice(0, 200) ?? ''}`,
      details,
    )
  const { code } = fromNetworkFailure(thrown, 'The model')
  return new ToolError(code, 'The model could not be reached.', details)
}
