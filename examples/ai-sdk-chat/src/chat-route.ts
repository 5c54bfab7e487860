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

/** `POST /api/chat`: a chat's UI messages in, the stream of the answer out. What is in the messages is the browser's word, and treated as such. */
export async function chatRoute(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ChatContext,
): Promise<void> {
  const body = Body.safeParse(await readBody(request))
  if (!body.success) return refuse(response, 'The body is { id, messages }.')
  const validated = await safeValidateUIMessages({ messages: body.data.messages })
  if (!validated.success) return refuse(response, 'These are no UI messages.')
  const { runtime, model, approvalUrl } = parts
  // keys are scoped to the caller: a browser that makes an id up has made up nothing but a chat of its own
  const options = { run: body.data.id, host: HOST, approvalUrl }
  const set = await tools(runtime, agent, options)
  const messages = await convertToModelMessages(validated.data, { tools: set })
  // the SDK tells no tool of a no
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
  const leaving = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(message)
}
