import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema, PROTOCOL_VERSION, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import type { Surface } from './options.ts'
import type { Route } from './route.ts'

type Json = Readonly<Record<string, unknown>>

/** The surface and every tool this caller may use, as an OpenAPI 3.1 document. */
export function openApi(caller: Caller, surface: Surface, routes: readonly Route[]): Json {
  const visible = new Set(
    surface.runtime
      .discovery(caller)
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
      description: 'Tools that keep their contract. Every answer is one envelope.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: surface.origin }],
    security: [{ token: [] }],
    paths: {
      ...Object.fromEntries(
        [...Map.groupBy(plain, ({ path }) => braced(path))].map(([path, ways]) => [
          path,
          pathItem(path, ways),
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
      required: ['version', 'call_id'],
      properties: { version: { type: 'string' }, call_id: { type: 'string' } },
    },
  },
}

function braced(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function pathItem(path: string, ways: readonly Route[]): Json {
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
    ...Object.fromEntries(ways.map((route) => [route.method.toLowerCase(), plainOperation(route)])),
  }
}

function plainOperation({ command, summary, method, gives }: Route): Json {
  const body = { required: true, content: { 'application/json': { schema: true } } }
  return {
    operationId: command.replaceAll('.', '__'),
    summary,
    ...(method === 'POST' || method === 'PUT'
      ? { requestBody: { ...body, required: method === 'PUT' } }
      : {}),
    responses: {
      200: gives === undefined ? envelopeOf(true, 'The envelope.') : EVENTS,
      default: refused,
    },
  }
}

const EVENTS: Json = {
  description: 'Events `progress`, and a last one, `envelope`.',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
}

const refused: Json = {
  description: 'Refused or broken: the envelope with its error.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ENVELOPE' } } },
}

function envelopeOf(data: unknown, description: string): Json {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/ENVELOPE' }, { type: 'object', properties: { data } }],
  }
  return { description, content: { 'application/json': { schema } } }
}

/** The same to whoever accepts events: progress as it comes, the envelope last. */
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
        ? [header('Surehand-Notify', 'The webhook that hears of its end.')]
        : []),
      ...(tool.contract.isWrite
        ? [
            header(
              'Idempotency-Key',
              'The same each time the same thing is meant: it is then done once.',
            ),
          ]
        : []),
      header('Prefer', 'wait=N: how many seconds to wait for the answer.'),
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
        envelopeOf(
          { anyOf: [{ $ref: `#/components/schemas/${name}.output` }, { type: 'null' }] },
          'Done.',
        ),
      ),
      202: {
        ...refused,
        description:
          'A worker does it, or a person must first say yes or answer a question; Location is where the answer will be.',
      },
      default: refused,
    },
  }
}

function schemasOf(tool: Tool): readonly (readonly [string, unknown])[] {
  const name = wireName(tool.id)
  return [
    [`${name}.input`, rooted(modelInputSchema(tool), `#/components/schemas/${name}.input`)],
    [`${name}.output`, rooted(tool.output.toJson('output'), `#/components/schemas/${name}.output`)],
  ]
}

/** A schema moved into the document: what it refers to within itself moves along. */
function rooted(schema: JsonSchema, root: string): unknown {
  const { $schema: _, ...rest } = schema as Json
  return moved(rest, root)
}

// values, not schemas: a `$ref` in them is somebody's data
const VALUES = new Set(['const', 'default', 'enum', 'examples'])

function moved(node: unknown, root: string): unknown {
  if (Array.isArray(node)) return node.map((item) => moved(item, root))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#'))
        return [key, root + value.slice(1)]
      return [key, VALUES.has(key) ? value : moved(value, root)]
    }),
  )
}
