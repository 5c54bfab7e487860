import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import type { z } from 'zod'
import { errorReply, type GraphError, graphError } from './graph-error.ts'
import { MarkRead, Outgoing, type TemplateMessage } from './message-schemas.ts'
import type { Network } from './network.ts'
import type { Choice, Content, WhatsAppRecord } from './record.ts'
import type { Template } from './settings.ts'
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

/** What a phone shows of a message, or why Meta refuses it. */
function readContent(message: Outgoing, templates: readonly Template[]): Content | GraphError {
  switch (message.type) {
    case 'text':
      return { kind: 'text', text: message.text.body }
    case 'interactive':
      return readInteractive(message.interactive)
    case 'template':
      return readTemplate(message.template, templates)
    case 'image':
      return { kind: 'media', type: 'image', ...readMedia(message.image) }
    case 'document':
      return { kind: 'media', type: 'document', ...readMedia(message.document) }
    case 'audio':
      return { kind: 'media', type: 'audio', ...readMedia(message.audio) }
    case 'location': {
      const { latitude, longitude, name, address } = message.location
      return {
        kind: 'location',
        latitude,
        longitude,
        ...(name === undefined ? {} : { name }),
        ...(address === undefined ? {} : { address }),
      }
    }
    case 'reaction':
      return {
        kind: 'reaction',
        emoji: message.reaction.emoji,
        messageId: message.reaction.message_id,
      }
  }
}

type Interactive = Extract<Outgoing, { type: 'interactive' }>['interactive']

function readInteractive(interactive: Interactive): Content {
  switch (interactive.type) {
    case 'button':
      return {
        kind: 'buttons',
        text: interactive.body.text,
        buttons: interactive.action.buttons.map(({ reply }) => reply),
      }
    case 'list':
      return {
        kind: 'list',
        text: interactive.body.text,
        button: interactive.action.button,
        rows: interactive.action.sections.flatMap(({ rows }) => rows.map(toChoice)),
      }
    case 'location_request_message':
      return { kind: 'location-request', text: interactive.body.text }
    case 'call_permission_request':
      return { kind: 'call-permission-request', text: interactive.body?.text ?? '' }
  }
}

function toChoice(row: {
  readonly id: string
  readonly title: string
  readonly description?: string | undefined
}): Choice {
  const { id, title, description } = row
  return { id, title, ...(description === undefined ? {} : { description }) }
}

type Media = Extract<Outgoing, { type: 'image' }>['image']

function readMedia({ id, link, caption }: Media): {
  readonly mediaId?: string
  readonly link?: string
  readonly caption?: string
} {
  return {
    ...(id === undefined ? {} : { mediaId: id }),
    ...(link === undefined ? {} : { link }),
    ...(caption === undefined ? {} : { caption }),
  }
}

// Meta refuses these in a parameter, so that a template cannot be turned into another message.
const UNTIDY = /[\n\t]| {5,}/

function readTemplate(
  { name, language, components }: TemplateMessage,
  templates: readonly Template[],
): Content | GraphError {
  const template = templates.find((one) => one.name === name && one.language === language.code)
  if (template === undefined)
    return graphError(
      'unknownTemplate',
      `template name (${name}) does not exist in ${language.code}`,
    )
  const parameters = components.flatMap((one) => (one.type === 'body' ? one.parameters : []))
  const wanted = new Set(template.body.match(/\{\{\w+\}\}/g) ?? []).size
  if (parameters.length !== wanted)
    return graphError(
      'parameterCount',
      `body: number of localizable_params (${parameters.length}) does not match the expected number of params (${wanted})`,
    )
  if (parameters.some(({ text = '' }) => UNTIDY.test(text) || text === ''))
    return graphError(
      'invalidParameter',
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    )
  const text = parameters.reduce(
    (body, { parameter_name, text: value = '' }, index) =>
      body.replaceAll(`{{${parameter_name ?? index + 1}}}`, () => value),
    template.body,
  )
  const payloads = components.filter(({ type }) => type === 'button')
  return {
    kind: 'template',
    name,
    text,
    buttons: template.buttons.map((title, index) => ({
      id: payloads.find((one) => one.index === index)?.parameters[0]?.payload ?? title,
      title,
    })),
    asksForCallPermission: template.asksForCallPermission,
  }
}
