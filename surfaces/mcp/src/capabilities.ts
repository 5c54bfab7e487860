import {
  type ClientCapabilities,
  type InputRequest,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

export function declaresTasks(capabilities: ClientCapabilities): boolean {
  return capabilities.extensions?.[TASKS_EXTENSION] !== undefined
}

/** A bare `elicitation: {}` means forms, as it did before modes were introduced. */
export function declaresForms({ elicitation }: ClientCapabilities): boolean {
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  )
}

export function declaresUrls({ elicitation }: ClientCapabilities): boolean {
  return elicitation?.url !== undefined
}

/** Throws where the client has not declared the capability that a question needs. */
export function refuseUndeclared(
  questions: Iterable<InputRequest>,
  capabilities: ClientCapabilities,
): void {
  for (const question of questions) {
    const missing = missingFor(question, capabilities)
    if (missing !== undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: missing })
  }
}

function missingFor(
  question: InputRequest,
  capabilities: ClientCapabilities,
): ClientCapabilities | undefined {
  switch (question.method) {
    case 'elicitation/create':
      if (question.params.mode === 'url')
        return declaresUrls(capabilities) ? undefined : { elicitation: { url: {} } }
      return declaresForms(capabilities) ? undefined : { elicitation: { form: {} } }
    case 'sampling/createMessage':
      return capabilities.sampling === undefined ? { sampling: {} } : undefined
    case 'roots/list':
      return capabilities.roots === undefined ? { roots: {} } : undefined
  }
}

/** The error for a client that has not declared tasks where only a task will do. */
export function tasksRequired(): Error {
  return new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  })
}
