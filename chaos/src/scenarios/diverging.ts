import { setTimeout as pause } from 'node:timers/promises'
import { ledgerReader } from '../house/ledger-reader.ts'
import { NodeProcess } from '../house/node-process.ts'
import type { Ask, NodeSetup } from '../node/messages.ts'
import type { Step, Write } from '../pack/program.ts'
import { RECOVERY_KINDS, type RecoveryKind } from '../pack/recovery-kind.ts'
import { heldBy } from './programs.ts'
import { CALM_MS } from './settle.ts'
import { type Scenario, setupOf } from './world.ts'

type Fickle = {
  readonly id: string
  readonly step: Step /** Where it changes its mind. */
  readonly path: string
}

const WHO = { tenant: 'north', principal: 'ann' } as const

/** Programs that wait for an answer while their node is replaced by one whose code has changed its mind about a step they have taken. */
export const diverging: Scenario = async (world) => {
  const place = await world.ground.newPlace()
  const setup = setupOf(world, place, 'patient')
  const ledger = ledgerReader(place)
  const all = RECOVERY_KINDS.flatMap(shapes)
  const questions = await onNode(setup, (node) => Promise.all(all.map((one) => begin(one, node))))
  const before = await heldBy(world, ledger)
  const found = await onNode({ ...setup, mind: 'changed' }, (node) =>
    Promise.all(all.map((one, index) => diverge(one, questions[index] ?? '', node))),
  )
  const after = await heldBy(world, ledger)
  const broken = found.flat()
  if (after.length !== before.length)
    broken.push(`${after.length - before.length} effects were sent after they had diverged`)
  if (before.length !== all.length * 2)
    broken.push(`${all.length} programs sent ${before.length} effects before`)
  const faults = {
    stuckRuns: (await ledger.unsettled()).map(({ key, state }) => `${key} is still ${state}`),
  }
  return {
    figures: { programs: all.length, 'told where': all.length - broken.length },
    verdict: { faults, unknowns: 0, effects: after.length },
    broken,
  }
}

/** Something is written before the place, and something would be after the answer. */
function shapes(kind: RecoveryKind): readonly Fickle[] {
  const write: Write = {
    do: 'write',
    kind,
    manner: 'patient',
    undo: 'sameKey',
    isRefused: false,
    isFickle: false,
  }
  const fickle: Write = { ...write, isFickle: true }
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

async function onNode<T>(setup: NodeSetup, work: (node: NodeProcess) => Promise<T>): Promise<T> {
  const node = new NodeProcess(setup)
  if (!(await node.started)) throw new Error(`A node does not start: ${node.complaint}`)
  try {
    return await work(node)
  } finally {
    node.kill()
    await node.ended
  }
}

function callOf({ id, step }: Fickle): Ask {
  return {
    ask: 'call',
    who: WHO,
    tool: 'chaos.program',
    input: { id, step },
    key: id,
    whenRunning: 'wait',
  }
}

/** Brings it to its question. */
async function begin(one: Fickle, node: NodeProcess): Promise<string> {
  const heard = await node.ask(callOf(one), CALM_MS)
  return heard.status === 'asking'
    ? heard.questionId
    : `of ${one.id}, which was never put: ${JSON.stringify(heard)}`
}

/** Answers it, and says what is wrong with how it goes on. */
async function diverge(one: Fickle, questionId: string, node: NodeProcess): Promise<string[]> {
  await node.ask({ ask: 'reply', who: WHO, questionId, answer: 'yes' }, CALM_MS)
  const untilMs = performance.now() + CALM_MS
  for (;;) {
    const heard = await node.ask(callOf(one), CALM_MS)
    const details = heard.status === 'failed' ? heard.details : undefined
    const isTold = heard.status === 'failed' && heard.code === 'TOOL_RUN_DIVERGED'
    if (isTold)
      return stepIn(details) === one.path
        ? []
        : [`${one.id}: diverged at ${stepIn(details)}, not at ${one.path}`]
    if (heard.status === 'done' || performance.now() > untilMs)
      return [`${one.id}: was told ${JSON.stringify(heard)}`]
    await pause(100)
  }
}

function stepIn(details: unknown): string {
  return typeof details === 'object' && details !== null && 'step' in details
    ? String(details.step)
    : 'no step'
}
