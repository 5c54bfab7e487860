import type { EmulatorRoute } from '@surehand/testing'
import { routes as airRoutes } from '../../flights/emulators/duffel-air.ts'
import { routes as stayRoutes } from './duffel-stays.ts'

/** Duffel v2, flights and stays, which have one host and one key. */
export const routes: readonly EmulatorRoute[] = [...airRoutes, ...stayRoutes]
