import {
  type ClientOptions,
  callUntilAnswered,
  SHORT_TIMEOUTS_MS,
  sendUntilAnswered,
} from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall, TENANTS } from '../clients/planned-call.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import type { NodeProcess } from '../processes/node-process.ts'
import { showProgress } from '../report/progress.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { createNodeSetup, type Scenario } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

/** Approval requests survive the death of every node, and each approval leads to one execution. */
export const pending: Scenario = async (context) => {
  const { options, vendor, backend, random } = context
  const location = await backend.createStore()
  const pool = new NodePool(options.nodes, createNodeSetup(context, location), random)
  const ledger = createLedgerReader(location)
  await pool.waitUntilAllReady()
  const calls = Array.from({ length: options.keys }, (_, number) =>
    planSimpleCall(number, { manner: 'patientApproval' }),
  )
  const cases: CallCase[] = []
  const stopProgress = showProgress(() => `answered ${cases.length}/${options.keys}`)
  const nextNode: ClientOptions['nextNode'] = (last) => pool.pickNode(last)
  const asked = await mapConcurrently(calls, options.clients, (call) =>
    requestApproval(call, { random, nextNode }),
  )
  for (const node of pool.all) node.kill()
  await Promise.all(pool.all.map((node) => node.exited))
  const waiting = await listPendingApprovals(await pool.pickNode())
  const startedMs = performance.now()
  const client: ClientOptions = {
    random,
    nextNode,
    timeoutsMs: SHORT_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() - startedMs < MAX_WAIT_MS + options.keys * 100,
    onRetry: () => undefined,
  }
  await mapConcurrently(calls, options.clients, async (call) => {
    cases.push({ call, final: await callUntilAnswered(call, client), repeated: [] })
  })
  await waitUntilSettled(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  const lost = asked.filter((id) => !waiting.has(id))
  const broken = lost.map((id) => `the approval request ${id} did not survive`)
  if (verdict.effects !== options.keys) {
    const ends = cases.map(({ call, final }) => `${call.key} (${call.kind}) ${final.end}`)
    broken.push(
      `${options.keys} approval requests made ${verdict.effects} effects; not done: ${ends.filter((end) => !end.endsWith('done')).join(', ')}`,
    )
  }
  return {
    figures: {
      'approval requests': options.keys,
      kills: options.nodes,
      'still pending': asked.length - lost.length,
    },
    verdict,
    broken,
  }
}

async function requestApproval(
  call: PlannedCall,
  client: Pick<ClientOptions, 'random' | 'nextNode'>,
): Promise<string> {
  const reply = await sendUntilAnswered(call, client)
  return reply.status === 'pending'
    ? reply.approvalId
    : `of ${call.key}, which was never requested: ${reply.status}`
}

async function listPendingApprovals(node: NodeProcess): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    TENANTS.map((tenant) => node.send({ type: 'pending-approvals', tenant }, MAX_WAIT_MS)),
  )
  return new Set(lists.flatMap((reply) => (reply.status === 'approvals' ? reply.ids : [])))
}
