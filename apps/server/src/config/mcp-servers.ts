import { once } from '@surehand/core/internal'
import type { ServerAddress } from '@surehand/mounted-mcp'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

export type McpServers = Readonly<
  Record<
    string,
    {
      readonly address: Extract<
        ServerAddress,
        { kind: 'stdio' }
      > /** Whose administrators may mount it. */
      readonly tenants: readonly string[]
    }
  >
>

const serverForm = once(() => {
  const Variables = z.record(z.string(), z.string())
  return z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).exactOptional(),
    cwd: z.string().min(1).exactOptional(),
    /** Names of our own variables that it is handed down; it sees no other. */
    inherit: z.array(z.string()).exactOptional(),
    env: Variables.exactOptional(),
    secrets: Variables.exactOptional(),
    /** Whose administrators may mount it; without a word, those of the first app. */
    tenants: z.array(z.string().min(1)).exactOptional(),
  })
})

/** The commands of MCP servers that may be mounted. */
export function readMcpServers(
  written: Readonly<Record<string, unknown>>,
  home: string,
): McpServers {
  return Object.fromEntries(
    Object.entries(written).map(([name, server]) => {
      const parsed = serverForm().safeParse(server)
      if (parsed.success) {
        const { tenants = [home], ...command } = parsed.data
        return [name, { address: { kind: 'stdio' as const, ...command }, tenants }]
      }
      const problems = parsed.error.issues
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ')
      throw new ConfigError(
        `"mcpServers.${name}" is no command of a server ({ command, args, env … }): ${problems}.`,
      )
    }),
  )
}
