import { readFileSync } from 'node:fs'
import { describeError, sendToParent } from '../harness/parent.ts'
import type { ChildFailure } from '../harness/run-child.ts'
import { checkTools, type ToolCheck } from './check-tools.ts'
import { contenders, nothing } from './contenders.ts'
import { DOCUMENTS } from './documents.ts'
import type { CreatedTools, Work } from './work.ts'

/** The messages that this process sends to its parent: the times when its tools exist, then the check of the tools. */
export type ChildMessage =
  | ({ readonly status: 'created' } & Times)
  | {
      readonly status: 'checked'
      readonly tools: number
      readonly check: ToolCheck
      readonly peakMb: number
      readonly cpuMs: number
    }
  | ChildFailure

export type Times = {
  readonly importMs: number
  /** The timed work alone. */
  readonly makeMs: number
  readonly makeCpuMs: number
  /** Imports, reading the file and the work: everything after the start of Node itself. */
  readonly beyondMs: number
  readonly beyondCpuMs: number
  /** With the start of Node. */
  readonly wholeCpuMs: number
}

const [contenderId, file = '', bundle = ''] = process.argv.slice(2)

await run().catch((thrown: unknown) => send({ status: 'failed', error: describeError(thrown) }))
// Some peers keep timers or sockets open, so the process would not end by itself.
process.exit(0)

async function run(): Promise<void> {
  const contender = [nothing, ...contenders].find(({ id }) => id === contenderId)
  if (contender === undefined) throw new Error(`there is no contender ${contenderId}`)
  const start = readClock()
  const work = await contender.load(bundle)
  const loaded = readClock()
  const create = readInput(work)
  const ready = readClock()
  const created = await create()
  const done = readClock()
  await send({
    status: 'created',
    importMs: loaded.ms - start.ms,
    makeMs: done.ms - ready.ms,
    makeCpuMs: done.cpuMs - ready.cpuMs,
    beyondMs: done.ms - start.ms,
    beyondCpuMs: done.cpuMs - start.cpuMs,
    wholeCpuMs: done.cpuMs,
  })
  const peakMb = readPeakMb(readFileSync('/proc/self/status', 'utf8'))
  const check = checkTools(created, DOCUMENTS[contender.document].sample)
  await send({
    status: 'checked',
    tools: created.tools,
    check,
    peakMb,
    cpuMs: readClock().cpuMs,
  })
}

function readClock(): { readonly ms: number; readonly cpuMs: number } {
  const { user, system } = process.cpuUsage()
  return { ms: performance.now(), cpuMs: (user + system) / 1000 }
}

/** Reads the input before the clock of the work starts, and returns the work. */
function readInput(work: Work): () => CreatedTools | Promise<CreatedTools> {
  switch (work.takes) {
    case 'text': {
      const text = readFileSync(file, 'utf8')
      return () => work.create(text)
    }
    case 'bytes': {
      const bytes = readFileSync(file)
      return () => work.create(bytes)
    }
    case 'file':
      return () => work.create(file)
  }
}

// Not maxRSS, which starts with the memory that the parent had when it created this process.
function readPeakMb(status: string): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

function send(message: ChildMessage): Promise<void> {
  return sendToParent(message)
}
