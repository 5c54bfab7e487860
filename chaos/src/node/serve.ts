import { type Caller, createRuntime, type Outcome, type Runtime, type Stores } from '@surehand/core'
import type { StepNode } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import { systemClock } from '@surehand/core/ports'
import { readBoot } from '@surehand/sql'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { OutsideKind, Vendor } from '../pack/vendor-port.ts'
import { httpVendor } from '../providers/http-vendor.ts'
import { createFailpoints, type Failpoints } from './failpoints.ts'
import { forgetfulRuns } from './forgetful-runs.ts'
import {
  type FromNode,
  type LedgerKind,
  type NodeReply,
  type NodeRequest,
  type NodeSetup,
  TICK_MS,
  type ToNode,
  type Who,
} from './messages.ts'
import { naiveCalls } from './naive-calls.ts'
import { createMaintenance, openStores } from './open-stores.ts'
import { applyPoison } from './poison.ts'
import { addFailpointsToStores } from './stores-with-failpoints.ts'

const OUTSIDE: readonly OutsideKind[] = ['sameKey', 'lookUp', 'none']

/**
 * One node: a runtime over the shared store that answers its clients and recovers abandoned calls.
 * The returned function closes its stores.
 */
export async function serve(setup: NodeSetup): Promise<() => Promise<void>> {
  const failpoints = createFailpoints(setup.failpoints, (item) => send({ reached: item }))
  const opened = await openStores(setup)
  const runtime = createRuntime({
    packs: [chaosPack(setup.codeVersion)],
    stores: addFailpointsToStores(applyLedgerDefect(opened, setup.ledger), failpoints),
    providers: Object.fromEntries(
      OUTSIDE.map((kind) => [
        kind,
        addFailpointsToVendor(httpVendor(setup.vendorUrl, kind, setup.folder), failpoints),
      ]),
    ),
    clock: systemClock({ boot: readBoot() }),
    strayErrors: 'trace',
    leaseMs: setup.leaseMs,
    installation: setup.audit.sealKey,
  })
  process.on('message', ({ id, ...request }: ToNode) => {
    void handleRequest(request as NodeRequest, runtime, failpoints).then((reply) =>
      send({ id, reply }),
    )
  })
  runtime.start()
  opened.maintain(createMaintenance(setup))
  send({ ready: true })
  setInterval(() => send({ tick: true }), TICK_MS).unref()
  return opened.close
}

function applyLedgerDefect(stores: Stores, ledger: LedgerKind): Stores {
  switch (ledger) {
    case 'correct':
      return stores
    case 'naive':
      return { ...stores, calls: naiveCalls(stores.calls) }
    case 'forgetful':
      return { ...stores, runs: forgetfulRuns(stores.runs) }
  }
}

function send(message: FromNode): void {
  // Without a connection the harness has gone, and this process is about to exit as well.
  if (process.connected) process.send?.(message)
}

function addFailpointsToVendor(vendor: Vendor, failpoints: Failpoints): Vendor {
  return {
    make: (args, signal) =>
      failpoints.wrap('vendor.make', args, () => {
        applyPoison(args.item)
        return vendor.make(args, signal)
      }),
    find: (args, signal) => failpoints.wrap('vendor.find', args, () => vendor.find(args, signal)),
    ticket: (args, signal) =>
      failpoints.wrap('vendor.ticket', args, () => vendor.ticket(args, signal)),
    price: (args, signal) =>
      failpoints.wrap('vendor.price', args, () => vendor.price(args, signal)),
  }
}

async function handleRequest(
  request: NodeRequest,
  runtime: Runtime,
  failpoints: Failpoints,
): Promise<NodeReply> {
  try {
    switch (request.type) {
      case 'call':
        return toReply(
          await runtime.call({
            tool: request.tool,
            input: request.input,
            caller: toCaller(request.who),
            idempotencyKey: request.key,
            whenRunning: request.whenRunning,
            surface: 'chaos',
          }),
        )
      case 'answer': {
        const outcome = await runtime.answer(toCaller(request.who), request.callId)
        return outcome === undefined ? { status: 'missing' } : toReply(outcome)
      }
      case 'decide': {
        const question = await runtime.approvals.get(request.who.tenant, request.approvalId)
        await runtime.approvals.decide(toCaller(request.who), question.id, {
          verdict: request.verdict,
          digest: question.digest,
        })
        return { status: 'ok' }
      }
      case 'edit':
        await runtime.approvals.edit(toCaller(request.who), request.approvalId, request.input)
        return { status: 'ok' }
      case 'cancel':
        await runtime.cancel(toCaller(request.who), request.callId)
        return { status: 'ok' }
      case 'resolve':
        await runtime.resolveUnknown(toCaller(request.who), request.callId, request.evidence)
        return { status: 'ok' }
      case 'reply': {
        const by = toCaller(request.who)
        const { digest } = await runtime.questions.getFor(by, request.questionId)
        await runtime.questions.answer(by, request.questionId, { answer: request.answer, digest })
        return { status: 'ok' }
      }
      case 'tree': {
        const tree = await runtime.runTree(toCaller(request.who), request.callId)
        return tree === undefined
          ? { status: 'missing' }
          : { status: 'tree', unknown: tree.steps.flatMap(unknownStep) }
      }
      case 'pin':
        await runtime.administration.change(toCaller(request.who), {
          kind: 'pin',
          id: request.name,
          value: {},
        })
        return { status: 'ok' }
      case 'pending-approvals':
        return {
          status: 'approvals',
          ids: (await runtime.approvals.list(request.tenant, 'pending')).map(({ id }) => id),
        }
      case 'arm':
        failpoints.arm(request.failpoint)
        return { status: 'ok' }
    }
  } catch (thrown) {
    const { code, message, details } = toToolError(thrown)
    return { status: 'failed', callId: '', code, message, details, source: '' }
  }
}

function toCaller({ tenant, principal }: Who): Caller {
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

function toReply(outcome: Outcome): NodeReply {
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
