import { type AuditRecord, type Envelope, isToolError, type ToolDefinition, ToolError } from '@surehand/core'
import type { z } from 'zod'
import type { Backend, CallForm, ToolFacts } from './backend.ts'
import { connectTo, type Sent, type Server, type ServerAt } from './providers/server.ts'
import {
  DefinitionForm,
  JobsForm,
  QuestionForm,
  QuestionsForm,
  RecordsForm,
  ResultsForm,
  ToolsForm,
  VerdictForm,
} from './server-answers.ts'

// the server waits no longer than this at a time
const LONGEST_WAIT_MS = 60_000

/** A house behind a server. */
export function remoteBackend(at: ServerAt): Backend {
  const server = connectTo(at)

  async function read<T>(form: z.ZodType<T>, method: string, path: string, sent?: Sent): Promise<T> {
    return held(form, await server.data(method, path, sent), at.url)
  }

  return {
    tools: async (category) => (await read(ToolsForm, 'GET', `/v1/tools${query({ category })}`)).tools.map(factsOf),
    search: async (words, limit) =>
      (await read(ResultsForm, 'GET', `/v1/search${query({ q: words, limit: String(limit) })}`)).results.map(({ tool }) => factsOf(tool)),
    async describe(name) {
      try {
        return factsOf(await read(DefinitionForm, 'GET', `/v1/tools/${encodeURIComponent(name)}`))
      } catch (thrown) {
        if (isToolError(thrown) && thrown.code === 'TOOL_NOT_FOUND') return undefined
        throw thrown
      }
    },
    call: (form) => called(form, server),
    answer: (callId, { waitMs, signal }) => awaited(callId, { waitMs, signal, server }),
    openJobs: async () => (await read(JobsForm, 'GET', '/v1/calls')).calls,
    cancel: async (callId) => void (await server.data('DELETE', callPath(callId))),
    settle: async (callId, evidence) =>
      void (await server.data('POST', `/v1/unknown/${encodeURIComponent(callId)}/resolve`, { body: JSON.stringify(evidence) })),
    questions: async (state) => (await read(QuestionsForm, 'GET', `/v1/approvals${query({ state })}`)).approvals,
    question: (id) => read(QuestionForm, 'GET', questionPath(id)),
    decide: (id, verdict) => read(QuestionForm, 'POST', `${questionPath(id)}/decision`, { body: JSON.stringify(verdict) }),
    edit: (id, json) => read(QuestionForm, 'PUT', `${questionPath(id)}/input`, { body: json }),
    async audit({ callId, tool, limit }) {
      const { records } = await read(RecordsForm, 'GET', `/v1/audit${query({ call_id: callId, tool, limit: String(limit) })}`)
      // erased: the columns that are read were looked at
      return records as unknown as readonly AuditRecord[]
    },
    exportAudit: () => server.lines('/v1/audit/export'),
    verifyAudit: async () => (await read(VerdictForm, 'POST', '/v1/audit/verify')).verdict,
    close: async () => undefined,
  }
}

async function called(form: CallForm, server: Server): Promise<Envelope> {
  const headers = {
    ...(form.key === undefined ? {} : { 'idempotency-key': form.key }),
    ...(form.waitMs === undefined ? {} : { prefer: preferOf(form.waitMs) }),
    ...(form.repeat === undefined ? {} : { 'surehand-repeat': form.repeat }),
    ...(form.requestId === undefined ? {} : { 'x-request-id': form.requestId }),
  }
  const sent = { body: form.json, headers, signal: form.signal }
  const envelope = await server.stream(`/v1/tools/${encodeURIComponent(form.tool)}/call`, sent, form.onProgress)
  const leftMs = (form.waitMs ?? 0) - LONGEST_WAIT_MS
  if (envelope.metadata.job === undefined || leftMs <= 0) return envelope
  return awaited(envelope.metadata.call_id, { waitMs: leftMs, signal: form.signal, server })
}

type Awaiting = { readonly waitMs: number; readonly signal: AbortSignal; readonly server: Server }

// each question is held open by the server, so nobody's clock is asked here
async function awaited(callId: string, { waitMs, signal, server }: Awaiting): Promise<Envelope> {
  for (let leftMs = waitMs; ; leftMs -= LONGEST_WAIT_MS) {
    const headers: Record<string, string> = leftMs <= 0 ? {} : { prefer: preferOf(leftMs) }
    const envelope = await server.send('GET', callPath(callId), { headers, signal })
    const isOpen = envelope.metadata.job !== undefined || envelope.metadata.pending !== undefined
    if (!isOpen || leftMs <= LONGEST_WAIT_MS) return envelope
  }
}

function preferOf(waitMs: number): string {
  return `wait=${Math.min(waitMs, LONGEST_WAIT_MS) / 1_000}`
}

function callPath(callId: string): string {
  return `/v1/calls/${encodeURIComponent(callId)}`
}

function questionPath(id: string): string {
  return `/v1/approvals/${encodeURIComponent(id)}`
}

function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function held<T>(form: z.ZodType<T>, data: unknown, url: string): T {
  const result = form.safeParse(data)
  // as it came: a parsed copy has its keys in another order
  if (result.success) return data as T
  const [issue] = result.error.issues
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`
  throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `${url} answered, but not as this command knows it${where}: one of them is older.`)
}

// a server that does not say which fields are secret must not make us print one: names tell as well as they can
const SECRET_NAME = /passw|passphrase|secret|token|api_?key|credential|private_?key|^pin$|cvv|cvc|card_?number/i
const KEY_FIELDS = ['idempotencyKey', 'idempotency_key']

function factsOf(definition: z.infer<typeof DefinitionForm>): ToolFacts {
  const { surehand } = definition
  const { schema } = definition.function_signature.input
  const effects = definition.function_signature.side_effects ?? []
  const names = Object.keys((schema.properties ?? {}) as object)
  const hidden = new Set([...KEY_FIELDS, ...Object.keys(surehand?.from_caller ?? {})])
  return {
    // erased: its form was looked at
    definition: definition as unknown as ToolDefinition,
    input: without(schema, hidden),
    effect: surehand?.effect ?? (effects.map(({ type }) => type).join(', ') || 'none'),
    reversible: surehand?.reversible ?? effects.every(({ type, reversible }) => type === 'read' || reversible),
    approval: surehand?.approval,
    secrets: surehand?.sensitive ?? names.filter((name) => SECRET_NAME.test(name)),
    wantsKey: surehand?.wants_key ?? false,
  }
}

function without(schema: Readonly<Record<string, unknown>>, hidden: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema as { properties?: Readonly<Record<string, unknown>>; required?: readonly string[] }
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))),
    required: required.filter((name) => !hidden.has(name)),
  }
}
