import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorText, relayDecisions, toolApproval, tools } from '@surehand/ai-sdk'
import type { Caller, Runtime } from '@surehand/core'
import {
  convertToModelMessages,
  isStepCount,
  type LanguageModel,
  pipeUIMessageStreamToResponse,
  safeValidateUIMessages,
  streamText,
  toUIMessageStream,
} from 'ai'
import { z } from 'zod'

/** The name under which this chat relays approvals; the runtime's policy trusts it. */
export const HOST = 'chat'
const MAX_BYTES = 1_000_000
const Body = z.object({ id: z.string().min(1).max(100), messages: z.array(z.unknown()).min(1) })

export type ChatContext = {
  readonly runtime: Runtime
  readonly model: LanguageModel
  /** Take it from your session, never from the messages. */
  readonly caller: Caller
}

/** `POST /api/chat`: takes the UI messages of a chat and streams the answer. */
export async function chatRoute(
  request: IncomingMessage,
  response: ServerResponse,
  { runtime, model, caller }: ChatContext,
): Promise<void> {
  const body = Body.safeParse(await readJson(request))
  const sent = body.success
    ? await safeValidateUIMessages({ messages: body.data.messages })
    : undefined
  if (!body.success || !sent?.success) {
    response.writeHead(400).end('The body must be { id, messages }, with messages of the AI SDK.')
    return
  }
  const options = { run: body.data.id, host: HOST }
  const set = await tools(runtime, caller, options)
  const messages = await convertToModelMessages(sent.data, { tools: set })
  // The SDK does not pass denials to tools.
  await relayDecisions(runtime, caller, messages, options)
  const result = streamText({
    model,
    instructions: 'You help with parcels. Say that something is done only when its tool says so.',
    tools: set,
    toolApproval: toolApproval(runtime, caller, options),
    messages,
    stopWhen: isStepCount(5),
  })
  // Without onError the SDK masks messages, and the model reads the masked text next time.
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: sent.data,
    onError: errorText,
  })
  await pipeUIMessageStreamToResponse({ response, stream })
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BYTES) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
