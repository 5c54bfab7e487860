import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema, OUTCOMES, PROTOCOL_VERSION, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { discoverTools } from '@surehand/documents'
import type { Surface } from './options.ts'
import type { Route } from './route.ts'

type Json = Readonly<Record<string, unknown>>

/** All paths of the surface and every tool that the caller may use, as an OpenAPI 3.1 document. */
export function openApi(caller: Caller, surface: Surface, routes: readonly Route[]): Json {
  const visible = new Set(
    discoverTools(surface.runtime, caller)
      .listTools()
      .map(({ id }) => id),
  )
  const tools = surface.runtime.tools(caller.tenant).filter(({ id }) => visible.has(id))
  const plain = routes.filter(({ path }) => path !== '/v1/tools/:id/call')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Surehand',
      version: PROTOCOL_VERSION,
      description: 'Tools with enforced contracts. Every response is an envelope.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: surface.origin }],
    security: [{ token: [] }],
    paths: {
      ...Object.fromEntries(
        [...Map.groupBy(plain, ({ path }) => toTemplate(path))].map(([path, operations]) => [
          path,
          pathItem(path, operations),
        ]),
      ),
      ...Object.fromEntries(
        tools.map((tool) => [`/v1/tools/${tool.id}/call`, { post: callOperation(tool) }]),
      ),
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ENVELOPE, ...Object.fromEntries(tools.flatMap(schemasOf)) },
    },
  }
}

const ENVELOPE: Json = {
  type: 'object',
  required: ['status', 'command', 'data', 'metadata'],
  properties: {
    status: { enum: ['success', 'failed', 'error'] },
    command: { type: 'string' },
    data: true,
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        details: true,
        recovery_suggestions: { type: 'array', items: { type: 'string' } },
      },
    },
    metadata: {
      type: 'object',
      required: ['version', 'call_id', 'outcome'],
      properties: {
        version: { type: 'string' },
        call_id: { type: 'string' },
        outcome: { enum: [...OUTCOMES] },
      },
    },
  },
}

function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function pathItem(path: string, operations: readonly Route[]): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return {
    ...(names.length === 0
      ? {}
      : {
          parameters: names.map((name) => ({
            name,
            in: 'path',
            required: true,
            schema: { type: 'string' },
          })),
        }),
    ...Object.fromEntries(
      operations.map((route) => [route.method.toLowerCase(), plainOperation(route)]),
    ),
  }
}

function plainOperation({ command, summary, method, mediaType }: Route): Json {
  const body = { required: true, content: { 'application/json': { schema: true } } }
  return {
    operationId: command.replaceAll('.', '__'),
    summary,
    ...(method === 'POST' || method === 'PUT'
      ? { requestBody: { ...body, required: method === 'PUT' } }
      : {}),
    responses: {
      200: mediaType === undefined ? envelopeResponse(true, 'The envelope.') : EVENTS,
      default: ERROR_RESPONSE,
    },
  }
}

const EVENTS: Json = {
  description: 'Events named `progress`, and a last one named `envelope`.',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
}

const ERROR_RESPONSE: Json = {
  description: 'The call was refused or failed: the envelope with its error.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ENVELOPE' } } },
}

function envelopeResponse(data: unknown, description: string): Json {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/ENVELOPE' }, { type: 'object', properties: { data } }],
  }
  return { description, content: { 'application/json': { schema } } }
}

/** The response with server-sent events as an alternative: progress first, the envelope last. */
function withEvents(answer: Json): Json {
  return { ...answer, content: { ...(answer.content as Json), ...(EVENTS.content as Json) } }
}

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
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
      ...(tool.contract.isWrite || tool.isDeferred
        ? [header('Surehand-Notify', 'The webhook that is called when the call has ended.')]
        : []),
      ...(tool.contract.isWrite
        ? [
            header(
              'Idempotency-Key',
              'Calls with the same key run once: a repeat returns the first result.',
            ),
          ]
        : []),
      header('Prefer', 'wait=N waits up to N seconds for the answer.'),
    ],
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
      202: {
        ...ERROR_RESPONSE,
        description:
          'The call runs in the background, or a person must first approve it or answer a question. Location is where the answer will be.',
      },
      default: ERROR_RESPONSE,
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
