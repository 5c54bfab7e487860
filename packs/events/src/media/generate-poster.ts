import { defineTool } from '@surehand/core'
import { encodeImageBytes } from '@surehand/reading'
import { z } from 'zod'
import { PosterStyle, postersPort } from './posters-port.ts'

const Side = z.number().int().min(240).max(4096)

export const generatePoster = defineTool({
  id: 'media.imagen3.generatePoster',
  title: 'Generate a poster',
  category: 'integration',
  aliases: ['Media.Imagen3.generatePoster', 'media_imagen3_generate_poster'],
  description:
    'Makes a poster for an event from its title and a description, and returns the URL of the picture (PNG, 1080×1920 unless other dimensions are given). Put date, time and place into the description, each on its own line: they appear as they are written. It takes seconds and may cost money with a vendor; a retry under the same key is not charged again.',
  input: z.object({
    eventTitle: z.string().trim().min(1).max(300),
    eventDescription: z
      .string()
      .trim()
      .max(2000)
      .optional()
      .describe('The other text: date, time, place, a sentence; each on its own line.'),
    style: PosterStyle.default('modern'),
    dimensions: z
      .object({ width: Side, height: Side })
      .default({ width: 1080, height: 1920 })
      .describe('In pixels.'),
    includeBytes: z
      .boolean()
      .default(false)
      .describe(
        'Also return the picture itself, in base64. It is large: leave it out unless needed.',
      ),
  }),
  output: z.object({
    imageUrl: z.string(),
    imageBytes: z.string().optional().meta({ contentEncoding: 'base64' }),
    provider: z.string().optional().describe('The provider that made it.'),
  }),
  contract: {
    effect: 'writes.media',
    reversible: true,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: ['media.write'] },
    auth: 'session',
    timeout: '30s',
    retries: 0,
    latencyBudget: '3s',
  },
  ports: { posters: postersPort },
  examples: [
    {
      name: 'a concert',
      input: {
        eventTitle: 'Midsummer Night Jazz',
        eventDescription:
          'Saturday, 20 June 2026, 8 pm\nCity Park Pavilion\nThree bands, one warm night. Free entry.',
        style: 'vibrant',
      },
    },
  ],
  execute: async ({ input, ports, caller, idempotencyKey, signal }) => {
    const { eventTitle, eventDescription, style, dimensions, includeBytes } = input
    const description = eventDescription === undefined ? {} : { description: eventDescription }
    const order = {
      tenant: caller.tenant,
      idempotencyKey,
      title: eventTitle,
      ...description,
      style,
      ...dimensions,
    }
    const poster = await ports.posters.generate(order, signal)
    const bytes =
      includeBytes && poster.bytes !== undefined
        ? { imageBytes: encodeImageBytes(poster.bytes) }
        : {}
    return { imageUrl: poster.url, provider: poster.provider, ...bytes }
  },
})
