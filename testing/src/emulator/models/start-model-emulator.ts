import type { z } from 'zod'
import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '../route.ts'
import { type Emulator, startEmulator } from '../start-emulator.ts'
import { MessagesRequest, readMessages, replyMessages } from './anthropic-messages.ts'
import type { Conversation, ModelScript, Vendor } from './conversation.ts'
import { jsonReply, newId, VendorError } from './emulated.ts'
import { ContentRequest, readContent, replyContent } from './gemini-content.ts'
import { ChatRequest, readChat, replyChat } from './openai-chat.ts'
import {
  ResponsesRequest,
  readResponses,
  replyResponses,
  type StoredResponses,
} from './openai-responses.ts'

/** `script` decides what every model answers. The default for `port` is any free port. */
export type ModelEmulatorOptions = { readonly script: ModelScript; readonly port?: number }

export type ModelEmulator = Emulator & {
  /** Every conversation that the script has answered, in order. */
  readonly conversations: () => readonly Conversation[]
}

/**
 * Starts the APIs of OpenAI (chat completions and Responses), Anthropic (Messages) and Google
 * (Gemini) on 127.0.0.1, in their wire formats, streamed or not, with one script that answers.
 * Every response is marked: the model's name ends in `-emulated`.
 *
 * Base URLs: OpenAI `${url}/v1`, Anthropic `${url}` (`/v1/messages`), Gemini `${url}/v1beta`. Any
 * API key is accepted; a missing one is refused (401; Gemini answers 403, as Google does). Models
 * are recognized by prefix (gpt-, o1…, claude-, gemini-); others are 404. `fail` and the header
 * `x-emulator-fault` make it misbehave, like every emulator of this package.
 *
 * @example
 * const models = await startModelEmulator({
 *   script: (conversation) => lastResults(conversation).length > 0
 *     ? { text: `The shop says: ${lastResults(conversation)[0]?.text}` }
 *     : { calls: [{ name: 'shop__price', arguments: { product: 'tea' } }] },
 * })
 * const openai = createOpenAI({ baseURL: `${models.url}/v1`, apiKey: 'emulated' })
 */
export async function startModelEmulator({
  script,
  port,
}: ModelEmulatorOptions): Promise<ModelEmulator> {
  const conversations: Conversation[] = []
  const stored: StoredResponses = { items: new Map(), responses: new Map() }
  const record: ModelScript = (conversation) => {
    conversations.push(conversation)
    return script(conversation)
  }
  const emulator = await startEmulator({
    routes: modelRoutes(record, stored),
    ...(port === undefined ? {} : { port }),
  })
  return { ...emulator, conversations: () => conversations }
}

function modelRoutes(script: ModelScript, stored: StoredResponses): readonly EmulatorRoute[] {
  return [
    route('openai-chat', '/v1/chat/completions', (request) => {
      const conversation = readChat(parseRequest(ChatRequest, request))
      checkModel(conversation, /^(?:gpt-|o\d|chatgpt-)/)
      return replyChat(conversation, script(conversation))
    }),
    route('openai-responses', '/v1/responses', (request) => {
      const read = readResponses(parseRequest(ResponsesRequest, request), stored)
      checkModel(read.conversation, /^(?:gpt-|o\d|chatgpt-)/)
      return replyResponses(read, script(read.conversation), stored)
    }),
    route('anthropic', '/v1/messages', (request) => {
      const conversation = readMessages(parseRequest(MessagesRequest, request))
      checkModel(conversation, /^claude-/)
      return replyMessages(conversation, script(conversation))
    }),
    route('gemini', '/v1beta/models/:address', (request) => {
      const [model = '', method = ''] = (request.params.address ?? '').split(':')
      if (!/^gemini-/.test(model) || !['generateContent', 'streamGenerateContent'].includes(method))
        throw new VendorError(
          404,
          `models/${model} is not found for API version v1beta, or is not supported for ${method}.`,
          {
            kind: 'NOT_FOUND',
          },
        )
      const conversation = readContent(parseRequest(ContentRequest, request), {
        model,
        isStreamed: method === 'streamGenerateContent',
      })
      return replyContent(conversation, script(conversation), request.query.get('alt') === 'sse')
    }),
  ]
}

function route(
  vendor: Vendor,
  path: string,
  answer: (request: EmulatorRequest) => EmulatorReply,
): EmulatorRoute {
  return {
    method: 'POST',
    path,
    handle(request) {
      try {
        checkKey(vendor, request)
        return answer(request)
      } catch (thrown) {
        // Any other error is a bug of the script, which the emulator returns as status 500.
        if (!(thrown instanceof VendorError)) throw thrown
        return jsonReply(errorBody(vendor, thrown), thrown.status)
      }
    },
  }
}

function checkKey(vendor: Vendor, { headers, query }: EmulatorRequest): void {
  const bearer = /^Bearer \S/.test(headers.authorization ?? '')
  switch (vendor) {
    case 'openai-chat':
    case 'openai-responses':
      if (!bearer)
        throw new VendorError(
          401,
          "You didn't provide an API key. Send it in an Authorization header, as a Bearer.",
        )
      return
    case 'anthropic':
      if (!bearer && !headers['x-api-key'])
        throw new VendorError(401, 'x-api-key header is required', {
          kind: 'authentication_error',
        })
      if (!headers['anthropic-version'])
        throw new VendorError(400, 'anthropic-version: header is required')
      return
    case 'gemini':
      if (!headers['x-goog-api-key'] && !query.get('key') && !bearer)
        throw new VendorError(
          403,
          "Method doesn't allow unregistered callers. Please use an API key.",
          { kind: 'PERMISSION_DENIED' },
        )
  }
}

function checkModel({ model, vendor }: Conversation, pattern: RegExp): void {
  if (pattern.test(model)) return
  if (vendor === 'anthropic')
    throw new VendorError(404, `model: ${model}`, { kind: 'not_found_error' })
  throw new VendorError(
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    { kind: 'model_not_found' },
  )
}

function errorBody(vendor: Vendor, { message, kind, param, status }: VendorError): object {
  switch (vendor) {
    case 'openai-chat':
    case 'openai-responses': {
      const code = kind === 'invalid_request_error' ? null : kind
      return { error: { message, type: 'invalid_request_error', param: param ?? null, code } }
    }
    case 'anthropic':
      return { type: 'error', error: { type: kind, message }, request_id: newId('req_01', 22) }
    case 'gemini':
      return {
        error: {
          code: status,
          message,
          status: kind === 'invalid_request_error' ? 'INVALID_ARGUMENT' : kind,
        },
      }
  }
}

function parseRequest<T extends z.ZodType>(form: T, request: EmulatorRequest): z.infer<T> {
  const read = form.safeParse(readJson(request))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new VendorError(
    400,
    `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is invalid'}`,
    {
      ...(issue === undefined ? {} : { param: issue.path.join('.') }),
    },
  )
}

function readJson({ json }: EmulatorRequest): unknown {
  try {
    return json()
  } catch {
    throw new VendorError(400, 'We could not parse the JSON body of your request.')
  }
}
