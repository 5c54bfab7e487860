import { check } from './check.ts'
import type { Suite } from './suite-shape.ts'
import { timeCalls } from './time-calls.ts'

/** What a child tells its parent. */
export type ChildReport =
  | { readonly status: 'timed'; readonly batches: number[]; readonly cpuMs: number }
  | { readonly status: 'failed'; readonly error: string }

const [suiteFile, contenderId] = process.argv.slice(2)
const report = await measure().catch(
  (error: unknown): ChildReport => ({
    status: 'failed',
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }),
)
// some peers keep timers or sockets open: leave as soon as the parent has the report
process.send?.(report, undefined, {}, () => process.exit(0))

async function measure(): Promise<ChildReport> {
  const { suite } = (await import(String(suiteFile))) as { suite: Suite }
  const section = suite.sections.find(({ contenders }) =>
    contenders.some(({ id }) => id === contenderId),
  )
  const contender = section?.contenders.find(({ id }) => id === contenderId)
  if (section === undefined || contender === undefined)
    throw new Error(`${suite.name} has no contender ${contenderId}`)
  const start = await contender.load()
  const subject = await start()
  await check(contender, subject, section.workload)
  const batches = await timeCalls(subject, section.workload.inputs, section.plan)
  const { user, system } = process.cpuUsage()
  return { status: 'timed', batches, cpuMs: (user + system) / 1000 }
}
