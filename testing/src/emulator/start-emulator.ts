import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CONTROL_PATH, control } from './control.ts'
import { type Effect, type EffectLog, openEffectLog, type WritableEffectLog } from './effect-log.ts'
import { type Fault, type FaultForm, normalizeFault, readFault } from './fault.ts'
import { createPlan, type Plan, type Target } from './plan.ts'
import {
  type EmulatorReply,
  type EmulatorRequest,
  type EmulatorRoute,
  matchRoute,
} from './route.ts'

/** A request can bring its own fault in this header, as JSON: `{"kind":"reset"}`. */
export const FAULT_HEADER = 'x-emulator-fault'
const MAX_BODY_BYTES = 16 * 1024 * 1024

export type EmulatorOptions = {
  readonly routes: readonly EmulatorRoute[]
  /**
   * JSON lines, appended and synced before the response. The effects of an earlier run are read
   * back.
   */
  readonly logFile?: string
  readonly port?: number
  /** Called after an effect was written to the log, before the response is sent. */
  readonly onEffect?: (effect: Effect) => void
}

export type Emulator = {
  readonly port: number
  readonly url: string
  readonly effects: () => readonly Effect[]
  /** Writes an effect that no request caused, such as something that happened after a while. */
  readonly append: (request: string, effect: unknown) => Effect
  /** Plans a fault for the next matching requests. */
  readonly fail: (
    fault: FaultForm,
    options?: { readonly times?: number; readonly target?: Target },
  ) => void
  readonly stop: () => Promise<void>
}

/**
 * Starts a vendor on 127.0.0.1 that tests can make fail and that writes a durable log of its
 * effects.
 */
export async function startEmulator({
  routes,
  logFile,
  port = 0,
  onEffect,
}: EmulatorOptions): Promise<Emulator> {
  const log = observeLog(openEffectLog(logFile), onEffect)
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
    append: log.append,
    fail: (fault, { times = 1, target = {} } = {}) =>
      plan.add({ fault: normalizeFault(fault), times, target }),
    stop: () => stop(server, log),
  }
}

function observeLog(
  log: WritableEffectLog,
  onEffect: EmulatorOptions['onEffect'],
): WritableEffectLog {
  if (onEffect === undefined) return log
  return {
    ...log,
    append(request, effect) {
      const entry = log.append(request, effect)
      onEffect(entry)
      return entry
    },
  }
}

async function stop(server: Server, log: WritableEffectLog): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  // A request that hangs would keep the server open.
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
  const bytes = await readBody(incoming)
  if (bytes === undefined) {
    send(response, { status: 413 })
    return
  }
  const request = readRequest(incoming, bytes)
  if (request.path === CONTROL_PATH) send(response, handleControl(vendor, request))
  else await handleRequest(vendor, request, response)
}

function handleControl(vendor: Vendor, { method, body }: EmulatorRequest): EmulatorReply {
  try {
    return control({ method, body, ...vendor })
  } catch (error) {
    return { status: 400, body: { error: messageOf(error) } }
  }
}

async function handleRequest(
  { routes, log, plan }: Vendor,
  request: EmulatorRequest,
  response: ServerResponse,
): Promise<void> {
  const { fault, invalid } = chooseFault(request, plan)
  if (invalid !== undefined) {
    send(response, invalid)
    return
  }
  if (fault !== undefined && (await applyFault(fault, 'before', response))) return
  const reply = createReply(request, routes, log)
  if (reply.effect !== undefined) log.append(`${request.method} ${request.path}`, reply.effect)
  if (fault !== undefined && (await applyFault(fault, 'after', response))) return
  send(
    response,
    fault?.kind === 'malformed' ? { ...reply, headers: JSON_TYPE, body: CUT_OFF } : reply,
  )
}

const JSON_TYPE = { 'content-type': 'application/json' }
const CUT_OFF = '{"id": "abc", "amount": 12'

type FaultChoice = { readonly fault?: Fault | undefined; readonly invalid?: EmulatorReply }

function chooseFault(request: EmulatorRequest, plan: Plan): FaultChoice {
  const own = request.headers[FAULT_HEADER]
  if (own === undefined) return { fault: plan.take(request.method, request.path) }
  try {
    return { fault: readFault(JSON.parse(own)) }
  } catch (error) {
    return { invalid: { status: 400, body: { error: `${FAULT_HEADER}: ${messageOf(error)}` } } }
  }
}

/** Applies a fault if this is its moment. Returns whether the request has ended with it. */
async function applyFault(
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
        send(response, { status: 500, body: { error: 'The emulator applies a planned fault.' } })
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

// A bug of an emulated vendor is returned as status 500, as a real vendor would.
function createReply(
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

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body, stream }: EmulatorReply,
): void {
  if (stream !== undefined) {
    response.writeHead(status, headers)
    response.flushHeaders()
    response.once(
      'close',
      stream((text) => void response.write(text)),
    )
    return
  }
  const isPlain = typeof body === 'string' || body === undefined || body instanceof Uint8Array
  response.writeHead(status, { ...(isPlain ? {} : JSON_TYPE), ...headers })
  response.end(isPlain ? body : JSON.stringify(body))
}

function readRequest(incoming: IncomingMessage, bytes: Buffer): EmulatorRequest {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  const body = bytes.toString('utf8')
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    params: {},
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body,
    bytes,
    json: () => JSON.parse(body),
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}
