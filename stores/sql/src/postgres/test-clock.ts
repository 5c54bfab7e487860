import type pg from 'pg'
import { lockNumber } from './lock-number.ts'

/**
 * Tests move or stop the database's clock through the single row of `test_clock`. pg-boss reads the
 * time through one function of its own, which then uses the same row: a delayed job is due by the
 * stores' time.
 */
export async function installTestClock(client: pg.ClientBase, bossSchema: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber('surehand test clock')])
    await client.query(
      'create table if not exists test_clock (offset_ms bigint not null, stopped_at bigint)',
    )
    await client.query(
      'insert into test_clock (offset_ms) select 0 where not exists (select 1 from test_clock)',
    )
    const { rows } = await client.query('select current_schema() as schema')
    const table = `${rows[0]?.schema}.test_clock`
    await client.query(`create or replace function ${bossSchema}.job_now() returns timestamp with time zone language sql stable as $$
      select coalesce(
        (select to_timestamp(stopped_at / 1000.0) from ${table}),
        pg_catalog.now() + make_interval(secs => (select offset_ms from ${table}) / 1000.0))
    $$`)
    await client.query('commit')
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined)
    throw thrown
  }
}
