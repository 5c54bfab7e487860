import { memoryStores } from '../memory/memory-stores.ts'
import { systemClock } from '../ports/clock.ts'
import { assembleRuntime, type Runtime, type RuntimeOptions } from './runtime.ts'

/**
 * Puts tools, providers and stores together, checks that no provider is missing, and runs calls.
 *
 * @example
 * const runtime = createRuntime({ tools: [weather] })
 * const outcome = await runtime.as({ principal: 'ann' }).call(weather, { city: 'Lisbon' })
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const clock = options.clock ?? systemClock()
  return assembleRuntime({ ...options, clock, stores: options.stores ?? memoryStores({ clock }) })
}
