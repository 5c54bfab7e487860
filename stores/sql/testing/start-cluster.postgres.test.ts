import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type Cluster, startCluster } from './start-cluster.ts'

async function asking(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function using(work: (cluster: Cluster) => Promise<void>, folder?: string): Promise<void> {
  const cluster = await startCluster(folder === undefined ? {} : { folder })
  try {
    await work(cluster)
  } finally {
    await cluster.stop()
  }
}

test('what was committed survives a stop at once, on the same port', async () => {
  await using(async (cluster) => {
    const url = await cluster.createDatabase()
    await asking(url, 'create table kept (a int); insert into kept values (1)')
    await cluster.stopImmediately()
    await expect(asking(url, 'select 1')).rejects.toThrow()
    await cluster.restart()
    expect(await asking(url, 'select a from kept')).toEqual([{ a: 1 }])
  })
})

test('every commit is on disk before it is answered', async () => {
  await using(async ({ url }) => {
    const settings =
      "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name"
    expect((await asking(url('postgres'), settings)).map(({ setting }) => setting)).toEqual([
      'on',
      'on',
      'on',
    ])
  })
})

test('a database is made with all tables, and apart from the others', async () => {
  await using(async (cluster) => {
    const [one, other] = await Promise.all([cluster.createDatabase(), cluster.createDatabase()])
    await asking(one, "insert into admin_versions values ('acme', 1)")
    expect(await asking(other, 'select count(*)::int as versions from admin_versions')).toEqual([
      { versions: 0 },
    ])
  })
})

test('a folder that was given keeps its data after the stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-given-'))
  await using(
    ({ url }) => asking(url('postgres'), 'create table kept (a int)').then(() => undefined),
    folder,
  )
  await using(async ({ url }) => {
    expect(await asking(url('postgres'), 'select a from kept')).toEqual([])
  }, folder)
  rmSync(folder, { recursive: true })
})

test('whoever is killed leaves neither a server nor its folder behind', async () => {
  const child = spawn(process.execPath, [
    '--no-warnings',
    join(import.meta.dirname, 'fixtures', 'starts-a-cluster.ts'),
  ])
  const [told] = await once(child.stdout, 'data')
  const url = String(told).trim()
  const [{ home } = {}] = await asking(url, "select current_setting('data_directory') as home")
  child.kill('SIGKILL')
  while (existsSync(String(home))) await pause(20)
  await expect(asking(url, 'select 1')).rejects.toThrow()
})
