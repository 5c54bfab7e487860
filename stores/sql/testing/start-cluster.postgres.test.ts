import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from './start-cluster.ts'

async function queryOnce(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function withCluster(
  folder: string,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster({ folder })
  try {
    await work(cluster)
  } finally {
    await cluster.stop()
  }
}

describe('a temporary cluster', () => {
  let cluster: Cluster

  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.stop())

  test('acknowledges a commit only when it is on disk', async () => {
    const settings =
      "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name"
    const rows = await queryOnce(cluster.url('postgres'), settings)
    expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on'])
  })

  test('creates databases with all tables, each separate from the others', async () => {
    const [one, other] = await Promise.all([cluster.createDatabase(), cluster.createDatabase()])
    await queryOnce(one, "insert into admin_versions values ('acme', 1)")
    const rows = await queryOnce(other, 'select count(*)::int as versions from admin_versions')
    expect(rows).toEqual([{ versions: 0 }])
  })

  test('has its committed data on the same port after an immediate stop and a restart', async () => {
    const url = await cluster.createDatabase()
    await queryOnce(url, 'create table kept (a int); insert into kept values (1)')
    await cluster.stopImmediately()
    await expect(queryOnce(url, 'select 1')).rejects.toThrow()
    await cluster.restart()
    expect(await queryOnce(url, 'select a from kept')).toEqual([{ a: 1 }])
  })
})

test('a folder that was given keeps its data after the stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-given-'))
  await withCluster(folder, async ({ url }) => {
    await queryOnce(url('postgres'), 'create table kept (a int)')
  })
  await withCluster(folder, async ({ url }) => {
    expect(await queryOnce(url('postgres'), 'select a from kept')).toEqual([])
  })
  rmSync(folder, { recursive: true })
})

test('a process that is killed leaves neither a server nor its folder behind', async () => {
  const child = spawn(process.execPath, [
    '--no-warnings',
    join(import.meta.dirname, 'fixtures', 'starts-a-cluster.ts'),
  ])
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  const [{ home } = {}] = await queryOnce(url, "select current_setting('data_directory') as home")
  child.kill('SIGKILL')
  while (existsSync(String(home))) await pause(20)
  await expect(queryOnce(url, 'select 1')).rejects.toThrow()
})
