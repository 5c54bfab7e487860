import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeKeys } from '../../../apps/server/src/keys.ts'
import { goalsSection, judgeFigure } from '../harness/goals.ts'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { runSuite } from '../harness/run-suite.ts'
import { percentile } from '../harness/statistics.ts'
import type { Store } from '../stores/contenders.ts'
import { openDatabases } from '../stores/databases.ts'
import { endProcess, nextMessage } from '../wire/pinned-process.ts'
import type { Place } from './notes-app.ts'
import type { NotesServer } from './server-child.ts'
import { openWays, type Way } from './ways.ts'

// An agent asks for a write and waits for its answer, over HTTP and with `surehand__result` over
// MCP. A person approves it in each way; the time is taken from the recorded decision to the answer.
const GOAL_MS = 1_000
// Those who wait look less often the longer they wait; after this time they look least often.
const WAITED_MS = 400

const options = readOptions({ rounds: 50, texts: ['store'] })
const both = [{ id: 'sqlite' }, { id: 'postgres' }] as const
const stores = chooseContenders(both, options.texts.store?.split(',')).map(({ id }) => id)

type Times = { readonly http: number[]; readonly mcp: number[]; readonly whole: number[] }

await runSuite('approval-answer', options, async ({ folder, startNoiseWatch }) => {
  const databases = await openDatabases(folder, new Set<Store>(stores))
  try {
    startNoiseWatch()
    const rows: string[][] = []
    let slowestMs = 0
    for (const store of stores)
      await databases.withDatabase(store, async (database) => {
        const data = join(folder, `data-${store}`)
        mkdirSync(data, { mode: 0o700 })
        const databaseUrl = store === 'postgres' ? database : undefined
        // Nodes that share a database share a file of keys, which is made once.
        makeKeys(join(data, 'keys.json'))
        for (const { does, times } of await measureStore({ data, databaseUrl })) {
          slowestMs = Math.max(slowestMs, ...times.http, ...times.mcp)
          rows.push([
            store,
            does,
            ...figures(times.http),
            ...figures(times.mcp),
            median(times.whole),
          ])
          console.log(rows.at(-1)?.join('  '))
        }
      })
    return report(rows, slowestMs)
  } finally {
    await databases.close()
  }
})

function report(rows: readonly (readonly string[])[], slowestMs: number) {
  const verdict = judgeFigure('the answer is there within a second', slowestMs, (most) => ({
    isReached: most <= GOAL_MS,
    measured: `at most ${most} ms`,
  }))
  const head = ['HTTP p50 ms', 'p95', 'most', 'MCP p50 ms', 'p95', 'most', 'whole p50 ms']
  return {
    sections: [
      {
        title: `From approval to answer, ${options.rounds} each`,
        table: { head: ['store', 'approved by', ...head], rows, right: [2, 3, 4, 5, 6, 7, 8] },
        notes: [
          'From the recorded decision to the answer at the agent that waits: GET /v1/calls/{id} with "Prefer: wait", and surehand__result over MCP. "whole": from the beginning of what the person sends or types, which includes showing the request, to both answers.',
          'Server and clients share the machine. In the data folder another process decides: the server learns of it by looking.',
        ],
      },
      goalsSection([verdict]),
    ],
    hasFailed: false,
  }
}

function figures(times: readonly number[]): readonly string[] {
  return [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(0))
}

function median(times: readonly number[]): string {
  return percentile(times, 0.5).toFixed(0)
}

async function measureStore(
  place: Place,
): Promise<readonly { readonly does: string; readonly times: Times }[]> {
  const server = startServer(place)
  try {
    const served = await nextMessage<NotesServer>(server)
    const ways = chooseContenders(await openWays({ served, server, place }), options.only)
    const found = ways.map(({ does }) => ({
      does,
      times: { http: [], mcp: [], whole: [] } as Times,
    }))
    // The first round loads code and opens connections.
    for (let round = 0; round <= options.rounds; round++)
      for (const [index, way] of ways.entries()) {
        const measured = await measureOnce(way, `${way.id} ${round}`, served)
        if (round === 0) continue
        found[index]?.times.http.push(measured.http)
        found[index]?.times.mcp.push(measured.mcp)
        found[index]?.times.whole.push(measured.whole)
      }
    return found
  } finally {
    await endProcess(server)
  }
}

function startServer({ data, databaseUrl }: Place): ChildProcess {
  const args = [data, ...(databaseUrl === undefined ? [] : [databaseUrl])]
  return fork(new URL('server-child.ts', import.meta.url), args, {
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

async function measureOnce(
  { approve }: Way,
  text: string,
  served: NotesServer,
): Promise<{ readonly http: number; readonly mcp: number; readonly whole: number }> {
  const { callId, approvalId } = await askAgent(text, served)
  const answers = Promise.all([
    awaitOverHttp(callId, text, served),
    awaitOverMcp(callId, text, served),
  ])
  await pause(WAITED_MS)
  const begunAt = Date.now()
  const [[http, mcp]] = await Promise.all([answers, approve(approvalId)])
  const { data } = await send<{ readonly data: { readonly decision: { readonly at: string } } }>(
    served.url,
    { path: `/v1/approvals/${approvalId}`, token: served.ann },
  )
  const decidedAt = Date.parse(data.decision.at)
  return { http: http - decidedAt, mcp: mcp - decidedAt, whole: Math.max(http, mcp) - begunAt }
}

type Sent = {
  readonly path: string
  readonly token: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

async function send<Answer>(url: string, { path, token, body, headers }: Sent): Promise<Answer> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  // The shapes are those of the API's document; the texts in them are checked below.
  return (await response.json()) as Answer
}

type Asked = {
  readonly metadata: {
    readonly call_id: string
    readonly pending: { readonly approval_id: string }
  }
}

async function askAgent(
  text: string,
  { url, agent }: NotesServer,
): Promise<{ readonly callId: string; readonly approvalId: string }> {
  const path = '/v1/tools/notes.write/call'
  const headers = { 'idempotency-key': text }
  const { metadata } = await send<Asked>(url, { path, token: agent, body: { text }, headers })
  return { callId: metadata.call_id, approvalId: metadata.pending.approval_id }
}

/** When the answer was there. */
async function awaitOverHttp(
  callId: string,
  text: string,
  { url, agent }: NotesServer,
): Promise<number> {
  const headers = { prefer: 'wait=25' }
  const answer = await send<object>(url, { path: `/v1/calls/${callId}`, token: agent, headers })
  return timeOf(answer, text)
}

async function awaitOverMcp(
  callId: string,
  text: string,
  { url, agent }: NotesServer,
): Promise<number> {
  const name = 'surehand__result'
  const answer = await send<object>(url, {
    path: '/mcp',
    token: agent,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: { call_id: callId, wait_seconds: 25 },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  })
  return timeOf(answer, text)
}

function timeOf(answer: object, text: string): number {
  const now = Date.now()
  const said = JSON.stringify(answer)
  if (!said.includes(text) || said.includes('Nothing has been done yet'))
    throw new Error(`That is not the answer: ${said}`)
  return now
}
