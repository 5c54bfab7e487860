import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openPostgresDatabase } from '../src/postgres/open-postgres-database.ts'

const TEMPLATE = 'surehand_template'
// Two processes that create the template at once wait for each other here.
const LOCK = 4_020_118

/**
 * Creates a database with all tables, copied from a template that is migrated once per cluster.
 * Takes any URL of the cluster.
 */
export async function createDatabase(clusterUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  return onCluster(clusterUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const found = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (found.rowCount === 0) await createTemplate(client, clusterUrl)
    await client.query('select pg_advisory_unlock($1)', [LOCK])
    await client.query(`create database ${name} template ${TEMPLATE}`)
    return urlOf(clusterUrl, name)
  })
}

// Created under another name until it is complete: a run that is killed meanwhile must not leave
// half a template.
async function createTemplate(client: pg.Client, clusterUrl: string): Promise<void> {
  await client.query(`drop database if exists ${TEMPLATE}_to_be`)
  await client.query(`create database ${TEMPLATE}_to_be`)
  await (await openPostgresDatabase({ url: urlOf(clusterUrl, `${TEMPLATE}_to_be`) })).close()
  await client.query(`alter database ${TEMPLATE}_to_be rename to ${TEMPLATE}`)
}

/** Creates a database without tables. */
export async function createEmptyDatabase(clusterUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  return onCluster(clusterUrl, async (client) => {
    await client.query(`create database ${name}`)
    return urlOf(clusterUrl, name)
  })
}

/** Frees space for the next ones: a run creates hundreds. */
export async function dropDatabase(url: string): Promise<void> {
  await onCluster(url, (client) =>
    client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`),
  )
}

async function onCluster<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf(url, 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${database}`
  return url.href
}
