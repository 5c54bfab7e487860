import type { Contender } from './contender.ts'
import type { Goal } from './goals.ts'
import type { Plan } from './time-calls.ts'
import type { Workload } from './workload.ts'

/** Everything a suite is made of; `suite.ts` of the suite's folder exports it as `suite`. */
export type Suite = {
  readonly name: string
  readonly sections: readonly Section[]
  /** May weigh contenders of different sections: their ids are unique in the suite. */
  readonly goals: readonly Goal[]
  readonly rounds: number
}

/** One table: contenders that do the same work. */
export type Section = {
  readonly title: string
  readonly contenders: readonly Contender[]
  /** The contender whose time is 1 in the ratio column. */
  readonly baseline: string
  readonly workload: Workload
  readonly plan: Plan
}
