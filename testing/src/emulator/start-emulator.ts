import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CONTROL_PATH, control } from './control.ts'
import { type Effect, type EffectLog, openEffectLog, type WritableEffectLog } from './effect-log.ts'
import { type Fault, type FaultForm, normalFault, readFault } from './fault.ts'
import { createPlan, type Plan, type Target } from './plan.ts'
import {
  type EmulatorReply,
  type EmulatorRequest,
  type EmulatorRoute,
  matchRoute,
} from './route.ts'

/** One request may bring its own fault, as JSON: `{"kind":"reset"}`. */
export const FAULT_HEADER = 'x-emulator-fault'
const MAX_BODY_BYTES = 16 * 1024 * 1024

export type EmulatorOptions = {
  readonly routes: readonly EmulatorRoute[]
  /** JSON lines, appended and synced before an effect is told; effects of an earlier run are read back. */
  readonly logFile?: string
  readonly port?: number
}

export type Emulator = {
  readonly port: number
  readonly url: string
  readonly effects: () => readonly Effect[]
  /** Plans a fault for the next request, or the next few, that it is for. */
  readonly fail: (
    fault: FaultForm,
    options?: { readonly times?: number; readonly target?: Target },
  ) => void
  readonly stop: () => Promise<void>
}

/** A vendor on 127.0.0.1 that can be told to fail, and that keeps a durable log of everything it has really done. */
export async function startEmulator({
  routes,
  logFile,
  port = 0,
}: EmulatorOptions): Promise<Emulator> {
  const log = openEffectLog(logFile)
  const plan = createPlan()
  const server = createServer((request, response) => {
    serve({ routes, log, plan }, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    effects: log.effects,
    fail: (fault, { times = 1, target = {} } = {}) =>
      plan.add({ fault: normalFault(fault), times, target }),
    stop: () => stop(server, log),
  }
}

async function stop(server: Server, log: WritableEffectLog): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // a request that hangs would hold the door open
  server.closeAllConnections()
  await closed
  log.close()
}

type Vendor = {
  readonly routes: readonly EmulatorRoute[]
  readonly log: WritableEffectLog
  readonly plan: Plan
}

async function serve(
  vendor: Vendor,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming)
  if (body === undefined) {
    send(response, { status: 413 })
    return
  }
  const request = readRequest(incoming, body)
  if (request.path === CONTROL_PATH) send(response, controlled(vendor, request))
  else await act(vendor, request, response)
}

function controlled(vendor: Vendor, { method, body }: EmulatorRequest): EmulatorReply {
  try {
    return control({ method, body, ...vendor })
  } catch (error) {
    return { status: 400, body: { error: messageOf(error) } }
  }
}

async function act(
  { routes, log, plan }: Vendor,
  request: EmulatorRequest,
  response: ServerResponse,
): Promise<void> {
  const { fault, misread } = faultOf(request, plan)
  if (misread !== undefined) {
    send(response, misread)
    return
  }
  if (fault !== undefined && (await strike(fault, 'before', response))) return
  const reply = replyOf(request, routes, log)
  if (reply.effect !== undefined) log.append(`${request.method} ${request.path}`, reply.effect)
  if (fault !== undefined && (await strike(fault, 'after', response))) return
  send(
    response,
    fault?.kind === 'malformed' ? { ...reply, headers: JSON_TYPE, body: CUT_OFF } : reply,
  )
}

const JSON_TYPE = { 'content-type': 'application/json' }
const CUT_OFF = '{"id": "abc", "amount": 12'

type Faulty = { readonly fault?: Fault | undefined; readonly misread?: EmulatorReply }

function faultOf(request: EmulatorRequest, plan: Plan): Faulty {
  const own = request.headers[FAULT_HEADER]
  if (own === undefined) return { fault: plan.take(request.method, request.path) }
  try {
    return { fault: readFault(JSON.parse(own)) }
  } catch (error) {
    return { misread: { status: 400, body: { error: `${FAULT_HEADER}: ${messageOf(error)}` } } }
  }
}

/** Lets a fault strike if its moment has come; answers whether the request is over with that. */
async function strike(
  fault: Fault,
  moment: 'before' | 'after',
  response: ServerResponse,
): Promise<boolean> {
  switch (fault.kind) {
    case 'slow':
      if (fault.when === moment) await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
      return false
    case '429':
      if (moment === 'before')
        send(response, { status: 429, headers: { 'retry-after': String(fault.retryAfterSeconds) } })
      return true
    case '500':
      if (fault.when === moment)
        send(response, { status: 500, body: { error: 'The emulator was told to fail.' } })
      return fault.when === moment
    case 'reset':
      if (fault.when === moment) response.socket?.resetAndDestroy()
      return fault.when === moment
    case 'hang':
      return fault.when === moment
    case 'malformed':
      return false
  }
}

// a bug of the emulated vendor is shown, and looks like one of a real vendor
function replyOf(
  request: EmulatorRequest,
  routes: readonly EmulatorRoute[],
  log: EffectLog,
): EmulatorReply {
  try {
    const matched = matchRoute(routes, request.method, request.path)
    return matched === undefined
      ? { status: 404 }
      : matched.route.handle({ ...request, params: matched.params }, log)
  } catch (error) {
    return { status: 500, body: { error: messageOf(error) } }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: EmulatorReply): void {
  const isPlain = typeof body === 'string' || body === undefined || body instanceof Uint8Array
  response.writeHead(status, { ...(isPlain ? {} : JSON_TYPE), ...headers })
  response.end(isPlain ? body : JSON.stringify(body))
}

function readRequest(incoming: IncomingMessage, body: string): EmulatorRequest {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    params: {},
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body,
    json: () => JSON.parse(body),
  }
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}
