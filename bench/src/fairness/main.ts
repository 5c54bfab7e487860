import { type ChildProcess, fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { inputs } from '../core/inputs.ts'
import { recordLatencies } from '../harness/latencies.ts'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runSuite } from '../harness/run-suite.ts'
import { ask, endProcess, nextMessage } from '../wire/pinned-process.ts'
import { READ_TOOL } from '../wire/protocols.ts'
import { ATTACKS, type AttackName } from './attacks.ts'
import type { FairnessServer } from './server-child.ts'
import { ASK_TOOL } from './vendor-pack.ts'

// One tenant attacks `surehand serve` on SQLite from a process of its own, another calls a tool a
// hundred times a second and measures how long that takes, without and with each attack.
const PAUSE_MS = 10
const GOAL = 1.5

const options = readOptions({ rounds: 1, texts: ['seconds'] })
const timedMs = Number(options.texts.seconds ?? '5') * 1_000
if (!(timedMs > 0)) throw new Error('--seconds takes a number above 0.')
const all = Object.entries(ATTACKS).map(([id, does]) => ({ id: id as AttackName, does }))
const attacks = chooseContenders(all, options.only)
const agent = new Agent({ keepAlive: true })

type OtherCall = { readonly tool: string; readonly input: object | undefined }
const CART_CALL: OtherCall = { tool: READ_TOOL, input: inputs[0] }
const VENDOR_CALL: OtherCall = { tool: ASK_TOOL, input: { host: 'vendor.example', hangs: false } }

type Figures = { readonly p50Ms: number; readonly p99Ms: number; readonly slowestMs: number }

console.log(`fairness: ${count(attacks.length, 'attack')}`)
await runSuite('fairness', options, async ({ folder, startNoiseWatch }) => {
  const server = start('server-child.ts', [folder])
  try {
    const served = await nextMessage<FairnessServer>(server)
    await measureOther(served)
    startNoiseWatch()
    const rows: string[][] = []
    for (const { id, does } of attacks) {
      const calm = await measureOther(served, id)
      const { figures, statuses } = await measureAttack(id, served)
      rows.push([
        `${id}: ${does}`,
        ...[calm.p50Ms, calm.p99Ms, figures.p50Ms, figures.p99Ms, figures.slowestMs].map((ms) =>
          ms.toFixed(1),
        ),
        `${(figures.p99Ms / calm.p99Ms).toFixed(1)} ×`,
        Object.entries(statuses)
          .map(([status, times]) => `${status}: ${times}`)
          .join(', '),
      ])
      console.log(rows.at(-1)?.join('  '))
    }
    return { sections: [section(rows)], hasFailed: false }
  } finally {
    await endProcess(server)
  }
})

function section(rows: readonly (readonly string[])[]) {
  return {
    title: "Another tenant's calls during an attack",
    table: {
      head: [
        'attack',
        'calm p50 ms',
        'calm p99 ms',
        'p50 ms',
        'p99 ms',
        'slowest ms',
        'p99 to calm',
        'answers to the attacker',
      ],
      rows,
      right: [1, 2, 3, 4, 5, 6],
    },
    notes: [
      `Goal: a p99 of at most ${GOAL} × the calm one. Server, attacker and client share the cores of the machine, so the figures hold what the attacker's own process takes.`,
    ],
  }
}

function start(file: string, args: readonly string[]): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production' }
  return fork(new URL(file, import.meta.url), [...args], { env })
}

async function measureAttack(
  id: AttackName,
  served: FairnessServer,
): Promise<{ readonly figures: Figures; readonly statuses: Readonly<Record<string, number>> }> {
  const attacker = start('attack-child.ts', [id, String(served.port), served.attacker])
  try {
    await nextMessage(attacker)
    const figures = await measureOther(served, id)
    const { statuses } = await ask<{ readonly statuses: Readonly<Record<string, number>> }>(
      attacker,
      {},
    )
    return { figures, statuses }
  } finally {
    await endProcess(attacker)
    // What the attacker left behind is done before the next calm figures.
    await pause(1_000)
  }
}

async function measureOther(served: FairnessServer, attack?: AttackName): Promise<Figures> {
  const call = attack === 'breaker' ? VENDOR_CALL : CART_CALL
  const latencies = recordLatencies()
  const until = performance.now() + timedMs
  while (performance.now() < until) {
    const startedAt = performance.now()
    await callTool(served, call)
    latencies.record(performance.now() - startedAt)
    await pause(PAUSE_MS)
  }
  return {
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    slowestMs: latencies.percentileMs(100),
  }
}

function callTool({ port, other }: FairnessServer, { tool, input }: OtherCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: `/v1/tools/${tool}/call`,
        method: 'POST',
        headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
      },
      (response) => {
        response.resume().on('end', () => resolve())
        if (response.statusCode !== 200)
          reject(new Error(`the other tenant was answered ${response.statusCode}`))
      },
    )
    sending.on('error', reject)
    sending.end(JSON.stringify(input))
  })
}
