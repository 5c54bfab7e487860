// table
/** What one code means to a program, to a shell and to a person. */
export type ErrorRow = {
  readonly number: number
  readonly http: number
  /** sysexits.h, so that a shell script can tell a bad input from a bad day. */
  readonly exit: number
  readonly retryable: boolean
  /**
   * `failed`: understood, and refused or a business rule said no. `error`: something unexpected
   * broke.
   */
  readonly status: 'failed' | 'error'
  readonly strategies: readonly RecoveryStrategy[]
  readonly actions: readonly UserAction[]
}

export type RecoveryStrategy = {
  readonly strategy_id: string
  readonly description: string
  readonly automatic: boolean
  readonly side_effects: readonly string[]
}

export type UserAction = {
  readonly action_type: 'retry' | 'modify_input' | 'check_permissions' | 'contact_admin'
  readonly description: string
  readonly command_example?: string
}

const none: readonly string[] = []
const backOff: RecoveryStrategy = {
  strategy_id: 'retry_with_backoff',
  description:
    'Try again after a growing, jittered pause; a write with the same idempotency key, so that it is not done twice.',
  automatic: true,
  side_effects: none,
}
const waitThenRetry: RecoveryStrategy = {
  strategy_id: 'wait_then_retry',
  description: 'Wait for retry_after_ms, then send the same call again.',
  automatic: true,
  side_effects: none,
}
const useReplacement: RecoveryStrategy = {
  strategy_id: 'use_replacement',
  description: 'Call the tool that replaces this one.',
  automatic: false,
  side_effects: none,
}
const replay: RecoveryStrategy = {
  strategy_id: 'replay_with_same_key',
  description:
    'Send the same input with the same idempotency key: a finished call answers again and is not run twice.',
  automatic: true,
  side_effects: none,
}
const freshKey: RecoveryStrategy = {
  strategy_id: 'use_a_fresh_key',
  description:
    'What was done under this key stays done. If something else is wanted as well, send it under a new idempotency key.',
  automatic: false,
  side_effects: ['a second, separate effect'],
}
const decide: RecoveryStrategy = {
  strategy_id: 'await_decision',
  description: 'Wait until a person has decided; the call then runs by itself.',
  automatic: false,
  side_effects: none,
}
const answerIt: RecoveryStrategy = {
  strategy_id: 'answer_question',
  description: 'Answer the question; the call then goes on by itself.',
  automatic: false,
  side_effects: none,
}
const lookAtEvidence: RecoveryStrategy = {
  strategy_id: 'resolve_with_evidence',
  description: 'A person checks with the provider and records what really happened.',
  automatic: false,
  side_effects: ['settles the key'],
}

const show = 'surehand show TOOL'
const fixInput: UserAction = {
  action_type: 'modify_input',
  description: 'Correct the fields named in validation_errors and call again.',
  command_example: show,
}
const retryLater: UserAction = {
  action_type: 'retry',
  description:
    'Try again later. Repeat a write with the same idempotency key, so that it is not done twice.',
}
const enableFirst: UserAction = {
  action_type: 'retry',
  description: 'Nothing was done. Try again when the tool is enabled.',
}
const askForRights: UserAction = {
  action_type: 'check_permissions',
  description: 'Ask for the missing role or capability, or use an account that has it.',
  command_example: show,
}
const tellAdmin: UserAction = {
  action_type: 'contact_admin',
  description: 'Tell the administrator, with the call id.',
}

/** Every trouble Surehand speaks of, once. A new kind of trouble is a new row. */
export const ERRORS = {
  TOOL_INVALID_INPUT: {
    number: 1000,
    http: 400,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [fixInput],
  },
  TOOL_MISSING_REQUIRED_FIELD: {
    number: 1001,
    http: 400,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [{ ...fixInput, description: 'Add the missing field and call again.' }],
  },
  TOOL_INVALID_FIELD_TYPE: {
    number: 1002,
    http: 400,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        ...fixInput,
        description: 'Send the field in the type that is expected; types are never converted.',
      },
    ],
  },
  TOOL_INVALID_FIELD_VALUE: {
    number: 1003,
    http: 400,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [{ ...fixInput, description: 'Send a value within the bounds that are named.' }],
  },
  TOOL_INPUT_TOO_LARGE: {
    number: 1004,
    http: 413,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      { action_type: 'modify_input', description: 'Send less: shorten or split the input.' },
    ],
  },
  TOOL_IDEMPOTENCY_CONFLICT: {
    number: 1005,
    http: 422,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [freshKey],
    actions: [
      {
        action_type: 'modify_input',
        description:
          'Send the input this key was first used with. Use another key only for a call that is meant in addition.',
      },
    ],
  },

  TOOL_INSUFFICIENT_PERMISSIONS: {
    number: 1100,
    http: 403,
    exit: 77,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [askForRights, tellAdmin],
  },
  TOOL_ROLE_NOT_AUTHORIZED: {
    number: 1101,
    http: 403,
    exit: 77,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [askForRights, tellAdmin],
  },
  TOOL_CAPABILITY_MISSING: {
    number: 1102,
    http: 403,
    exit: 77,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [askForRights, tellAdmin],
  },
  TOOL_RESOURCE_ACCESS_DENIED: {
    number: 1103,
    http: 403,
    exit: 77,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [askForRights],
  },
  TOOL_RATE_LIMIT_EXCEEDED: {
    number: 1104,
    http: 429,
    exit: 75,
    retryable: true,
    status: 'failed',
    strategies: [waitThenRetry],
    actions: [
      {
        action_type: 'retry',
        description: 'Wait for the time in retry_after_ms, then call again.',
      },
    ],
  },
  TOOL_APPROVAL_REQUIRED: {
    number: 1105,
    http: 202,
    exit: 75,
    retryable: false,
    status: 'failed',
    strategies: [decide],
    actions: [
      {
        action_type: 'retry',
        description:
          'Nothing has been done yet. Let a person decide, then fetch the answer by call id.',
        command_example: 'surehand approvals',
      },
    ],
  },
  TOOL_APPROVAL_DENIED: {
    number: 1106,
    http: 403,
    exit: 77,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        action_type: 'modify_input',
        description: 'A person said no to exactly this input. Ask them, or propose something else.',
      },
    ],
  },
  TOOL_INPUT_REQUIRED: {
    number: 1108,
    http: 202,
    exit: 75,
    retryable: false,
    status: 'failed',
    strategies: [answerIt],
    actions: [
      {
        action_type: 'modify_input',
        description:
          'It goes on when the question in metadata.asking is answered; fetch the answer by call id then.',
        command_example: 'surehand questions',
      },
    ],
  },
  TOOL_GATE_CLOSED: {
    number: 1107,
    http: 409,
    exit: 75,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        action_type: 'check_permissions',
        description: 'The state named in details does not allow this now; change the state first.',
      },
    ],
  },

  TOOL_NOT_FOUND: {
    number: 1200,
    http: 404,
    exit: 64,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        action_type: 'modify_input',
        description: 'Look up the tool by what it does and use its id.',
        command_example: 'surehand search WORDS',
      },
    ],
  },
  TOOL_DEPRECATED: {
    number: 1201,
    http: 410,
    exit: 64,
    retryable: false,
    status: 'failed',
    strategies: [useReplacement],
    actions: [
      { action_type: 'modify_input', description: 'Use the replacement named in details.' },
    ],
  },
  TOOL_TEMPORARILY_DISABLED: {
    number: 1202,
    http: 503,
    exit: 75,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [enableFirst, tellAdmin],
  },
  TOOL_EXECUTION_TIMEOUT: {
    number: 1203,
    http: 504,
    exit: 75,
    retryable: true,
    status: 'error',
    strategies: [backOff, replay],
    actions: [
      {
        action_type: 'retry',
        description:
          'It may have happened. Call again with the same idempotency key: nothing is done twice.',
      },
    ],
  },
  TOOL_RESOURCE_UNAVAILABLE: {
    number: 1204,
    http: 503,
    exit: 69,
    retryable: true,
    status: 'error',
    strategies: [backOff],
    actions: [retryLater],
  },
  TOOL_ALREADY_RUNNING: {
    number: 1205,
    http: 409,
    exit: 75,
    retryable: true,
    status: 'failed',
    strategies: [waitThenRetry, replay],
    actions: [
      {
        action_type: 'retry',
        description: 'This key is being worked on. Call again with the same key to get its answer.',
      },
    ],
  },
  TOOL_KEY_EXPIRED: {
    number: 1210,
    http: 410,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [freshKey],
    actions: [
      {
        action_type: 'modify_input',
        description:
          'It was done under this key. Look up what was done then; use a new key only if it is meant a second time.',
      },
    ],
  },
  TOOL_POSSIBLE_DUPLICATE: {
    number: 1206,
    http: 409,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        action_type: 'modify_input',
        description:
          'The same was called a moment ago (details.earlier_call_id). Fetch its answer. If it is meant twice, a person or the host says so.',
      },
    ],
  },
  TOOL_OUTCOME_UNKNOWN: {
    number: 1207,
    http: 409,
    exit: 70,
    retryable: false,
    status: 'error',
    strategies: [lookAtEvidence],
    actions: [
      {
        action_type: 'contact_admin',
        description:
          'Nobody knows yet whether it happened. A person must check with the provider; do not try again under another key.',
      },
    ],
  },
  TOOL_RUN_DIVERGED: {
    number: 1208,
    http: 409,
    exit: 70,
    retryable: false,
    status: 'error',
    strategies: [lookAtEvidence],
    actions: [
      {
        action_type: 'contact_admin',
        description:
          'The run no longer does what its journal says. A person must look at the step in details.',
      },
    ],
  },
  TOOL_CANCELLED: {
    number: 1209,
    http: 499,
    exit: 130,
    retryable: false,
    status: 'failed',
    strategies: [replay],
    actions: [
      {
        action_type: 'retry',
        description: 'It was cancelled before anything happened; call again when it is wanted.',
      },
    ],
  },

  TOOL_RESOURCE_NOT_FOUND: {
    number: 1300,
    http: 404,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        action_type: 'modify_input',
        description: 'Name something that exists; details may list what does.',
      },
    ],
  },
  TOOL_RESOURCE_ALREADY_EXISTS: {
    number: 1301,
    http: 409,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      { action_type: 'modify_input', description: 'Use the one that exists, or another name.' },
    ],
  },
  TOOL_DATA_CORRUPTION: {
    number: 1302,
    http: 500,
    exit: 65,
    retryable: false,
    status: 'error',
    strategies: [],
    actions: [tellAdmin],
  },
  TOOL_STORAGE_ERROR: {
    number: 1303,
    http: 503,
    exit: 74,
    retryable: true,
    status: 'error',
    strategies: [backOff],
    actions: [retryLater, tellAdmin],
  },
  TOOL_INSUFFICIENT_DATA: {
    number: 1305,
    http: 422,
    exit: 65,
    retryable: false,
    status: 'failed',
    strategies: [],
    actions: [
      {
        action_type: 'modify_input',
        description: 'Record more of what is asked about, or ask about a longer time.',
      },
    ],
  },
  TOOL_INVALID_OUTPUT: {
    number: 1304,
    http: 502,
    exit: 76,
    retryable: false,
    status: 'error',
    strategies: [],
    actions: [
      {
        action_type: 'contact_admin',
        description:
          'The tool answered in a shape it does not declare. A write stays done; its raw answer is kept under the call id.',
      },
    ],
  },

  TOOL_EXTERNAL_SERVICE_ERROR: {
    number: 1400,
    http: 502,
    exit: 69,
    retryable: true,
    status: 'error',
    strategies: [backOff, replay],
    actions: [retryLater],
  },
  TOOL_API_KEY_INVALID: {
    number: 1401,
    http: 502,
    exit: 78,
    retryable: false,
    status: 'error',
    strategies: [],
    actions: [
      {
        action_type: 'contact_admin',
        description: 'The service refused our credential. An administrator must renew it.',
      },
    ],
  },
  TOOL_NETWORK_ERROR: {
    number: 1402,
    http: 502,
    exit: 69,
    retryable: true,
    status: 'error',
    strategies: [backOff, replay],
    actions: [retryLater],
  },

  TOOL_INTERNAL_ERROR: {
    number: 1500,
    http: 500,
    exit: 70,
    retryable: false,
    status: 'error',
    strategies: [],
    actions: [tellAdmin],
  },
  TOOL_CONFIGURATION_ERROR: {
    number: 1501,
    http: 500,
    exit: 78,
    retryable: false,
    status: 'error',
    strategies: [],
    actions: [tellAdmin],
  },
  TOOL_DEPENDENCY_ERROR: {
    number: 1502,
    http: 500,
    exit: 70,
    retryable: false,
    status: 'error',
    strategies: [],
    actions: [tellAdmin],
  },
} as const satisfies Record<`TOOL_${string}`, ErrorRow>

/**
 * The code of an error, one of the error table.
 *
 * @example
 * const code: ToolErrorCode = 'TOOL_RESOURCE_NOT_FOUND'
 */
export type ToolErrorCode = keyof typeof ERRORS

/** The row of a code, with every field present. */
export function errorRow(code: ToolErrorCode): ErrorRow {
  // another copy of this package may know a code that this one doesn't: it reads as a bug
  return (ERRORS as Readonly<Partial<Record<string, ErrorRow>>>)[code] ?? ERRORS.TOOL_INTERNAL_ERROR
}
