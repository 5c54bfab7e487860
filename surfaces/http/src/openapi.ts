import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema, type Pace, PROTOCOL_VERSION, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { paceWork } from '@surehand/edge'
import { nameOf } from './call-tool.ts'
import { joinInParts } from './join-in-parts.ts'
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

type OpenApiRequest = {
  readonly caller: Caller
  readonly surface: Pick<Surface, 'runtime' | 'origin' | 'edge'>
  readonly routes: readonly Route[]
  readonly pace: Pace
}

/**
 * All paths of the surface and every tool that the caller may use, as an OpenAPI 3.1 document. The
 * part of a tool is made once; ten thousand tools are 15 MB, which would hold up other requests
 * for seconds if they were described and written at once.
 */
export async function openApi(
  request: OpenApiRequest,
): Promise<{ readonly length: number; readonly body: ReadableStream<Uint8Array> }> {
  const { parts, length } = await writeOnce(request)
  return { length, body: ReadableStream.from(sendInTurns(parts, request.pace)) }
}

async function* sendInTurns(
  parts: readonly Uint8Array[],
  pace: Pace,
): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) {
    await pace()
    yield part
  }
}

/** A document in parts as they are sent; `length` is in bytes. */
type Document = { readonly parts: readonly Uint8Array[]; readonly length: number }
type KnownDocument = { readonly tools: readonly Tool[]; readonly document: Promise<Document> }
type Documents = {
  readonly written: KnownDocument[]
  /** By client: another one is not to wait at the pace of the first. */
  readonly underWay: Map<string, KnownDocument>
}

// All callers with the same rights have the same document. Joined anew for each request, 15 MB
// outside of the heap were freed by full collections of garbage, which took 20 to 40 ms each.
const MOST_DOCUMENTS = 2
const documents = new WeakMap<OpenApiRequest['surface'], Documents>()

async function writeOnce(request: OpenApiRequest): Promise<Document> {
  const { caller, surface } = request
  const { written, underWay } = documentsOf(surface)
  const tools = await surface.runtime.visibleTools(caller)
  const client = nameOf(caller)
  const find = (): KnownDocument | undefined =>
    [...written, underWay.get(client)].find((one) => one !== undefined && areSame(one.tools, tools))
  for (let known = find(); known !== undefined; known = find()) {
    // The request that it is being written for may be given up.
    const document = await known.document.catch(() => undefined)
    if (document !== undefined) return document
  }
  const own = { tools, document: writeDocument(tools, request) }
  underWay.set(client, own)
  try {
    const document = await own.document
    written.unshift(own)
    written.length = Math.min(written.length, MOST_DOCUMENTS)
    return document
  } finally {
    if (underWay.get(client) === own) underWay.delete(client)
  }
}

function documentsOf(surface: OpenApiRequest['surface']): Documents {
  const known: Documents = documents.get(surface) ?? { written: [], underWay: new Map() }
  documents.set(surface, known)
  return known
}

function areSame(one: readonly Tool[], other: readonly Tool[]): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every((tool, index) => tool === other[index]))
  )
}

async function writeDocument(
  tools: readonly Tool[],
  { surface, routes, pace }: OpenApiRequest,
): Promise<Document> {
  const [paths, schemas]: [Buffer[], Buffer[]] = [[], []]
  for (const tool of tools) {
    const turn = pace()
    if (turn !== undefined) await turn
    const part = toolParts.get(tool) ?? (await describeTool(tool, pace))
    paths.push(part.path)
    schemas.push(part.schemas)
  }
  const { beginning, middle } = await describeOnce(surface, routes)
  const parts: Uint8Array[] = []
  for await (const part of joinInParts([[beginning], paths, [middle], schemas, [END]], pace))
    parts.push(part)
  return { parts, length: parts.reduce((sum, part) => sum + part.length, 0) }
}

const END = Buffer.from('}}}')

/** What comes before the paths of tools, and what between these and their schemas. */
type SurfaceParts = { readonly beginning: Buffer; readonly middle: Buffer }

// The same for every caller.
const surfaceParts = new WeakMap<OpenApiRequest['surface'], Promise<SurfaceParts>>()

function describeOnce(
  surface: OpenApiRequest['surface'],
  routes: readonly Route[],
): Promise<SurfaceParts> {
  const parts = surfaceParts.get(surface) ?? describeSurface(surface, routes)
  surfaceParts.set(surface, parts)
  return parts
}

// Not the name of a client: the one who asked first may disconnect, and others wait for this too.
const SURFACE_ITSELF = ''

async function describeSurface(
  { origin, edge }: OpenApiRequest['surface'],
  routes: readonly Route[],
): Promise<SurfaceParts> {
  const pace = paceWork((order) => edge.listings.next(SURFACE_ITSELF, { order }))
  const { paths, components } = await describeRoutes(routes, pace)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Surehand',
      version: PROTOCOL_VERSION,
      description: 'Tools with enforced contracts. Every response is an envelope.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: origin }],
    security: [{ token: [] }],
    paths,
  }
  const { schemas, ...others } = components
  const securitySchemes = { token: { type: 'http', scheme: 'bearer' } }
  // Both end inside their last object, which the parts of the tools continue.
  return {
    beginning: Buffer.from(JSON.stringify(document).slice(0, -2)),
    middle: Buffer.from(
      `},"components":${JSON.stringify({ ...others, securitySchemes, schemas }).slice(0, -2)}`,
    ),
  }
}

/** One tool in the document: the members that it adds to the paths and to the schemas. */
type ToolPart = { readonly path: Buffer; readonly schemas: Buffer }

const toolParts = new WeakMap<Tool, ToolPart>()

/** With pauses, because the first time a schema takes a quarter of a millisecond. */
async function describeTool(tool: Tool, pace: Pace): Promise<ToolPart> {
  const path = writeMember(`/v1/tools/${tool.id}/call`, { post: callOperation(tool) })
  await pace()
  const schemas = [writeSchema(tool, 'input', modelInputSchema(tool))]
  if (isOutputPublished(tool)) {
    await pace()
    schemas.push(writeSchema(tool, 'output', tool.output.toJson('output')))
  }
  const part = { path, schemas: Buffer.concat(schemas) }
  toolParts.set(tool, part)
  return part
}

function writeSchema(tool: Tool, role: 'input' | 'output', schema: JsonSchema): Buffer {
  const name = `${wireName(tool.id)}.${role}`
  return writeMember(name, embed(schema, `#/components/schemas/${name}`))
}

function writeMember(name: string, value: unknown): Buffer {
  return Buffer.from(`,${JSON.stringify(name)}:${JSON.stringify(value)}`)
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
