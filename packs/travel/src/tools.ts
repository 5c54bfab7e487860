import type { Tool } from '@surehand/core'
import { combineSearchResults } from './plans/combine-search-results.ts'
import { createTravelPlan } from './plans/create-travel-plan.ts'
import { deleteTravelPlan } from './plans/delete-travel-plan.ts'
import { saveTravelPlan } from './plans/save-travel-plan.ts'
import { updateTravelPlan } from './plans/update-travel-plan.ts'
import { travelTransactionTools } from './transaction-tools.ts'

export const planTools: readonly Tool[] = [
  createTravelPlan,
  updateTravelPlan,
  combineSearchResults,
  saveTravelPlan,
  deleteTravelPlan,
]

/** Every tool of the pack. */
export const travelTools: readonly Tool[] = [...planTools, ...travelTransactionTools]
