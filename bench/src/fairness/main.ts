import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runSuite } from '../harness/run-suite.ts'
import { percentile } from '../harness/statistics.ts'
import { ask, endProcess, nextMessage } from '../wire/pinned-process.ts'
import { ATTACKS, type AttackName } from './attacks.ts'
import type { Measurement, Samples } from './client-child.ts'
import type { Elsewhere } from './elsewhere-child.ts'
import { canPutFirst, type Placement, startPlaced } from './placement.ts'
import type { FairnessServer, LoopDelays } from './server-child.ts'

// One tenant attacks `surehand serve` on SQLite, another calls a tool a hundred times a second and
// measures how long that takes: calm, with the attack aimed at another process, and attacked. By turns,
// because the host of a virtual machine may be half as fast a minute later.
const GOAL = 1.5
const WARM_UP_MS = 4_000
const REST_MS = 3_000

const options = readOptions({ rounds: 3, texts: ['seconds'], flags: ['shared'] })
const timedMs = Number(options.texts.seconds ?? '10') * 1_000
if (!(timedMs > 0)) throw new Error('--seconds takes a number above 0.')
const placement: Placement = options.flags.shared ? 'shared' : 'apart'
const all = Object.entries(ATTACKS).map(([id, does]) => ({ id: id as AttackName, does }))
const attacks = chooseContenders(all, options.only)

type Running = {
  readonly server: ChildProcess
  readonly client: ChildProcess
  readonly served: FairnessServer
  readonly control: number
}
type Statuses = Readonly<Record<string, number>>
type Attacked = Samples & { readonly statuses: Statuses; readonly loop: LoopDelays }

console.log(`fairness: ${count(attacks.length, 'attack')}`)
await runSuite('fairness', options, async ({ folder, startNoiseWatch }) => {
  const other = startPlaced('attacker', placement, ['elsewhere-child.ts'])
  const children = [other]
  try {
    const { control, silent } = await nextMessage<Elsewhere>(other)
    const server = startPlaced('server', placement, ['server-child.ts', folder, String(silent)])
    children.push(server)
    const served = await nextMessage<FairnessServer>(server)
    const args = [String(served.port), served.other, String(server.pid)]
    const client = startPlaced('client', placement, ['client-child.ts', ...args])
    children.push(client)
    const running = { server, client, served, control }
    await measureClient(running, 'calls')
    startNoiseWatch()
    const rows: string[][] = []
    for (const { id, does } of attacks) {
      rows.push(await measureRow(id, does, running))
      console.log(rows.at(-1)?.join('  '))
    }
    return { sections: [section(rows)], hasFailed: false }
  } finally {
    await Promise.all(children.map(endProcess))
  }
})

async function measureRow(id: AttackName, does: string, running: Running): Promise<string[]> {
  await warmUp(id, running)
  const [calm, elsewhere]: [Samples[], Samples[]] = [[], []]
  const attacked: Attacked[] = []
  for (let round = 0; round < options.rounds; round++) {
    calm.push(await measureClient(running, id))
    elsewhere.push(await measureAttack(id, running.control, running))
    attacked.push(await measureAttack(id, running.served.port, running))
  }
  const calls = attacked.flatMap(({ tookMs }) => tookMs).length
  const leftOut = attacked.reduce((sum, samples) => sum + samples.leftOut, 0)
  return [
    `${id}: ${does}`,
    ...[calm, elsewhere, attacked].map((rounds) => cpuP99(rounds).toFixed(1)),
    `${(cpuP99(attacked) / cpuP99(calm)).toFixed(1)} ×`,
    ...[calm, attacked].map((rounds) => {
      const tookMs = rounds.flatMap((samples) => samples.tookMs)
      return [0.5, 0.99].map((share) => percentile(tookMs, share).toFixed(1)).join(' / ')
    }),
    Math.max(...attacked.map(({ loop }) => loop.longestMs)).toFixed(0),
    `${calls}, ${leftOut}`,
    Object.entries(sumStatuses(attacked))
      .map(([status, times]) => `${status}: ${times}`)
      .join(', '),
  ]
}

function cpuP99(rounds: readonly Samples[]): number {
  return percentile(
    rounds.flatMap(({ cpuMs }) => cpuMs),
    0.99,
  )
}

function sumStatuses(rounds: readonly Attacked[]): Statuses {
  const sums: Record<string, number> = {}
  for (const [status, times] of rounds.flatMap(({ statuses }) => Object.entries(statuses)))
    sums[status] = (sums[status] ?? 0) + times
  return sums
}

/** A server that has run for a while: the attack's code is compiled, and tools have been listed. */
async function warmUp(id: AttackName, { served }: Running): Promise<void> {
  const args = [id, String(served.port), served.attacker]
  const attacker = startPlaced('attacker', placement, ['attack-child.ts', ...args])
  await nextMessage(attacker)
  await pause(WARM_UP_MS)
  await endProcess(attacker)
  // Until the attacker's limits are as they were before.
  await pause(REST_MS)
}

function section(rows: readonly (readonly string[])[]) {
  return {
    title: "Another tenant's calls during an attack",
    table: {
      head: [
        'attack',
        'calm, CPU p99 ms',
        'aimed elsewhere, CPU p99 ms',
        'attacked, CPU p99 ms',
        'to calm',
        'calm p50 / p99 ms',
        'attacked p50 / p99 ms',
        'longest turn of the loop, CPU ms',
        'calls measured, left out',
        'answers to the attacker',
      ],
      rows,
      right: [1, 2, 3, 4, 5, 6, 7, 8],
    },
    notes: [
      `${count(options.rounds, 'round')} of ${timedMs / 1_000} seconds each; a percentile is of the calls of all rounds.`,
      `Goal: at most ${GOAL} × the calm figure. CPU: what the server's main thread did from the other tenant's request to its answer, which other processes do not change. Calls during which the host took a core away are left out; the longest turn holds such times.`,
      placement === 'shared'
        ? "Server, attacker and client share the cores of the machine, so the figures hold what the attacker's own process takes."
        : `The attacker has one core, the server the other, on which the client interrupts it.${canPutFirst() ? '' : ' This user may not put them before other processes (nice), so other work on the machine is in the figures.'}`,
    ],
  }
}

async function measureAttack(id: AttackName, port: number, running: Running): Promise<Attacked> {
  const { attacker: token } = running.served
  const attacker = startPlaced('attacker', placement, ['attack-child.ts', id, String(port), token])
  try {
    await nextMessage(attacker)
    await ask<LoopDelays>(running.server, {})
    const samples = await measureClient(running, id)
    const loop = await ask<LoopDelays>(running.server, {})
    const { statuses } = await ask<{ readonly statuses: Statuses }>(attacker, {})
    return { ...samples, statuses, loop }
  } finally {
    await endProcess(attacker)
    // What the attacker left behind is done before the next calm figures.
    await pause(1_000)
  }
}

function measureClient({ client }: Running, id: AttackName): Promise<Samples> {
  const measurement: Measurement = { tool: id === 'breaker' ? 'vendor' : 'cart', timedMs }
  return ask<Samples>(client, measurement)
}
