import { z } from 'zod'

// What the Cloud API accepts as a message of a business. The bounds are Meta's.

const Text = z.object({ body: z.string().min(1).max(4096), preview_url: z.boolean().optional() })

const Media = z
  .object({
    id: z.string().optional(),
    link: z.url().optional(),
    caption: z.string().max(1024).optional(),
    filename: z.string().optional(),
  })
  .refine(({ id, link }) => (id === undefined) !== (link === undefined), {
    message: 'Give either an id or a link.',
  })

const Location = z.object({
  latitude: z.coerce.number().min(-90).max(90),
  longitude: z.coerce.number().min(-180).max(180),
  name: z.string().optional(),
  address: z.string().optional(),
})

const Button = z.object({
  type: z.literal('reply'),
  reply: z.object({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) }),
})
const Row = z.object({
  id: z.string().min(1).max(200),
  title: z.string().min(1).max(24),
  description: z.string().max(72).optional(),
})
const Section = z.object({ title: z.string().max(24).optional(), rows: z.array(Row).min(1) })

const Frame = {
  header: z.object({ type: z.string(), text: z.string().max(60).optional() }).optional(),
  footer: z.object({ text: z.string().max(60) }).optional(),
}
const Body = z.object({ text: z.string().min(1).max(1024) })

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length

const Interactive = z.discriminatedUnion('type', [
  z.object({
    ...Frame,
    type: z.literal('button'),
    body: Body,
    action: z.object({
      buttons: z
        .array(Button)
        .min(1)
        .max(3)
        .refine((all) => isUnique(all.map(({ reply }) => reply.id)), 'Two buttons have one id.')
        .refine(
          (all) => isUnique(all.map(({ reply }) => reply.title)),
          'Two buttons have one title.',
        ),
    }),
  }),
  z.object({
    ...Frame,
    type: z.literal('list'),
    body: z.object({ text: z.string().min(1).max(4096) }),
    action: z.object({
      button: z.string().min(1).max(20),
      sections: z
        .array(Section)
        .min(1)
        .max(10)
        .refine((all) => all.flatMap(({ rows }) => rows).length <= 10, 'More than 10 rows.')
        .refine(
          (all) => all.length === 1 || all.every(({ title }) => title !== undefined),
          'Several sections need titles.',
        ),
    }),
  }),
  z.object({
    type: z.literal('location_request_message'),
    body: Body,
    action: z.object({ name: z.literal('send_location') }),
  }),
  z.object({
    type: z.literal('call_permission_request'),
    body: Body.optional(),
    action: z.object({ name: z.literal('call_permission_request') }),
  }),
])

const Parameter = z.object({
  type: z.string(),
  text: z.string().optional(),
  parameter_name: z.string().optional(),
  payload: z.string().optional(),
})
const Component = z.object({
  type: z.enum(['header', 'body', 'button']),
  sub_type: z.string().optional(),
  index: z.coerce.number().optional(),
  parameters: z.array(Parameter).default([]),
})
const TemplateMessage = z.object({
  name: z.string().min(1).max(512),
  language: z.object({ code: z.string(), policy: z.literal('deterministic').optional() }),
  components: z.array(Component).default([]),
})
export type TemplateMessage = z.output<typeof TemplateMessage>

const Reaction = z.object({ message_id: z.string(), emoji: z.string() })

const Envelope = {
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual').optional(),
  to: z.string().regex(/^\+?\d{7,15}$/),
  context: z.object({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
}

/** A message as a business posts it. */
export const Outgoing = z.discriminatedUnion('type', [
  z.object({ ...Envelope, type: z.literal('text').default('text'), text: Text }),
  z.object({ ...Envelope, type: z.literal('interactive'), interactive: Interactive }),
  z.object({ ...Envelope, type: z.literal('template'), template: TemplateMessage }),
  z.object({ ...Envelope, type: z.literal('image'), image: Media }),
  z.object({ ...Envelope, type: z.literal('document'), document: Media }),
  z.object({ ...Envelope, type: z.literal('audio'), audio: Media }),
  z.object({ ...Envelope, type: z.literal('location'), location: Location }),
  z.object({ ...Envelope, type: z.literal('reaction'), reaction: Reaction }),
])
export type Outgoing = z.output<typeof Outgoing>

/** The other thing that may be posted there: a message of the user was read. */
export const MarkRead = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: z.string(),
  typing_indicator: z.object({ type: z.literal('text') }).optional(),
})
