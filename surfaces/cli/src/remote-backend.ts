import { type Envelope, isToolError, ToolError } from '@surehand/core'
import type { RunTree } from '@surehand/core/host'
import { type AuditRecord, systemClock } from '@surehand/core/ports'
import type { ToolDefinition } from '@surehand/documents'
import {
  ApprovalSchema,
  AuditRecordSchema,
  OpenCallSchema,
  pageSchema,
  QuestionSchema,
  RunTreeSchema,
  SearchResultSchema,
  ToolSchema,
} from '@surehand/edge/api'
import { z } from 'zod'
import type { Backend, CallRequest, ToolFacts, WaitOptions } from './backend.ts'
import { connectTo, type Server, type ServerOptions } from './providers/server.ts'

// So many items of a list are read at most, in pages of the server's largest size.
const MOST_LISTED = 10_000
const PAGE_LIMIT = 200

// The server holds a request open no longer than this.
const LONGEST_WAIT_MS = 60_000

type ListRequest = {
  readonly filter?: Readonly<Record<string, string | undefined>>
  readonly most?: number
}

/** A backend that uses a server's HTTP API. */
export function createRemoteBackend(at: ServerOptions): Backend {
  const server = connectTo(at)

  /** Reads an answer of this form; `body` is an object, or a text that is sent as it is. */
  async function read<T>(
    form: z.ZodType<T>,
    method: string,
    path: string,
    body?: object | string,
  ): Promise<T> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const sent = text === undefined ? undefined : { body: text }
    return checkForm(form, await server.data(method, path, sent), at.url)
  }

  /** The items of a list, page after page, at most so many. */
  async function readList<T extends z.ZodType>(
    item: T,
    path: string,
    { filter = {}, most = MOST_LISTED }: ListRequest = {},
  ): Promise<readonly z.output<T>[]> {
    const items: z.output<T>[] = []
    for (let cursor: string | undefined; ; ) {
      const limit = String(Math.min(most - items.length, PAGE_LIMIT))
      const url = `${path}${query({ ...filter, limit, cursor })}`
      const page = await read(pageSchema(item), 'GET', url)
      items.push(...page.items)
      if (page.next_cursor === null || items.length >= most) return items
      cursor = page.next_cursor
    }
  }

  return {
    tools: async (category) =>
      (await readList(ToolSchema, '/v1/tools', { filter: { category } })).map(factsOf),
    search: async (words, limit) =>
      (await readList(SearchResultSchema, '/v1/search', { filter: { q: words }, most: limit })).map(
        ({ tool }) => factsOf(tool),
      ),
    async describe(name) {
      try {
        return factsOf(await read(ToolSchema, 'GET', `/v1/tools/${encodeURIComponent(name)}`))
      } catch (thrown) {
        if (isToolError(thrown) && thrown.code === 'TOOL_NOT_FOUND') return undefined
        throw thrown
      }
    },
    call: (form) => sendCall(form, server),
    answer: (callId, waiting) => awaitAnswer(callId, waiting, server),
    // the schema checked it
    runTree: async (callId) =>
      (await read(RunTreeSchema, 'GET', `${callPath(callId)}/tree`)) as RunTree,
    openJobs: () => readList(OpenCallSchema, '/v1/calls'),
    cancel: (callId) => cancelCall(callId, server),
    resolveUnknown: async (callId, evidence) =>
      void (await server.data('POST', `/v1/unknown/${encodeURIComponent(callId)}/resolve`, {
        body: JSON.stringify(evidence),
      })),
    approvals: async (state) =>
      (await readList(ApprovalSchema, '/v1/approvals', { filter: { state } })).toReversed(),
    approval: (id) => read(ApprovalSchema, 'GET', approvalPath(id)),
    decide: (id, verdict) => read(ApprovalSchema, 'POST', `${approvalPath(id)}/decision`, verdict),
    delegate: (id, to) => read(ApprovalSchema, 'POST', `${approvalPath(id)}/delegation`, { to }),
    edit: (id, json) => read(ApprovalSchema, 'PUT', `${approvalPath(id)}/input`, json),
    questions: (state) => readList(QuestionSchema, '/v1/questions', { filter: { state } }),
    question: (id) => read(QuestionSchema, 'GET', questionPath(id)),
    answerQuestion: (id, given) =>
      read(QuestionSchema, 'POST', `${questionPath(id)}/answer`, given),
    async audit({ callId, tool, limit }) {
      const filter = { call_id: callId, tool }
      const records = await readList(AuditRecordSchema, '/v1/audit', { filter, most: limit })
      // the schema checked the columns that are read
      return records.toReversed() as unknown as readonly AuditRecord[]
    },
    exportAudit: () => server.lines('/v1/audit/export'),
    verifyAudit: async () => (await read(AnyVerdict, 'POST', '/v1/audit/verify')).verdict,
    close: async () => undefined,
  }
}

const AnyVerdict = z.looseObject({ verdict: z.unknown().optional() })

async function sendCall(form: CallRequest, server: Server): Promise<Envelope> {
  const headers = {
    ...(form.key === undefined ? {} : { 'idempotency-key': form.key }),
    ...(form.notify === undefined ? {} : { 'surehand-notify': form.notify }),
    ...(form.waitMs === undefined ? {} : { prefer: preferOf(form.waitMs) }),
    ...(form.repeat === undefined ? {} : { 'surehand-repeat': form.repeat }),
    ...(form.requestId === undefined ? {} : { 'x-request-id': form.requestId }),
  }
  const { signal, onProgress } = form
  const path = `/v1/tools/${encodeURIComponent(form.tool)}/call`
  const envelope = await server.stream('POST', path, {
    sent: { body: form.json, headers, signal },
    onProgress,
  })
  const leftMs = (form.waitMs ?? 0) - LONGEST_WAIT_MS
  if (envelope.metadata.job === undefined || leftMs <= 0) return envelope
  return awaitAnswer(
    envelope.metadata.call_id,
    { waitMs: leftMs, signal, until: 'news', onProgress },
    server,
  )
}

function awaitAnswer(callId: string, waiting: WaitOptions, server: Server): Promise<Envelope> {
  return waiting.until === 'end' || waiting.waitMs === 0
    ? pollAnswer(callId, waiting, server)
    : followEvents(callId, waiting, server)
}

// The server holds each request open, so the wait is counted in requests and needs no clock here.
async function pollAnswer(
  callId: string,
  { waitMs, signal }: Pick<WaitOptions, 'waitMs' | 'signal'>,
  server: Server,
): Promise<Envelope> {
  for (let leftMs = waitMs; ; leftMs -= LONGEST_WAIT_MS) {
    const headers: Record<string, string> = leftMs <= 0 ? {} : { prefer: preferOf(leftMs) }
    const envelope = await server.send('GET', callPath(callId), { headers, signal })
    const { job, pending, asking } = envelope.metadata
    const isOpen = job !== undefined || pending !== undefined || asking !== undefined
    if (!isOpen || leftMs <= LONGEST_WAIT_MS) return envelope
  }
}

/**
 * Follows the progress until the call ends, needs a person, or the time is over; then returns what
 * is known.
 */
async function followEvents(
  callId: string,
  { waitMs, signal, onProgress = () => undefined }: WaitOptions,
  server: Server,
): Promise<Envelope> {
  const over = new AbortController()
  const stopTimer = systemClock().after(waitMs, () => over.abort())
  const sent = { signal: AbortSignal.any([signal, over.signal]) }
  try {
    return await server.stream('GET', `${callPath(callId)}/events`, { sent, onProgress })
  } catch (thrown) {
    if (!over.signal.aborted || signal.aborted) throw thrown
    return pollAnswer(callId, { waitMs: 0, signal }, server)
  } finally {
    stopTimer()
  }
}

async function cancelCall(callId: string, server: Server): Promise<'cancelled' | 'stopping'> {
  try {
    await server.data('DELETE', callPath(callId))
    return 'cancelled'
  } catch (thrown) {
    // The call has started or ended; its answer says which.
    if (isToolError(thrown) && thrown.code === 'TOOL_GATE_CLOSED') return 'stopping'
    throw thrown
  }
}

function preferOf(waitMs: number): string {
  return `wait=${Math.min(waitMs, LONGEST_WAIT_MS) / 1_000}`
}

function callPath(callId: string): string {
  return `/v1/calls/${encodeURIComponent(callId)}`
}

function approvalPath(id: string): string {
  return `/v1/approvals/${encodeURIComponent(id)}`
}

function questionPath(id: string): string {
  return `/v1/questions/${encodeURIComponent(id)}`
}

function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function checkForm<T>(form: z.ZodType<T>, data: unknown, url: string): T {
  const result = form.safeParse(data)
  // The data itself is returned: a parsed copy has its keys in another order.
  if (result.success) return data as T
  const [issue] = result.error.issues
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${url} answered in a form that this command does not know${where}. Update the older of the two.`,
  )
}

// Where the server does not say which fields are secret, their names are the only hint. Without it,
// a secret could be printed.
const SECRET_NAME =
  /passw|passphrase|secret|token|api_?key|credential|private_?key|^pin$|cvv|cvc|card_?number/i
const KEY_FIELDS = ['idempotencyKey', 'idempotency_key']

function factsOf(definition: z.infer<typeof ToolSchema>): ToolFacts {
  const { surehand } = definition
  const { schema } = definition.function_signature.input
  const effects = definition.function_signature.side_effects ?? []
  const names = Object.keys((schema.properties ?? {}) as object)
  const hidden = new Set([...KEY_FIELDS, ...Object.keys(surehand?.from_caller ?? {})])
  return {
    // the schema checked it
    definition: definition as unknown as ToolDefinition,
    input: omitFields(schema, hidden),
    effect: surehand?.effect ?? (effects.map(({ type }) => type).join(', ') || 'none'),
    reversible:
      surehand?.reversible ??
      effects.every(({ type, reversible }) => type === 'read' || reversible),
    approval: surehand?.approval,
    secrets: surehand?.sensitive ?? names.filter((name) => SECRET_NAME.test(name)),
    wantsKey: surehand?.wants_key ?? false,
  }
}

function omitFields(
  schema: Readonly<Record<string, unknown>>,
  hidden: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, unknown>>
    required?: readonly string[]
  }
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !hidden.has(name)),
    ),
    required: required.filter((name) => !hidden.has(name)),
  }
}
