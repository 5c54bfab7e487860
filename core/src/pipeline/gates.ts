import { ToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import type { PipelineContext } from './context.ts'
import { traceToCall } from './stray-errors.ts'

/**
 * Checks every gate of the contract: `admit` does so before quota is used, `perform` again after
 * the claim.
 */
export async function passGates(call: Call, context: PipelineContext): Promise<void> {
  for (const gate of call.tool.contract.gates) {
    const refusal = await traceToCall(context, call.id, () =>
      gate.check({
        input: call.input,
        ports: context.providers.of(call.tool, call.caller.tenant),
        caller: call.caller,
        now: context.clock.now,
      }),
    )
    if (refusal !== undefined) {
      throw new ToolError('TOOL_GATE_CLOSED', refusal.message, {
        details: { source_code: gate.name, ...refusal.details },
        effect: 'none',
      })
    }
  }
}
