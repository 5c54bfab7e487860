import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { WRITE } from '../contract.ts'
import { marketPort } from '../market-port.ts'
import { messageKey } from './content-hash.ts'

const MAX_BUTTONS = 3
const MAX_BUTTON_CHARACTERS = 20

const Input = z.object({
  request_id: z.string().min(1).max(100),
  message: z.string().trim().min(1).max(4_096).describe('In the language of the client.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .describe('request:{id}:hash:{content_hash}; it is filled in where it is left out.'),
  message_type: z.enum(['text', 'interactive']).default('text'),
  interactive_options: z
    .array(z.string().trim().min(1).max(24))
    .min(1)
    .max(10)
    .optional()
    .describe(
      'Answers to choose from: up to 3 are buttons of at most 20 characters, more are a list.',
    ),
})

export const sendClientMessage = defineTool({
  id: 'marketplace.send_client_message',
  title: 'Write to the client',
  category: 'marketplace',
  description:
    'Sends a WhatsApp message to the client of a request, as text or with answers to choose from. The same message of a request is sent once, however often this is called. A client gets at most 20 messages in a minute.',
  version: '1.0.0',
  input: Input,
  output: z.object({
    success: z.boolean(),
    provider_message_id: z.string().optional(),
    error: z.string().optional(),
  }),
  contract: {
    ...WRITE,
    effect: 'writes.message',
    reversible: false,
    idempotency: ({ request_id: id, message, message_type: type, interactive_options: options }) =>
      messageKey(id, { recipient: 'client', type, text: message, options }),
    onRefusal: 'release',
    timeout: '20s',
  },
  requestId: ({ request_id: id }) => id,
  ports: { market: marketPort },
  check: ({ input }) => checkOptions(input),
  examples: [
    {
      name: 'a question',
      input: {
        request_id: 'req_1',
        message: 'Which dose do you need?',
        idempotency_key: 'request:req_1:hash:1',
      },
    },
    {
      name: 'a choice',
      input: {
        request_id: 'req_1',
        message: 'Shall we ask pharmacies near Kimironko?',
        idempotency_key: 'request:req_1:hash:2',
        message_type: 'interactive',
        interactive_options: ['Yes', 'Another place'],
      },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { provider_message_id: id } = await ports.market.sendMessage(
      {
        tenant: caller.tenant,
        requestId: input.request_id,
        text: input.message,
        options: input.interactive_options,
        by: caller.actor,
        idempotencyKey,
      },
      signal,
    )
    return { success: true, ...(id === undefined ? {} : { provider_message_id: id }) }
  },
})

function checkOptions({
  message,
  message_type: type,
  interactive_options: options,
}: z.output<typeof Input>): void {
  if ((type === 'interactive') !== (options !== undefined))
    throw invalidOptions(
      type === 'interactive'
        ? 'An interactive message needs interactive_options.'
        : 'A text has no interactive_options; set message_type to interactive.',
    )
  if (options === undefined) return
  if (message.length > 1_024)
    throw invalidOptions('The text of an interactive message has at most 1,024 characters.')
  if (options.length <= MAX_BUTTONS && options.some((one) => one.length > MAX_BUTTON_CHARACTERS))
    throw invalidOptions(`The title of a button has at most ${MAX_BUTTON_CHARACTERS} characters.`)
  if (new Set(options).size < options.length)
    throw invalidOptions('Two answers to choose from are the same.')
}

function invalidOptions(error: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', error, {
    details: {
      validation_errors: [{ field: 'interactive_options', error, provided_value: null }],
    },
  })
}
