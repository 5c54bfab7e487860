import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import type { z } from 'zod'
import { readContent } from './content.ts'
import { errorReply, type GraphError, graphError } from './graph-error.ts'
import { MarkRead, Outgoing } from './message-schemas.ts'
import type { Network } from './network.ts'
import type { Content, WhatsAppRecord } from './record.ts'
import { isWindowOpen } from './whatsapp-state.ts'

/** `POST /{version}/{phone-number-id}/messages`. */
export function messageRoutes(network: Network): readonly EmulatorRoute[] {
  return [
    {
      method: 'POST',
      path: '/:version/:phoneNumberId/messages',
      handle: (request) => network.authorize(request) ?? postMessage(network, request),
    },
  ]
}

function postMessage(network: Network, request: EmulatorRequest): EmulatorReply {
  const body = request.json()
  if (typeof body === 'object' && body !== null && 'status' in body) return markRead(network, body)
  // A body without a type is a text.
  const parsed = Outgoing.safeParse({ type: 'text', ...(body as object) })
  if (!parsed.success) return errorReply(describeProblem(parsed.error))
  const limited = network.limiter.take(parsed.data.to)
  if (limited !== undefined) return errorReply(limited)
  const content = readContent(parsed.data, network.state.settings.templates)
  if ('code' in content) return errorReply(content)
  const unknown = findUnknownMedia(network, content)
  if (unknown !== undefined) return errorReply(unknown)
  return acceptMessage(network, parsed.data, content)
}

function acceptMessage(network: Network, message: Outgoing, content: Content): EmulatorReply {
  const { state, now } = network
  const to = message.to.replace('+', '')
  const isTemplate = message.type === 'template'
  const atMs = now()
  const refusal = findRefusal()
  if (refusal !== undefined && state.settings.refusals === 'response') return errorReply(refusal)
  const id = network.newMessageId()
  const { context, biz_opaque_callback_data: opaque } = message
  const effect: WhatsAppRecord = {
    ...{ kind: 'sent', id, to, content, isTemplate, atMs },
    ...(context === undefined ? {} : { quotes: context.message_id }),
    ...(opaque === undefined ? {} : { opaque }),
    ...(refusal === undefined ? {} : { refusal }),
  }
  return {
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input: message.to, wa_id: to }],
      messages: [{ id, ...(isTemplate ? { message_status: 'accepted' } : {}) }],
    },
    effect,
  }

  function findRefusal(): GraphError | undefined {
    if (!state.phones.has(to)) return graphError('undeliverable', 'Message Undeliverable.')
    return isTemplate || isWindowOpen(state, to, atMs)
      ? undefined
      : graphError(
          'outsideWindow',
          'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
        )
  }
}

function findUnknownMedia({ state }: Network, content: Content): GraphError | undefined {
  if (content.kind !== 'media' || content.mediaId === undefined) return undefined
  return state.media.has(content.mediaId)
    ? undefined
    : graphError('invalidParameter', `Media ID ${content.mediaId} does not exist.`)
}

function markRead({ state }: Network, body: object): EmulatorReply {
  const parsed = MarkRead.safeParse(body)
  if (!parsed.success) return errorReply(describeProblem(parsed.error))
  const message = state.messages.get(parsed.data.message_id)
  if (message === undefined || message.direction !== 'in')
    return errorReply(graphError('invalidValue', 'message_id is not a message of a user.'))
  const effect: WhatsAppRecord = { kind: 'marked-read', id: message.id }
  return { body: { success: true }, effect }
}

/** The first problem of a request, in Meta's words. */
export function describeProblem(error: z.ZodError): GraphError {
  const [issue] = error.issues
  const path = issue?.path.join('.') ?? ''
  if (issue?.code === 'invalid_union')
    return graphError('unsupportedType', `${path || 'type'} is not supported.`)
  return issue?.code === 'invalid_type' && issue.input === undefined
    ? graphError('missingParameter', `${path} is required.`)
    : graphError('invalidParameter', `Param ${path}: ${issue?.message ?? 'is not valid'}`)
}
