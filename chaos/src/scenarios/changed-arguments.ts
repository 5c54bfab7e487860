import { callUntilAnswered, sendUntilAnswered } from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import { showProgress } from '../report/progress.ts'
import { judge } from '../report/verdict.ts'
import { mapConcurrently } from './map-concurrently.ts'
import type { Scenario } from './scenario.ts'
import { waitUntilSettled } from './settle.ts'
import { startStableNodes } from './stable-nodes.ts'

/**
 * A different input under a used key is rejected, whether the key's call is done or still waits for
 * approval.
 */
export const changedArguments: Scenario = async (context) => {
  const { options, vendor } = context
  const { pool, ledger, client } = await startStableNodes(context, 1)
  const used = Array.from({ length: options.keys }, (_, number) =>
    planSimpleCall(number, { manner: number % 5 === 0 ? 'patientApproval' : 'patient' }),
  )
  const done = used.filter(({ manner }) => manner === 'patient')
  const cases = await mapConcurrently(done, options.clients, async (call) => ({
    call,
    final: await callUntilAnswered(call, client),
    repeated: [],
  }))
  await mapConcurrently(
    used.filter(({ manner }) => manner === 'patientApproval'),
    options.clients,
    (call) => sendUntilAnswered(call, client),
  )
  let tried = 0
  const stopProgress = showProgress(() => `changed arguments ${tried}/${options.calls}`)
  const changed = Array.from({ length: options.calls }, (_, number) =>
    otherInput(used[number % used.length] ?? planSimpleCall(0), number),
  )
  const reply = await mapConcurrently(changed, options.clients, async (call) => {
    tried++
    return { call, reply: await sendUntilAnswered(call, client) }
  })
  await waitUntilSettled(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  const accepted = reply.filter(
    (one) => one.reply.status !== 'failed' || one.reply.code !== 'TOOL_IDEMPOTENCY_CONFLICT',
  )
  const broken = accepted.map(
    (one) => `${one.call.key} with ${one.call.item}: ${JSON.stringify(one.reply)}`,
  )
  if (verdict.effects !== done.length)
    broken.push(`${done.length} keys made ${verdict.effects} effects`)
  return {
    figures: {
      keys: options.keys,
      'changed arguments': reply.length,
      refused: reply.length - accepted.length,
    },
    verdict,
    broken,
  }
}

function otherInput(call: PlannedCall, number: number): PlannedCall {
  return { ...call, item: `other-${number}` }
}
