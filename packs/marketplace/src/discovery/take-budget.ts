import type { Tx } from '@surehand/core'

type Budget = {
  readonly tenant: string
  /** What the budget is for: a post, or a day of replies. */
  readonly postId: string
  readonly budget: 'search' | 'maps' | 'replies'
  readonly max: number
}

/** Counts a call against a budget; false: it is used up. No other node can undercut the statement. */
export async function takeBudget(
  tx: Tx,
  { tenant, postId, budget, max }: Budget,
): Promise<boolean> {
  await tx.run(
    `insert into mk_discovery_budgets (tenant, post_id, budget, taken) values (?, ?, ?, 0)
      on conflict (tenant, post_id, budget) do nothing`,
    tenant,
    postId,
    budget,
  )
  const { changes } = await tx.run(
    `update mk_discovery_budgets set taken = taken + 1
      where tenant = ? and post_id = ? and budget = ? and taken < ?`,
    tenant,
    postId,
    budget,
    max,
  )
  return changes > 0
}
