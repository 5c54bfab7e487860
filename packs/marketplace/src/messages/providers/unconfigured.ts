import { ToolError } from '@surehand/core'
import type { CallingPort, MessagingPort } from '../messaging-port.ts'

function refuse(): never {
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'WhatsApp is not configured, so nothing was sent. Set WHATSAPP_TOKEN and WHATSAPP_PHONE_NUMBER_ID.',
    { effect: 'none' },
  )
}

/** Stands in while the operator has set no number: nothing is sent, and every call says why. */
export const unconfiguredMessaging: MessagingPort = {
  send: async () => refuse(),
  download: async () => refuse(),
}

export const unconfiguredCalling: CallingPort = {
  place: async () => refuse(),
  permission: async () => refuse(),
}
