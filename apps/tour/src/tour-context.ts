import type { Caller, Runtime, Stores } from '@surehand/core'
import type { Screen } from './screen.ts'
import type { createPaymentService } from './shop.ts'

/** What every scene of the tour uses. */
export type TourContext = {
  readonly runtime: Runtime
  readonly stores: Stores
  readonly service: ReturnType<typeof createPaymentService>
  readonly ann: Caller
  readonly agent: Caller
  readonly screen: Screen
}
