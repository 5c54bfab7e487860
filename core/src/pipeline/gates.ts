import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'
import type { PipelineContext } from './parts.ts'

/** Asks every gate of the contract: `admit` before the quota is taken, `perform` once more after the claim. */
export async function passGates(call: Call, parts: PipelineContext): Promise<void> {
  for (const gate of call.tool.contract.gates) {
    const refusal = await gate.check({
      input: call.input,
      ports: parts.providers.of(call.tool),
      caller: call.caller,
      now: parts.clock.now,
    })
    if (refusal !== undefined) {
      throw new ToolError('TOOL_GATE_CLOSED', refusal.message, {
        details: { source_code: gate.name, ...refusal.details },
        effect: 'none',
      })
    }
  }
}
