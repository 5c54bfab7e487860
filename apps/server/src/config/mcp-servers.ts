import { once } from '@surehand/core/internal'
import type { ServerAddress } from '@surehand/mounted-mcp'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

export type McpServers = Readonly<Record<string, McpServerCommand>>

export type McpServerCommand = {
  readonly address: Extract<ServerAddress, { kind: 'stdio' }>
  /** The variables that are read from the vault. */
  readonly vault: readonly string[]
  /** The tenants whose administrators may mount it. */
  readonly tenants: readonly string[]
}

const serverForm = once(() => {
  const Variables = z.record(z.string(), z.string())
  return z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).exactOptional(),
    cwd: z.string().min(1).exactOptional(),
    /** Names of the server's environment variables that are passed on; no others are. */
    inherit: z.array(z.string()).exactOptional(),
    env: Variables.exactOptional(),
    secrets: Variables.exactOptional(),
    /**
     * Names of variables whose values are in the vault, in the credential that the mount names. An
     * argument contains one as `${NAME}`. No other variable of the credential is passed on: a
     * variable such as NODE_OPTIONS would decide which program runs here.
     */
    vault: z.array(z.string()).exactOptional(),
    /** The tenants whose administrators may mount it; default: the first tenant. */
    tenants: z.array(z.string().min(1)).exactOptional(),
  })
})

/** Reads the commands of MCP servers that may be mounted. */
export function readMcpServers(
  written: Readonly<Record<string, unknown>>,
  home: string,
): McpServers {
  return Object.fromEntries(
    Object.entries(written).map(([name, server]) => {
      const parsed = serverForm().safeParse(server)
      if (parsed.success) {
        const { tenants = [home], vault = [], ...command } = parsed.data
        return [name, { address: { kind: 'stdio' as const, ...command }, vault, tenants }]
      }
      const problems = parsed.error.issues
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ')
      throw new ConfigError(
        `"mcpServers.${name}" does not describe a server ({ command, args, env … }): ${problems}.`,
      )
    }),
  )
}
