import { fileURLToPath } from 'node:url'
import { ChildTimeout, runChild, TIMEOUT_MS } from '../harness/run-child.ts'
import type { ToolCheck } from './check-tools.ts'
import type { ChildMessage, Times } from './child.ts'
import type { Contender } from './contenders.ts'
import type { Files } from './files.ts'

export type Figures = Times & {
  /** From the start of the process until the tools exist. */
  readonly wholeMs: number
  readonly peakMb: number
  readonly tools: number
  readonly check: ToolCheck
}

export type Measurement = {
  readonly measure: (contender: Contender) => Promise<Figures>
  /** CPU time of the child processes since the start. */
  readonly childCpuMs: () => number
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

export function startMeasurement(files: Files): Measurement {
  const earlier = new Map<string, Figures>()
  let childCpuMs = 0
  return {
    async measure(contender) {
      const input = files.inputFor(contender)
      const args = [contender.id, input?.file ?? '', files.bundle]
      const { figures, cpuMs } = await runContender(args).catch((thrown: unknown) => {
        // It was busy all the time, as far as the machine let it.
        if (thrown instanceof ChildTimeout) childCpuMs += TIMEOUT_MS
        throw thrown
      })
      childCpuMs += cpuMs
      checkFigures(contender, figures, {
        operations: input?.operations,
        before: earlier.get(contender.id),
      })
      earlier.set(contender.id, figures)
      return figures
    },
    childCpuMs: () => childCpuMs,
  }
}

async function runContender(
  args: readonly string[],
): Promise<{ readonly figures: Figures; readonly cpuMs: number }> {
  const startedMs = performance.now()
  let times: (Times & { readonly wholeMs: number }) | undefined
  const last = await runChild<ChildMessage>({ file: CHILD, args }, (message) => {
    if (message.status !== 'created') return
    const { status: _, ...measured } = message
    times = { ...measured, wholeMs: performance.now() - startedMs }
  })
  if (last.status !== 'checked' || times === undefined)
    throw new Error('the process ended before its tools were checked')
  const { tools, check, peakMb, cpuMs } = last
  return { figures: { ...times, tools, check, peakMb }, cpuMs }
}

type Expected = {
  readonly operations: number | undefined
  /** The figures of an earlier round. */
  readonly before: Figures | undefined
}

/** Throws when our generators leave operations out, or when any contender creates other tools than in an earlier round. */
function checkFigures(
  { whose }: Contender,
  { tools, check }: Figures,
  { operations, before }: Expected,
): void {
  if (whose === 'ours' && (tools !== operations || check !== 'complete'))
    throw new Error(`${tools} tools for ${operations} operations; the sample tool: ${check}`)
  if (before !== undefined && (before.tools !== tools || before.check !== check))
    throw new Error(`${before.tools} tools (${before.check}), then ${tools} (${check})`)
}

export function describeFigures({ makeMs, wholeMs, tools, check }: Figures): string {
  return `${makeMs.toFixed(0)} ms, ${wholeMs.toFixed(0)} ms in total, ${tools} tools, ${check}`
}
