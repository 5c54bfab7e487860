export { createEdgeLimit, type EdgeLimit, type EdgeOptions, type EdgeState } from './edge-limit.ts'
export { type OpenedWay, openStraightWay } from './fast-path/open-straight-way.ts'
export type {
  StraightAnswer,
  StraightHead,
  StraightRequest,
  StraightWay,
} from './fast-path/straight-way.ts'
export type { Comer } from './remote-address.ts'
export { createStrangers, FEW_GUESSES, type Strangers } from './strangers.ts'
