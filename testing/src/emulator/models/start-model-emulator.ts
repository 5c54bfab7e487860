import type { z } from 'zod'
import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '../route.ts'
import { type Emulator, startEmulator } from '../start-emulator.ts'
import { MessagesRequest, readMessages, replyMessages } from './anthropic-messages.ts'
import type { Conversation, Mind, Vendor } from './conversation.ts'
import { jsonReply, newId, VendorRefusal } from './emulated.ts'
import { ContentRequest, readContent, replyContent } from './gemini-content.ts'
import { ChatRequest, readChat, replyChat } from './openai-chat.ts'
import {
  type KeptResponses,
  ResponsesRequest,
  readResponses,
  replyResponses,
} from './openai-responses.ts'

/** `mind` decides what every model says; `port` is any free one unless it is named. */
export type ModelEmulatorOptions = { readonly mind: Mind; readonly port?: number }

export type ModelEmulator = Emulator & {
  /** Every conversation that a mind was asked about, in order. */
  readonly asked: () => readonly Conversation[]
}

/**
 * The APIs of OpenAI (chat completions and Responses), Anthropic (Messages) and Google (Gemini) on 127.0.0.1, in their wire formats,
 * streamed or not, with one script behind them. Every answer says that it is emulated: the model's name ends in `-emulated`.
 *
 * Base URLs: OpenAI `${url}/v1`, Anthropic `${url}` (`/v1/messages`), Gemini `${url}/v1beta`. Any key is taken, none is refused (401;
 * Gemini says 403, as Google does). Models are known by their beginnings: gpt-, o1…, claude-, gemini-; others are 404.
 * `fail` and the header `x-emulator-fault` make it misbehave, as every emulator of this kit.
 *
 * @example
 * const models = await startModelEmulator({
 *   mind: (conversation) => lastResults(conversation).length > 0
 *     ? { text: `The shop says: ${lastResults(conversation)[0]?.text}` }
 *     : { calls: [{ name: 'shop__price', arguments: { product: 'tea' } }] },
 * })
 * const openai = createOpenAI({ baseURL: `${models.url}/v1`, apiKey: 'emulated' })
 */
export async function startModelEmulator({
  mind,
  port,
}: ModelEmulatorOptions): Promise<ModelEmulator> {
  const asked: Conversation[] = []
  const kept: KeptResponses = { items: new Map(), responses: new Map() }
  const think: Mind = (conversation) => {
    asked.push(conversation)
    return mind(conversation)
  }
  const emulator = await startEmulator({
    routes: modelRoutes(think, kept),
    ...(port === undefined ? {} : { port }),
  })
  return { ...emulator, asked: () => asked }
}

function modelRoutes(mind: Mind, kept: KeptResponses): readonly EmulatorRoute[] {
  return [
    route('openai-chat', '/v1/chat/completions', (request) => {
      const conversation = readChat(parsed(ChatRequest, request))
      knownModel(conversation, /^(?:gpt-|o\d|chatgpt-)/)
      return replyChat(conversation, mind(conversation))
    }),
    route('openai-responses', '/v1/responses', (request) => {
      const read = readResponses(parsed(ResponsesRequest, request), kept)
      knownModel(read.conversation, /^(?:gpt-|o\d|chatgpt-)/)
      return replyResponses(read, mind(read.conversation), kept)
    }),
    route('anthropic', '/v1/messages', (request) => {
      const conversation = readMessages(parsed(MessagesRequest, request))
      knownModel(conversation, /^claude-/)
      return replyMessages(conversation, mind(conversation))
    }),
    route('gemini', '/v1beta/models/:address', (request) => {
      const [model = '', method = ''] = (request.params.address ?? '').split(':')
      if (!/^gemini-/.test(model) || !['generateContent', 'streamGenerateContent'].includes(method))
        throw new VendorRefusal(
          404,
          `models/${model} is not found for API version v1beta, or is not supported for ${method}.`,
          {
            kind: 'NOT_FOUND',
          },
        )
      const conversation = readContent(parsed(ContentRequest, request), {
        model,
        isStreamed: method === 'streamGenerateContent',
      })
      return replyContent(conversation, mind(conversation), request.query.get('alt') === 'sse')
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
        // what the script threw is a bug of the script, and is shown as one
        if (!(thrown instanceof VendorRefusal)) throw thrown
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
        throw new VendorRefusal(
          401,
          "You didn't provide an API key. Send it in an Authorization header, as a Bearer.",
        )
      return
    case 'anthropic':
      if (!bearer && !headers['x-api-key'])
        throw new VendorRefusal(401, 'x-api-key header is required', {
          kind: 'authentication_error',
        })
      if (!headers['anthropic-version'])
        throw new VendorRefusal(400, 'anthropic-version: header is required')
      return
    case 'gemini':
      if (!headers['x-goog-api-key'] && !query.get('key') && !bearer)
        throw new VendorRefusal(
          403,
          "Method doesn't allow unregistered callers. Please use an API key.",
          { kind: 'PERMISSION_DENIED' },
        )
  }
}

function knownModel({ model, vendor }: Conversation, pattern: RegExp): void {
  if (pattern.test(model)) return
  if (vendor === 'anthropic')
    throw new VendorRefusal(404, `model: ${model}`, { kind: 'not_found_error' })
  throw new VendorRefusal(
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    { kind: 'model_not_found' },
  )
}

function errorBody(vendor: Vendor, { message, kind, param, status }: VendorRefusal): object {
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

function parsed<T extends z.ZodType>(form: T, request: EmulatorRequest): z.infer<T> {
  const read = form.safeParse(readJson(request))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new VendorRefusal(
    400,
    `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not what it should be'}`,
    {
      ...(issue === undefined ? {} : { param: issue.path.join('.') }),
    },
  )
}

function readJson({ json }: EmulatorRequest): unknown {
  try {
    return json()
  } catch {
    throw new VendorRefusal(400, 'We could not parse the JSON body of your request.')
  }
}
