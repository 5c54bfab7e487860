import { type Pace, PROTOCOL_VERSION } from '@surehand/core/host'
import { EnvelopeSchema } from '@surehand/edge/api'
import { z } from 'zod'
import type { Returned, Route, RouteHeader } from './route.ts'

export type Json = Readonly<Record<string, unknown>>

/** The paths of the surface itself, and what they and the paths of tools refer to. */
export type DescribedRoutes = {
  readonly paths: Readonly<Record<string, Json>>
  readonly components: Readonly<Record<'schemas' | 'parameters' | 'responses', Json>>
}

/** Describes the paths one by one, each step at this pace: all of them take 80 ms. */
export async function describeRoutes(
  routes: readonly Route[],
  pace: Pace,
): Promise<DescribedRoutes> {
  const schemas: Record<string, unknown> = {}
  const publish = (schema: z.ZodType, io: 'input' | 'output'): unknown =>
    toJsonSchema(schema, io, schemas)
  publish(EnvelopeSchema, 'output')
  const paths: Record<string, Json> = {}
  for (const [path, operations] of Map.groupBy(routes, pathOf)) {
    paths[path] = pathParameters(path)
    for (const route of operations) {
      await pace()
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, publish) }
    }
  }
  return { paths, components: { schemas: { ...schemas, Problem: PROBLEM }, parameters, responses } }
}

function pathOf({ path }: Route): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

type Publish = (schema: z.ZodType, io: 'input' | 'output') => unknown

/** The schema as JSON; named ones become components, to which it refers. */
function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, unknown>,
): unknown {
  // Wrapped, because zod does not make a reference of the outermost schema.
  const { properties, $defs = {} } = plain(
    z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any' }),
    io,
  ) as { readonly properties: { readonly root: unknown }; readonly $defs?: Record<string, Json> }
  for (const [name, { id: _, ...definition }] of Object.entries($defs))
    components[name] = definition
  return properties.root
}

/**
 * With references to components. An answer may have further fields in a later version, so that
 * answers do not say `additionalProperties: false`; and `{}` says nothing.
 */
function plain(node: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return node.map((item) => plain(item, io))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(
        ([key, value]) =>
          key !== 'additionalProperties' ||
          !(isEmptyObject(value) || (io === 'output' && value === false)),
      )
      .map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, value.replace('#/$defs/', '#/components/schemas/')]
          : [key, plain(value, io)],
      ),
  )
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function pathParameters(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  if (names.length === 0) return {}
  return {
    parameters: names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
  }
}

function operation(route: Route, publish: Publish): Json {
  const { command, summary, query, headers = [], body, returns } = route
  const given = [
    ...(query === undefined ? [] : queryParameters(publish(query, 'input') as Json)),
    ...headers.map(parameterReference),
  ]
  return {
    operationId: command.replaceAll('.', '__'),
    summary,
    tags: [command.split('.')[0]],
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: publish(body.schema(), 'input'),
                example: body.example,
              },
            },
          },
        }),
    responses: { ...successes(command, returns, publish), ...FAILURES },
  }
}

function queryParameters({ properties, required = [] }: Json): readonly Json[] {
  return Object.entries(properties as Readonly<Record<string, Json>>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: (required as readonly string[]).includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }),
  )
}

function successes(command: string, returns: Returned, publish: Publish): Json {
  switch (returns) {
    case 'call':
      return {
        200: envelopeResponse({}, 'The call is done: the envelope with its answer.'),
        202: { $ref: '#/components/responses/Waiting' },
      }
    case 'events':
      return { 200: { description: EVENTS, content: EVENT_CONTENT } }
    case 'lines':
      return {
        200: {
          description: 'One JSON document on each line.',
          content: { 'application/x-ndjson': { schema: { type: 'string' } } },
        },
      }
    case 'file':
      return {
        200: {
          description: 'The bytes of the file, with its own media type.',
          content: {
            'application/octet-stream': {
              schema: { type: 'string', contentMediaType: 'application/octet-stream' },
            },
          },
        },
      }
    case 'document':
      return {
        200: {
          description: 'An OpenAPI 3.1 document.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      }
    default:
      return {
        200: envelopeResponse(publish(returns.schema(), 'output'), 'Done.', {
          example: exampleEnvelope(command, returns.example),
        }),
      }
  }
}

const ENVELOPE = { $ref: '#/components/schemas/Envelope' }
const EVENTS = 'Events named `progress` or `changed`, and for a call a last one named `envelope`.'

export const EVENT_CONTENT: Json = { 'text/event-stream': { schema: { type: 'string' } } }

/** What every operation may answer besides its success. */
export const FAILURES: Json = {
  '4XX': { $ref: '#/components/responses/Refused' },
  '5XX': { $ref: '#/components/responses/Failed' },
}

export function envelopeResponse(data: unknown, description: string, more: Json = {}): Json {
  const schema = { allOf: [ENVELOPE, { type: 'object', properties: { data } }] }
  return { description, content: { 'application/json': { schema, ...more } } }
}

function exampleEnvelope(command: string, data: unknown, more: Json = {}): Json {
  return {
    status: 'success',
    command,
    data,
    ...more,
    metadata: {
      version: PROTOCOL_VERSION,
      execution_time: 0.002,
      call_id: 'req_01jd3k8m2nq4r5s6t7v8w9x0yz',
      outcome: 'done',
      source: 'executed',
      tool_info: { name: command, category: 'surface', permissions_used: [] },
      input_validation: { schema_version: PROTOCOL_VERSION, validation_time: 0 },
      ...(more.metadata as Json | undefined),
    },
  }
}

function errorResponse(description: string, example: Json): Json {
  return {
    description,
    content: {
      'application/json': { schema: ENVELOPE, example },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  }
}

const responses: Json = {
  Waiting: {
    description:
      'The call runs in the background, or a person must first approve it or answer a question. Location is where the answer will be.',
    headers: {
      Location: { schema: { type: 'string' }, description: '`/v1/calls/{id}`' },
      'Retry-After': { schema: { type: 'string' } },
    },
    content: {
      'application/json': {
        schema: ENVELOPE,
        example: exampleEnvelope('shop.buy', null, {
          status: 'failed',
          error: {
            code: 'TOOL_APPROVAL_REQUIRED',
            message:
              'Nothing has been done yet: a person must first approve shop.buy. It then runs by itself.',
          },
          metadata: {
            outcome: 'pending',
            pending: {
              approval_id: 'appr_01jd3k8m2nq4r5s6t7v8w9x0yz',
              asks: 'Buy 22 × Earl Grey for 275.00 EUR?',
              expires_at: '2026-11-16T09:15:00.000Z',
              url: 'https://tools.example/approvals/appr_01jd3k8m2nq4r5s6t7v8w9x0yz',
            },
          },
        }),
      },
    },
  },
  Refused: errorResponse(
    'Refused: the request is invalid (400), has no valid token (401), is not allowed (403), names something that does not exist (404), or comes too often (429). The envelope says what to do.',
    exampleEnvelope('tools.get', null, {
      status: 'failed',
      error: {
        code: 'TOOL_NOT_FOUND',
        message:
          'There is no tool "shop.by", or you may not use it. GET /v1/tools lists the tools that you may use.',
      },
      metadata: { outcome: 'failed' },
    }),
  ),
  Failed: errorResponse(
    'Failed at the server or at a system that it calls. The envelope says whether anything has been done.',
    exampleEnvelope('shop.buy', null, {
      status: 'error',
      error: {
        code: 'TOOL_OUTCOME_UNKNOWN',
        message: 'The shop did not answer in time, and it is not known whether it has the order.',
      },
      metadata: { outcome: 'unknown' },
    }),
  ),
}

const PROBLEM: Json = {
  type: 'object',
  description: 'RFC 9457, for clients that accept `application/problem+json`.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    details: {},
  },
}

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

const parameters: Readonly<Record<RouteHeader, Json>> = {
  Prefer: header('Prefer', 'wait=N waits up to N seconds for the answer.'),
  'If-Match': header(
    'If-Match',
    'The version that you have read, as in "3". Leave it out to create something new.',
  ),
  'Idempotency-Key': header(
    'Idempotency-Key',
    'Calls with the same key run once: a repeat returns the first result.',
  ),
  'Surehand-Notify': header(
    'Surehand-Notify',
    'The webhook that is called when the call has ended.',
  ),
}

export function parameterReference(name: RouteHeader): Json {
  return { $ref: `#/components/parameters/${name}` }
}
