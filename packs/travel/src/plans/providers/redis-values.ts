import { ToolError } from '@surehand/core'
import type { PlanValues } from './stored-plans.ts'

// Compare and set. The value's name is also added to a set of its folder, because SCAN would read all
// of Redis to list the plans of one person.
const REPLACE = `
local current = redis.call('GET', KEYS[1])
if ARGV[1] == '0' then
  if current then return 0 end
elseif current ~= ARGV[2] then
  return 0
end
if ARGV[4] == '' then redis.call('SET', KEYS[1], ARGV[3])
else redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4]) end
redis.call('SADD', KEYS[2], ARGV[5])
return 1`

const CONNECT_MS = 3_000
const COMMAND_MS = 5_000

type Commands = {
  readonly get: (key: string) => Promise<string | null>
  readonly mGet: (keys: string[]) => Promise<(string | null)[]>
  readonly sMembers: (key: string) => Promise<string[]>
  readonly sRem: (key: string, members: string[]) => Promise<number>
  readonly eval: (
    script: string,
    options: { readonly keys: string[]; readonly arguments: string[] },
  ) => Promise<unknown>
}

/** Plans in Redis. It connects with the first plan; a lost connection is opened again by the client. */
export function redisValues(url: string): PlanValues & { readonly close: () => Promise<void> } {
  let connecting: Promise<Commands & { destroy: () => void }> | undefined

  async function connect() {
    const { createClient } = await import('@redis/client')
    const client = createClient({
      url,
      socket: { connectTimeout: CONNECT_MS },
      // Commands fail at once while there is no connection, instead of waiting without end.
      disableOfflineQueue: true,
      commandOptions: { timeout: COMMAND_MS },
    })
    // Without a listener a lost connection would end the process. The command itself reports it.
    client.on('error', () => undefined)
    await client.connect()
    client.unref()
    return client as unknown as Commands & { destroy: () => void }
  }

  async function open(): Promise<Commands> {
    connecting ??= connect()
    try {
      return await connecting
    } catch (cause) {
      connecting = undefined
      throw unreachable('none', cause)
    }
  }

  async function run<T>(command: (redis: Commands) => Promise<T>): Promise<T> {
    const redis = await open()
    try {
      return await command(redis)
    } catch (cause) {
      throw unreachable('possible', cause)
    }
  }

  return {
    get: async (tenant, key) => (await run((redis) => redis.get(keyOf(tenant, key)))) ?? undefined,
    replace: async (tenant, key, { expected, value, ttlMs }) => {
      const keys = [keyOf(tenant, key), folderOf(tenant, key)]
      const life = ttlMs === undefined ? '' : String(Math.max(1, Math.ceil(ttlMs)))
      const parameters = [expected === undefined ? '0' : '1', expected ?? '', value, life, key]
      return (await run((redis) => redis.eval(REPLACE, { keys, arguments: parameters }))) === 1
    },
    list: (tenant, prefix) => run((redis) => listFolder(redis, tenant, prefix)),
    close: async () => {
      const open = connecting
      connecting = undefined
      await open?.then((client) => client.destroy()).catch(() => undefined)
    },
  }
}

function unreachable(effect: 'none' | 'possible', cause: unknown): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    'The store of the plans cannot be reached. Try again later.',
    { effect, cause },
  )
}

async function listFolder(redis: Commands, tenant: string, prefix: string) {
  const folder = folderOf(tenant, prefix)
  const names = (await redis.sMembers(folder)).filter((name) => name.startsWith(prefix)).sort()
  if (names.length === 0) return []
  const values = await redis.mGet(names.map((name) => keyOf(tenant, name)))
  const gone = names.filter((_, index) => values[index] === null)
  if (gone.length > 0) await redis.sRem(folder, gone)
  return names.flatMap((key, index) => {
    const value = values[index]
    return value === null || value === undefined ? [] : [{ key, value }]
  })
}

// The braces put all keys of a tenant into one slot of a cluster, as the script needs.
function keyOf(tenant: string, key: string): string {
  return `surehand:{${encodeURIComponent(tenant)}}:value:${key}`
}

function folderOf(tenant: string, key: string): string {
  return `surehand:{${encodeURIComponent(tenant)}}:folder:${key.slice(0, key.lastIndexOf('/') + 1)}`
}
