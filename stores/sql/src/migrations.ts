// table
import type { PackMigration } from '@surehand/core/host'

/**
 * The stores' own tables, in migrations that never change after a release. The column types are
 * understood by both databases.
 */
export const MIGRATIONS: readonly PackMigration[] = [
  {
    name: '0001-ledger',
    statements: [
      `create table calls (
        call_id text primary key, tenant text not null, principal text not null, tool_id text not null, key text not null,
        holds_key bigint not null, key_source text not null, tool_version text not null, definition_hash text not null,
        input_hash text not null, input text not null, provider_key text not null, scopes text not null, irreversible bigint not null,
        is_secret bigint not null, caller text not null, surface text not null, request_id text not null,
        state text not null, fence bigint not null, lease_until bigint, approval_id text,
        effect_port text, effect_method text, effect_args_hash text, effect_started_at bigint, effect_last_started_at bigint,
        answer text, created_at bigint not null, updated_at bigint not null)`,
      // When two calls claim one key, the unique index lets one of them through.
      'create unique index calls_key on calls (tenant, principal, tool_id, key) where holds_key = 1',
      'create index calls_lease on calls (lease_until) where lease_until is not null',
      "create index calls_queued on calls (updated_at) where state = 'queued'",
      'create index calls_wish on calls (tenant, principal, tool_id, input_hash, created_at) where irreversible = 1',
      'create index calls_age on calls (created_at)',
      `create table evidence (
        number {serial}, tenant text not null, call_id text not null, fence bigint not null, what text not null, text text not null,
        at bigint not null)`,
      'create index evidence_call on evidence (call_id)',
      `create table approvals (
        number {serial}, id text not null unique, tenant text not null, principal text not null, tool_id text not null, tool_version text not null,
        definition_hash text not null, input_hash text not null, call_id text not null, kind text not null, reversible bigint not null,
        asks text not null, shown text not null, digest text not null, edited_by text, state text not null,
        created_at bigint not null, expires_at bigint not null, decision text)`,
      'create index approvals_wish on approvals (tenant, principal, tool_id, input_hash)',
      'create index approvals_tenant on approvals (tenant, created_at)',
    ],
  },
  {
    name: '0002-audit',
    statements: [
      `create table audit_records (
        number {serial}, id text not null, phase text not null, call_id text not null, request_id text not null, tenant text not null,
        principal text not null, actor text not null, surface text not null, tool_name text not null, tool_version text not null,
        definition_hash text not null, input_hash text not null, output_hash text not null, success bigint not null,
        outcome text not null, code text not null, error text not null, duration_ms double precision not null, source text not null,
        created_at double precision not null)`,
      'create index audit_tenant on audit_records (tenant, number)',
      'create index audit_call on audit_records (call_id)',
    ],
  },
  {
    name: '0003-limits-and-values',
    statements: [
      // Keys are hashed, because they may be longer than an index entry.
      'create table limits (key_hash text primary key, state text not null, expires_at bigint)',
      'create index limits_expiry on limits (expires_at) where expires_at is not null',
      'create table cache (key_hash text primary key, value text not null, expires_at bigint not null)',
      'create index cache_expiry on cache (expires_at)',
      'create table stored_values (tenant text not null, key text not null, value text not null, expires_at bigint, primary key (tenant, key))',
      'create index stored_values_expiry on stored_values (expires_at) where expires_at is not null',
    ],
  },
  {
    name: '0004-administration',
    statements: [
      // A removed item keeps its row: if its version started again, it could not be told from the
      // old one.
      `create table admin_items (
        tenant text not null, kind text not null, id text not null, value text, version bigint not null, updated_at bigint not null,
        primary key (tenant, kind, id))`,
      'create table admin_versions (tenant text primary key, version bigint not null)',
    ],
  },
  {
    name: '0005-jobs',
    statements: {
      sqlite: [
        `create table jobs (
          number integer primary key autoincrement, tenant text not null, call_id text not null, run_at bigint not null,
          tries bigint not null, lease_until bigint)`,
        'create index jobs_due on jobs (run_at)',
      ],
      // On PostgreSQL, pg-boss has tables of its own.
      postgres: [],
    },
  },
  {
    name: '0006-audit-tree',
    statements: [
      ...[
        'position bigint',
        'salt text',
        'input_commitment text',
        'output_commitment text',
        'person_commitment text',
        'leaf text',
        'erased_at bigint',
        'erasure text',
      ].map((column) => `alter table audit_records add column ${column}`),
      // Finds the records without a position without reading the others, however late a record was
      // committed.
      'create index audit_unsequenced on audit_records (tenant, number) where position is null',
      // When two sequencers assign one position, the unique index lets one of them through.
      'create unique index audit_position on audit_records (tenant, position) where position is not null',
      `create table audit_trees (
        tenant text primary key, size bigint not null, frontier text not null, holder text not null, fence bigint not null,
        lease_until bigint not null, head_size bigint not null, anchored_size bigint not null, erasures bigint not null)`,
      'create index audit_unanchored on audit_trees (tenant) where anchored_size < size',
      `create table audit_heads (
        tenant text not null, size bigint not null, root text not null, signed_at bigint not null, key_id text not null,
        signature text not null, primary key (tenant, size))`,
    ],
  },
  {
    name: '0007-unknown-calls',
    // Unknown calls are few, and the sweep and the administrators must find them quickly.
    statements: [
      "create index calls_unknown on calls (tenant, created_at) where state = 'unknown'",
    ],
  },
  {
    name: '0008-runs',
    statements: [
      ...[
        'parent_id text',
        'wake_at bigint',
        'to_stop bigint',
        'spent_ms bigint',
        'notify text',
        'notify_at bigint',
        'notify_tries bigint',
        'notify_done bigint',
      ].map((column) => `alter table calls add column ${column}`),
      'create index calls_parent on calls (parent_id) where parent_id is not null',
      'create index calls_notify on calls (updated_at) where notify is not null and notify_done is null',
      "create index calls_parked on calls (wake_at) where state = 'parked'",
      // One answer per step: when two processes write it, the unique index lets one of them
      // through.
      `create table journal (
        number {serial}, tenant text not null, call_id text not null, path text not null, what text not null, tool text not null,
        input_hash text not null, child text not null, is_write bigint not null, is_secret bigint not null, answer text, undo text,
        unique (call_id, path))`,
      `create table questions (
        number {serial}, id text not null unique, tenant text not null, principal text not null, call_id text not null,
        tool_id text not null, path text not null, asks text not null, answered_by text not null, answer_schema text not null,
        draft text not null, shown text not null, digest text not null, is_secret bigint not null, state text not null, answer text,
        created_at bigint not null, expires_at bigint not null)`,
      'create index questions_call on questions (call_id)',
      'create index questions_tenant on questions (tenant, number)',
      'create table progress (call_id text primary key, tenant text not null, number bigint not null, json text not null)',
    ],
  },
  {
    name: '0009-audit-requests',
    statements: [
      // Only for the requests of a domain: most calls have none and would make the index as long as
      // the table.
      'create index audit_request on audit_records (tenant, request_id, number) where request_id <> call_id',
    ],
  },
  {
    name: '0010-boot-clock',
    // Leases and ages on the monotonic clock of a machine, and the deaths of processes that held
    // the call.
    statements: [
      'lease_boot text',
      'lease_ticks bigint',
      'effect_boot text',
      'effect_ticks bigint',
      'effect_last_ticks bigint',
      'deaths bigint',
      'death_at bigint',
    ].map((column) => `alter table calls add column ${column}`),
  },
  {
    name: '0011-unknown-inputs',
    statements: [
      "create index calls_doubt on calls (tenant, principal, tool_id, input_hash) where state = 'unknown'",
    ],
  },
  {
    name: '0012-audit-seals',
    statements: [
      'alter table audit_records add column seal text',
      // Up to which number records may have no seal, and how many there were: a single row.
      'create table audit_seal_start (id bigint primary key, number bigint not null, records bigint not null, seal text not null)',
    ],
  },
  {
    name: '0013-notice-endpoints',
    statements: [
      'drop index calls_notify',
      `create index calls_notify on calls (tenant, notify, updated_at, notify_at, state)
        where notify is not null and notify_done is null`,
    ],
  },
  {
    name: '0014-lists-of-approvals',
    // One index for each order in which pages of approval requests and questions are read.
    statements: [
      'drop index approvals_tenant',
      'create index approvals_tenant on approvals (tenant, number)',
      'create index approvals_principal on approvals (tenant, principal, number)',
      "create index approvals_waiting on approvals (tenant, expires_at, id) where state = 'pending'",
      "create index questions_waiting on questions (tenant, expires_at, id) where state = 'open'",
    ],
  },
  {
    name: '0015-delegated-approvals',
    statements: ['delegate text', 'delegated_by text', 'delegated_at bigint'].map(
      (column) => `alter table approvals add column ${column}`,
    ),
  },
  {
    name: '0016-call-traces',
    statements: [
      `create table call_traces (
        number {serial}, call_id text not null, tenant text not null, principal text not null, tool_name text not null, key text not null,
        input text not null, outcome text not null, started_at double precision not null, duration_ms double precision not null,
        parts text not null, written_at bigint not null)`,
      'create index call_traces_call on call_traces (call_id)',
      'create index call_traces_age on call_traces (written_at)',
      "create index call_traces_key on call_traces (tenant, key) where key <> ''",
      // Counted while records get their positions: no call waits for it.
      `create table call_figures (
        tenant text not null, tool text not null, at bigint not null, calls bigint not null, failures bigint not null,
        unknown bigint not null, counts text not null, primary key (tenant, tool, at))`,
      `create table health_samples (
        tenant text not null, at bigint not null, queued bigint not null, parked bigint not null, running bigint not null,
        expired bigint not null, unknown bigint not null, unsequenced bigint not null, lag_ms bigint not null, store_bytes bigint not null,
        primary key (tenant, at))`,
    ],
  },
  {
    name: '0017-webhook-deliveries',
    statements: [
      'alter table calls add column notify_result text',
      'alter table calls add column notify_result_at bigint',
      'create index calls_deliveries on calls (tenant, notify, updated_at, call_id) where notify is not null',
    ],
  },
  {
    name: '0018-audit-segments',
    // Records of reads that were written together, as one row each; see segment.ts. On PostgreSQL
    // the table stays empty.
    statements: [
      `create table audit_segments (
        tenant text not null, first_number bigint not null, first_position bigint not null, count bigint not null,
        first_call text not null, last_call text not null, reach text not null, principals text not null, dated_at bigint not null,
        records text not null, salts text not null, leaves text not null, seal text)`,
      'create unique index audit_segments_number on audit_segments (tenant, first_number)',
      'create unique index audit_segments_position on audit_segments (tenant, first_position)',
      'create index audit_segments_call on audit_segments (tenant, reach, first_number, first_call, last_call)',
    ],
  },
  {
    name: '0019-due-notices',
    // By when they are due, so that those that are not yet due are not looked at.
    statements: [
      'drop index calls_notify',
      `create index calls_notify on calls (tenant, notify, notify_at, updated_at)
        where notify is not null and notify_done is null and state in ('succeeded', 'failed', 'released', 'cancelled')`,
    ],
  },
]
