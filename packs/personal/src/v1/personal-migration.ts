import {
  type DeprecationAction,
  type DeprecationPhase,
  defineMigration,
  type FieldMapping,
  type MigrationStrategy,
  type TransformationRule,
} from '@surehand/documents'

/**
 * The functions of v1 that are still served, with their keyword arguments, and the tools that
 * replace them:
 *
 * | v1 | keyword arguments |
 * |---|---|
 * | create_habit | habit_name, category, freq (day, week, month), level (1 to 4), minutes,
 * remind_at, details, loop { cue, routine, reward } |
 * | list_habits | active_only, category |
 * | habit_status | habit_name |
 * | record_habit | habit_name, when, done, rating (1 to 5), minutes, note |
 * | today_habits | when |
 * | delete_habit | habit_name |
 * | capture_task | content, details |
 * | list_tasks | status (inbox, next, waiting, someday, done, open), project_name, tag |
 * | next_tasks | count, energy_level, context, time_available |
 * | complete_task | task (its title or id), note |
 * | create_project | name, summary, due, importance (1 to 3), team (names with commas) |
 * | list_projects | sort_by |
 * | get_project_status | project_name |
 *
 * Numbers may be given as texts, and words in capitals. Answers have `habit` and `project` where v2
 * has `habit_info` and `project_info`.
 */
export const V1_TOOLS = {
  create_habit: 'habit.create',
  list_habits: 'habit.list',
  habit_status: 'habit.status',
  record_habit: 'habit.record_completion',
  today_habits: 'habit.today_plan',
  delete_habit: 'habit.delete',
  capture_task: 'task.capture',
  list_tasks: 'task.list',
  next_tasks: 'task.next',
  complete_task: 'task.complete',
  create_project: 'project.create',
  list_projects: 'project.list',
  get_project_status: 'project.status',
} as const

export type V1Name = keyof typeof V1_TOOLS

const FUNCTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(V1_TOOLS).map(([name, tool]) => [tool, name]),
)

/**
 * The module and the function of a tool, as document 004 writes them: `habit.create` is
 * `create_habit` in `pm.tools.habit_tools`. Tools that v1 had keep the names of their functions.
 */
export function implementationOf(toolId: string): {
  readonly module: string
  readonly function: string
} {
  const [domain = '', action = ''] = toolId.split('.')
  return {
    module: `pm.tools.${domain}_tools`,
    function: FUNCTIONS.get(toolId) ?? `${action}_${domain}`,
  }
}

type Mapped = { readonly as?: string; readonly needed?: true }

function field(
  of: V1Name,
  [v1, v2]: readonly [string, string],
  { as, needed }: Mapped = {},
): FieldMapping {
  return {
    v1_field: `${of}:${v1}`,
    v2_field: v2,
    ...(as === undefined ? {} : { transformation: as }),
    required_in_v2: needed === true,
  }
}

const LEVELS =
  'map:[[1,"tiny"],[2,"easy"],[3,"medium"],[4,"hard"],["1","tiny"],["2","easy"],["3","medium"],["4","hard"]]'
const FREQUENCIES = 'map:{"day":"daily","week":"weekly","month":"monthly"}'
const STATES =
  'map:{"next":"next_action","waiting":"waiting_for","someday":"someday_maybe","done":"completed"}'
const IMPORTANCE = 'map:[[1,"high"],[2,"medium"],[3,"low"],["1","high"],["2","medium"],["3","low"]]'

/** The field of v2 for each argument of v1, and the field of v1 for each field of an answer. */
const FIELD_MAPPINGS: readonly FieldMapping[] = [
  field('create_habit', ['habit_name', 'name'], { as: 'trim', needed: true }),
  field('create_habit', ['category', 'category'], { as: 'lowercase' }),
  field('create_habit', ['freq', 'frequency'], { as: FREQUENCIES }),
  field('create_habit', ['level', 'difficulty'], { as: LEVELS }),
  field('create_habit', ['minutes', 'target_duration'], { as: 'to_number' }),
  field('create_habit', ['remind_at', 'reminder_time'], { as: 'trim' }),
  field('create_habit', ['details', 'description']),
  field('create_habit', ['habit', 'habit_info']),

  field('list_habits', ['active_only', 'status'], { as: 'map:[[true,"active"],[false,"all"]]' }),
  field('list_habits', ['category', 'category'], { as: 'lowercase' }),
  field('list_habits', ['habits[].current_streak', 'habits[].streak.current']),
  field('list_habits', ['habits[].longest_streak', 'habits[].streak.longest']),
  field('list_habits', ['habits[].done', 'habits[].is_done']),

  field('habit_status', ['habit_name', 'habit_name'], { as: 'trim', needed: true }),
  field('habit_status', ['habit', 'habit_info']),
  field('habit_status', ['current_streak', 'streak.current']),
  field('habit_status', ['longest_streak', 'streak.longest']),

  field('record_habit', ['habit_name', 'habit_name'], { as: 'trim', needed: true }),
  field('record_habit', ['when', 'date'], { as: 'trim' }),
  field('record_habit', ['done', 'completed'], { as: 'to_boolean' }),
  field('record_habit', ['rating', 'quality'], { as: 'to_number' }),
  field('record_habit', ['minutes', 'duration_minutes'], { as: 'to_number' }),
  field('record_habit', ['habit', 'habit_info']),
  field('record_habit', ['current_streak', 'streak.current']),
  field('record_habit', ['longest_streak', 'streak.longest']),

  field('today_habits', ['when', 'date'], { as: 'trim' }),

  field('delete_habit', ['habit_name', 'habit_name'], { as: 'trim', needed: true }),
  field('delete_habit', ['habit', 'habit_info']),

  field('capture_task', ['content', 'text'], { as: 'trim', needed: true }),
  field('capture_task', ['details', 'notes']),

  field('list_tasks', ['status', 'state'], { as: STATES }),
  field('list_tasks', ['project_name', 'project'], { as: 'trim' }),

  field('next_tasks', ['count', 'limit'], { as: 'to_number' }),
  field('next_tasks', ['time_available', 'minutes'], { as: 'to_number' }),

  field('complete_task', ['task', 'task'], { needed: true }),

  field('create_project', ['name', 'name'], { as: 'trim', needed: true }),
  field('create_project', ['summary', 'description']),
  field('create_project', ['due', 'target_completion'], { as: 'trim' }),
  field('create_project', ['importance', 'priority'], { as: IMPORTANCE }),
  field('create_project', ['team', 'members'], { as: 'split_csv' }),
  field('create_project', ['project', 'project_info']),

  field('list_projects', ['sort_by', 'sort'], { as: 'lowercase' }),

  field('get_project_status', ['project_name', 'project_name'], { as: 'trim', needed: true }),
  field('get_project_status', ['project', 'basic_info']),
  field('get_project_status', ['metrics', 'status_metrics']),
]

// v1 returned whole lists.
const ALL_AT_ONCE = 200

const RULES: readonly TransformationRule[] = [
  {
    applies_to: ['create_habit'],
    rule_type: 'restructure',
    rule_definition: {
      template: { cue: 'loop.cue', routine: 'loop.routine', reward: 'loop.reward' },
    },
  },
  {
    applies_to: ['next_tasks'],
    rule_type: 'rename',
    rule_definition: { fields: { energy_level: 'energy' } },
  },
  {
    applies_to: ['create_habit'],
    rule_type: 'validate',
    rule_definition: { fields: { target_duration: { type: 'integer', min: 1, max: 480 } } },
  },
  {
    applies_to: ['record_habit'],
    rule_type: 'validate',
    rule_definition: { fields: { quality: { type: 'integer', min: 1, max: 5 } } },
  },
  {
    applies_to: ['list_habits', 'list_tasks', 'list_projects'],
    rule_type: 'enrich',
    rule_definition: { fields: { limit: ALL_AT_ONCE } },
  },
]

type Step = Pick<DeprecationPhase, 'phase_name' | 'start_date' | 'end_date'> &
  Pick<DeprecationAction, 'action_type' | 'message'>

const STEPS: readonly Step[] = [
  {
    phase_name: 'announce',
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    action_type: 'warn',
    message: 'v1 calls are served until 30 June 2027.',
  },
  {
    phase_name: 'redirect',
    start_date: '2027-01-01',
    end_date: '2027-06-30',
    action_type: 'redirect',
    message: 'This v1 call was served by its successor; v1 is switched off on 1 July 2027.',
  },
  {
    phase_name: 'switch_off',
    start_date: '2027-07-01',
    end_date: '2027-12-31',
    action_type: 'disable',
    message: 'v1 calls were switched off on 1 July 2027.',
  },
  {
    phase_name: 'remove',
    start_date: '2028-01-01',
    end_date: '2028-12-31',
    action_type: 'remove',
    message: 'v1 calls were removed on 1 January 2028.',
  },
]

/**
 * How v1 calls of the personal manager become v2 calls, and until when: the MigrationStrategy of
 * document 004, as data.
 */
export const PERSONAL_STRATEGY: MigrationStrategy = {
  migration_version: '1.0_to_2.0',
  field_mappings: [...FIELD_MAPPINGS],
  transformation_rules: [...RULES],
  deprecation_timeline: STEPS.map(({ phase_name, start_date, end_date, action_type, message }) => ({
    phase_name,
    start_date,
    end_date,
    actions: Object.entries(V1_TOOLS).map(([target, alternative]) => ({
      action_type,
      target,
      message,
      alternative,
    })),
  })),
  compatibility_mode: {
    enable_v1_mode: true,
    v1_warning_level: 'user_facing',
    v1_redirect_mode: 'transparent',
    // The last day of the phase in which v1 calls are served.
    v1_support_end_date: '2027-06-30',
  },
}

export const personalMigration = defineMigration(PERSONAL_STRATEGY, { tools: V1_TOOLS })
