import type { CallSuite } from './call-suite.ts'
import { checkContender } from './check.ts'
import { describeError, sendToParent } from './parent.ts'
import type { ChildFailure } from './run-child.ts'
import { timeCalls } from './time-calls.ts'

/** The message that this process sends to its parent. */
export type CallReport =
  | { readonly status: 'timed'; readonly batches: number[]; readonly cpuMs: number }
  | ChildFailure

const [suiteFile, contenderId] = process.argv.slice(2)
const report = await measure().catch(
  (thrown: unknown): CallReport => ({ status: 'failed', error: describeError(thrown) }),
)
await sendToParent(report)
// Some peers keep timers or sockets open, so the process would not end by itself.
process.exit(0)

async function measure(): Promise<CallReport> {
  const { suite } = (await import(String(suiteFile))) as { suite: CallSuite }
  const section = suite.sections.find(({ contenders }) =>
    contenders.some(({ id }) => id === contenderId),
  )
  const contender = section?.contenders.find(({ id }) => id === contenderId)
  if (section === undefined || contender === undefined)
    throw new Error(`${suite.name} has no contender ${contenderId}`)
  const start = await contender.load()
  const subject = await start()
  await checkContender(contender, subject, section.workload)
  const batches = await timeCalls(subject, section.workload.inputs, section.plan)
  const { user, system } = process.cpuUsage()
  return { status: 'timed', batches, cpuMs: (user + system) / 1000 }
}
