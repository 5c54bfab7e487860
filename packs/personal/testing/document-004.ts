import { type Requirement, requirementTable } from '@surehand/conformance'

type Part = { readonly title: string; readonly rows: readonly Requirement[] }

function row(says: string, where: string, file: string, title: string): Requirement {
  return { says, where, test: { file, title } }
}

const ENVELOPE = 'core/src/call/envelope.ts'
const ENVELOPE_TEST = 'core/src/call/envelope.test.ts'
const ERRORS = 'core/src/call/errors.ts'
const ERRORS_TEST = 'core/src/call/errors.test.ts'
const DEFINITION = 'libraries/documents/src/definitions/tool-definition.ts'
const DEFINITIONS_TEST = 'libraries/documents/src/definitions/definitions.test.ts'
const SCHEME = 'libraries/documents/src/definitions/permission-scheme.test.ts'
const DISCOVERY = 'libraries/documents/src/definitions/discovery.ts'
const REGISTRY_TOOLS = 'apps/server/src/registry/registry-tools.ts'
const REGISTRY_TEST = 'apps/server/src/registry/registry.test.ts'
const CONDITIONS = 'core/src/permissions/grant-conditions.test.ts'
const MIGRATE = 'libraries/documents/src/migrate'
const V1_TEST = 'packs/personal/src/v1/personal-v1.test.ts'
const EXPLAIN_TEST = 'packs/personal/src/ai/explain.test.ts'

const RESPONSE: readonly Requirement[] = [
  row(
    '`status` success, `data`',
    ENVELOPE,
    ENVELOPE_TEST,
    'a call that was done is a success with its data',
  ),
  row(
    '`status` failed, `error.code`, `message`, `details`, `recovery_suggestions`',
    ENVELOPE,
    ENVELOPE_TEST,
    'a refusal has failed, with code, message, details and what to do',
  ),
  row(
    '`status` error',
    ENVELOPE,
    ENVELOPE_TEST,
    'something that broke is an error, with the suggestions of the table',
  ),
  row(
    '`command`: the identifier of the tool, in dot notation',
    ENVELOPE,
    ENVELOPE_TEST,
    'a protocol with a name of its own for a tool finds it in the command',
  ),
  row(
    '`metadata.version` of the specification',
    ENVELOPE,
    ENVELOPE_TEST,
    'the protocol is at 2.0.0',
  ),
  row(
    '`metadata.execution_time`, `tool_info`, `permissions_used`',
    ENVELOPE,
    'packs/personal/src/project/document.test.ts',
    'the definition of the document loads and runs over the same data, with its answers and errors',
  ),
  row(
    '`metadata.input_validation`, also where it failed',
    ENVELOPE,
    REGISTRY_TEST,
    'a failed validation says how long it took',
  ),
]

const DEFINED: readonly Requirement[] = [
  row(
    '`ToolDefinition`: every field of both examples',
    DEFINITION,
    DEFINITIONS_TEST,
    '$id comes back without loss',
  ),
  row(
    '`ToolCategory`, with its information',
    'libraries/documents/src/definitions/categories.ts',
    DEFINITIONS_TEST,
    'counts categories and what most of their tools ask for',
  ),
  row(
    '`SecurityLevel`',
    'core/src/permissions/access.ts',
    'core/src/permissions/missing-rights.test.ts',
    'above the clearance is told',
  ),
  row(
    '`FunctionSignature`: input and output schemas, examples, required fields',
    'libraries/documents/src/definitions/from-definition.ts',
    DEFINITIONS_TEST,
    'habit.create runs every example it prints, with its defaults',
  ),
  row(
    '`error_schemas`',
    'libraries/documents/src/definitions/from-definition.ts',
    DEFINITIONS_TEST,
    'an error whose details are not as declared is returned with a note',
  ),
  row(
    '`side_effects`, `implementation`, `validation`',
    DEFINITION,
    'packs/personal/src/project/document.test.ts',
    'project.status publishes the whole definition of the document except the location of its code',
  ),
  row(
    '`implementation`: a function, a method of a class',
    'libraries/documents/src/definitions/implementations.ts',
    DEFINITIONS_TEST,
    'a method of a class is bound by its names, and nothing that every object has',
  ),
  row(
    '`validation.rate_limiting`',
    'libraries/documents/src/definitions/from-definition.ts',
    DEFINITIONS_TEST,
    'habit.create lets ten a minute through, as its document says',
  ),
  row(
    '`deprecated_at`, `replacement_tool`',
    'libraries/documents/src/definitions/manage-tools.ts',
    DEFINITIONS_TEST,
    'a deprecated tool runs with a warning, is redirected, then refuses',
  ),
]

const PERMISSIONS: readonly Requirement[] = [
  row(
    '`Role`: the five of the document',
    'core/src/permissions/permission-scheme.ts',
    DEFINITIONS_TEST,
    'roles are the ones the document names',
  ),
  row(
    '`required_capabilities` with `scope`',
    'core/src/permissions/grants.ts',
    CONDITIONS,
    'is the narrower of what is query for and what is held',
  ),
  row(
    'scopes hold for the data, not only for the name',
    'packs/personal/src/person.ts',
    'packs/personal/src/habit/privacy.test.ts',
    'a person of the same name in another tenant sees nothing',
  ),
  row(
    '`ResourceAccess`, `ResourceType`, `AccessMode`',
    'core/src/permissions/access.ts',
    'core/src/permissions/missing-rights.test.ts',
    'is open to a caller with the capability for it; creating and updating count as writing',
  ),
  row(
    '`CapabilityCondition`: time_restriction',
    'core/src/permissions/time-window.ts',
    CONDITIONS,
    'is judged in its own zone, else in that of the caller, else in UTC',
  ),
  row(
    '`CapabilityCondition`: rate_limit',
    'core/src/permissions/grants.ts',
    CONDITIONS,
    'of a grant that serves two needs is counted once',
  ),
  row(
    '`CapabilityCondition`: user_consent, admin_approval',
    'core/src/permissions/grants.ts',
    CONDITIONS,
    'is query for where a role is given something under that condition',
  ),
  row(
    '`STANDARD_CAPABILITIES`, `default_grants`',
    'core/src/permissions/permission-scheme.ts',
    SCHEME,
    'the scheme is published as document 004 has it',
  ),
]

const TROUBLE: readonly Requirement[] = [
  row('`ToolErrorCode`: all 25', ERRORS, ERRORS_TEST, 'the table has the 25 codes of the document'),
  row(
    'codes are numbered by family',
    ERRORS,
    ERRORS_TEST,
    '%s is numbered within its family, from %d',
  ),
  row(
    '`ErrorRecoveryInfo`, `RecoveryStrategy`',
    ERRORS,
    ERRORS_TEST,
    'names every strategy and what it affects',
  ),
  row(
    '`RecoveryStrategy.automatic`',
    ERRORS,
    ERRORS_TEST,
    'that may be retried has a strategy which a program may follow by itself',
  ),
  row('`UserAction`', ERRORS, ERRORS_TEST, 'tells a person what to do'),
  row(
    'the recovery information is served',
    REGISTRY_TOOLS,
    REGISTRY_TEST,
    'an error code is explained, and an unknown one is refused',
  ),
]

const REGISTRY: readonly Requirement[] = [
  row(
    '`ToolRegistry`: `version`, `last_updated`, `tools`, `categories`, `permissions`',
    DISCOVERY,
    DEFINITIONS_TEST,
    'the registry is published as one document, with the time of its last change',
  ),
  row(
    '`PermissionSchemeDefinition`',
    'libraries/documents/src/definitions/discovery.ts',
    SCHEME,
    'what packs add is published with it',
  ),
  row(
    'the registry is served',
    REGISTRY_TOOLS,
    REGISTRY_TEST,
    'the registry document is for administrators, and says what document 004 says',
  ),
  row(
    '`listTools(category?, role?)`',
    DISCOVERY,
    REGISTRY_TEST,
    'lists and searches accept the options of document 004',
  ),
  row('`getTool`', DISCOVERY, DEFINITIONS_TEST, '$id comes back without loss'),
  row(
    '`searchTools`, `SearchOptions`',
    DISCOVERY,
    DEFINITIONS_TEST,
    'filters by category, permission and security level',
  ),
  row(
    '`include_deprecated`',
    DISCOVERY,
    DEFINITIONS_TEST,
    'an exact id comes first, then names, and deprecated tools stay hidden',
  ),
  row(
    '`getAvailableTools`',
    DISCOVERY,
    DEFINITIONS_TEST,
    'lists what given roles and capabilities could use',
  ),
  row(
    '`checkPermissions`, `UserContext` without a session',
    REGISTRY_TOOLS,
    REGISTRY_TEST,
    'permissions are checked for given roles, without a session, and for the caller',
  ),
  row(
    '`PermissionCheckResult` says what is missing',
    'core/src/permissions/explain-permissions.ts',
    'core/src/permissions/explain-permissions.test.ts',
    'all that is missing is told at once, each with what would grant it',
  ),
  row(
    '`registerTool`, `updateTool`, `deprecateTool`',
    REGISTRY_TOOLS,
    REGISTRY_TEST,
    'a tool is registered, updated, deprecated, and still there after a restart',
  ),
  row(
    'a change moves the version',
    'libraries/documents/src/definitions/version-step.ts',
    DEFINITIONS_TEST,
    'a field that is newly required needs a major',
  ),
]

const MIGRATION: readonly Requirement[] = [
  row(
    '`MigrationStrategy` as data',
    `${MIGRATE}/define-migration.ts`,
    `${MIGRATE}/define-migration.test.ts`,
    'keeps the strategy in the form of the document',
  ),
  row(
    '`FieldMapping`',
    `${MIGRATE}/plan.ts`,
    `${MIGRATE}/plan.test.ts`,
    'rename, move and change fields; the others pass under their own name',
  ),
  row(
    '`required_in_v2`',
    `${MIGRATE}/plan.ts`,
    `${MIGRATE}/plan.test.ts`,
    'refuse a call without what v2 requires, by the name v1 knows',
  ),
  row(
    '`TransformationRule` rename',
    `${MIGRATE}/plan.ts`,
    `${MIGRATE}/plan.test.ts`,
    'renames fields there and back, and the tool',
  ),
  row(
    '`TransformationRule` restructure',
    `${MIGRATE}/plan.ts`,
    `${MIGRATE}/plan.test.ts`,
    'nests, flattens and lists by a template, there and back',
  ),
  row(
    '`TransformationRule` validate',
    `${MIGRATE}/plan.ts`,
    `${MIGRATE}/plan.test.ts`,
    'checks fields and reports all problems at once',
  ),
  row(
    '`TransformationRule` enrich',
    `${MIGRATE}/plan.ts`,
    `${MIGRATE}/plan.test.ts`,
    'enriches: constants, time and zone fill a gap',
  ),
  row(
    '`DeprecationPhase`, by date',
    `${MIGRATE}/phases.ts`,
    `${MIGRATE}/phases.test.ts`,
    'what has begun is never taken back',
  ),
  row(
    '`DeprecationAction` warn',
    `${MIGRATE}/v1-adapter.ts`,
    `${MIGRATE}/v1-adapter.test.ts`,
    'in its phase of warning works with a warning',
  ),
  row(
    '`DeprecationAction` redirect, `v1_redirect_mode`',
    `${MIGRATE}/v1-adapter.ts`,
    `${MIGRATE}/v1-adapter.test.ts`,
    'redirected explicitly names the alternative and runs nothing',
  ),
  row(
    '`DeprecationAction` disable, remove',
    `${MIGRATE}/v1-adapter.ts`,
    V1_TEST,
    'a function that is switched off does nothing and names its successor',
  ),
  row(
    '`enable_v1_mode`',
    `${MIGRATE}/v1-adapter.ts`,
    `${MIGRATE}/v1-adapter.test.ts`,
    'is refused at any time where v1 is switched off',
  ),
  row(
    '`v1_warning_level`',
    `${MIGRATE}/v1-adapter.ts`,
    `${MIGRATE}/v1-adapter.test.ts`,
    'at level log go to the log alone, once an hour for each function',
  ),
  row(
    '`v1_support_end_date`',
    'packs/personal/src/v1/personal-migration.ts',
    REGISTRY_TEST,
    'a v1 call is served, with the date on which that ends',
  ),
  row(
    '`adaptV1Call`, `adaptV2Response`',
    'packs/personal/src/v1/personal-v1.ts',
    V1_TEST,
    'create_habit accepts the names, numbers and form of v1',
  ),
  row(
    '`generateMigrationWarning`',
    'packs/personal/src/v1/personal-v1.ts',
    V1_TEST,
    'a warning names the successor before any call',
  ),
]

const EXAMPLES: readonly Requirement[] = [
  row(
    'the definition of habit.create loads, round-trips and runs',
    'packs/personal/src/habit/habit-create.ts',
    DEFINITIONS_TEST,
    'habit.create runs every example it prints, with its defaults',
  ),
  row(
    'a key that was used makes no second habit',
    'packs/personal/src/habit/habit-create.ts',
    DEFINITIONS_TEST,
    'a key that was used makes no second habit',
  ),
  row(
    'the definition of project.status loads, round-trips and runs',
    'packs/personal/src/project/project-status.ts',
    'packs/personal/src/project/document.test.ts',
    'the definition of the document loads and runs over the same data, with its answers and errors',
  ),
  row(
    'project.status: `searched_name`, `available_projects`',
    'packs/personal/src/project/find-project.ts',
    DEFINITIONS_TEST,
    'project.status says what it searched for and what there is, as its error schema declares',
  ),
  row(
    'Explain Protocol: the command, and a name it is called by',
    'packs/personal/src/ai/explanation.ts',
    EXPLAIN_TEST,
    'is the command of its envelope, and a name it is called by',
  ),
  row(
    'Explain Protocol: reasoning chains',
    'packs/personal/src/ai/explanation.ts',
    EXPLAIN_TEST,
    'numbers its steps',
  ),
  row(
    'Explain Protocol: factor analysis',
    'packs/personal/src/ai/weigh.ts',
    EXPLAIN_TEST,
    'has factors that add up to its score, with weights that sum to 1',
  ),
  row(
    'Explain Protocol: confidence metrics',
    'packs/personal/src/ai/confidence.ts',
    'packs/personal/src/ai/confidence.test.ts',
    'is high from 0.8 and medium from 0.6',
  ),
  row(
    'Explain Protocol: actionable insights',
    'packs/personal/src/ai/recommend.ts',
    EXPLAIN_TEST,
    'names tool calls that succeed',
  ),
  row(
    'tools are called from the command line',
    'surfaces/cli/src/commands/call.ts',
    'surfaces/cli/src/commands.test.ts',
    'a key makes a repeat an answer; the words say so',
  ),
  row(
    'validation is that of the command line',
    'surfaces/cli/src/flags-to-input.ts',
    'surfaces/cli/src/commands.test.ts',
    'without a terminal, what is missing is named with the command that helps',
  ),
  row(
    'JSON and human-readable output',
    'surfaces/cli/src/print.ts',
    'surfaces/cli/src/commands.test.ts',
    'under --json standard output holds the envelope and nothing else, progress goes beside it',
  ),
  row(
    'help is made from the definitions',
    'surfaces/cli/src/commands/show.ts',
    'surfaces/cli/src/commands.test.ts',
    '--help behind a tool is about the tool',
  ),
]

const EXTENSIONS: readonly Requirement[] = [
  row(
    'interactive tools',
    'core/src/runs/ask.ts',
    'surfaces/cli/src/runs-terminal.test.ts',
    'is put right there, round after round; what was changed is read back before it is sent',
  ),
  row(
    'async tools with status callbacks',
    'core/src/pipeline/defer.ts',
    'surfaces/cli/src/commands.test.ts',
    'a job is waited for where that is asked',
  ),
  row(
    'composite tools',
    'packs/events/src/capture/capture.ts',
    'packs/events/src/capture/capture.test.ts',
    'is read, shown to the person, and written once they approve',
  ),
  row(
    'external tools',
    'core/src/define/foreign-tool.ts',
    'core/src/registry/tenant-registry.test.ts',
    'what a tenant brought is called through the same line as any tool, once a key',
  ),
  row(
    'attribute-based permissions',
    'core/src/permissions/attribute-rules.ts',
    'core/src/permissions/attribute-rules.test.ts',
    'never tells what was found: an input may be a secret',
  ),
  row(
    'schema evolution',
    'libraries/documents/src/definitions/compare-definitions.ts',
    DEFINITIONS_TEST,
    'a new optional field is a minor, and the old version answers by its number',
  ),
  row(
    'multi-tenant tool management',
    'core/src/registry/registry-access.ts',
    'core/src/registry/tenant-registry.test.ts',
    'another tenant does not see it, and a call of it finds nothing',
  ),
]

/** The parts of document 004, in its order. */
export const DOCUMENT_004: readonly Part[] = [
  { title: 'Base tool response format', rows: RESPONSE },
  { title: 'Tool definition schema', rows: DEFINED },
  { title: 'Permission system', rows: PERMISSIONS },
  { title: 'Error handling system', rows: TROUBLE },
  { title: 'Tool registration and discovery', rows: REGISTRY },
  { title: 'Version migration strategy', rows: MIGRATION },
  { title: 'Implementation examples and protocol alignment', rows: EXAMPLES },
  { title: 'Future extensions', rows: EXTENSIONS },
]

/** The page docs/personal-conformance.md. */
export function renderDocument004(): string {
  const parts = DOCUMENT_004.map(({ title, rows }) => `## ${title}\n\n${requirementTable(rows)}\n`)
  return `# Personal: the document and where it is

Every type of document 004 in its order, the file that has it, and the test that shows it (\`node packs/personal/testing/write-conformance.ts\`). A test looks for every file and every title of a test that is named here, and compares this page with them. "AI-generated tools", the last of the document's planned enhancements, are registered like any other by \`registry.register_tool\`.

${parts.join('\n')}`
}
