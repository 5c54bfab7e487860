// table
import type { PackMigration } from '@surehand/core/host'

// Days are civil dates (`2026-11-15`), instants are milliseconds since 1970, lists are JSON. Every
// row belongs to one person of one tenant.

// `run_*` and `last_*` store the streak, so that it is known without reading ten years of records.
// Code that writes records uses habit/record-day.ts, or sets `run_length` to null: the run is then
// counted again when it is next read.
const HABITS = [
  `create table pm_habits (
    tenant text not null, id text not null, owner text not null, name text not null, name_key text not null,
    category text not null, frequency text not null, difficulty text not null,
    description text, cue text, routine text, reward text, target_duration bigint, reminder_time text,
    state text not null, created_at bigint not null, updated_at bigint not null, started_on text not null,
    last_day text, last_zone text, run_length bigint, run_best bigint,
    primary key (tenant, id))`,
  "create unique index pm_habits_active on pm_habits (tenant, owner, name_key) where state = 'active'",
  'create index pm_habits_named on pm_habits (tenant, owner, state, name_key, id)',
  `create table pm_habit_records (
    tenant text not null, habit_id text not null, owner text not null, day text not null, zone text not null default 'UTC',
    quality bigint, minutes bigint, note text, recorded_at bigint not null,
    primary key (tenant, habit_id, day))`,
  'create index pm_habit_records_day on pm_habit_records (tenant, owner, day)',
]

const TASKS = [
  `create table pm_tasks (
    tenant text not null, id text not null, owner text not null, title text not null, title_key text not null, notes text,
    state text not null, priority text, energy text, context text, minutes bigint, tags text not null default '[]',
    due_day text, due_time text, due_zone text, due_at bigint, due_key text not null,
    defer_until text, deferrals bigint not null default 0,
    project_id text, waiting_for text, waiting_since text,
    created_at bigint not null, updated_at bigint not null, completed_at bigint, deleted_at bigint,
    primary key (tenant, id))`,
  'create index pm_tasks_state on pm_tasks (tenant, owner, state, due_key, id)',
  'create index pm_tasks_project on pm_tasks (tenant, project_id, state)',
  'create index pm_tasks_done on pm_tasks (tenant, owner, completed_at, id)',
  'create index pm_tasks_title on pm_tasks (tenant, owner, title_key, state, id)',
  'create index pm_tasks_created on pm_tasks (tenant, owner, created_at, id)',
  'create index pm_tasks_aged on pm_tasks (tenant, owner, state, created_at, id)',
  "create index pm_tasks_open on pm_tasks (tenant, owner, due_key, id) where state not in ('completed', 'deleted')",
]

const PROJECTS = [
  `create table pm_projects (
    tenant text not null, id text not null, owner text not null, name text not null, name_key text not null,
    search_key text not null, description text, path text, phase text, priority text not null, state text not null, progress double precision,
    target_day text, created_at bigint not null, updated_at bigint not null, completed_at bigint,
    primary key (tenant, id))`,
  "create unique index pm_projects_active on pm_projects (tenant, owner, name_key) where state <> 'deleted'",
  `create table pm_project_members (
    tenant text not null, project_id text not null, principal text not null, added_at bigint not null,
    primary key (tenant, project_id, principal))`,
  'create index pm_project_members_of on pm_project_members (tenant, principal, project_id)',
  `create table pm_project_log (
    tenant text not null, project_id text not null, id text not null, owner text not null,
    kind text not null, text text not null, severity text, at bigint not null, closed_at bigint,
    primary key (tenant, id))`,
  'create index pm_project_log_of on pm_project_log (tenant, project_id, kind, at)',
  // A covering index: the tasks of a project are counted without reading their rows.
  'create index pm_tasks_of_project on pm_tasks (tenant, project_id, state, due_day, due_at, owner, updated_at)',
  'create index pm_tasks_done_for on pm_tasks (tenant, project_id, completed_at) where completed_at is not null',
]

const TIME = [
  `create table pm_deep_work (
    tenant text not null, id text not null, owner text not null, subject text not null, task_id text, project_id text,
    planned_minutes bigint, started_at bigint not null, stopped_at bigint, day text not null, focus bigint, interruptions bigint, note text,
    primary key (tenant, id))`,
  'create unique index pm_deep_work_running on pm_deep_work (tenant, owner) where stopped_at is null',
  'create index pm_deep_work_day on pm_deep_work (tenant, owner, day)',
  `create table pm_reviews (
    tenant text not null, owner text not null, kind text not null, day text not null, body text not null, written_at bigint not null,
    primary key (tenant, owner, kind, day))`,
]

const KNOWLEDGE = [
  `create table pm_notes (
    tenant text not null, id text not null, owner text not null, title text not null, title_key text not null,
    body text not null, tags text not null, aliases text not null, properties text not null,
    path text not null, path_key text not null, file_key text not null, hash text not null, revision bigint not null,
    created_at bigint not null, updated_at bigint not null, deleted_at bigint,
    primary key (tenant, id))`,
  'create unique index pm_notes_path on pm_notes (tenant, owner, path_key) where deleted_at is null',
  'create index pm_notes_title on pm_notes (tenant, owner, title_key)',
  'create index pm_notes_file on pm_notes (tenant, owner, file_key)',
  'create index pm_notes_revision on pm_notes (tenant, owner, revision)',
  // The links of a note by name, because the other note may be written later.
  `create table pm_note_links (
    tenant text not null, owner text not null, from_id text not null, to_key text not null, to_title text not null, relation text not null,
    primary key (tenant, from_id, to_key, relation))`,
  'create index pm_note_links_to on pm_note_links (tenant, owner, to_key)',
  // A revision that increases with every change of a person's notes.
  `create table pm_note_heads (
    tenant text not null, owner text not null, revision bigint not null,
    primary key (tenant, owner))`,
  // The state of a file and its note when they were last in sync.
  `create table pm_vault_files (
    tenant text not null, owner text not null, path text not null, note_id text not null,
    file_hash text not null, note_hash text not null, synced_at bigint not null,
    primary key (tenant, owner, path))`,
]

const PREFERENCES = [
  `create table pm_preferences (
    tenant text not null, owner text not null, name text not null, value text not null, updated_at bigint not null,
    primary key (tenant, owner, name))`,
  `create table pm_system (
    tenant text not null, name text not null, value text not null, updated_by text not null, updated_at bigint not null,
    primary key (tenant, name))`,
]

/** The tables of the personal manager. */
export const TABLES: readonly PackMigration[] = [
  {
    name: '1-personal',
    statements: [...HABITS, ...TASKS, ...PROJECTS, ...TIME, ...KNOWLEDGE, ...PREFERENCES],
  },
  // The rule by which a task comes again, as in FREQ=WEEKLY;BYDAY=MO.
  { name: '2-recurring-tasks', statements: ['alter table pm_tasks add column repeats text'] },
]
