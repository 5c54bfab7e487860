export { type ChildEnvironmentForm, soundsSecret } from './child-environment.ts'
export { KEY_META } from './connection.ts'
export type { Hide } from './hide.ts'
export { MOUNT_LIMITS, type MountLimits } from './limits.ts'
export {
  type ForeignListing,
  type ListedTool,
  type Refusal,
  readListing,
  type ToolHints,
} from './listing.ts'
export { type Mount, mountMcp } from './mount.ts'
export type { MountHealth, MountState } from './mount-health.ts'
export type { MountOptions } from './mount-options.ts'
export { type MountOwner, type MountPool, type MountPoolOptions, mountPool } from './mount-pool.ts'
export { type MountedTools, type MountedToolsOptions, mountedTools } from './mounted-tools.ts'
export type { Overlay, ToolOverlay } from './overlay.ts'
export { toolIds } from './tool-ids.ts'
export type { ServerAddress } from './transport.ts'
