import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@surehand/testing/free-port'
import pg from 'pg'
import { createDatabase } from './create-database.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { findProgram, type Program } from './server-program.ts'

/** A PostgreSQL server of its own. */
export type Cluster = {
  readonly port: number
  readonly url: (database: string) => string
  /** Creates a database with all tables and returns its URL. */
  readonly createDatabase: () => Promise<string>
  /** Shuts down in order; a temporary folder is removed. */
  readonly stop: () => Promise<void>
  /** Like a power failure: nothing is flushed, every connection breaks. */
  readonly stopImmediately: () => Promise<void>
  /** Starts again on the same port and data, and recovers everything that was durable. */
  readonly restart: () => Promise<void>
}

export type ClusterOptions = {
  /** The folder of the data, which stays after the stop. Without it, a temporary folder is used. */
  readonly folder?: string
  /** Added to the server's environment. */
  readonly env?: Readonly<Record<string, string>>
}

const START_MS = 120_000

/**
 * Starts a real PostgreSQL, also as root, and removes it when this process ends, however it ends.
 */
export async function startCluster({ folder, env = {} }: ClusterOptions = {}): Promise<Cluster> {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'surehand-postgres-'))
  mkdirSync(home, { recursive: true })
  const program = findProgram(home)
  const { uid, gid } = program.account
  if (uid !== undefined && gid !== undefined) chownSync(home, uid, gid)
  chmodSync(home, 0o755)
  if (!existsSync(join(home, 'data', 'PG_VERSION'))) await initialize(program, home)
  const port = await freePort()
  const url = (database: string) => `postgresql://surehand@127.0.0.1:${port}/${database}`

  async function start(): Promise<ServerProcess> {
    const server = startServer({
      program,
      home,
      port,
      orphaned: folder === undefined ? 'remove' : 'keep',
      env,
    })
    await untilReady(url('postgres'), join(home, 'server.log')).catch(async (error: unknown) => {
      await server.end('QUIT')
      throw error
    })
    return server
  }

  let server = await start().catch((error: unknown) => {
    if (folder === undefined) rmSync(home, { recursive: true, force: true })
    throw error
  })
  return {
    port,
    url,
    createDatabase: () => createDatabase(url('postgres')),
    async stop() {
      // Temporary data need not be flushed.
      await server.end(folder === undefined ? 'QUIT' : 'INT')
      if (folder === undefined) rmSync(home, { recursive: true, force: true })
    },
    stopImmediately: () => server.end('QUIT'),
    async restart() {
      await server.end('INT')
      server = await start()
    },
  }
}

async function initialize({ folder, account }: Program, home: string): Promise<void> {
  const parameters = [
    '--username=surehand',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
    '--no-instructions',
  ]
  await promisify(execFile)(
    join(folder, 'bin', 'initdb'),
    [`--pgdata=${join(home, 'data')}`, ...parameters],
    {
      ...account,
      cwd: home,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    },
  )
}

async function untilReady(url: string, log: string): Promise<void> {
  const before = existsSync(log) ? readFileSync(log, 'utf8').length : 0
  const startedAt = performance.now()
  while (!(await answers(url))) {
    const output = readFileSync(log, 'utf8').slice(before)
    // "The database system is starting up" is expected; any other fatal message ends the attempt.
    const isOver =
      /FATAL: {2}(?!the database system is)/.test(output) ||
      performance.now() - startedAt > START_MS
    if (isOver) throw new Error(`PostgreSQL did not start:\n${output}`)
    await pause(20)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
