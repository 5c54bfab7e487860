import { readFileSync } from 'node:fs'
import { checkMade, type Verdict } from './check-made.ts'
import { contenders, nothing } from './contenders.ts'
import { DOCUMENTS } from './documents.ts'
import type { Made, Work } from './work.ts'

/** What a child tells its parent: that it has made its tools, and then what they are like. */
export type Told =
  | ({ readonly status: 'made' } & Times)
  | {
      readonly status: 'checked'
      readonly tools: number
      readonly verdict: Verdict
      readonly peakMb: number
      readonly cpuMs: number
    }
  | { readonly status: 'failed'; readonly error: string }

export type Times = {
  readonly importMs: number
  /** What is timed, alone. */
  readonly makeMs: number
  readonly makeCpuMs: number
  /** Imports, reading the file and making: all that comes after Node's own start. */
  readonly beyondMs: number
  readonly beyondCpuMs: number
  /** Node's start too. */
  readonly wholeCpuMs: number
}

const [contenderId, file = '', bundle = ''] = process.argv.slice(2)

await run().catch((error: unknown) =>
  tell({ status: 'failed', error: error instanceof Error ? error.message : String(error) }),
)
// some peers keep timers or sockets open
process.exit(0)

async function run(): Promise<void> {
  const contender = [nothing, ...contenders].find(({ id }) => id === contenderId)
  if (contender === undefined) throw new Error(`there is no contender ${contenderId}`)
  const begun = clock()
  const work = await contender.load(bundle)
  const loaded = clock()
  const make = prepared(work)
  const ready = clock()
  const made = await make()
  const done = clock()
  await tell({
    status: 'made',
    importMs: loaded.ms - begun.ms,
    makeMs: done.ms - ready.ms,
    makeCpuMs: done.cpuMs - ready.cpuMs,
    beyondMs: done.ms - begun.ms,
    beyondCpuMs: done.cpuMs - begun.cpuMs,
    wholeCpuMs: done.cpuMs,
  })
  const peakMb = peakMbOf(readFileSync('/proc/self/status', 'utf8'))
  const verdict = checkMade(made, DOCUMENTS[contender.document].named)
  await tell({ status: 'checked', tools: made.tools, verdict, peakMb, cpuMs: clock().cpuMs })
}

function clock(): { readonly ms: number; readonly cpuMs: number } {
  const { user, system } = process.cpuUsage()
  return { ms: performance.now(), cpuMs: (user + system) / 1000 }
}

function prepared(work: Work): () => Made | Promise<Made> {
  switch (work.takes) {
    case 'text': {
      const text = readFileSync(file, 'utf8')
      return () => work.make(text)
    }
    case 'bytes': {
      const bytes = readFileSync(file)
      return () => work.make(bytes)
    }
    case 'file':
      return () => work.make(file)
  }
}

// not maxRSS: that begins with what the parent had when it made this process
function peakMbOf(status: string): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

function tell(told: Told): Promise<void> {
  return new Promise((resolve) => process.send?.(told, undefined, {}, () => resolve()))
}
