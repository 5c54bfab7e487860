import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorText, relayDecisions, toolApproval, tools } from '@surehand/ai-sdk'
import type { Runtime } from '@surehand/core'
import {
  convertToModelMessages,
  generateId,
  isStepCount,
  type LanguageModel,
  pipeUIMessageStreamToResponse,
  safeValidateUIMessages,
  streamText,
  toUIMessageStream,
} from 'ai'
import { z } from 'zod'
import { readBody } from './read-body.ts'
import { agent, HOST } from './shop.ts'

const Body = z.object({ id: z.string().min(1).max(100), messages: z.array(z.unknown()).min(1) })

export type ChatContext = {
  readonly runtime: Runtime
  readonly model: LanguageModel
  readonly approvalUrl: (id: string) => string
}

/**
 * `POST /api/chat`: takes the UI messages of a chat and streams the answer. The messages come from
 * the browser and are not trusted.
 */
export async function chatRoute(
  request: IncomingMessage,
  response: ServerResponse,
  context: ChatContext,
): Promise<void> {
  const body = Body.safeParse(await readBody(request))
  if (!body.success) return refuse(response, 'The body must be { id, messages }.')
  const validated = await safeValidateUIMessages({ messages: body.data.messages })
  if (!validated.success) return refuse(response, '`messages` must be UI messages of the AI SDK.')
  const { runtime, model, approvalUrl } = context
  // Idempotency keys are scoped to the caller: a browser that invents an id only creates another
  // chat of its own.
  const options = { run: body.data.id, host: HOST, approvalUrl }
  const set = await tools(runtime, agent, options)
  const messages = await convertToModelMessages(validated.data, { tools: set })
  // The SDK does not pass denials to tools.
  await relayDecisions(runtime, agent, messages, options)
  const result = streamText({
    model,
    instructions:
      'You help the customer of a small shop. Say that something is done only when its tool says so.',
    tools: set,
    toolApproval: toolApproval(runtime, agent, options),
    messages,
    stopWhen: isStepCount(5),
    abortSignal: abortWhenClosed(response),
  })
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: validated.data,
    generateMessageId: generateId,
    onError: errorText,
    messageMetadata: ({ part }) =>
      part.type === 'finish-step' ? { model: part.response.modelId } : undefined,
  })
  await pipeUIMessageStreamToResponse({ response, stream })
}

function abortWhenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(message)
}
