/** Adds a chunk of the answer's stream to the message; returns false for an unknown chunk. */
export function foldChunk(message, chunk) {
  switch (chunk.type) {
    case 'start':
    case 'finish':
    case 'message-metadata':
      if (chunk.messageId !== undefined) message.id = chunk.messageId
      if (chunk.messageMetadata !== undefined)
        message.metadata = { ...message.metadata, ...chunk.messageMetadata }
      return true
    case 'start-step':
      message.parts.push({ type: 'step-start' })
      return true
    case 'text-start':
      message.parts.push({ type: 'text', text: '', state: 'streaming' })
      return true
    case 'text-delta':
      lastText(message).text += chunk.delta
      return true
    case 'text-end':
      lastText(message).state = 'done'
      return true
    case 'tool-input-available': {
      const { toolName, toolCallId, input } = chunk
      message.parts.push({
        type: 'dynamic-tool',
        toolName,
        toolCallId,
        state: 'input-available',
        input,
      })
      return true
    }
    // These chunks show nothing.
    case 'finish-step':
    case 'tool-input-start':
    case 'tool-input-delta':
      return true
    default:
      return foldToolChunk(message, chunk)
  }
}

function lastText(message) {
  return message.parts.findLast(({ type }) => type === 'text')
}

function foldToolChunk(message, chunk) {
  const change = changeOf(chunk)
  const part = message.parts.find(
    ({ toolCallId }) => toolCallId !== undefined && toolCallId === chunk.toolCallId,
  )
  if (change === undefined || part === undefined) return false
  Object.assign(part, change)
  return true
}

function changeOf(chunk) {
  switch (chunk.type) {
    case 'tool-approval-request': {
      const { approvalId: id, reason: requestReason, signature } = chunk
      // The reason is sent back unchanged: it identifies the approval request.
      return {
        state: 'approval-requested',
        approval: JSON.parse(JSON.stringify({ id, requestReason, signature })),
      }
    }
    case 'tool-output-available':
      return { state: 'output-available', output: chunk.output }
    case 'tool-output-error':
      return { state: 'output-error', errorText: chunk.errorText }
    case 'tool-output-denied':
      return { state: 'output-denied' }
    default:
      return undefined
  }
}
