import type { HostOptions, Progress } from '@surehand/core/host'
import type { ProviderName } from './providers/wire.ts'

/** What a host says besides: who talks to which model, and how its calls are kept apart. */
export type FunctionCallingOptions<P extends ProviderName = ProviderName> = HostOptions & {
  readonly provider: P
  /** `prefer`: the vendor forces the schema wherever it can say it. Unless said, OpenAI prefers and Anthropic never does. */
  readonly strict?: 'prefer' | 'never'
  /** Anthropic: where the prompt up to the last tool is kept by the vendor. */
  readonly cacheControl?: Readonly<Record<string, unknown>>
  readonly onProgress?: (progress: Progress, toolCallId: string) => void
}
