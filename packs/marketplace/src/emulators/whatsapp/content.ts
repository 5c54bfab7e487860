import type { GraphError } from './graph-error.ts'
import { graphError } from './graph-error.ts'
import type { Outgoing, TemplateMessage } from './message-schemas.ts'
import type { Choice, Content } from './record.ts'
import type { Template } from './settings.ts'

/** What a phone shows of a message, or why Meta refuses it. */
export function readContent(
  message: Outgoing,
  templates: readonly Template[],
): Content | GraphError {
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
