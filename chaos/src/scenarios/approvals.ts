import { setTimeout as pause } from 'node:timers/promises'
import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  sendUntilAnswered,
  toCallRequest,
} from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import { showProgress } from '../report/progress.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import type { Scenario } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'
import { startStableNodes } from './stable-nodes.ts'

const KEYS_AT_ONCE = 5

/**
 * Approval requests that many clients decide and repeat at the same moment: one decision and one
 * execution each.
 */
export const approvals: Scenario = async (context) => {
  const { options, vendor } = context
  const { pool, ledger, client, startedMs } = await startStableNodes(
    context,
    1 + (options.keys * options.racers) / 2_000,
  )
  const cases: CallCase[] = []
  const broken: string[] = []
  const stopProgress = showProgress(
    () => `approval requests ${cases.length}/${options.keys}, ${options.racers} racers each`,
  )
  const calls = Array.from({ length: options.keys }, (_, number) =>
    planSimpleCall(number, { manner: 'patientApproval' }),
  ).values()
  const hand = async (): Promise<void> => {
    for (let next = calls.next(); !next.done; next = calls.next()) {
      const call: PlannedCall = next.value
      const { accepted, finals } = await decideAndCall(call, options.racers, client)
      const [final, ...repeated] = finals
      if (final !== undefined) cases.push({ call, final, repeated })
      if (accepted !== 1) broken.push(`${call.key}: ${accepted} decisions were accepted`)
    }
  }
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, hand))
  await waitUntilSettled(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  if (verdict.effects !== options.keys)
    broken.push(`${options.keys} approval requests made ${verdict.effects} effects`)
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  return {
    figures: { 'approval requests': options.keys, racers: options.keys * options.racers, seconds },
    verdict,
    broken,
  }
}

/** Half of the racers approve and the others call, without waiting for each other. */
async function decideAndCall(
  call: PlannedCall,
  racers: number,
  client: ClientOptions,
): Promise<{ readonly accepted: number; readonly finals: FinalAnswer[] }> {
  const approvalId = await requestApproval(call, client)
  let accepted = 0
  const decide = async (): Promise<void> => {
    const node = await client.nextNode(undefined)
    const reply = await node?.send(
      { type: 'decide', who: call.who, approvalId, verdict: 'approve' },
      MAX_WAIT_MS,
    )
    if (reply?.status === 'ok') accepted++
  }
  const finals: Promise<FinalAnswer>[] = []
  const decisions: Promise<void>[] = []
  // A caller that finds the request still pending would decide it too, and that decision would not
  // be counted.
  const quiet: ClientOptions = {
    ...client,
    nextNode: async (last) => pause(1).then(() => client.nextNode(last)),
  }
  for (let racer = 0; racer < racers; racer++) {
    if (racer % 2 === 0) decisions.push(decide())
    else finals.push(callAfterDecision(call, decisions, quiet))
  }
  await Promise.all(decisions)
  return { accepted, finals: await Promise.all(finals) }
}

async function callAfterDecision(
  call: PlannedCall,
  decisions: readonly Promise<void>[],
  client: ClientOptions,
): Promise<FinalAnswer> {
  const node = await client.nextNode(undefined)
  await node?.send(toCallRequest(call, client.random), MAX_WAIT_MS)
  await Promise.race(decisions)
  return callUntilAnswered(call, client)
}

async function requestApproval(call: PlannedCall, client: ClientOptions): Promise<string> {
  const reply = await sendUntilAnswered(call, client)
  if (reply.status !== 'pending')
    throw new Error(`${call.key} did not request approval: ${JSON.stringify(reply)}`)
  return reply.approvalId
}
