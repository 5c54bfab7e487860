import type { HostOptions, Progress } from '@surehand/core/host'
import type { ProviderName } from './providers/wire.ts'

/** The options of `functionCalling`. */
export type FunctionCallingOptions<P extends ProviderName = ProviderName> = HostOptions & {
  readonly provider: P
  /**
   * `prefer`: the vendor enforces the schema wherever its strict mode can express it. Default:
   * `prefer` for OpenAI, `never` for Anthropic.
   */
  readonly strict?: 'prefer' | 'never'
  /**
   * Anthropic: `cache_control` of the last tool, which makes the vendor cache the prompt up to it.
   */
  readonly cacheControl?: Readonly<Record<string, unknown>>
  readonly onProgress?: (progress: Progress, toolCallId: string) => void
}
