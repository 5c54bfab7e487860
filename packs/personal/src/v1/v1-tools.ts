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
