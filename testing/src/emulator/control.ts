import type { EffectLog } from './effect-log.ts'
import { readFault } from './fault.ts'
import type { Plan, PlannedFault } from './plan.ts'
import type { EmulatorReply } from './route.ts'

export const CONTROL_PATH = '/__control'

export type ControlRequest = {
  readonly method: string
  readonly body: string
  readonly plan: Plan
  readonly log: EffectLog
}

/**
 * `POST { fault, times?, target? }` plans a fault, `GET` shows plan and effects, `DELETE` clears
 * the plan.
 */
export function control({ method, body, plan, log }: ControlRequest): EmulatorReply {
  switch (method) {
    case 'GET':
      return { body: { faults: plan.list(), effects: log.effects() } }
    case 'POST':
      plan.add(readPlanned(JSON.parse(body)))
      return { status: 201, body: { faults: plan.list() } }
    case 'DELETE':
      plan.clear()
      return { status: 204 }
    default:
      return { status: 405 }
  }
}

function readPlanned(given: unknown): PlannedFault {
  if (typeof given !== 'object' || given === null)
    throw new Error('Send { fault, times?, target? }.')
  const { fault, times = 1, target = {} } = given as Readonly<Record<string, unknown>>
  if (!Number.isSafeInteger(times) || (times as number) < 1)
    throw new Error('times must be a whole number of at least 1.')
  const { method, path } = target as Readonly<Record<string, unknown>>
  return {
    fault: readFault(fault),
    times: times as number,
    target: {
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof path === 'string' ? { path } : {}),
    },
  }
}
