// table
import type { PackMigration } from '@surehand/core'

// Days are civil dates (`2026-11-15`), moments are milliseconds since 1970, lists are JSON. Every row belongs to one person of one tenant.

const HABITS = [
  `create table pm_habits (
    tenant text not null, id text not null, owner text not null, name text not null, name_key text not null,
    category text not null, frequency text not null, difficulty text not null,
    description text, cue text, routine text, reward text, target_duration bigint, reminder_time text,
    state text not null, created_at bigint not null, updated_at bigint not null, started_on text not null,
    primary key (tenant, id))`,
  "create unique index pm_habits_active on pm_habits (tenant, owner, name_key) where state = 'active'",
  `create table pm_habit_records (
    tenant text not null, habit_id text not null, owner text not null, day text not null,
    quality bigint, minutes bigint, note text, recorded_at bigint not null,
    primary key (tenant, habit_id, day))`,
  'create index pm_habit_records_day on pm_habit_records (tenant, owner, day)',
]

const TASKS = [
  `create table pm_tasks (
    tenant text not null, id text not null, owner text not null, title text not null, notes text,
    state text not null, priority text, energy text, context text, minutes bigint,
    due_day text, due_time text, due_zone text, due_at bigint, defer_until text,
    project_id text, waiting_for text, waiting_since text,
    created_at bigint not null, updated_at bigint not null, completed_at bigint, deleted_at bigint,
    primary key (tenant, id))`,
  'create index pm_tasks_state on pm_tasks (tenant, owner, state, due_day)',
  'create index pm_tasks_project on pm_tasks (tenant, project_id, state)',
  'create index pm_tasks_done on pm_tasks (tenant, owner, completed_at)',
]

const PROJECTS = [
  `create table pm_projects (
    tenant text not null, id text not null, owner text not null, name text not null, name_key text not null,
    description text, path text, phase text, priority text not null, state text not null, progress double precision,
    target_day text, created_at bigint not null, updated_at bigint not null, completed_at bigint,
    primary key (tenant, id))`,
  "create unique index pm_projects_active on pm_projects (tenant, owner, name_key) where state <> 'deleted'",
  `create table pm_project_members (
    tenant text not null, project_id text not null, principal text not null, added_at bigint not null,
    primary key (tenant, project_id, principal))`,
  'create index pm_project_members_of on pm_project_members (tenant, principal)',
  `create table pm_project_log (
    tenant text not null, project_id text not null, id text not null, owner text not null,
    kind text not null, text text not null, severity text, at bigint not null, closed_at bigint,
    primary key (tenant, id))`,
  'create index pm_project_log_of on pm_project_log (tenant, project_id, kind, at)',
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
    body text not null, tags text not null, path text not null, hash text not null,
    created_at bigint not null, updated_at bigint not null, deleted_at bigint,
    primary key (tenant, id))`,
  'create unique index pm_notes_path on pm_notes (tenant, owner, path) where deleted_at is null',
  'create index pm_notes_changed on pm_notes (tenant, owner, updated_at)',
  `create table pm_note_links (
    tenant text not null, owner text not null, from_id text not null, to_id text not null, relation text not null, created_at bigint not null,
    primary key (tenant, from_id, to_id, relation))`,
]

const PREFERENCES = [
  `create table pm_preferences (
    tenant text not null, owner text not null, name text not null, value text not null, updated_at bigint not null,
    primary key (tenant, owner, name))`,
  `create table pm_system (
    tenant text not null, name text not null, value text not null, updated_by text not null, updated_at bigint not null,
    primary key (tenant, name))`,
]

/** What the personal manager keeps. */
export const TABLES: readonly PackMigration[] = [
  { name: '1-personal', statements: [...HABITS, ...TASKS, ...PROJECTS, ...TIME, ...KNOWLEDGE, ...PREFERENCES] },
]
