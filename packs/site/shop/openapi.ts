import type { Operation } from './openapi/operation.ts'
import { BOOKINGS, ORDERS } from './openapi/ordering.ts'
import { SCHEMAS } from './openapi/schemas.ts'
import { CART, CATALOG } from './openapi/shopping.ts'

/** Every operation of the API; the router is compared with it by a test. */
export const OPERATIONS: readonly Operation[] = [...CATALOG, ...CART, ...ORDERS, ...BOOKINGS]

const PROBLEM = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

/**
 * The document at /openapi.json. Every failure is a problem (RFC 9457) whose `code` is listed in
 * the description of its status. Amounts are minor units. Writes accept an `Idempotency-Key`:
 * a repetition has the same answer with `Idempotent-Replayed: true`; the same key with another
 * request is refused with 422 and the code `key_reused`. Keys are remembered for 30 days.
 */
export function openApiDocument(origin: string): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of OPERATIONS) {
    const item = paths[operation.path] ?? {}
    item[operation.method] = operationObject(operation)
    paths[operation.path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Thorn & Thimble',
      version: '1.0.0',
      description: 'Shop and appointments of a florist and tailor. A demo: nothing is delivered.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: { ownerKey: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function operationObject(operation: Operation): Readonly<Record<string, unknown>> {
  const { id, summary, tag, agent, sideEffects, body, isSecured } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(agent === undefined
      ? { 'x-agent': { action: false } }
      : { 'x-agent': { action: true, sideEffects, ...agent } }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: responsesOf(operation),
    ...(isSecured && { security: [{ ownerKey: [] }] }),
  }
}

function parametersOf({ path, query = {}, keyed, conditional }: Operation): readonly object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 128 },
  }))
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    schema: { type: 'string', minLength: 8, maxLength: 255 },
  }
  const condition = {
    name: 'If-Match',
    in: 'header',
    description: 'The revision of the cart, in quotes. If it is another, nothing is changed.',
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...(keyed ? [key] : []), ...(conditional ? [condition] : [])]
}

function responsesOf({ answers, keyed }: Operation): Readonly<Record<string, unknown>> {
  const listed = Object.entries(answers).map(([status, [description, schema]]) => [
    status,
    {
      description,
      content: schema === undefined ? PROBLEM : { 'application/json': { schema } },
    },
  ])
  return {
    ...Object.fromEntries(listed),
    400: { description: 'invalid_request', content: PROBLEM },
    ...(keyed && {
      422: {
        description: ['key_reused, key_missing', answers[422]?.[0]].filter(Boolean).join(', '),
        content: PROBLEM,
      },
    }),
    429: { description: 'too_many_requests', content: PROBLEM },
  }
}
