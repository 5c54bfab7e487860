import { ToolError } from '@surehand/core'
import { anonymise } from './anonymise.ts'
import type { DiscoveryOrder } from './discovery-port.ts'
import type { EngineQuery } from './engines/search-engine.ts'

/**
 * What an engine is sent. It is the only way for words of a client to leave, and everything in it is
 * anonymous.
 */
export function writeQuery(order: DiscoveryOrder, country: string): EngineQuery {
  const clean = (text: string | undefined) =>
    text === undefined ? undefined : anonymise(text).text || undefined
  const need = clean(order.need)
  if (need === undefined)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'Without names, phone numbers and ids nothing is left of the need. Say what is needed.',
      {
        effect: 'none',
        details: {
          validation_errors: [
            { field: 'need', error: 'contains only personal data', provided_value: null },
          ],
        },
      },
    )
  return {
    tenant: order.tenant,
    kind: order.kind,
    need,
    category: clean(order.category),
    locationText: clean(order.locationText),
    country,
    radiusKm: order.radiusKm,
    maxResults: order.maxResults,
  }
}
