import { ToolError } from '@surehand/core'
import type {
  CallingPort,
  CallToPlace,
  MediaFile,
  MessagingPort,
  OutgoingMessage,
} from '../src/messages/messaging-port.ts'

/** A messenger in memory: what was given to it, and how it fails on request. */
export type FakeMessenger = {
  readonly messaging: MessagingPort
  readonly calling: CallingPort
  readonly sent: OutgoingMessage[]
  readonly calls: CallToPlace[]
  readonly media: Map<string, MediaFile>
  /** How the next sends or calls end; the message arrives with `lost` although no answer comes. */
  readonly faults: ('refused' | 'busy' | 'lost')[]
  mayCall: boolean
  /** Every connection is refused. */
  isAway: boolean
}

export function fakeMessenger(): FakeMessenger {
  const messenger: FakeMessenger = {
    sent: [],
    calls: [],
    media: new Map(),
    faults: [],
    mayCall: true,
    isAway: false,
    messaging: {
      async send(message) {
        if (messenger.isAway)
          throw new ToolError('TOOL_NETWORK_ERROR', 'WhatsApp refuses the connection.', {
            effect: 'none',
          })
        const fault = messenger.faults.shift()
        if (fault === 'refused' || fault === 'busy') throw failure(fault)
        messenger.sent.push(message)
        if (fault === 'lost') throw failure(fault)
        return { provider_message_id: `wamid.${messenger.sent.length}` }
      },
      async download({ mediaId }) {
        const file = messenger.media.get(mediaId)
        if (file === undefined)
          throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no media ${mediaId}.`)
        return file
      },
    },
    calling: {
      async place(call) {
        const fault = messenger.faults.shift()
        if (fault === 'refused' || fault === 'busy') throw failure(fault)
        messenger.calls.push(call)
        if (fault === 'lost') throw failure(fault)
        return { provider_call_id: `wacid.${messenger.calls.length}` }
      },
      permission: async () => ({
        mayCall: messenger.mayCall,
        reason: messenger.mayCall ? 'temporary' : 'no_permission',
      }),
    },
  }
  return messenger
}

function failure(fault: 'refused' | 'busy' | 'lost'): ToolError {
  switch (fault) {
    case 'refused':
      return new ToolError('TOOL_INVALID_INPUT', 'WhatsApp answered with the status 400.', {
        effect: 'refused',
        details: { provider_status: 400 },
      })
    case 'busy':
      return new ToolError('TOOL_RATE_LIMIT_EXCEEDED', 'WhatsApp answered with the status 429.', {
        effect: 'none',
        details: { provider_status: 429 },
      })
    case 'lost':
      return new ToolError('TOOL_NETWORK_ERROR', 'WhatsApp closed the connection.', {
        effect: 'possible',
      })
  }
}
