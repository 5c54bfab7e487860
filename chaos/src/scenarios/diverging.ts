import { setTimeout as pause } from 'node:timers/promises'
import type { NodeRequest, NodeSetup } from '../node/messages.ts'
import type { Step, Write } from '../pack/program.ts'
import { RECOVERY_KINDS, type RecoveryKind } from '../pack/recovery-kind.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodeProcess } from '../processes/node-process.ts'
import { readEffects } from './programs.ts'
import { createNodeSetup, type Scenario } from './scenario.ts'
import { MAX_WAIT_MS } from './settle.ts'

type ChangedProgram = {
  readonly id: string
  readonly step: Step
  /** The place of the changed step. */
  readonly path: string
}

const WHO = { tenant: 'north', principal: 'ann' } as const

/**
 * Programs that wait for an answer while their node is replaced by one whose code has changed a
 * step they have already taken.
 */
export const diverging: Scenario = async (context) => {
  const location = await context.backend.createStore()
  const setup = createNodeSetup(context, location, 'long')
  const ledger = createLedgerReader(location)
  const all = RECOVERY_KINDS.flatMap(shapes)
  const questions = await withNode(setup, (node) =>
    Promise.all(all.map((one) => runToQuestion(one, node))),
  )
  const before = await readEffects(context, ledger)
  const found = await withNode({ ...setup, codeVersion: 'changed' }, (node) =>
    Promise.all(all.map((one, index) => checkDivergence(one, questions[index] ?? '', node))),
  )
  const after = await readEffects(context, ledger)
  const broken = found.flat()
  if (after.length !== before.length)
    broken.push(`${after.length - before.length} effects were sent after they had diverged`)
  if (before.length !== all.length * 2)
    broken.push(`${all.length} programs sent ${before.length} effects before`)
  const faults = {
    stuckRuns: (await ledger.unsettled()).map(({ key, state }) => `${key} is still ${state}`),
  }
  return {
    figures: { programs: all.length, 'step reported': all.length - broken.length },
    verdict: { faults, unknowns: 0, effects: after.length },
    broken,
  }
}

/** One write before the changed step, and one that would follow the answer. */
function shapes(kind: RecoveryKind): readonly ChangedProgram[] {
  const write: Write = {
    do: 'write',
    kind,
    manner: 'patient',
    undo: 'sameKey',
    isRefused: false,
    changesWithCode: false,
  }
  const fickle: Write = { ...write, changesWithCode: true }
  const around = (steps: readonly Step[]): Step => ({
    do: 'sequence',
    steps: [...steps, { do: 'ask', ways: null }, write],
  })
  return [
    { id: `${kind}-sequence`, path: '0.1', step: around([write, fickle]) },
    {
      id: `${kind}-parallel`,
      path: 'branch 1/0.0.1',
      step: around([{ do: 'parallel', atMost: 2, steps: [write, fickle] }]),
    },
    {
      id: `${kind}-loop`,
      path: 'a/0.1.a',
      step: around([write, { do: 'loop', items: ['a'], atMost: 1, step: fickle }]),
    },
  ]
}

async function withNode<T>(setup: NodeSetup, work: (node: NodeProcess) => Promise<T>): Promise<T> {
  const node = new NodeProcess(setup)
  if (!(await node.started)) throw new Error(`The node does not start: ${node.errorOutput}`)
  try {
    return await work(node)
  } finally {
    node.kill()
    await node.exited
  }
}

function toCallRequest({ id, step }: ChangedProgram): NodeRequest {
  return {
    type: 'call',
    who: WHO,
    tool: 'chaos.program',
    input: { id, step },
    key: id,
    whenRunning: 'wait',
  }
}

/** Runs the program until it asks its question. */
async function runToQuestion(one: ChangedProgram, node: NodeProcess): Promise<string> {
  const reply = await node.send(toCallRequest(one), MAX_WAIT_MS)
  return reply.status === 'asking'
    ? reply.questionId
    : `of ${one.id}, which was never requested: ${JSON.stringify(reply)}`
}

/** Answers the question, and returns what is wrong with how the run continues. */
async function checkDivergence(
  one: ChangedProgram,
  questionId: string,
  node: NodeProcess,
): Promise<string[]> {
  await node.send({ type: 'reply', who: WHO, questionId, answer: 'yes' }, MAX_WAIT_MS)
  const untilMs = performance.now() + MAX_WAIT_MS
  for (;;) {
    const reply = await node.send(toCallRequest(one), MAX_WAIT_MS)
    const details = reply.status === 'failed' ? reply.details : undefined
    const isReported = reply.status === 'failed' && reply.code === 'TOOL_RUN_DIVERGED'
    if (isReported)
      return stepIn(details) === one.path
        ? []
        : [`${one.id}: diverged at ${stepIn(details)}, not at ${one.path}`]
    if (reply.status === 'done' || performance.now() > untilMs)
      return [`${one.id}: was told ${JSON.stringify(reply)}`]
    await pause(100)
  }
}

function stepIn(details: unknown): string {
  return typeof details === 'object' && details !== null && 'step' in details
    ? String(details.step)
    : 'no step'
}
