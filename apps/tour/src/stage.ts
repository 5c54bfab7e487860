import type { Caller, Runtime, Stores } from '@surehand/core'
import type { Screen } from './screen.ts'
import type { paymentService } from './shop.ts'

/** What every scene plays with. */
export type Stage = {
  readonly runtime: Runtime
  readonly stores: Stores
  readonly service: ReturnType<typeof paymentService>
  readonly ann: Caller
  readonly agent: Caller
  readonly screen: Screen
}
