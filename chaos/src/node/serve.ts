import { type Caller, createRuntime, type Outcome, type Runtime, type Stores } from '@surehand/core'
import type { StepNode } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { OutsideKind, Vendor } from '../pack/vendor-port.ts'
import { httpVendor } from '../providers/http-vendor.ts'
import { forgetfulRuns } from './forgetful-runs.ts'
import type { Ask, FromNode, LedgerKind, NodeSetup, Told, ToNode, Who } from './messages.ts'
import { naiveCalls } from './naive-calls.ts'
import { maintenanceOf, openStores } from './open-stores.ts'
import { createTrapDoor, type TrapDoor } from './trap-door.ts'
import { trappedStores } from './trapped-stores.ts'

const OUTSIDE: readonly OutsideKind[] = ['sameKey', 'lookUp', 'none']

/** One node: a runtime over the shared store that answers its clients and works on whatever was left behind. The answer ends it. */
export async function serve(setup: NodeSetup): Promise<() => Promise<void>> {
  const door = createTrapDoor(setup.failpoint)
  const opened = await openStores(setup.place)
  const runtime = createRuntime({
    packs: [chaosPack(setup.mind)],
    stores: trappedStores(spoilt(opened, setup.ledger), door),
    providers: Object.fromEntries(
      OUTSIDE.map((kind) => [
        kind,
        trappedVendor(httpVendor(setup.vendorUrl, kind, setup.folder), door),
      ]),
    ),
    leaseMs: setup.leaseMs,
  })
  process.on('message', ({ id, ...asked }: ToNode) => {
    void answer(asked as Ask, runtime, door).then((told) => send({ id, told }))
  })
  runtime.start()
  opened.maintain(maintenanceOf(setup))
  send({ ready: true })
  return opened.close
}

function spoilt(stores: Stores, ledger: LedgerKind): Stores {
  switch (ledger) {
    case 'true':
      return stores
    case 'naive':
      return { ...stores, calls: naiveCalls(stores.calls) }
    case 'forgetful':
      return { ...stores, runs: forgetfulRuns(stores.runs) }
  }
}

function send(message: FromNode): void {
  // whoever asked is gone: so are we, in a moment
  if (process.connected) process.send?.(message)
}

function trappedVendor(vendor: Vendor, door: TrapDoor): Vendor {
  return {
    make: (args, signal) => door.around('vendor.make', args, () => vendor.make(args, signal)),
    find: (args, signal) => door.around('vendor.find', args, () => vendor.find(args, signal)),
    ticket: (args, signal) => door.around('vendor.ticket', args, () => vendor.ticket(args, signal)),
  }
}

async function answer(asked: Ask, runtime: Runtime, door: TrapDoor): Promise<Told> {
  try {
    switch (asked.ask) {
      case 'call':
        return toldOf(
          await runtime.call({
            tool: asked.tool,
            input: asked.input,
            caller: callerOf(asked.who),
            idempotencyKey: asked.key,
            whenRunning: asked.whenRunning,
            surface: 'chaos',
          }),
        )
      case 'answer': {
        const outcome = await runtime.answer(callerOf(asked.who), asked.callId)
        return outcome === undefined ? { status: 'missing' } : toldOf(outcome)
      }
      case 'decide': {
        const question = await runtime.approvals.get(asked.who.tenant, asked.approvalId)
        await runtime.approvals.decide(callerOf(asked.who), question.id, {
          verdict: asked.verdict,
          digest: question.digest,
        })
        return { status: 'ok' }
      }
      case 'edit':
        await runtime.approvals.edit(callerOf(asked.who), asked.approvalId, asked.input)
        return { status: 'ok' }
      case 'cancel':
        await runtime.cancel(callerOf(asked.who), asked.callId)
        return { status: 'ok' }
      case 'resolve':
        await runtime.resolveUnknown(callerOf(asked.who), asked.callId, asked.evidence)
        return { status: 'ok' }
      case 'reply': {
        const by = callerOf(asked.who)
        const { digest } = await runtime.questions.getFor(by, asked.questionId)
        await runtime.questions.answer(by, asked.questionId, { answer: asked.answer, digest })
        return { status: 'ok' }
      }
      case 'tree': {
        const tree = await runtime.runTree(callerOf(asked.who), asked.callId)
        return tree === undefined
          ? { status: 'missing' }
          : { status: 'tree', unknown: tree.steps.flatMap(unknownStep) }
      }
      case 'pin':
        await runtime.administration.change(callerOf(asked.who), {
          kind: 'pin',
          id: asked.name,
          value: {},
        })
        return { status: 'ok' }
      case 'questions':
        return {
          status: 'questions',
          ids: (await runtime.approvals.list(asked.tenant, 'pending')).map(({ id }) => id),
        }
      case 'arm':
        door.arm(asked.failpoint)
        return { status: 'ok' }
    }
  } catch (thrown) {
    const { code, message, details } = toToolError(thrown)
    return { status: 'failed', callId: '', code, message, details, source: '' }
  }
}

function callerOf({ tenant, principal }: Who): Caller {
  return {
    tenant,
    principal,
    actor: 'user',
    roles: ['user', 'admin'],
    capabilities: [],
    session: 'chaos',
  }
}

function unknownStep({
  state,
  path,
  call_id,
}: StepNode): { readonly path: string; readonly callId: string }[] {
  return state === 'unknown' && call_id !== undefined ? [{ path, callId: call_id }] : []
}

function toldOf(outcome: Outcome): Told {
  const { callId } = outcome.facts
  switch (outcome.status) {
    case 'done':
      return { status: 'done', callId, data: outcome.data, source: outcome.source }
    case 'pending':
      return {
        status: 'pending',
        callId: outcome.approval.callId,
        approvalId: outcome.approval.id,
        asks: outcome.approval.asks,
      }
    case 'asking':
      return {
        status: 'asking',
        callId: outcome.question.callId,
        questionId: outcome.question.id,
        path: outcome.question.path,
      }
    case 'accepted':
      return { status: 'accepted', callId: outcome.jobId }
    case 'failed': {
      const { code, message, details } = outcome.error
      return { status: 'failed', callId, code, message, details, source: outcome.source }
    }
  }
}
