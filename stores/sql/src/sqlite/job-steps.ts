import type { Job } from '@surehand/core/ports'
import { defineStep, type Step } from '../step.ts'

/**
 * A job that this process holds while the lease is valid. Every lease counts an attempt, so the
 * count identifies the lease.
 */
export type LeasedJob = { readonly number: number; readonly tries: number; readonly job: Job }
export type Lease = Pick<LeasedJob, 'number' | 'tries'>

export const MAX_TRIES = 10

export const areJobsDue = defineStep(
  'sqlite.areJobsDue',
  { mode: 'read', statements: 'one' },
  async (sql, _: null): Promise<boolean> => {
    return (await sql.get('select 1 as due from jobs where run_at <= {now} limit 1')) !== undefined
  },
)

type LeaseRequest = {
  readonly most: number
  readonly leaseMs: number
  readonly running: readonly number[]
}

// A lease moves the job's time into the future, so that it is not due for any process until then.
const LEASE = `update jobs set tries = tries + 1, run_at = {now} + ?, lease_until = {now} + ?
  where number in (select number from jobs where run_at <= {now} and number not in (select value from json_each(?)) order by run_at limit ?)
  returning number, tenant, call_id, tries`

export const leaseJobs = defineStep(
  'sqlite.leaseJobs',
  { mode: 'lazy', statements: 'many' },
  async (sql, { most, leaseMs, running }: LeaseRequest): Promise<readonly LeasedJob[]> => {
    // The last holder died while it worked on them; the sweep still finds the call.
    await sql.run(
      'delete from jobs where run_at <= {now} and tries >= ? and number not in (select value from json_each(?))',
      MAX_TRIES,
      JSON.stringify(running),
    )
    const rows = await sql.all(LEASE, leaseMs, leaseMs, JSON.stringify(running), most)
    return rows.map(({ number, tenant, call_id, tries }) => ({
      number: Number(number),
      tries: Number(tries),
      job: { tenant: String(tenant), callId: String(call_id) },
    }))
  },
)

export const renewJobs = defineStep(
  'sqlite.renewJobs',
  { mode: 'lazy', statements: 'many' },
  async (
    sql,
    { leases, leaseMs }: { readonly leases: readonly Lease[]; readonly leaseMs: number },
  ): Promise<void> => {
    const text =
      'update jobs set run_at = {now} + ?, lease_until = {now} + ? where number = ? and tries = ?'
    for (const { number, tries } of leases) await sql.run(text, leaseMs, leaseMs, number, tries)
  },
)

export const endJob = defineStep(
  'sqlite.endJob',
  { mode: 'lazy', statements: 'one' },
  async (sql, { number, tries }: Lease): Promise<void> => {
    await sql.run('delete from jobs where number = ? and tries = ?', number, tries)
  },
)

export const retryJob = defineStep(
  'sqlite.retryJob',
  { mode: 'lazy', statements: 'one' },
  async (sql, { number, tries, delayMs }: Lease & { readonly delayMs: number }): Promise<void> => {
    await sql.run(
      'update jobs set run_at = {now} + ?, lease_until = null where number = ? and tries = ?',
      delayMs,
      number,
      tries,
    )
  },
)

export const JOB_STEPS: readonly Step<never, unknown>[] = [
  areJobsDue,
  leaseJobs,
  renewJobs,
  endJob,
  retryJob,
]
