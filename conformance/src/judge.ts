import type { Envelope } from '@surehand/core'
import type { World } from './world/world.ts'

/** What an envelope says, in one word: `success`, or the code of its error. */
export function codeOrStatus(envelope: Envelope | undefined): string {
  if (envelope === undefined) return 'no answer'
  return envelope.error?.code ?? envelope.status
}

/** The details of an error, as a record. */
export function detailsOf(envelope: Envelope): Readonly<Record<string, unknown>> {
  return (envelope.error?.details ?? {}) as Record<string, unknown>
}

/** What reached the providers' makers, as `port item` each. */
export function listEffects(world: World): readonly string[] {
  return world.emulator.effects.map((effect) => `${effect.port} ${effect.receipt.item}`)
}

/** How many requests came to a provider's method. */
export function countRequests(world: World, method: string): number {
  return world.emulator.arrivals.filter((arrival) => `${arrival.port}.${arrival.method}` === method)
    .length
}
