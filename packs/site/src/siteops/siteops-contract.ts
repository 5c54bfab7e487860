import type { Gate } from '@surehand/core'
import { OPERATE } from '../visitor-contract.ts'

/**
 * These tools read many pages: they prepare, and never run while a visitor waits. So neither a
 * visitor nor an agent may call them, whatever rights they hold.
 */
const inBackground: Gate<unknown, unknown> = {
  name: 'background_only',
  check: ({ caller: { actor, principal } }) =>
    actor === 'ai_agent' || principal.startsWith('site:')
      ? {
          message:
            'This tool runs in the background only, never during a conversation. Nothing was read.',
          details: { source_code: 'background_only' },
        }
      : undefined,
}

export const backgroundGates = [inBackground] as const
export const operatorPermissions = { capabilities: [OPERATE] } as const
