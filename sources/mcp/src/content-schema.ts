import type { JsonSchema } from '@surehand/core/internal'

const artifact = {
  type: 'object',
  properties: {
    media_type: { type: 'string' },
    bytes: { type: 'integer', description: 'How large it is.' },
    sha256: { type: 'string' },
    base64: {
      type: 'string',
      description: 'The whole of it, where it is small enough to be carried.',
    },
  },
  required: ['media_type', 'bytes', 'sha256'],
}

/** The answer of a tool that declares no shape for it. */
export const CONTENT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    content: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', description: 'text, image, audio, resource or resource_link' },
          text: { type: 'string' },
          uri: { type: 'string' },
          name: { type: 'string' },
          title: { type: 'string' },
          description: { type: 'string' },
          artifact,
        },
        required: ['type'],
      },
    },
    structured: { description: 'What the tool answered as data, though it declares no shape.' },
  },
  required: ['content'],
}
