import type { Port } from '../define/port.ts'
import type { Tool } from '../define/tool.ts'

/** A tool that a tenant imported; `quarantineReason` says why it cannot be called for now. */
export type TenantTool = { readonly tool: Tool; readonly quarantineReason: string | undefined }

/** Who answers the tools of one source. */
export type TenantToolProvider = { readonly port: Port; readonly provider: object }

/** Tools that tenants import while the server runs: from documents and mounted servers. */
export type TenantTools = {
  /** Reads again what a tenant has; asked when its administration has changed. */
  readonly load: (tenant: string) => Promise<void>
  /** What it has by now: the same list while nothing has changed. */
  readonly of: (tenant: string) => readonly TenantTool[]
  readonly provider: (portName: string) => TenantToolProvider | undefined
}
