import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema, PROTOCOL_VERSION, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { discoverTools } from '@surehand/documents'
import {
  describeRoutes,
  EVENT_CONTENT,
  envelopeResponse,
  FAILURES,
  type Json,
  parameterReference,
} from './openapi-routes.ts'
import type { Surface } from './options.ts'
import type { Route } from './route.ts'

/** All paths of the surface and every tool that the caller may use, as an OpenAPI 3.1 document. */
export function openApi(caller: Caller, surface: Surface, routes: readonly Route[]): Json {
  const visible = new Set(
    discoverTools(surface.runtime, caller)
      .listTools()
      .map(({ id }) => id),
  )
  const tools = surface.runtime.tools(caller.tenant).filter(({ id }) => visible.has(id))
  const { paths, components } = describeRoutes(routes)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Surehand',
      version: PROTOCOL_VERSION,
      description: 'Tools with enforced contracts. Every response is an envelope.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: surface.origin }],
    security: [{ token: [] }],
    paths: {
      ...paths,
      ...Object.fromEntries(
        tools.map((tool) => [`/v1/tools/${tool.id}/call`, { post: callOperation(tool) }]),
      ),
    },
    components: {
      ...components,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ...components.schemas, ...Object.fromEntries(tools.flatMap(schemasOf)) },
    },
  }
}

/** The response with server-sent events as an alternative: progress first, the envelope last. */
function withEvents(answer: Json): Json {
  return { ...answer, content: { ...(answer.content as Json), ...EVENT_CONTENT } }
}

function callOperation(tool: Tool): Json {
  const name = wireName(tool.id)
  const examples = Object.fromEntries(
    tool.examples.map((example) => [
      example.name.replace(/[^\w.-]+/g, '_'),
      { summary: example.name, value: example.input },
    ]),
  )
  return {
    operationId: name,
    summary: tool.title,
    description: tool.description,
    tags: [tool.category],
    parameters: [
      ...(tool.contract.isWrite || tool.isDeferred ? ['Surehand-Notify' as const] : []),
      ...(tool.contract.isWrite ? ['Idempotency-Key' as const] : []),
      'Prefer' as const,
    ].map(parameterReference),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}.input` },
          ...(tool.examples.length === 0 ? {} : { examples }),
        },
      },
    },
    responses: {
      200: withEvents(
        envelopeResponse(
          isOutputPublished(tool)
            ? { anyOf: [{ $ref: `#/components/schemas/${name}.output` }, { type: 'null' }] }
            : {},
          'Done.',
        ),
      ),
      202: { $ref: '#/components/responses/Waiting' },
      ...FAILURES,
    },
  }
}

function schemasOf(tool: Tool): readonly (readonly [string, unknown])[] {
  const name = wireName(tool.id)
  return [
    [`${name}.input`, embed(modelInputSchema(tool), `#/components/schemas/${name}.input`)],
    ...(isOutputPublished(tool)
      ? [
          [
            `${name}.output`,
            embed(tool.output.toJson('output'), `#/components/schemas/${name}.output`),
          ] as const,
        ]
      : []),
  ]
}

// Answers of imported and mounted tools differ from their documents: a client that believes the
// schema would fail after the call has run. And they are most of a large listing.
function isOutputPublished({ output }: Tool): boolean {
  return output.isForeign !== true
}

/** A schema to be embedded in the document, with its internal references adjusted. */
function embed(schema: JsonSchema, root: string): unknown {
  const { $schema: _, ...rest } = schema as Json
  return moveReferences(rest, root)
}

// These keywords hold values and not schemas: a `$ref` in them is data.
const VALUES = new Set(['const', 'default', 'enum', 'examples'])

function moveReferences(node: unknown, root: string): unknown {
  if (Array.isArray(node)) return node.map((item) => moveReferences(item, root))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#'))
        return [key, root + value.slice(1)]
      return [key, VALUES.has(key) ? value : moveReferences(value, root)]
    }),
  )
}
